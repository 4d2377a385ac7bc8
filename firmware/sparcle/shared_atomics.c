/*
 * Atomic operations of a program whose nodes share memory.
 *
 * An operation on private memory holds the node's handlers off, as in atomics.c. An operation on
 * shared memory takes the lock of its line, one of a few locks, then loads and stores as usual.
 * Operations of all sizes within a line therefore exclude each other. The locks are queues and
 * first come, first served. A waiting thread lets its node's other contexts run. Loads take no
 * lock, because each is a single access, and each change is a single store. Full/empty bits are
 * neither used nor changed.
 *
 * Handlers are not held off during an operation on shared memory: its line could be queued behind a
 * message whose handler is held off. Handlers never need a lock, because they may not use shared
 * memory.
 *
 * The locks, and a queue entry for each context, are in lines of their own, after the memory of
 * shared_allocate() at each node. Initially they are zero, which means free.
 */
#include <stddef.h>

#include "firmware/sparcle/atomic_locks.h"
#include "firmware/sparcle/memory.h"
#include "firmware/sparcle/shared_memory.h"
#include "firmware/sparcle/weir.h"

#define MOST_LOCKS 512
#define PLACES_OFFSET (ATOMIC_LOCKS_OF_NODE * SHARED_LINE)
_Static_assert(ATOMIC_BYTES_OF_NODE == PLACES_OFFSET + SPARCLE_CONTEXTS * SHARED_LINE,
               "the host reserves the memory of locks and queue entries");
_Static_assert(sizeof(struct shared_place) <= SHARED_LINE, "a queue entry is in one line");

/* Addresses of the locks and queue entries that this node has used. The host reserves shared memory
 * for them in programs that define this symbol. */
struct {
    uint32_t lock_mask; /* number of locks minus one; the number is a power of two */
    uint32_t home_mask; /* number of nodes with locks minus one; the number is a power of two */
    struct shared_place* places[SPARCLE_CONTEXTS];
    volatile uint32_t* locks[MOST_LOCKS];
} weir_atomic_locks;

static uint32_t address_of_kept(uint32_t home, uint32_t offset) {
    return shared_address(home, weir_shared_memory.bytes + offset);
}

static volatile uint32_t* __attribute__((noinline)) find_lock(uint32_t number) {
    if (weir_atomic_locks.lock_mask == 0) {
        uint32_t homes = 1;
        while (2 * homes <= weir_nodes && 2 * homes * ATOMIC_LOCKS_OF_NODE <= MOST_LOCKS) {
            homes *= 2;
        }
        weir_atomic_locks.home_mask = homes - 1;
        weir_atomic_locks.lock_mask = homes * ATOMIC_LOCKS_OF_NODE - 1;
    }
    number &= weir_atomic_locks.lock_mask;
    const uint32_t homes = weir_atomic_locks.home_mask + 1;
    volatile uint32_t* const lock = (volatile uint32_t*)address_of_kept(
        (number & weir_atomic_locks.home_mask) * (weir_nodes / homes),
        number / homes * SHARED_LINE);
    weir_atomic_locks.locks[number] = lock;
    return lock;
}

static struct shared_place* __attribute__((noinline)) find_place(uint32_t context) {
    struct shared_place* const place =
        (struct shared_place*)address_of_kept(weir_node(), PLACES_OFFSET + context * SHARED_LINE);
    weir_atomic_locks.places[context] = place;
    return place;
}

static inline volatile uint32_t* lock_of(const volatile void* where) {
    const uint32_t line = (uint32_t)where / SHARED_LINE;
    const uint32_t number = line ^ line >> 6 ^ line >> 12;
    volatile uint32_t* const lock = weir_atomic_locks.locks[number & weir_atomic_locks.lock_mask];
    return lock != NULL ? lock : find_lock(number);
}

static inline struct shared_place* own_place(void) {
    uint32_t context = 0;
#ifdef WEIR_CONTEXTS
    uint32_t psr;
    __asm__("rd %%psr, %0" : "=r"(psr));
    context = (psr + 1) % SPARCLE_WINDOWS / SPARCLE_WINDOWS_PER_CONTEXT;
#endif
    struct shared_place* const place = weir_atomic_locks.places[context];
    return place != NULL ? place : find_place(context);
}

static void __attribute__((noinline)) lock_line(const volatile void* where) {
    shared_queue_join(lock_of(where), own_place());
}
static void __attribute__((noinline)) unlock_line(const volatile void* where) {
    __asm__ volatile("" : : : "memory");
    shared_queue_leave(lock_of(where), own_place());
}

/* Device registers are in the upper half too, but are not valid places for atomic operations. */
static inline _Bool is_shared(const volatile void* place) { return (int32_t)(uint32_t)place < 0; }

/* Holds handlers off by raising the level to theirs or higher. A new level is valid three
 * instructions later; these instructions test whether the place is shared, so the test takes no
 * extra time. In a handler the level becomes 15, which also holds off the coherence trap; private
 * accesses may do so. */
#define BEGIN_PRIVATE(place)                                                    \
    uint32_t psr;                                                               \
    __asm__ volatile("rd %%psr, %0" : "=r"(psr) : : "memory");                  \
    __asm__ goto("wr %0, %%psr\n\ttst %1\n\tbneg %l2\n\tnop"                    \
                 :                                                              \
                 : "r"(psr | LEVEL_HANDLERS_OFF << PSR_LEVEL_SHIFT), "r"(place) \
                 : "memory", "cc"                                               \
                 : is_in_shared_memory)
#define END_PRIVATE let_handlers_come(psr)
#define SHARED(statement)   \
    is_in_shared_memory:    \
    let_handlers_come(psr); \
    statement

/* The level is valid three instructions later; the return to the caller is one of the three. */
static inline void let_handlers_come(uint32_t psr) {
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop" : : "r"(psr) : "memory");
}

/* Separate functions, entered by tail calls, so that operations on private memory need no frame. */
#define SHARED_OPERATION(type) static type __attribute__((noinline))

/* An unchanged value is not stored. A failed attempt to take a lock could otherwise undo an
 * ordinary store that frees the lock. */
#define DEFINE_SHARED_CHANGE(bytes, type, given, after)                                 \
    SHARED_OPERATION(type) shared_##given##_##bytes(volatile void* place, type value) { \
        lock_line(place);                                                               \
        const type before = *(volatile type*)place;                                     \
        if ((type)(after) != before) {                                                  \
            *(volatile type*)place = (type)(after);                                     \
        }                                                                               \
        unlock_line(place);                                                             \
        return given##_RESULT(before, (type)(after));                                   \
    }
#define DEFINE_SHARED_COMPARE_AND_SWAP(bytes, type)                                       \
    SHARED_OPERATION(type)                                                                \
    shared_compare_and_swap_##bytes(volatile void* place, type expected, type desired) {  \
        lock_line(place);                                                                 \
        const type before = *(volatile type*)place;                                       \
        if (before == expected && before != desired) {                                    \
            *(volatile type*)place = desired;                                             \
        }                                                                                 \
        unlock_line(place);                                                               \
        return before;                                                                    \
    }                                                                                     \
    SHARED_OPERATION(_Bool)                                                               \
    shared_is_swapped_##bytes(volatile void* place, type expected, type desired) {        \
        return shared_compare_and_swap_##bytes(place, expected, desired) == expected;     \
    }                                                                                     \
    SHARED_OPERATION(_Bool)                                                               \
    shared_compare_exchange_##bytes(volatile void* place, void* expected, type desired) { \
        const type wanted = *(type*)expected;                                             \
        const type before = shared_compare_and_swap_##bytes(place, wanted, desired);      \
        if (before != wanted) {                                                           \
            *(type*)expected = before;                                                    \
        }                                                                                 \
        return before == wanted;                                                          \
    }
/* Stores shared values by an exchange under the lock. An ordinary store could fall between the load
 * and the store of a change, and be lost. */
#define STORE(bytes, type, place, value)       \
    if (is_shared(place)) {                    \
        shared_EXCHANGE_##bytes(place, value); \
        return;                                \
    }                                          \
    *(volatile type*)place = value
#define TAKES_PLACE(place) is_shared(place)

static inline uint32_t hold_object(const void* place) {
    uint32_t psr = 0;
    if (is_shared(place)) {
        lock_line(place);
        return psr;
    }
    __asm__ volatile("rd %%psr, %0" : "=r"(psr) : : "memory");
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop"
                     :
                     : "r"(psr | LEVEL_HANDLERS_OFF << PSR_LEVEL_SHIFT)
                     : "memory");
    return psr;
}
static inline void release_object(const void* place, uint32_t psr) {
    if (is_shared(place)) {
        unlock_line(place);
    } else {
        let_handlers_come(psr);
    }
}

#include "firmware/sparcle/atomics.inc"
