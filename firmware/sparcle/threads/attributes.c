/* Attributes of threads. All threads have the same priority, and a context each. */
#include <errno.h>

#include "firmware/sparcle/threads/thread.h"

int pthread_attr_init(pthread_attr_t* attributes) {
    *attributes = (pthread_attr_t){.stacksize = weir_thread_settings[WEIR_THREADS_STACK_BYTES]};
    return 0;
}
int pthread_attr_destroy(pthread_attr_t* attributes) {
    (void)attributes;
    return 0;
}

/* A field that takes one of two values: its setter and getter. */
#define CHOICE(name, field, one, other)                                        \
    int pthread_attr_set##name(pthread_attr_t* attributes, int value) {        \
        if (value != (one) && value != (other)) {                              \
            return EINVAL;                                                     \
        }                                                                      \
        attributes->field = value;                                             \
        return 0;                                                              \
    }                                                                          \
    int pthread_attr_get##name(const pthread_attr_t* attributes, int* value) { \
        *value = attributes->field;                                            \
        return 0;                                                              \
    }
CHOICE(detachstate, detachstate, PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED)
CHOICE(scope, scope, PTHREAD_SCOPE_SYSTEM, PTHREAD_SCOPE_PROCESS)
CHOICE(inheritsched, inheritsched, PTHREAD_INHERIT_SCHED, PTHREAD_EXPLICIT_SCHED)

int pthread_attr_setschedpolicy(pthread_attr_t* attributes, int policy) {
    attributes->schedpolicy = policy;
    return 0;
}
int pthread_attr_getschedpolicy(const pthread_attr_t* attributes, int* policy) {
    *policy = attributes->schedpolicy;
    return 0;
}
int pthread_attr_setschedparam(pthread_attr_t* attributes, const struct sched_param* parameters) {
    attributes->schedparam = *parameters;
    return 0;
}
int pthread_attr_getschedparam(const pthread_attr_t* attributes, struct sched_param* parameters) {
    *parameters = attributes->schedparam;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t bytes) {
    if (bytes < PTHREAD_STACK_MIN) {
        return EINVAL;
    }
    attributes->stacksize = (bytes + 7) & ~(size_t)7;
    return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t* attributes, size_t* bytes) {
    *bytes = attributes->stacksize;
    return 0;
}
int pthread_attr_setstack(pthread_attr_t* attributes, void* address, size_t bytes) {
    if (bytes < PTHREAD_STACK_MIN || ((size_t)address & 7) != 0) {
        return EINVAL;
    }
    attributes->stackaddr = address;
    attributes->stacksize = bytes & ~(size_t)7;
    return 0;
}
int pthread_attr_getstack(const pthread_attr_t* attributes, void** address, size_t* bytes) {
    *address = attributes->stackaddr;
    *bytes = attributes->stacksize;
    return 0;
}
/* Nothing guards a stack. */
int pthread_attr_setguardsize(pthread_attr_t* attributes, size_t bytes) {
    attributes->guardsize = bytes;
    return 0;
}
int pthread_attr_getguardsize(const pthread_attr_t* attributes, size_t* bytes) {
    *bytes = attributes->guardsize;
    return 0;
}
int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
    *attributes = (pthread_attr_t){.detachstate = (int)thread->is_detached,
                                   .stackaddr = thread->stack,
                                   .stacksize = thread->stack_bytes};
    return 0;
}
