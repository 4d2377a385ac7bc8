/* Threads of C11 by those of POSIX. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

static int answer_of(int fault) {
    switch (fault) {
        case 0:
            return thrd_success;
        case EBUSY:
            return thrd_busy;
        case ETIMEDOUT:
            return thrd_timedout;
        case ENOMEM:
        case EAGAIN:
            return thrd_nomem;
        default:
            return thrd_error;
    }
}

struct call {
    thrd_start_t start;
    void* argument;
};

static void* run_call(void* of_call) {
    const struct call call = *(struct call*)of_call;
    free(of_call);
    return (void*)(intptr_t)call.start(call.argument);
}

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
    struct call* const call = malloc(sizeof *call);
    if (call == NULL) {
        return thrd_nomem;
    }
    *call = (struct call){start, argument};
    const int fault = pthread_create(thread, NULL, run_call, call);
    if (fault != 0) {
        free(call);
    }
    return answer_of(fault);
}
int thrd_join(thrd_t thread, int* result) {
    void* value = NULL;
    const int fault = pthread_join(thread, &value);
    if (result != NULL) {
        *result = (int)(intptr_t)value;
    }
    return answer_of(fault);
}
int thrd_detach(thrd_t thread) { return answer_of(pthread_detach(thread)); }
void thrd_exit(int result) { pthread_exit((void*)(intptr_t)result); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t one, thrd_t other) { return pthread_equal(one, other); }
int thrd_sleep(const struct timespec* duration, struct timespec* remaining) {
    return nanosleep(duration, remaining) == 0 ? 0 : -1;
}
void thrd_yield(void) { (void)sched_yield(); }

int mtx_init(mtx_t* mutex, int type) {
    const pthread_mutexattr_t attributes = {
        (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL,
        PTHREAD_PROCESS_PRIVATE};
    return answer_of(pthread_mutex_init(mutex, &attributes));
}
void mtx_destroy(mtx_t* mutex) { (void)pthread_mutex_destroy(mutex); }
int mtx_lock(mtx_t* mutex) { return answer_of(pthread_mutex_lock(mutex)); }
int mtx_trylock(mtx_t* mutex) { return answer_of(pthread_mutex_trylock(mutex)); }
int mtx_timedlock(mtx_t* mutex, const struct timespec* until) {
    return answer_of(pthread_mutex_timedlock(mutex, until));
}
int mtx_unlock(mtx_t* mutex) { return answer_of(pthread_mutex_unlock(mutex)); }

int cnd_init(cnd_t* condition) { return answer_of(pthread_cond_init(condition, NULL)); }
void cnd_destroy(cnd_t* condition) { (void)pthread_cond_destroy(condition); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
    return answer_of(pthread_cond_wait(condition, mutex));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* until) {
    return answer_of(pthread_cond_timedwait(condition, mutex, until));
}
int cnd_signal(cnd_t* condition) { return answer_of(pthread_cond_signal(condition)); }
int cnd_broadcast(cnd_t* condition) { return answer_of(pthread_cond_broadcast(condition)); }

int tss_create(tss_t* key, tss_dtor_t destructor) {
    return answer_of(pthread_key_create(key, destructor));
}
void tss_delete(tss_t key) { (void)pthread_key_delete(key); }
int tss_set(tss_t key, void* value) { return answer_of(pthread_setspecific(key, value)); }
void* tss_get(tss_t key) { return pthread_getspecific(key); }

void call_once(once_flag* flag, void (*routine)(void)) { (void)pthread_once(flag, routine); }
