/*
 * Memory that all nodes share, accessed by ordinary pointers: allocation, prefetches, atomic
 * operations, locks and a barrier. C side of firmware/shared_memory.h. For programs compiled for
 * shared memory (weir compile --shared-memory).
 *
 * The compiler knows nothing of other nodes. Declare data that other nodes write as volatile, or
 * read such data after a lock or barrier of this file: the compiler respects these.
 *
 * Only the program may use shared memory, not handlers. A line arrives through the input queue,
 * where it could wait behind the handler's own message. A program that polls must have taken all
 * its messages before it uses shared memory. While it waits for a line, no message may arrive.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_SHARED_MEMORY_H
#define WEIR_FIRMWARE_SPARCLE_SHARED_MEMORY_H

#include "firmware/sparcle/contexts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Size of a shared line. Data are placed in whole lines to prevent false sharing. */
#define SHARED_LINE 16
/* First address of shared memory, in every node's address space. */
#define SHARED_BASE 0x80000000u

/* Description of shared memory that the host writes for a program. */
struct weir_shared_memory {
    /* Bytes for shared_allocate() at each node, less the lines of locks for atomic operations. */
    uint32_t bytes;
    uint32_t granule;   /* number of consecutive bytes with one home: a power of two, or `bytes` */
    uint32_t is_hashed; /* true if coherence.home = "hash" */
    uint32_t* used;     /* array of the bytes allocated so far at each node, initially zero */
    /* Addresses of the node's own memory for the directory's software (limitless.c). */
    uint32_t directory;
    uint32_t directory_end;
};
extern struct weir_shared_memory weir_shared_memory;

/* Address of the byte at `offset` in the part of node `home`. */
uint32_t shared_address(uint32_t home, uint32_t offset);

/* Allocates shared memory at node `home` in whole lines, initially zero. All nodes must make the
 * same calls in the same order; each gets the same address without communication. Unless
 * coherence.home = "segment", at most 4096 bytes ("page") or 16 bytes ("line", "hash") have one
 * home; a larger request ends the node's program. */
void* shared_allocate(uint32_t home, uint32_t bytes);
/* Allocates one line. */
static inline volatile uint32_t* shared_line(uint32_t home) {
    return (volatile uint32_t*)shared_allocate(home, SHARED_LINE);
}

#define SHARED_TEXT_OF(number) #number
#define SHARED_TEXT(number) SHARED_TEXT_OF(number)

/* Request the line for a load or for a store, without waiting for its arrival. */
static inline void shared_prefetch(const volatile void* address) {
    __asm__ volatile("lda [%0] " SHARED_TEXT(SPARCLE_ASI_PREFETCH) ", %%g0" : : "r"(address));
}
static inline void shared_prefetch_to_write(const volatile void* address) {
    __asm__ volatile("lda [%0] " SHARED_TEXT(SPARCLE_ASI_PREFETCH_TO_WRITE) ", %%g0"
                     :
                     : "r"(address));
}

/* Stores the value; returns the previous value. Atomic. */
static inline uint32_t shared_exchange(volatile uint32_t* word, uint32_t value) {
    __asm__ volatile("swap [%2], %0" : "=r"(value) : "0"(value), "r"(word) : "memory");
    return value;
}
/* Fetch-and-op at the word's home; returns the previous value. Requires coherence.fetch_and_op, a
 * study option: Alewife had no such operation. */
#define SHARED_AT_HOME(name, space)                                        \
    static inline uint32_t name(volatile uint32_t* word, uint32_t value) { \
        __asm__ volatile("swapa [%2] " SHARED_TEXT(space) ", %0"           \
                         : "=r"(value)                                     \
                         : "0"(value), "r"(word)                           \
                         : "memory");                                      \
        return value;                                                      \
    }
SHARED_AT_HOME(shared_fetch_and_add, SPARCLE_ASI_FETCH_AND_ADD)
SHARED_AT_HOME(shared_fetch_and_and, SPARCLE_ASI_FETCH_AND_AND)
SHARED_AT_HOME(shared_fetch_and_or, SPARCLE_ASI_FETCH_AND_OR)
SHARED_AT_HOME(shared_exchange_at_home, SPARCLE_ASI_EXCHANGE_AT_HOME)

/* Sets the byte to 0xff; returns the previous value. Atomic. */
static inline uint32_t shared_test_and_set(volatile uint8_t* byte) {
    uint32_t before;
    __asm__ volatile("ldstub [%1], %0" : "=r"(before) : "r"(byte) : "memory");
    return before;
}

#ifdef WEIR_THREADS
/* Number of this node's contexts beside context 0 that have had a thread. */
extern volatile uint32_t weir_other_contexts;
#endif

/* For locks and barriers: from shared_wait_begins() to shared_wait_ends(), the thread's cycles
 * count as synchronization, and not as computing. Each takes a cycle. */
static inline void shared_wait_begins(void) {
    __asm__ volatile("sethi %0, %%g0" : : "i"(SPARCLE_WAIT_BEGINS));
}
static inline void shared_wait_ends(void) {
    __asm__ volatile("sethi %0, %%g0" : : "i"(SPARCLE_WAIT_ENDS));
}

/* Call between two loads of a word that another thread changes: lets the node's threads run. */
static inline void shared_look_again(void) {
#ifdef WEIR_THREADS
    if (weir_other_contexts != 0) {
        context_yield();
    }
#elif defined(WEIR_CONTEXTS)
    context_yield();
#endif
}
/* Load the word while it equals `value`, or until it equals `value`. */
static inline void shared_spin_while(const volatile uint32_t* word, uint32_t value) {
    while (*word == value) {
        shared_look_again();
    }
    __asm__ volatile("" : : : "memory");
}
static inline void shared_spin_until(const volatile uint32_t* word, uint32_t value) {
    while (*word != value) {
        shared_look_again();
    }
    __asm__ volatile("" : : : "memory");
}

/* Kinds of locks, numbered as in LockKind:
 * - exchange until the old value shows that the lock was free
 * - load until the lock is free, then exchange
 * - queue lock of Mellor-Crummey and Scott, with exchange as the only atomic operation */
#define SHARED_LOCK_TEST_AND_SET 0
#define SHARED_LOCK_TEST_AND_TEST_AND_SET 1
#define SHARED_LOCK_QUEUE 2

/* A thread's queue entry, a line at its node. */
struct shared_place {
    volatile uint32_t waits;
    struct shared_place* volatile next;
};
struct shared_lock {
    uint32_t kind;
    /* The lock's word; for a queue, it holds the address of the last entry. */
    volatile uint32_t* word;
    struct shared_place* places[SPARCLE_CONTEXTS];
};

/* Queue lock of Mellor-Crummey and Scott; *last is the address of the queue's last entry. A thread
 * that joins waits for the entry before its own; a thread that leaves wakes the next one. */
static inline void shared_queue_join(volatile uint32_t* last, struct shared_place* place) {
    place->next = NULL;
    place->waits = 1;
    struct shared_place* const before =
        (struct shared_place*)shared_exchange(last, (uint32_t)place);
    if (before != NULL) {
        before->next = place;
        shared_spin_while(&place->waits, 1);
    }
}

/* Releases the queue lock without compare-and-swap. A holder whose entry names no successor
 * exchanges the queue's tail for 0. If a thread has joined meanwhile, threads that join before the
 * tail is restored go first. */
static inline void shared_queue_leave(volatile uint32_t* last, struct shared_place* place) {
    struct shared_place* next = place->next;
    if (next == NULL) {
        const uint32_t end = shared_exchange(last, 0);
        if (end == (uint32_t)place) {
            return;
        }
        struct shared_place* const came_meanwhile =
            (struct shared_place*)shared_exchange(last, end);
        while ((next = place->next) == NULL) {
            shared_look_again();
        }
        if (came_meanwhile != NULL) {
            came_meanwhile->next = next;
            return;
        }
    }
    next->waits = 0;
}

/* Allocates a lock at node `home` for `threads` threads of each node; all nodes must call it, as
 * shared_allocate(). */
void shared_lock_make(struct shared_lock* lock, uint32_t kind, uint32_t home, uint32_t threads);
/* Called by threads 0 to threads - 1 of the node. */
void shared_lock_acquire(struct shared_lock* lock, uint32_t thread);
void shared_lock_release(struct shared_lock* lock, uint32_t thread);

/* Tree barrier in shared memory (Mellor-Crummey and Scott, TOCS 1991). A node waits for its
 * children's words, then writes its own word at its parent; the root's release returns down the
 * tree. */
#define SHARED_BARRIER_CHILDREN 4
struct shared_barrier {
    uint32_t meetings;
    /* This node's arrival word, at its parent's home; node 0 has none. */
    volatile uint32_t* arrived;
    volatile uint32_t* released; /* this node's release word, at its own home */
    uint32_t children;
    volatile uint32_t* child_arrived[SHARED_BARRIER_CHILDREN];
    volatile uint32_t* child_released[SHARED_BARRIER_CHILDREN];
};

/* Allocates a barrier; all nodes must call it, as shared_allocate(). */
void shared_barrier_make(struct shared_barrier* barrier);
/* Returns when one thread of every node has arrived. */
void shared_barrier_meet(struct shared_barrier* barrier);

#ifdef __cplusplus
}
#endif

#endif
