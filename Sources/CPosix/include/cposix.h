// GNU calls and constants that Swift's Glibc module hides (it is built without _GNU_SOURCE).
// One line each, no logic: a value in, the call, its result out; errno is the caller's to read.
#pragma once
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

extern const int cposix_O_NOATIME;
extern const int cposix_O_PATH;
extern const int cposix_O_DIRECTORY;
extern const unsigned int cposix_RENAME_NOREPLACE;
extern const unsigned int cposix_RENAME_EXCHANGE;
extern const unsigned long long cposix_RESOLVE_WITHIN;  // beneath the root, no symbolic or magic links

// openat2(2), which glibc has no wrapper for: resolves a whole path beneath a directory, never through a link.
int cposix_openat2(int directory, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve);
int cposix_renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags);
int cposix_flock(int descriptor, int operation);
int cposix_fallocate(int descriptor, int mode, off_t offset, off_t length);
ssize_t cposix_flistxattr(int descriptor, char *names, size_t size);
ssize_t cposix_fgetxattr(int descriptor, const char *name, void *value, size_t size);
int cposix_fsetxattr(int descriptor, const char *name, const void *value, size_t size);
int cposix_utimens(int descriptor, int64_t seconds, int64_t nanoseconds);  // modification time only
// prctl(PR_SET_PDEATHSIG): the child gets this signal when the thread that made it ends.
int cposix_die_with_parent(int signal);
int cposix_ioctl_terminal_columns(int descriptor);  // 0 where the descriptor is no terminal
int cposix_pidfd_open(pid_t process);
int cposix_pidfd_send_signal(int process, int signal);
int cposix_signalfd(const int *signals, int count);  // blocks them in this thread, then one descriptor for all
int cposix_signalfd_next(int descriptor, int *from_kernel);  // the signal that waits there, 0 for none
int cposix_adopt_orphans(void);  // what our children leave behind becomes our child
// A crash of this program (a trap of Swift too) writes these bytes to the descriptor and ends with the status. They must
// stay where they are. A signal handler may call next to nothing, so it cannot be written in Swift.
int cposix_set_last_words(int descriptor, const void *bytes, size_t count, int status);
int cposix_block_all_signals(void);                  // in this thread
extern const int cposix_SYS_rename;  // -1 where this architecture has none
extern const int cposix_SYS_renameat;
extern const int cposix_SYS_renameat2;
int cposix_spawn_chdir(void *actions, const char *path);
int cposix_spawn_close_from(void *actions, int first);
char **cposix_environment(void);
int cposix_pipe(int *ends);  // pipe2(2) with O_CLOEXEC
int cposix_accept(int descriptor);  // accept4(2) with SOCK_CLOEXEC
// The name of an entry, as long as it is; Swift sees an array of exactly 256 characters.
const char *cposix_entry_name(const struct dirent *entry);

// Watching sync(2), syncfs(2) and sync_file_range(2) of a thread and of all that it starts from then on (syncwatch.c).
struct cposix_sync {
  uint64_t id;     // for cposix_let_sync_pass
  int thread;      // who calls
  int number;      // which of the three
  int descriptor;  // its first argument
};
extern const int cposix_SYS_sync;
extern const int cposix_SYS_syncfs;
// seccomp(2) with a listener, in this thread only; its descriptor. Gives up new privileges where it must.
int cposix_watch_syncs(void);
int cposix_next_sync(int listener, struct cposix_sync *sync);  // waits; ENOENT where the caller is gone
int cposix_let_sync_pass(int listener, uint64_t id);           // the call goes on as it was asked

// A view of the mounts that belongs to the calling thread and to what it starts.
int cposix_unshare_mounts(void);  // unshare(2) with CLONE_NEWNS
int cposix_make_mounts_slaves(void);  // what others unmount goes here too, where they share it; nothing goes back
int cposix_bind_mount(const char *from, const char *to);

// A file system in memory that can be crashed (loopdisk.c).
extern const int cposix_SEEK_DATA;
extern const int cposix_SEEK_HOLE;
int cposix_memory_file(const char *name);                // memfd_create(2)
int cposix_free_loop_device(int control);                // its number; somebody else may be faster
int cposix_configure_loop(int device, int backing);      // goes by itself with its last user
int cposix_fsopen(const char *type);
int cposix_fsconfig_set(int context, const char *key, const char *value);  // a flag where the value is NULL
int cposix_fsconfig_create(int context, int is_new);     // EBUSY where it must be new, and the device is mounted
int cposix_fsmount(int context);                         // at no place: gone with the descriptor
int cposix_shut_down(int descriptor, uint32_t flags);    // FS_IOC_SHUTDOWN: 1 writes the log first, 2 does not
int cposix_syncfs(int descriptor);
int cposix_write_back(int descriptor, off_t offset, off_t length, int waits);  // sync_file_range(2)
// pwritev2(2) with RWF_SYNC or RWF_DSYNC
ssize_t cposix_pwrite_through(int descriptor, const void *bytes, size_t count, off_t offset, int data_only);
