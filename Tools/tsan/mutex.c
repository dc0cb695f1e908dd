// What the thread sanitizer is told of `Synchronization.Mutex`.
//
// A lock that is free is taken and given back by code compiled into the caller, which the sanitizer sees. A lock that
// somebody holds is waited for inside libswiftSynchronization, which is not built with the sanitizer: it sees no order
// there, and reports everything that the lock guards. The linker (--wrap) sends those two calls through here, and here
// it is told what they do. Nothing else is told, so a race stays a race; canary.swift shows both.
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

SWIFT void lock_really(uint32_t thread, SELF) __asm__("__real_" LOCK_SLOW);
SWIFT void unlock_really(SELF) __asm__("__real_" UNLOCK_SLOW);
SWIFT void lock_told(uint32_t thread, SELF) __asm__("__wrap_" LOCK_SLOW);
SWIFT void unlock_told(SELF) __asm__("__wrap_" UNLOCK_SLOW);

SWIFT void lock_told(uint32_t thread, SELF) {
  lock_really(thread, handle);
  __tsan_acquire(handle);
}

SWIFT void unlock_told(SELF) {
  __tsan_release(handle);
  unlock_really(handle);
}
