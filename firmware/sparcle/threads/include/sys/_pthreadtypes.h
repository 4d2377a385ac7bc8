/* Types of POSIX threads; replaces newlib's file of this name in programs with threads. */
#ifndef _SYS__PTHREADTYPES_H_
#define _SYS__PTHREADTYPES_H_

#include <sys/sched.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every object that threads wait for begins at a line of shared memory, so that two never share a
 * line. */
#define WEIR_OF_A_LINE __attribute__((__aligned__(16)))

struct weir_thread;
struct weir_waiter;
struct weir_tree_barrier;
typedef struct weir_thread* pthread_t;

#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1

typedef struct {
    int detachstate;
    int scope;
    int inheritsched;
    int schedpolicy;
    struct sched_param schedparam;
    void* stackaddr;
    __SIZE_TYPE__ stacksize;
    __SIZE_TYPE__ guardsize;
} pthread_attr_t;

#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_PRIO_NONE 0

typedef struct {
    int type;
    int pshared;
} pthread_mutexattr_t;

/* Queue lock of Mellor-Crummey and Scott. */
typedef struct {
    struct weir_waiter* volatile last;   /* end of the queue; NULL: the mutex is free */
    struct weir_waiter* volatile holder; /* queue entry of the thread that holds the mutex */
    int type;
    int count; /* further locks by the holder of a recursive mutex */
} WEIR_OF_A_LINE pthread_mutex_t;

typedef struct {
    int clock;
    int pshared;
} pthread_condattr_t;

/* Threads that wait, first come, first served; `lock` protects the list. */
struct weir_queue {
    struct weir_waiter* volatile lock;
    struct weir_waiter* first;
    struct weir_waiter* last;
};
typedef struct {
    struct weir_queue waiting;
    int clock;
} WEIR_OF_A_LINE pthread_cond_t;

typedef struct {
    struct weir_queue waiting;
    int holders; /* number of readers; -1: a writer */
} WEIR_OF_A_LINE pthread_rwlock_t;
typedef struct {
    int pshared;
} pthread_rwlockattr_t;

typedef struct {
    struct weir_tree_barrier* tree;
} pthread_barrier_t;
typedef struct {
    int pshared;
} pthread_barrierattr_t;

typedef struct {
    volatile unsigned word;
} WEIR_OF_A_LINE pthread_spinlock_t;

typedef struct {
    pthread_mutex_t mutex;
    volatile int is_done;
} pthread_once_t;

typedef unsigned pthread_key_t;

#ifdef __cplusplus
}
#endif

#endif
