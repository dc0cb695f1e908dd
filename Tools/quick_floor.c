// What no quick look over a library can do without: each folder listed and sorted, document.json and manifest.json read
// and parsed, the first bytes of each page read, one checksum over what was read, each file's status before and behind.
// Nothing is judged and nothing is kept. Tools/bench.py compares it with lnote-fsck --quick.
//
// Usage: quick_floor FOLDER
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <isa-l/crc.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE_BYTES = 512, BUFFER_BYTES = 1 << 20 };

static unsigned char buffer[BUFFER_BYTES];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void read_file(int file, const char *name, size_t size) {
  int is_record = strstr(name, ".json") != NULL;
  size_t wanted = is_record ? size : PAGE_BYTES;
  ssize_t taken = pread(file, buffer, wanted < BUFFER_BYTES ? wanted : BUFFER_BYTES, 0);
  if (taken < 0) fail(name);
  crc32_iscsi(buffer, (int)taken, 0xFFFFFFFF);
  if (!is_record) return;
  json_error_t error;
  json_t *tree = json_loadb((char *)buffer, (size_t)taken, JSON_REJECT_DUPLICATES, &error);
  if (!tree) fail(error.text);
  json_decref(tree);
}

static void look(int folder, const char *name) {
  int opened = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (opened < 0 || fstat(opened, &status)) fail(name);
  if (!S_ISDIR(status.st_mode)) {
    read_file(opened, name, (size_t)status.st_size);
    if (fstat(opened, &status) || close(opened)) fail(name);
    return;
  }
  struct dirent **entries;
  int count = scandirat(folder, name, &entries, NULL, alphasort);
  if (count < 0) fail(name);
  for (int place = 0; place < count; place++) {
    if (entries[place]->d_name[0] != '.') look(opened, entries[place]->d_name);
    free(entries[place]);
  }
  free(entries);
  close(opened);
}

int main(int count, char **words) {
  if (count != 2) return 2;
  look(AT_FDCWD, words[1]);
  return 0;
}
