#define _GNU_SOURCE
#include "cposix.h"
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
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

ssize_t cposix_flistxattr(int descriptor, char *names, size_t size) { return flistxattr(descriptor, names, size); }

ssize_t cposix_fgetxattr(int descriptor, const char *name, void *value, size_t size) {
  return fgetxattr(descriptor, name, value, size);
}

int cposix_fsetxattr(int descriptor, const char *name, const void *value, size_t size) {
  return fsetxattr(descriptor, name, value, size, 0);
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

int cposix_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int cposix_pidfd_send_signal(int process, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, process, signal, NULL, 0);
}

int cposix_signalfd(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  return pthread_sigmask(SIG_BLOCK, &set, NULL) == 0 ? signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
}

int cposix_signalfd_next(int descriptor, int *from_kernel) {
  struct signalfd_siginfo info;
  if (read(descriptor, &info, sizeof info) != sizeof info) return 0;
  *from_kernel = info.ssi_code == SI_KERNEL;
  return (int)info.ssi_signo;
}

int cposix_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1); }

static const void *volatile last_words;
static volatile size_t last_words_count;
static volatile int last_words_descriptor, last_words_status;

static void say_last_words(int signal) {
  (void)signal;
  if (write(last_words_descriptor, last_words, last_words_count) < 0) _exit(last_words_status);
  _exit(last_words_status);
}

int cposix_set_last_words(int descriptor, const void *bytes, size_t count, int status) {
  static const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  struct sigaction action = {.sa_handler = say_last_words, .sa_flags = SA_RESETHAND | SA_NODEFER};
  last_words_count = 0;
  last_words_descriptor = descriptor;
  last_words_status = status;
  last_words = bytes;
  last_words_count = count;
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    if (sigaction(crashes[i], &action, NULL) != 0) return -1;
  return 0;
}

int cposix_block_all_signals(void) {
  sigset_t set;
  sigfillset(&set);
  return pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int cposix_spawn_chdir(void *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

int cposix_spawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

char **cposix_environment(void) { return environ; }

int cposix_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int cposix_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC); }

const char *cposix_entry_name(const struct dirent *entry) { return entry->d_name; }

#ifdef SYS_rename
const int cposix_SYS_rename = SYS_rename;
#else
const int cposix_SYS_rename = -1;
#endif
#ifdef SYS_renameat
const int cposix_SYS_renameat = SYS_renameat;
#else
const int cposix_SYS_renameat = -1;
#endif
const int cposix_SYS_renameat2 = SYS_renameat2;

int cposix_unshare_mounts(void) { return unshare(CLONE_NEWNS); }

int cposix_make_mounts_slaves(void) { return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL); }

int cposix_bind_mount(const char *from, const char *to) { return mount(from, to, NULL, MS_BIND, NULL); }
