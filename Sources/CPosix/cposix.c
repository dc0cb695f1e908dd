#define _GNU_SOURCE
#include "cposix.h"
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const int cposix_O_NOATIME = O_NOATIME;
const int cposix_O_PATH = O_PATH;
const int cposix_O_DIRECTORY = O_DIRECTORY;
const unsigned int cposix_RENAME_NOREPLACE = RENAME_NOREPLACE;
const unsigned int cposix_RENAME_EXCHANGE = RENAME_EXCHANGE;
const unsigned long long cposix_RESOLVE_WITHIN = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;

int cposix_openat2(int directory, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int cposix_renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
  return renameat2(from_directory, from, to_directory, to, flags);
}

int cposix_flock(int descriptor, int operation) { return flock(descriptor, operation); }

int cposix_fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return fallocate(descriptor, mode, offset, length);
}

int cposix_utimens(int descriptor, int64_t seconds, int64_t nanoseconds) {
  struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  return futimens(descriptor, times);
}

int cposix_die_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal); }

int cposix_ioctl_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
