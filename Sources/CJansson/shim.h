#pragma once
#include <jansson.h>

// Macros and variadic inline functions that Swift cannot see.
static inline int cjansson_type(const json_t *value) { return (int)json_typeof(value); }
static inline void cjansson_release(json_t *value) { json_decref(value); }
