// System calls that Swift's Glibc module hides, for tests that hold two file systems against each other.
// One line each, no logic: values in, the call, its result out; errno is the caller's to read.
#pragma once
#include <stdint.h>
#include <sys/types.h>

extern const int ckernel_O_TMPFILE;
extern const int ckernel_O_PATH;
extern const int ckernel_AT_EMPTY_PATH;
extern const int ckernel_SEEK_DATA;
extern const int ckernel_SEEK_HOLE;
extern const int ckernel_RWF_DSYNC;
extern const int ckernel_RWF_SYNC;
extern const int ckernel_RWF_APPEND;

int ckernel_setxattr(const char *path, const char *name, const void *value, size_t size, int flags);
ssize_t ckernel_getxattr(const char *path, const char *name, void *value, size_t size);
ssize_t ckernel_listxattr(const char *path, char *list, size_t size);
int ckernel_removexattr(const char *path, const char *name);
ssize_t ckernel_copy_file_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t length);
ssize_t ckernel_pwritev2(int descriptor, const void *bytes, size_t length, int64_t offset, int flags);
int ckernel_fallocate(int descriptor, int mode, int64_t offset, int64_t length);
int ckernel_renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);
int ckernel_flock(int descriptor, int operation);
int ckernel_ofd_lock(int descriptor, int type, int64_t start, int64_t length);     // F_OFD_SETLK
int ckernel_record_lock(int descriptor, int type, int64_t start, int64_t length);  // F_SETLK
int ckernel_record_lock_wait(int descriptor, int type, int64_t start, int64_t length);  // F_SETLKW
int ckernel_ofd_lock_holder(int descriptor, int type, int64_t start, int64_t length);  // F_OFD_GETLK: the type found
int ckernel_syncfs(int descriptor);
int ckernel_sync_file_range(int descriptor, int64_t offset, int64_t length, unsigned int flags);
// Of this thread alone: the real and effective user and group and one further group, and back to root.
int ckernel_become(unsigned int user, unsigned int group, unsigned int further_group);
int ckernel_become_root(void);
