#include "ccairo.h"

#include <dlfcn.h>
#include <stddef.h>

const struct ccairo *ccairo_load(void) {
  static struct ccairo found;
  void *library = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return NULL;
#define ccairo_FIND(name) \
  if (!(found.name = (__typeof__(found.name))dlsym(library, "cairo_" #name))) return NULL;
  ccairo_FUNCTIONS(ccairo_FIND)
  return &found;
}
