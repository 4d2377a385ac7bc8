/* Objects with lists of waiting threads: condition variables, semaphores, reader/writer locks. */
#include <errno.h>
#include <semaphore.h>

#include "firmware/sparcle/threads/thread.h"

static void lock_queue(struct weir_queue* queue, struct weir_waiter* entry) {
    weir_lock(&queue->lock, entry);
}
static void unlock_queue(struct weir_queue* queue, struct weir_waiter* entry) {
    weir_unlock(&queue->lock, entry);
}

static void make_queue(struct weir_queue* queue) {
    queue->lock = NULL;
    queue->first = NULL;
    queue->last = NULL;
}

/* ---- condition variables ---- */

int pthread_condattr_init(pthread_condattr_t* attributes) {
    *attributes = (pthread_condattr_t){CLOCK_REALTIME, PTHREAD_PROCESS_PRIVATE};
    return 0;
}
int pthread_condattr_destroy(pthread_condattr_t* attributes) {
    (void)attributes;
    return 0;
}
/* All clocks count from the machine's start. */
int pthread_condattr_setclock(pthread_condattr_t* attributes, clockid_t clock) {
    attributes->clock = (int)clock;
    return 0;
}
int pthread_condattr_getclock(const pthread_condattr_t* attributes, clockid_t* clock) {
    *clock = (clockid_t)attributes->clock;
    return 0;
}
int pthread_condattr_setpshared(pthread_condattr_t* attributes, int shared) {
    attributes->pshared = shared;
    return 0;
}
int pthread_condattr_getpshared(const pthread_condattr_t* attributes, int* shared) {
    *shared = attributes->pshared;
    return 0;
}

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
    make_queue(&condition->waiting);
    condition->clock = attributes == NULL ? (int)CLOCK_REALTIME : attributes->clock;
    return 0;
}
int pthread_cond_destroy(pthread_cond_t* condition) {
    return condition->waiting.first == NULL ? 0 : EBUSY;
}

/* `until`: a cycle, or NULL. */
static int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex,
                              const uint64_t* until, const void* caller) {
    struct weir_queue* const queue = &condition->waiting;
    struct weir_waiter* const lock = weir_take_entry();
    struct weir_waiter* const entry = weir_take_entry();
    lock_queue(queue, lock);
    weir_enqueue(queue, entry);
    unlock_queue(queue, lock);

    const int unlocked = pthread_mutex_unlock(mutex);
    int is_late = 0;
    if (unlocked == 0) {
        weir_begin_wait(WEIR_WAIT_CONDITION, condition, caller);
        is_late = !weir_wait(entry, until);
        weir_end_wait();
    }
    if (is_late || unlocked != 0) {
        lock_queue(queue, lock);
        is_late = entry->state == WAITER_WAITS;
        if (is_late) {
            weir_remove(queue, entry);
        }
        unlock_queue(queue, lock);
    }
    weir_return_entry(lock);
    weir_return_entry(entry);
    if (unlocked != 0) {
        return unlocked;
    }
    (void)pthread_mutex_lock(mutex);
    return is_late ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return wait_for_condition(condition, mutex, NULL, __builtin_return_address(0));
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const struct timespec* until) {
    if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000) {
        return EINVAL;
    }
    const uint64_t cycle = weir_cycle_of(until);
    return wait_for_condition(condition, mutex, &cycle, __builtin_return_address(0));
}

/* Lets the first thread go, or all. */
static int signal_condition(pthread_cond_t* condition, int all) {
    struct weir_queue* const queue = &condition->waiting;
    if (queue->first == NULL) {
        return 0; /* a thread that waits has joined the list before it unlocked the mutex */
    }
    struct weir_waiter* const lock = weir_take_entry();
    lock_queue(queue, lock);
    for (struct weir_waiter* entry = weir_dequeue(queue); entry != NULL;) {
        struct weir_waiter* const next = all ? weir_dequeue(queue) : NULL;
        weir_let_go(entry);
        entry = next;
    }
    unlock_queue(queue, lock);
    weir_return_entry(lock);
    return 0;
}

int pthread_cond_signal(pthread_cond_t* condition) { return signal_condition(condition, 0); }
int pthread_cond_broadcast(pthread_cond_t* condition) { return signal_condition(condition, 1); }

/* ---- semaphores ---- */

static int fail(int error) {
    errno = error;
    return -1;
}

int sem_init(sem_t* semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX) {
        return fail(EINVAL);
    }
    make_queue(&semaphore->waiting);
    semaphore->value = (int)value;
    return 0;
}
int sem_destroy(sem_t* semaphore) { return semaphore->waiting.first == NULL ? 0 : fail(EBUSY); }

static int wait_for_semaphore(sem_t* semaphore, const uint64_t* until, const void* caller) {
    struct weir_queue* const queue = &semaphore->waiting;
    struct weir_waiter* const lock = weir_take_entry();
    struct weir_waiter* const entry = weir_take_entry();
    lock_queue(queue, lock);
    const int is_free = semaphore->value > 0;
    if (is_free) {
        --semaphore->value;
    } else {
        weir_enqueue(queue, entry);
    }
    unlock_queue(queue, lock);

    int is_late = 0;
    if (!is_free) {
        weir_begin_wait(WEIR_WAIT_SEMAPHORE, semaphore, caller);
        is_late = !weir_wait(entry, until);
        weir_end_wait();
    }
    if (is_late) {
        lock_queue(queue, lock);
        is_late = entry->state == WAITER_WAITS;
        if (is_late) {
            weir_remove(queue, entry);
        }
        unlock_queue(queue, lock);
    }
    weir_return_entry(lock);
    weir_return_entry(entry);
    return is_late ? fail(ETIMEDOUT) : 0;
}

int sem_wait(sem_t* semaphore) {
    return wait_for_semaphore(semaphore, NULL, __builtin_return_address(0));
}
int sem_timedwait(sem_t* semaphore, const struct timespec* until) {
    if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000) {
        return fail(EINVAL);
    }
    const uint64_t cycle = weir_cycle_of(until);
    return wait_for_semaphore(semaphore, &cycle, __builtin_return_address(0));
}
int sem_trywait(sem_t* semaphore) {
    struct weir_waiter* const lock = weir_take_entry();
    lock_queue(&semaphore->waiting, lock);
    const int is_free = semaphore->value > 0;
    semaphore->value -= is_free;
    unlock_queue(&semaphore->waiting, lock);
    weir_return_entry(lock);
    return is_free ? 0 : fail(EAGAIN);
}
/* A thread that waits gets what is posted; the value does not change. */
int sem_post(sem_t* semaphore) {
    struct weir_waiter* const lock = weir_take_entry();
    lock_queue(&semaphore->waiting, lock);
    struct weir_waiter* const first = weir_dequeue(&semaphore->waiting);
    const int is_full = first == NULL && semaphore->value == SEM_VALUE_MAX;
    if (first != NULL) {
        weir_let_go(first);
    } else if (!is_full) {
        ++semaphore->value;
    }
    unlock_queue(&semaphore->waiting, lock);
    weir_return_entry(lock);
    return is_full ? fail(EOVERFLOW) : 0;
}
int sem_getvalue(sem_t* semaphore, int* value) {
    *value = semaphore->value;
    return 0;
}

/* ---- reader/writer locks: first come, first served ---- */

#define READER 0u
#define WRITER 1u

int pthread_rwlockattr_init(pthread_rwlockattr_t* attributes) {
    attributes->pshared = PTHREAD_PROCESS_PRIVATE;
    return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t* attributes) {
    (void)attributes;
    return 0;
}
int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
    (void)attributes;
    make_queue(&lock->waiting);
    lock->holders = 0;
    return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) { return lock->holders == 0 ? 0 : EBUSY; }

/* Whether a reader or writer gets the lock at once; the caller holds the queue's lock. */
static int takes_at_once(pthread_rwlock_t* lock, uint32_t kind) {
    if (kind == READER && lock->holders >= 0 && lock->waiting.first == NULL) {
        ++lock->holders;
        return 1;
    }
    if (kind == WRITER && lock->holders == 0) {
        lock->holders = -1;
        return 1;
    }
    return 0;
}

static int take_rwlock(pthread_rwlock_t* lock, uint32_t kind, int waits, const void* caller) {
    struct weir_queue* const queue = &lock->waiting;
    struct weir_waiter* const held = weir_take_entry();
    lock_queue(queue, held);
    const int taken = takes_at_once(lock, kind);
    struct weir_waiter* entry = NULL;
    if (!taken && waits) {
        entry = weir_take_entry();
        entry->kind = kind;
        weir_enqueue(queue, entry);
    }
    unlock_queue(queue, held);
    weir_return_entry(held);
    if (entry == NULL) {
        return taken ? 0 : EBUSY;
    }
    weir_begin_wait(kind == READER ? WEIR_WAIT_READ_LOCK : WEIR_WAIT_WRITE_LOCK, lock, caller);
    (void)weir_wait(entry, NULL);
    weir_end_wait();
    weir_return_entry(entry);
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
    return take_rwlock(lock, READER, 1, __builtin_return_address(0));
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) { return take_rwlock(lock, READER, 0, NULL); }
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
    return take_rwlock(lock, WRITER, 1, __builtin_return_address(0));
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) { return take_rwlock(lock, WRITER, 0, NULL); }

int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
    struct weir_queue* const queue = &lock->waiting;
    struct weir_waiter* const held = weir_take_entry();
    lock_queue(queue, held);
    const int is_held = lock->holders != 0;
    if (is_held) {
        lock->holders = lock->holders > 0 ? lock->holders - 1 : 0;
    }
    if (queue->first != NULL && queue->first->kind == WRITER) {
        if (lock->holders == 0) {
            lock->holders = -1;
            weir_let_go(weir_dequeue(queue));
        }
    } else {
        while (lock->holders >= 0 && queue->first != NULL && queue->first->kind == READER) {
            ++lock->holders;
            weir_let_go(weir_dequeue(queue));
        }
    }
    unlock_queue(queue, held);
    weir_return_entry(held);
    return is_held ? 0 : EPERM;
}
