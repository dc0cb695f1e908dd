#pragma once
#include <jansson.h>

// Macros and variadic inline functions that Swift cannot see.
static inline int cjansson_type(const json_t *value) { return (int)json_typeof(value); }
static inline void cjansson_release(json_t *value) { json_decref(value); }

// The text and the code of an error live in one array, which Swift would see as a tuple of 160 characters.
static inline const char *cjansson_error_text(const json_error_t *error) { return error->text; }
static inline int cjansson_error_code(const json_error_t *error) { return (int)json_error_code(error); }
