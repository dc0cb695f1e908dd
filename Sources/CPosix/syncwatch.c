#define _GNU_SOURCE
#include "cposix.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define OWN_ARCHITECTURE 0
#endif

const int cposix_SYS_sync = SYS_sync;
const int cposix_SYS_syncfs = SYS_syncfs;

int cposix_watch_syncs(void) {
  // Three calls are handed to the listener; all others, and those of another architecture, go their way.
  struct sock_filter lines[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sync, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_syncfs, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sync_file_range, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
  };
  struct sock_fprog program = {.len = sizeof lines / sizeof lines[0], .filter = lines};
  const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  if (listener < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  return (int)listener;
}

int cposix_next_sync(int listener, struct cposix_sync *sync) {
  struct seccomp_notif call;
  memset(&call, 0, sizeof call);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return -1;
  sync->id = call.id;
  sync->thread = (int)call.pid;
  sync->number = call.data.nr;
  sync->descriptor = (int)call.data.args[0];
  return 0;
}

int cposix_let_sync_pass(int listener, uint64_t id) {
  struct seccomp_notif_resp answer = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}
