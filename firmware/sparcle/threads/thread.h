/* Threads of a program: what the files of this folder share. For the library only. */
#ifndef WEIR_FIRMWARE_SPARCLE_THREADS_THREAD_H
#define WEIR_FIRMWARE_SPARCLE_THREADS_THREAD_H

#include <pthread.h>
#include <reent.h>
#include <setjmp.h>
#include <stddef.h>

#include "firmware/sparcle/shared_memory.h"
#include "firmware/sparcle/threads/thread_state.h"

/* Variables of the library that all threads share; others are private to each node. */
#define WEIR_SHARED __attribute__((section(".shared_bss")))
#define WEIR_SHARED_DATA __attribute__((section(".shared_data")))

/* Entry of a queue: a line of shared memory at its thread's node. A thread uses an entry for each
 * mutex that it holds and for each wait. */
struct weir_waiter {
    volatile uint32_t state;
    struct weir_waiter* volatile next;
    struct weir_thread* thread;
    uint32_t kind; /* for a reader/writer lock: whether the thread wants to write */
};
/* States of an entry. The thread that passes a lock or a signal on exchanges the state for
 * WAITER_GO; a thread that gives up exchanges it for WAITER_LEFT. The later of the two learns from
 * the exchange that it came too late. */
#define WAITER_GO 0
#define WAITER_WAITS 1
#define WAITER_LEFT 2
#define WAITER_PASSED 3 /* the entry of a thread that has left is out of the queue */

/* Barriers whose places in the tree a thread remembers. */
#define REMEMBERED_BARRIERS 4

/* A thread. Its address is the thread pointer (%g7); thread-local variables lie below it. */
struct weir_thread {
    /* Words that the host reads (thread_state.h). */
    struct weir_thread* older;
    uint32_t number;
    volatile uint32_t state;
    uint32_t node;
    uint32_t context;
    void* (*start)(void*);
    volatile uint32_t wait;
    const volatile void* volatile object;
    const void* volatile caller;

    struct _reent* reent; /* state of the C library; assembly reads it */
    void* argument;
    void* result;
    volatile uint32_t is_detached;
    struct weir_waiter* entries; /* unused entries */
    struct weir_waiter* left;    /* entries of waits given up, perhaps still in their queues */
    struct weir_cleanup* cleanups;
    void* block; /* start of the memory of the thread and its variables */
    void* stack;
    size_t stack_bytes;
    int cancel_state;
    int cancel_type;
    uint32_t has_own_stack; /* the program has given the stack */
    jmp_buf leave;          /* place to which pthread_exit() jumps */
    const void* values[PTHREAD_KEYS_MAX];
    struct {
        const struct weir_tree_barrier* barrier;
        uint32_t generation;
        uint32_t place;
    } barriers[REMEMBERED_BARRIERS];
    uint32_t next_barrier;
    struct _reent own_reent;
};

_Static_assert(offsetof(struct weir_thread, caller) == 4 * WEIR_THREAD_CALLER &&
                   offsetof(struct weir_thread, reent) == WEIR_THREAD_REENT,
               "the host and the assembly know these words");

static inline struct weir_thread* weir_self(void) {
    return (struct weir_thread*)(void*)weir_thread_pointer;
}

extern uint32_t weir_thread_settings[WEIR_THREADS_SETTING_WORDS];

/* Queue locks: *last is the end of the queue. The entry must stay as it is until the lock is given
 * back. weir_try_lock() returns 0 if the lock is taken. */
void weir_lock(struct weir_waiter* volatile* last, struct weir_waiter* entry);
int weir_try_lock(struct weir_waiter* volatile* last, struct weir_waiter* entry);
void weir_unlock(struct weir_waiter* volatile* last, struct weir_waiter* entry);

/* An unused entry of this thread, and its return. */
struct weir_waiter* weir_take_entry(void);
void weir_return_entry(struct weir_waiter* entry);
/* Puts an entry that has left a queue aside until the queue no longer holds it. */
void weir_return_left_entry(struct weir_waiter* entry);

/* Waits in a queue of threads. weir_enqueue() is called, and weir_dequeue() returns the first
 * entry or NULL, while the caller holds the queue's lock. */
void weir_enqueue(struct weir_queue* queue, struct weir_waiter* entry);
struct weir_waiter* weir_dequeue(struct weir_queue* queue);
void weir_remove(struct weir_queue* queue, const struct weir_waiter* entry);
/* Waits until the entry may go. Returns 0 if the cycle `until` passed first; NULL: no such cycle.
 */
int weir_wait(const struct weir_waiter* entry, const uint64_t* until);
static inline void weir_let_go(struct weir_waiter* entry) { entry->state = WAITER_GO; }

/* Notes for the host what the thread waits for from here on, and that its cycles are
 * synchronization. */
static inline void weir_begin_wait(uint32_t kind, const volatile void* object, const void* caller) {
    struct weir_thread* const self = weir_self();
    self->object = object;
    self->caller = caller;
    self->wait = kind;
    shared_wait_begins();
}
static inline void weir_end_wait(void) {
    shared_wait_ends();
    weir_self()->wait = WEIR_WAIT_NONE;
}

/* First cycle in or after the time; ETIMEDOUT is due from it on. */
uint64_t weir_cycle_of(const struct timespec* time);

/* The heap (heap.c): initialisation by node 0, and memory at a node. */
void weir_heap_make(void);
void* weir_heap_take(size_t bytes, uint32_t node);
/* Bytes of the heap's statics and of the largest free part, for faults. */
size_t weir_heap_bytes(void);

/* Ends the calling thread, whose result is set: its clean-up functions, its keys, its files.
 * Returns only for a thread that may then end; main() waits for all others and ends the program. */
void weir_finish_thread(void);
/* Starts main() on node 0, as thread 0; the other nodes' context 0 waits for threads. */
void weir_start_threads(int (*main)(int, char**, char**), int count) __attribute__((noreturn));

/* Ends the program with this status on all nodes. */
void weir_end_program(int status) __attribute__((noreturn));

#endif
