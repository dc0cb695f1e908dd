#include "carchive.h"

#include <dlfcn.h>
#include <stddef.h>

const struct carchive *carchive_load(void) {
  static struct carchive found;
  void *library = dlopen("libarchive.so.13", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return NULL;
#define carchive_FIND(name) \
  if (!(found.name = (__typeof__(found.name))dlsym(library, "archive_" #name))) return NULL;
  carchive_FUNCTIONS(carchive_FIND)
  found.error_number = (__typeof__(found.error_number))dlsym(library, "archive_errno");
  return found.error_number ? &found : NULL;
}
