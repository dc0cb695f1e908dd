#define _GNU_SOURCE
#include "ckernelcalls.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

const int ckernel_O_TMPFILE = O_TMPFILE;
const int ckernel_O_PATH = O_PATH;
const int ckernel_AT_EMPTY_PATH = AT_EMPTY_PATH;
const int ckernel_SEEK_DATA = SEEK_DATA;
const int ckernel_SEEK_HOLE = SEEK_HOLE;
const int ckernel_RWF_DSYNC = RWF_DSYNC;
const int ckernel_RWF_SYNC = RWF_SYNC;
const int ckernel_RWF_APPEND = RWF_APPEND;

int ckernel_setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  return lsetxattr(path, name, value, size, flags);
}

ssize_t ckernel_getxattr(const char *path, const char *name, void *value, size_t size) {
  return lgetxattr(path, name, value, size);
}

ssize_t ckernel_listxattr(const char *path, char *list, size_t size) { return llistxattr(path, list, size); }

int ckernel_removexattr(const char *path, const char *name) { return lremovexattr(path, name); }

ssize_t ckernel_copy_file_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t length) {
  off_t ends[2] = {from_offset, to_offset};
  return copy_file_range(from, &ends[0], to, &ends[1], length, 0);
}

ssize_t ckernel_pwritev2(int descriptor, const void *bytes, size_t length, int64_t offset, int flags) {
  struct iovec piece = {.iov_base = (void *)bytes, .iov_len = length};
  return pwritev2(descriptor, &piece, 1, offset, flags);
}

int ckernel_fallocate(int descriptor, int mode, int64_t offset, int64_t length) {
  return fallocate(descriptor, mode, offset, length);
}

int ckernel_renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
  return renameat2(from_directory, from, to_directory, to, flags);
}

int ckernel_flock(int descriptor, int operation) { return flock(descriptor, operation); }

int ckernel_ofd_lock(int descriptor, int type, int64_t start, int64_t length) {
  struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int ckernel_record_lock(int descriptor, int type, int64_t start, int64_t length) {
  struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, F_SETLK, &lock);
}

int ckernel_record_lock_wait(int descriptor, int type, int64_t start, int64_t length) {
  struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, F_SETLKW, &lock);
}

int ckernel_ofd_lock_holder(int descriptor, int type, int64_t start, int64_t length) {
  struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 ? lock.l_type : -1;
}

int ckernel_syncfs(int descriptor) { return syncfs(descriptor); }

int ckernel_sync_file_range(int descriptor, int64_t offset, int64_t length, unsigned int flags) {
  return sync_file_range(descriptor, offset, length, flags);
}

// The raw calls change one thread; glibc's wrappers would change them all. The saved user stays root, for the way back.
int ckernel_become(unsigned int user, unsigned int group, unsigned int further_group) {
  gid_t groups[1] = {further_group};
  if (syscall(SYS_setgroups, 1, groups) != 0) return -1;
  if (syscall(SYS_setresgid, group, group, 0) != 0) return -1;
  return (int)syscall(SYS_setresuid, user, user, 0);
}

int ckernel_become_root(void) {
  if (syscall(SYS_setresuid, 0, 0, 0) != 0) return -1;
  if (syscall(SYS_setresgid, 0, 0, 0) != 0) return -1;
  return (int)syscall(SYS_setgroups, 0, NULL);
}
