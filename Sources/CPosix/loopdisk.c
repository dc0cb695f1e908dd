#define _GNU_SOURCE
#include "cposix.h"
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/uio.h>
#include <unistd.h>

const int cposix_SEEK_DATA = SEEK_DATA;
const int cposix_SEEK_HOLE = SEEK_HOLE;

int cposix_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int cposix_free_loop_device(int control) { return ioctl(control, LOOP_CTL_GET_FREE); }

int cposix_configure_loop(int device, int backing) {
  struct loop_config configuration = {
      .fd = (unsigned)backing, .block_size = 4096, .info = {.lo_flags = LO_FLAGS_AUTOCLEAR}};
  return ioctl(device, LOOP_CONFIGURE, &configuration);
}

int cposix_fsopen(const char *type) { return fsopen(type, FSOPEN_CLOEXEC); }

int cposix_fsconfig_set(int context, const char *key, const char *value) {
  return fsconfig(context, value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, key, value, 0);
}

int cposix_fsconfig_create(int context, int is_new) {
  return fsconfig(context, is_new ? 8 /* FSCONFIG_CMD_CREATE_EXCL, Linux 6.6 */ : FSCONFIG_CMD_CREATE, NULL, NULL, 0);
}

int cposix_fsmount(int context) {
  return fsmount(context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOATIME);
}

int cposix_shut_down(int descriptor, uint32_t flags) { return ioctl(descriptor, _IOR('X', 125, uint32_t), &flags); }

int cposix_syncfs(int descriptor) { return syncfs(descriptor); }

int cposix_write_back(int descriptor, off_t offset, off_t length, int waits) {
  unsigned wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
  return sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE | (waits ? wait : 0));
}

ssize_t cposix_pwrite_through(int descriptor, const void *bytes, size_t count, off_t offset, int data_only) {
  struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
  return pwritev2(descriptor, &vector, 1, offset, data_only ? RWF_DSYNC : RWF_SYNC);
}
