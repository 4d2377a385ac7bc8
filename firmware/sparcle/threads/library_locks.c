/* Locks of the C library (newlib's retargetable locks): those of its files and tables. */
#include <stdlib.h>
#include <sys/lock.h>

#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/threads/thread.h"

struct __lock {
    pthread_mutex_t mutex;
};

/* Static locks, under the names that newlib declares. */
#define RECURSIVE WEIR_SHARED_DATA = {{0, 0, PTHREAD_MUTEX_RECURSIVE, 0}}
struct __lock __lock___sinit_recursive_mutex RECURSIVE;
struct __lock __lock___sfp_recursive_mutex RECURSIVE;
struct __lock __lock___atexit_recursive_mutex RECURSIVE;
struct __lock __lock___malloc_recursive_mutex RECURSIVE;
struct __lock __lock___env_recursive_mutex RECURSIVE;
struct __lock __lock___at_quick_exit_mutex RECURSIVE;
struct __lock __lock___tz_mutex RECURSIVE;
struct __lock __lock___dd_hash_mutex RECURSIVE;
struct __lock __lock___arc4random_mutex RECURSIVE;

/* All are recursive: a lock that need not be costs two loads more. */
void __retarget_lock_init_recursive(_LOCK_T* lock) {
    static const pthread_mutexattr_t attributes = {PTHREAD_MUTEX_RECURSIVE, 0};
    struct __lock* const made = malloc(sizeof *made);
    if (made == NULL) {
        weir_fault("no shared memory is left for a lock of the C library", NULL);
    }
    (void)pthread_mutex_init(&made->mutex, &attributes);
    *lock = made;
}
void __retarget_lock_init(_LOCK_T* lock) { __retarget_lock_init_recursive(lock); }
void __retarget_lock_close_recursive(_LOCK_T lock) { free(lock); }
void __retarget_lock_close(_LOCK_T lock) { free(lock); }
void __retarget_lock_acquire_recursive(_LOCK_T lock) { (void)pthread_mutex_lock(&lock->mutex); }
void __retarget_lock_acquire(_LOCK_T lock) { (void)pthread_mutex_lock(&lock->mutex); }
int __retarget_lock_try_acquire_recursive(_LOCK_T lock) {
    return pthread_mutex_trylock(&lock->mutex) == 0;
}
int __retarget_lock_try_acquire(_LOCK_T lock) { return pthread_mutex_trylock(&lock->mutex) == 0; }
void __retarget_lock_release_recursive(_LOCK_T lock) { (void)pthread_mutex_unlock(&lock->mutex); }
void __retarget_lock_release(_LOCK_T lock) { (void)pthread_mutex_unlock(&lock->mutex); }
