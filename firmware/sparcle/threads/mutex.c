/* Mutexes, and what runs once. */
#include <errno.h>

#include "firmware/sparcle/threads/thread.h"

#define IS_RECURSIVE(mutex) ((mutex)->type == PTHREAD_MUTEX_RECURSIVE)

int pthread_mutexattr_init(pthread_mutexattr_t* attributes) {
    *attributes = (pthread_mutexattr_t){PTHREAD_MUTEX_DEFAULT, PTHREAD_PROCESS_PRIVATE};
    return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t* attributes) {
    (void)attributes;
    return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int type) {
    if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ERRORCHECK) {
        return EINVAL;
    }
    attributes->type = type;
    return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t* attributes, int* type) {
    *type = attributes->type;
    return 0;
}
int pthread_mutexattr_setpshared(pthread_mutexattr_t* attributes, int shared) {
    attributes->pshared = shared;
    return 0;
}
int pthread_mutexattr_getpshared(const pthread_mutexattr_t* attributes, int* shared) {
    *shared = attributes->pshared;
    return 0;
}

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
    mutex->last = NULL;
    mutex->holder = NULL;
    mutex->type = attributes == NULL ? PTHREAD_MUTEX_DEFAULT : attributes->type;
    mutex->count = 0;
    return 0;
}
int pthread_mutex_destroy(pthread_mutex_t* mutex) { return mutex->last == NULL ? 0 : EBUSY; }

static int is_held_by_self(const pthread_mutex_t* mutex) {
    const struct weir_waiter* const holder = mutex->holder;
    return holder != NULL && holder->thread == weir_self();
}

/* Result of locking a mutex that this thread already holds. -1: lock it as any other. */
static int lock_again(pthread_mutex_t* mutex) {
    if (mutex->type == PTHREAD_MUTEX_NORMAL || !is_held_by_self(mutex)) {
        return -1;
    }
    if (!IS_RECURSIVE(mutex)) {
        return EDEADLK;
    }
    ++mutex->count;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    const int again = lock_again(mutex);
    if (again >= 0) {
        return again;
    }
    struct weir_waiter* const entry = weir_take_entry();
    weir_begin_wait(WEIR_WAIT_MUTEX, mutex, __builtin_return_address(0));
    weir_lock(&mutex->last, entry);
    weir_end_wait();
    mutex->holder = entry;
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
    const int again = lock_again(mutex);
    if (again >= 0) {
        return again == EDEADLK ? EBUSY : again;
    }
    struct weir_waiter* const entry = weir_take_entry();
    if (!weir_try_lock(&mutex->last, entry)) {
        shared_look_again(); /* the program may try in a loop, and the holder be in another context
                              */
        return EBUSY;
    }
    mutex->holder = entry;
    return 0;
}

/* Tries until the time has come: a thread with a deadline does not join the queue. */
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until) {
    const uint64_t last_cycle = weir_cycle_of(until);
    const int again = lock_again(mutex);
    if (again >= 0) {
        return again;
    }
    for (;;) {
        const int result = pthread_mutex_trylock(mutex);
        if (result != EBUSY) {
            return result;
        }
        if (weir_long_cycle() >= last_cycle) {
            return ETIMEDOUT;
        }
        shared_look_again();
    }
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
    if (mutex->type != PTHREAD_MUTEX_NORMAL && !is_held_by_self(mutex)) {
        return EPERM;
    }
    if (IS_RECURSIVE(mutex) && mutex->count != 0) {
        --mutex->count;
        return 0;
    }
    struct weir_waiter* const entry = mutex->holder;
    if (entry == NULL) {
        return EPERM;
    }
    mutex->holder = NULL;
    weir_unlock(&mutex->last, entry);
    weir_return_entry(entry);
    return 0;
}

int pthread_once(pthread_once_t* once, void (*routine)(void)) {
    if (once->is_done) {
        return 0;
    }
    (void)pthread_mutex_lock(&once->mutex);
    if (!once->is_done) {
        routine();
        __asm__ volatile("" : : : "memory");
        once->is_done = 1;
    }
    return pthread_mutex_unlock(&once->mutex);
}

/* ---- spin locks ---- */

int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
    (void)shared;
    lock->word = 0;
    return 0;
}
int pthread_spin_destroy(pthread_spinlock_t* lock) { return lock->word == 0 ? 0 : EBUSY; }
int pthread_spin_trylock(pthread_spinlock_t* lock) {
    return shared_exchange((volatile uint32_t*)&lock->word, 1) == 0 ? 0 : EBUSY;
}
int pthread_spin_lock(pthread_spinlock_t* lock) {
    weir_begin_wait(WEIR_WAIT_SPIN_LOCK, lock, __builtin_return_address(0));
    do {
        shared_spin_while((const volatile uint32_t*)&lock->word, 1);
    } while (pthread_spin_trylock(lock) != 0);
    weir_end_wait();
    return 0;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) {
    __asm__ volatile("" : : : "memory");
    lock->word = 0;
    return 0;
}
