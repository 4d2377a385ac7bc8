/*
 * POSIX threads on nodes that share memory (weir compile --threads). Functions that are not
 * declared here, such as pthread_cancel(), do not exist. Threads do not migrate: a thread runs on
 * its node, in its hardware context, until it ends.
 */
#ifndef _PTHREAD_H
#define _PTHREAD_H

#include <sched.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTHREAD_MUTEX_INITIALIZER \
    { 0, 0, 0, 0 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP \
    { 0, 0, 1, 0 }
#define PTHREAD_COND_INITIALIZER \
    { {0, 0, 0}, 0 }
#define PTHREAD_RWLOCK_INITIALIZER \
    { {0, 0, 0}, 0 }
#define PTHREAD_ONCE_INIT \
    { {0, 0, 0, 0}, 0 }
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_KEYS_MAX 64
#define PTHREAD_STACK_MIN 4096
#define PTHREAD_DESTRUCTOR_ITERATIONS 4

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument);
int pthread_join(pthread_t thread, void** result);
int pthread_detach(pthread_t thread);
void pthread_exit(void* result) __attribute__((__noreturn__));
pthread_t pthread_self(void);
int pthread_equal(pthread_t one, pthread_t other);
int pthread_once(pthread_once_t* once, void (*routine)(void));
int pthread_yield(void);
int pthread_setconcurrency(int level);
int pthread_getconcurrency(void);
int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes);
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

/* Nothing cancels a thread: the state only remembers what it was set to. */
int pthread_setcancelstate(int state, int* before);
int pthread_setcanceltype(int type, int* before);
void pthread_testcancel(void);

int pthread_attr_init(pthread_attr_t* attributes);
int pthread_attr_destroy(pthread_attr_t* attributes);
int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state);
int pthread_attr_getdetachstate(const pthread_attr_t* attributes, int* state);
int pthread_attr_setscope(pthread_attr_t* attributes, int scope);
int pthread_attr_getscope(const pthread_attr_t* attributes, int* scope);
int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t bytes);
int pthread_attr_getstacksize(const pthread_attr_t* attributes, size_t* bytes);
int pthread_attr_setstack(pthread_attr_t* attributes, void* address, size_t bytes);
int pthread_attr_getstack(const pthread_attr_t* attributes, void** address, size_t* bytes);
int pthread_attr_setguardsize(pthread_attr_t* attributes, size_t bytes);
int pthread_attr_getguardsize(const pthread_attr_t* attributes, size_t* bytes);
int pthread_attr_setinheritsched(pthread_attr_t* attributes, int inherit);
int pthread_attr_getinheritsched(const pthread_attr_t* attributes, int* inherit);
int pthread_attr_setschedpolicy(pthread_attr_t* attributes, int policy);
int pthread_attr_getschedpolicy(const pthread_attr_t* attributes, int* policy);
int pthread_attr_setschedparam(pthread_attr_t* attributes, const struct sched_param* parameters);
int pthread_attr_getschedparam(const pthread_attr_t* attributes, struct sched_param* parameters);

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes);
int pthread_mutex_destroy(pthread_mutex_t* mutex);
int pthread_mutex_lock(pthread_mutex_t* mutex);
int pthread_mutex_trylock(pthread_mutex_t* mutex);
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until);
int pthread_mutex_unlock(pthread_mutex_t* mutex);
int pthread_mutexattr_init(pthread_mutexattr_t* attributes);
int pthread_mutexattr_destroy(pthread_mutexattr_t* attributes);
int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int type);
int pthread_mutexattr_gettype(const pthread_mutexattr_t* attributes, int* type);
int pthread_mutexattr_setpshared(pthread_mutexattr_t* attributes, int shared);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t* attributes, int* shared);

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes);
int pthread_cond_destroy(pthread_cond_t* condition);
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex);
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const struct timespec* until);
int pthread_cond_signal(pthread_cond_t* condition);
int pthread_cond_broadcast(pthread_cond_t* condition);
int pthread_condattr_init(pthread_condattr_t* attributes);
int pthread_condattr_destroy(pthread_condattr_t* attributes);
int pthread_condattr_setclock(pthread_condattr_t* attributes, clockid_t clock);
int pthread_condattr_getclock(const pthread_condattr_t* attributes, clockid_t* clock);
int pthread_condattr_setpshared(pthread_condattr_t* attributes, int shared);
int pthread_condattr_getpshared(const pthread_condattr_t* attributes, int* shared);

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes);
int pthread_rwlock_destroy(pthread_rwlock_t* lock);
int pthread_rwlock_rdlock(pthread_rwlock_t* lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock);
int pthread_rwlock_wrlock(pthread_rwlock_t* lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock);
int pthread_rwlock_unlock(pthread_rwlock_t* lock);
int pthread_rwlockattr_init(pthread_rwlockattr_t* attributes);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t* attributes);

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                         unsigned count);
int pthread_barrier_destroy(pthread_barrier_t* barrier);
int pthread_barrier_wait(pthread_barrier_t* barrier);
int pthread_barrierattr_init(pthread_barrierattr_t* attributes);
int pthread_barrierattr_destroy(pthread_barrierattr_t* attributes);
int pthread_barrierattr_setpshared(pthread_barrierattr_t* attributes, int shared);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t* attributes, int* shared);

int pthread_spin_init(pthread_spinlock_t* lock, int shared);
int pthread_spin_destroy(pthread_spinlock_t* lock);
int pthread_spin_lock(pthread_spinlock_t* lock);
int pthread_spin_trylock(pthread_spinlock_t* lock);
int pthread_spin_unlock(pthread_spinlock_t* lock);

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*));
int pthread_key_delete(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void* value);
void* pthread_getspecific(pthread_key_t key);

/* Functions to call when the thread ends by pthread_exit() within the block. */
struct weir_cleanup {
    void (*routine)(void*);
    void* argument;
    struct weir_cleanup* outer;
};
void weir_cleanup_push(struct weir_cleanup* cleanup);
void weir_cleanup_pop(int execute);
#define pthread_cleanup_push(routine, argument)                        \
    do {                                                               \
        struct weir_cleanup weir_cleanup = {(routine), (argument), 0}; \
        weir_cleanup_push(&weir_cleanup);
#define pthread_cleanup_pop(execute) \
    weir_cleanup_pop(execute);       \
    }                                \
    while (0)

#ifdef __cplusplus
}
#endif

#endif
