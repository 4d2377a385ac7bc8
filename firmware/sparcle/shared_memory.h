/*
 * Memory that all nodes share, by ordinary pointers: its allocation, prefetches, operations that
 * nothing comes between, locks and a barrier. The C side of firmware/shared_memory.h. For programs
 * that are compiled for it (weir compile --shared-memory).
 *
 * The compiler knows nothing of other nodes: what they write is volatile, or is read behind a
 * lock or barrier of these, which are barriers to the compiler, too.
 *
 * The program alone uses it, no handler: a line comes through the input queue, and could stand
 * there behind the message that the handler is for. For the same reason a program that polls has to
 * have taken its messages before it uses shared memory, and none may come meanwhile.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_SHARED_MEMORY_H
#define WEIR_FIRMWARE_SPARCLE_SHARED_MEMORY_H

#include "firmware/sparcle/contexts.h"

/* Bytes that move as one, so that what two nodes use does not share them without need. */
#define SHARED_LINE 16
/* First byte of it, in every node's address space. */
#define SHARED_BASE 0x80000000u

/* What the host tells a program that shares memory. */
struct weir_shared_memory {
    uint32_t bytes;     /* that shared_allocate() has at each node; atomic operations keep a few */
    uint32_t granule;   /* consecutive bytes with one home, a power of two; or `bytes` */
    uint32_t is_hashed; /* coherence.home = "hash" */
    uint32_t* used;     /* bytes allocated so far at each node: zeros */
    /* Of the node's own memory, for what the software of its directory keeps (limitless.c). */
    uint32_t directory;
    uint32_t directory_end;
};
extern struct weir_shared_memory weir_shared_memory;

/* The address of the byte at `offset` of what node `home` adds. */
uint32_t shared_address(uint32_t home, uint32_t offset);

/* Shared memory at node `home`, in whole lines; zeros at first. All nodes make the same calls in
 * the same order, and each gets the same address, without a word to one another. Unless
 * coherence.home = "segment", at most 4096 bytes ("page") or 16 ("line", "hash") have one home:
 * what asks for more ends the node's program. */
void* shared_allocate(uint32_t home, uint32_t bytes);
/* A line of its own. */
static inline volatile uint32_t* shared_line(uint32_t home) {
    return (volatile uint32_t*)shared_allocate(home, SHARED_LINE);
}

#define SHARED_TEXT_OF(number) #number
#define SHARED_TEXT(number) SHARED_TEXT_OF(number)

/* The line is asked for, to be read or to be stored to; nobody waits for it. */
static inline void shared_prefetch(const volatile void* address) {
    __asm__ volatile("lda [%0] " SHARED_TEXT(SPARCLE_ASI_PREFETCH) ", %%g0" : : "r"(address));
}
static inline void shared_prefetch_to_write(const volatile void* address) {
    __asm__ volatile("lda [%0] " SHARED_TEXT(SPARCLE_ASI_PREFETCH_TO_WRITE) ", %%g0"
                     :
                     : "r"(address));
}

/* Stores the value, and returns what was there before. */
static inline uint32_t shared_exchange(volatile uint32_t* word, uint32_t value) {
    __asm__ volatile("swap [%2], %0" : "=r"(value) : "0"(value), "r"(word) : "memory");
    return value;
}
/* Has the word changed where it lies, at its home, and returns what was there before. Only with
 * coherence.fetch_and_op, which is a study option: Alewife had no such operation. */
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

/* Makes the byte 0xff, and returns what it was before. */
static inline uint32_t shared_test_and_set(volatile uint8_t* byte) {
    uint32_t before;
    __asm__ volatile("ldstub [%1], %0" : "=r"(before) : "r"(byte) : "memory");
    return before;
}

/* Between two looks at a word that another thread changes, which may be one of this node. */
static inline void shared_look_again(void) {
#ifdef WEIR_CONTEXTS
    context_yield();
#endif
}
/* Loads the word until it is another, or this one. */
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

/* How nodes take turns: an exchange until the lock was free; a load until it looks free, then an
 * exchange; or Mellor-Crummey and Scott's queue, by exchange alone. In the numbers of LockKind. */
#define SHARED_LOCK_TEST_AND_SET 0
#define SHARED_LOCK_TEST_AND_TEST_AND_SET 1
#define SHARED_LOCK_QUEUE 2

/* A thread's place in the queue, a line at its node. */
struct shared_place {
    volatile uint32_t waits;
    struct shared_place* volatile next;
};
struct shared_lock {
    uint32_t kind;
    volatile uint32_t* word; /* of the queue: its last place */
    struct shared_place* places[SPARCLE_CONTEXTS];
};

/* Mellor-Crummey and Scott's queue, whose end *last names: who comes waits for the place before its
 * own, and who leaves passes the turn on. */
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

/* Without a compare-and-swap: who finds nobody behind it takes the queue's end away; if somebody
 * has come meanwhile, those who come while the end is away go first. */
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

/* At node `home`, for so many threads of each node; an allocation, as above. */
void shared_lock_make(struct shared_lock* lock, uint32_t kind, uint32_t home, uint32_t threads);
/* By thread 0 to threads - 1 of the node. */
void shared_lock_acquire(struct shared_lock* lock, uint32_t thread);
void shared_lock_release(struct shared_lock* lock, uint32_t thread);

/* A barrier by a tree in shared memory (Mellor-Crummey and Scott, TOCS 1991): a node waits for its
 * children's words, then writes its own at its parent; the root's release comes back the same way.
 */
#define SHARED_BARRIER_CHILDREN 4
struct shared_barrier {
    uint32_t meetings;
    volatile uint32_t* arrived;  /* of this node, at its parent; of node 0: none */
    volatile uint32_t* released; /* of this node, at itself */
    uint32_t children;
    volatile uint32_t* child_arrived[SHARED_BARRIER_CHILDREN];
    volatile uint32_t* child_released[SHARED_BARRIER_CHILDREN];
};

/* An allocation, as above. */
void shared_barrier_make(struct shared_barrier* barrier);
/* Returns when one thread of every node has come to it. */
void shared_barrier_meet(struct shared_barrier* barrier);

#endif
