/*
 * Threads: creation, end, join, attributes, keys. The first threads run in context 0 of the nodes,
 * node after node, and further ones in the next contexts. main() is thread 0, on node 0.
 *
 * The creating thread writes the new thread's state to shared memory and sends a message to its
 * node, whose handler (threads.inc) wakes the context. A context that has ended a thread waits for
 * the next.
 */
#include "firmware/sparcle/threads/thread.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/threads/placement.h"
#include "firmware/sparcle/trap.h"

#define IDLE_STACK_BYTES 1024

/* Assembly (threads.inc, thread_pointer.S) */
void weir_begin_thread(void); /* handler of (context, thread) */
void weir_end_node(void);     /* handler without arguments */
void weir_wait_for_work(struct weir_thread* volatile* work);
void weir_call_on_stack(void (*function)(void*), void* argument, void* stack_end);
uint32_t weir_tls_bytes(void);
extern const char weir_tdata_begin[], weir_tdata_end[];

/* Next thread of each of this node's contexts, and whether the context has a worker. The assembly
 * expects both in this order. */
struct {
    struct weir_thread* volatile next[SPARCLE_CONTEXTS];
    volatile uint32_t has_worker[SPARCLE_CONTEXTS];
} weir_next_threads;
/* Thread pointers of the contexts, by their trap windows. */
struct weir_thread* volatile weir_thread_pointers[SPARCLE_WINDOWS];
volatile uint32_t weir_other_contexts;
unsigned char weir_idle_stacks[SPARCLE_CONTEXTS][IDLE_STACK_BYTES] __attribute__((aligned(8)));

WEIR_FROM_HOST uint32_t weir_thread_settings[WEIR_THREADS_SETTING_WORDS] = {1};

WEIR_SHARED struct weir_thread* volatile weir_all_threads; /* the newest one */
WEIR_SHARED static struct weir_waiter* volatile table_lock;
WEIR_SHARED static uint32_t thread_count;      /* threads created so far */
WEIR_SHARED static volatile uint32_t running;  /* threads that have not ended */
WEIR_SHARED static struct weir_thread** slots; /* thread of each node and context */
WEIR_SHARED static struct {
    void (*destructor)(void*);
    uint32_t is_used;
} keys[PTHREAD_KEYS_MAX];

static uint32_t slot_count(void) {
    return weir_nodes * weir_thread_settings[WEIR_THREADS_CONTEXTS];
}

/* ---- a thread's memory ---- */

/* Memory of a thread and its thread-local variables, at its node. */
static struct weir_thread* make_thread(uint32_t node, uint32_t context) {
    const uint32_t variables = weir_tls_bytes();
    const uint32_t initial = (uint32_t)(weir_tdata_end - weir_tdata_begin);
    char* const block = weir_heap_take(variables + sizeof(struct weir_thread), node);
    if (block == NULL) {
        return NULL;
    }
    memcpy(block, weir_tdata_begin, initial);
    memset(block + initial, 0, variables - initial + sizeof(struct weir_thread));
    struct weir_thread* const thread = (struct weir_thread*)(void*)(block + variables);
    thread->block = block;
    thread->node = node;
    thread->context = context;
    thread->state = WEIR_THREAD_RUNS;
    thread->reent = &thread->own_reent;
    _REENT_INIT_PTR_ZEROED(&thread->own_reent);
    return thread;
}

static void free_thread(struct weir_thread* thread) {
    while (thread->entries != NULL) {
        struct weir_waiter* const entry = thread->entries;
        thread->entries = entry->next;
        free(entry);
    }
    if (!thread->has_own_stack) {
        free(thread->stack);
    }
    free(thread->block);
}

static void* stack_end(const struct weir_thread* thread) {
    return (char*)thread->stack + thread->stack_bytes;
}

/* ---- the threads of the program; these functions are called with table_lock held ---- */

static void add_thread(struct weir_thread* thread, uint32_t slot) {
    thread->number = thread_count++;
    thread->older = weir_all_threads;
    weir_all_threads = thread;
    slots[slot] = thread;
    ++running;
}

static void remove_thread(const struct weir_thread* thread) {
    slots[thread->context * weir_nodes + thread->node] = NULL;
    struct weir_thread* volatile* at = &weir_all_threads;
    while (*at != thread) {
        at = (struct weir_thread* volatile*)&(*at)->older;
    }
    *at = thread->older;
}

/* Frees detached threads that have ended. */
static void remove_detached(void) {
    struct weir_thread* thread = weir_all_threads;
    while (thread != NULL) {
        struct weir_thread* const older = thread->older;
        if (thread->is_detached && thread->state == WEIR_THREAD_HAS_ENDED) {
            remove_thread(thread);
            free_thread(thread);
        }
        thread = older;
    }
}

static uint32_t find_slot(void) {
    for (uint32_t slot = 0; slot < slot_count(); ++slot) {
        if (slots[slot] == NULL) {
            return slot;
        }
    }
    weir_stop(WEIR_STATUS_TOO_MANY_THREADS);
}

/* ---- contexts ---- */

static void run_thread(void* of_thread) {
    struct weir_thread* const self = of_thread;
    if (setjmp(self->leave) == 0) {
        self->result = self->start(self->argument);
    }
    weir_finish_thread();
}

/* Loop of a context, on a stack in the node's private memory. */
void weir_worker(uint32_t context) __attribute__((noreturn));
void weir_worker(uint32_t context) {
    struct weir_thread* volatile* const work = &weir_next_threads.next[context];
    const uint32_t trap_window =
        (SPARCLE_WINDOWS_PER_CONTEXT * context + SPARCLE_WINDOWS - SPARCLE_WINDOWS_PER_CONTEXT) %
        SPARCLE_WINDOWS;
    for (;;) {
        while (*work == NULL) {
            if (context == 0 && weir_other_contexts == 0) {
                weir_wait_for_work(work);
            } else {
                context_yield();
            }
        }
        struct weir_thread* const thread = *work;
        *work = NULL;
        weir_thread_pointers[trap_window] = thread;
        weir_thread_pointer = (unsigned char*)thread;
        WEIR_DEVICE(WEIR_HOST_STACK_BEGIN) = (uint32_t)thread->stack;
        WEIR_DEVICE(WEIR_HOST_STACK_BYTES) = thread->stack_bytes;
        weir_call_on_stack(run_thread, thread, stack_end(thread));
        /* From here on another thread may free this one's memory. */
        thread->state = WEIR_THREAD_HAS_ENDED;
    }
}

/* ---- start and end ---- */

void weir_end_program(int status) {
    (void)hold_handlers_off();
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        if (node != weir_node()) {
            am_send_0(node, weir_end_node);
        }
    }
    WEIR_DEVICE(WEIR_HOST_EXIT) = (uint32_t)status;
    am_interrupts(1);
    for (;;) {
        (void)WEIR_DEVICE(WEIR_HOST_IDLE);
    }
}

extern char weir_argument_text[];
typedef void (*initializer)(void);
extern const initializer weir_initializers_begin[], weir_initializers_end[];
extern char** environ;

struct main_call {
    int (*function)(int, char**, char**);
    int count;
    char** words;
};

static void choose_heap_homes(void) {
    const char* const homes = getenv("WEIR_HEAP_HOMES");
    if (homes == NULL || strcmp(homes, "page") == 0) {
        return;
    }
    if (strcmp(homes, "node") != 0) {
        weir_fault("WEIR_HEAP_HOMES is \"%s\"; accepted: page or node",
                   (const int32_t[]){(int32_t)homes});
    }
    weir_set_heap_homes(WEIR_HOMES_BY_NODE);
}

static void* run_main(void* of_call) {
    const struct main_call* const call = of_call;
    choose_heap_homes();
    for (const initializer* next = weir_initializers_begin; next != weir_initializers_end; ++next) {
        (*next)();
    }
    exit(call->function(call->count, call->words, environ));
}

/* main()'s arguments, copied to shared memory: main() may pass them to other threads. */
static struct main_call* make_call(int (*function)(int, char**, char**), int count) {
    const char* text = weir_argument_text;
    size_t bytes = 0;
    for (int i = 0; i < count; ++i) {
        bytes += strlen(text + bytes) + 1;
    }
    const size_t words = ((size_t)count + 1) * sizeof(char*);
    struct main_call* const call = weir_heap_take(sizeof *call + words + bytes, 0);
    if (call == NULL) {
        return NULL;
    }
    call->function = function;
    call->count = count;
    call->words = (char**)(call + 1);
    char* copied = (char*)call->words + words;
    memcpy(copied, text, bytes);
    for (int i = 0; i < count; ++i) {
        call->words[i] = copied;
        copied += strlen(copied) + 1;
    }
    call->words[count] = NULL;
    return call;
}

void weir_start_threads(int (*main)(int, char**, char**), int count) {
    if (weir_node() != 0) {
        weir_worker(0);
    }
    weir_heap_make();
    struct weir_thread* const thread = make_thread(0, 0);
    slots = weir_heap_take(slot_count() * sizeof *slots, 0);
    struct main_call* const call = make_call(main, count);
    if (thread == NULL || slots == NULL || call == NULL) {
        weir_stop(WEIR_STATUS_NO_SHARED_MEMORY);
    }
    memset(slots, 0, slot_count() * sizeof *slots);
    thread->reent = _GLOBAL_REENT;
    thread->stack_bytes = weir_thread_settings[WEIR_THREADS_STACK_BYTES];
    thread->stack = weir_heap_take(thread->stack_bytes, 0);
    thread->start = run_main;
    thread->argument = call;
    if (thread->stack == NULL) {
        weir_stop(WEIR_STATUS_NO_SHARED_MEMORY);
    }
    add_thread(thread, 0);
    weir_next_threads.next[0] = thread;
    weir_worker(0);
}

int pthread_create(pthread_t* created, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
    struct weir_waiter* const entry = weir_take_entry();
    weir_lock(&table_lock, entry);
    remove_detached();
    const uint32_t slot = find_slot();
    const uint32_t node = slot % weir_nodes;
    const uint32_t context = slot / weir_nodes;
    struct weir_thread* const thread = make_thread(node, context);
    if (thread != NULL) {
        thread->start = start;
        thread->argument = argument;
        thread->stack_bytes = weir_thread_settings[WEIR_THREADS_STACK_BYTES];
        if (attributes != NULL) {
            thread->is_detached = attributes->detachstate == PTHREAD_CREATE_DETACHED;
            thread->has_own_stack = attributes->stackaddr != NULL;
            thread->stack_bytes =
                attributes->stacksize == 0 ? thread->stack_bytes : attributes->stacksize;
        }
        thread->stack = thread->has_own_stack ? attributes->stackaddr
                                              : weir_heap_take(thread->stack_bytes, node);
        if (thread->stack != NULL) {
            add_thread(thread, slot);
        } else {
            free(thread->block);
        }
    }
    const int is_made = thread != NULL && thread->stack != NULL;
    weir_unlock(&table_lock, entry);
    weir_return_entry(entry);
    if (!is_made) {
        return EAGAIN;
    }
    *created = thread;
    __asm__ volatile("" : : : "memory");
    am_send_2(node, weir_begin_thread, context, (uint32_t)thread);
    return 0;
}

/* Calls the destructors of the thread's values, which may set values again. */
static void end_values(struct weir_thread* self) {
    int is_again = 1;
    for (int round = 0; is_again && round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
        is_again = 0;
        for (uint32_t key = 0; key < PTHREAD_KEYS_MAX; ++key) {
            void* const value = (void*)self->values[key];
            self->values[key] = NULL;
            if (value != NULL && keys[key].destructor != NULL) {
                keys[key].destructor(value);
                is_again = 1;
            }
        }
    }
}

void weir_finish_thread(void) {
    struct weir_thread* const self = weir_self();
    while (self->cleanups != NULL) {
        weir_cleanup_pop(1);
    }
    end_values(self);
    struct weir_waiter* const entry = weir_take_entry();
    weir_lock(&table_lock, entry);
    --running;
    if (self->reent->__cleanup != NULL) {
        _GLOBAL_REENT->__cleanup = self->reent->__cleanup;
    }
    weir_unlock(&table_lock, entry);
    weir_return_entry(entry);
    if (self->number == 0) {
        shared_wait_begins();
        shared_spin_until(&running, 0);
        shared_wait_ends();
        exit(0);
    }
    _reclaim_reent(self->reent);
}

void pthread_exit(void* result) {
    struct weir_thread* const self = weir_self();
    self->result = result;
    longjmp(self->leave, 1);
}

static struct weir_thread* find_thread(const struct weir_thread* asked) {
    struct weir_thread* thread = weir_all_threads;
    while (thread != NULL && thread != asked) {
        thread = thread->older;
    }
    return thread;
}

int pthread_join(pthread_t joined, void** result) {
    if (joined == weir_self()) {
        return EDEADLK;
    }
    struct weir_waiter* const entry = weir_take_entry();
    weir_lock(&table_lock, entry);
    struct weir_thread* const thread = find_thread(joined);
    const int fault = thread == NULL ? ESRCH : thread->is_detached ? EINVAL : 0;
    weir_unlock(&table_lock, entry);
    if (fault == 0) {
        weir_begin_wait(WEIR_WAIT_JOIN, thread, __builtin_return_address(0));
        shared_spin_until(&thread->state, WEIR_THREAD_HAS_ENDED);
        weir_end_wait();
        if (result != NULL) {
            *result = thread->result;
        }
        weir_lock(&table_lock, entry);
        remove_thread(thread);
        free_thread(thread);
        weir_unlock(&table_lock, entry);
    }
    weir_return_entry(entry);
    return fault;
}

int pthread_detach(pthread_t detached) {
    struct weir_waiter* const entry = weir_take_entry();
    weir_lock(&table_lock, entry);
    struct weir_thread* const thread = find_thread(detached);
    const int fault = thread == NULL ? ESRCH : thread->is_detached ? EINVAL : 0;
    if (fault == 0) {
        thread->is_detached = 1;
    }
    weir_unlock(&table_lock, entry);
    weir_return_entry(entry);
    return fault;
}

pthread_t pthread_self(void) { return weir_self(); }
int pthread_equal(pthread_t one, pthread_t other) { return one == other; }
int pthread_yield(void) { return sched_yield(); }
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
int pthread_getconcurrency(void) { return 0; }
/* Nothing forks. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}

static int set_choice(int* choice, int value, int* before) {
    if (value != 0 && value != 1) {
        return EINVAL;
    }
    if (before != NULL) {
        *before = *choice;
    }
    *choice = value;
    return 0;
}
int pthread_setcancelstate(int state, int* before) {
    return set_choice(&weir_self()->cancel_state, state, before);
}
int pthread_setcanceltype(int type, int* before) {
    return set_choice(&weir_self()->cancel_type, type, before);
}
void pthread_testcancel(void) {}

int sched_yield(void) {
    shared_look_again();
    return 0;
}
int sched_get_priority_min(int policy) {
    (void)policy;
    return 0;
}
int sched_get_priority_max(int policy) {
    (void)policy;
    return 0;
}
int sched_getcpu(void) { return (int)weir_node(); }

void weir_cleanup_push(struct weir_cleanup* cleanup) {
    struct weir_thread* const self = weir_self();
    cleanup->outer = self->cleanups;
    self->cleanups = cleanup;
}
void weir_cleanup_pop(int execute) {
    struct weir_thread* const self = weir_self();
    struct weir_cleanup* const cleanup = self->cleanups;
    self->cleanups = cleanup->outer;
    if (execute) {
        cleanup->routine(cleanup->argument);
    }
}

/* ---- keys ---- */

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
    struct weir_waiter* const entry = weir_take_entry();
    weir_lock(&table_lock, entry);
    uint32_t number = 0;
    while (number < PTHREAD_KEYS_MAX && keys[number].is_used) {
        ++number;
    }
    if (number < PTHREAD_KEYS_MAX) {
        keys[number].is_used = 1;
        keys[number].destructor = destructor;
        for (struct weir_thread* thread = weir_all_threads; thread != NULL;
             thread = thread->older) {
            thread->values[number] = NULL;
        }
    }
    weir_unlock(&table_lock, entry);
    weir_return_entry(entry);
    *key = number;
    return number < PTHREAD_KEYS_MAX ? 0 : EAGAIN;
}
int pthread_key_delete(pthread_key_t key) {
    if (key >= PTHREAD_KEYS_MAX || !keys[key].is_used) {
        return EINVAL;
    }
    keys[key].destructor = NULL;
    keys[key].is_used = 0;
    return 0;
}
int pthread_setspecific(pthread_key_t key, const void* value) {
    if (key >= PTHREAD_KEYS_MAX || !keys[key].is_used) {
        return EINVAL;
    }
    weir_self()->values[key] = value;
    return 0;
}
void* pthread_getspecific(pthread_key_t key) {
    return key < PTHREAD_KEYS_MAX ? (void*)weir_self()->values[key] : NULL;
}
