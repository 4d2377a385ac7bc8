/*
 * Cycles of atomic operations, measured at the third execution, on words in the cache. The words
 * are in the node's own memory, and at node 0 also in shared memory, if the program has any.
 */
#include "firmware/sparcle/weir.h"
#ifdef WEIR_SHARED_MEMORY
#include "firmware/sparcle/shared_memory.h"
#endif

#define OPERATIONS 13

/* Cycles of each operation at each place, read by the test. Places: own words, own words by a
 * pointer, shared memory. */
uint32_t atomic_costs[3][OPERATIONS];

static volatile uint8_t own_1;
static volatile uint16_t own_2;
static volatile uint32_t own_4;
static volatile uint64_t own_8;

/* Inlined, so that the compiler sees which places are variables, and thus not in shared memory. */
static inline __attribute__((always_inline)) void measure(uint32_t* costs, volatile uint8_t* byte,
                                                          volatile uint16_t* half,
                                                          volatile uint32_t* word,
                                                          volatile uint64_t* both) {
    uint32_t expected;
    for (uint32_t turn = 0; turn < 3; ++turn) {
        uint32_t number = 0;
#define TAKES(operation)                        \
    do {                                        \
        const uint32_t begin = weir_cycle();    \
        (void)(operation);                      \
        costs[number++] = weir_cycle() - begin; \
    } while (0)
        TAKES(__atomic_fetch_add(byte, 1, __ATOMIC_SEQ_CST));
        TAKES(__atomic_fetch_add(half, 1, __ATOMIC_SEQ_CST));
        TAKES(__atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST));
        TAKES(__atomic_fetch_add(both, 1, __ATOMIC_SEQ_CST));
        TAKES(__sync_fetch_and_add(word, 1));
        TAKES(__atomic_exchange_n(word, 7, __ATOMIC_SEQ_CST));
        expected = 7;
        TAKES(
            __atomic_compare_exchange_n(word, &expected, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
        expected = 7;
        TAKES(
            __atomic_compare_exchange_n(word, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
        TAKES(__sync_bool_compare_and_swap(both, 1, 1));
        TAKES(__atomic_load_n(word, __ATOMIC_SEQ_CST));
        TAKES((__atomic_store_n(word, 10, __ATOMIC_SEQ_CST), 0));
        TAKES(__atomic_test_and_set(byte, __ATOMIC_SEQ_CST));
        TAKES((__sync_lock_release(word), 0));
    }
}

int main(void) {
    volatile uint8_t* byte = &own_1;
    volatile uint16_t* half = &own_2;
    volatile uint32_t* word = &own_4;
    volatile uint64_t* both = &own_8;
    measure(atomic_costs[0], &own_1, &own_2, &own_4, &own_8);
    __asm__("" : "+r"(byte), "+r"(half), "+r"(word), "+r"(both));
    measure(atomic_costs[1], byte, half, word, both);
#ifdef WEIR_SHARED_MEMORY
    byte = (volatile uint8_t*)shared_line(0);
    half = (volatile uint16_t*)(byte + 2);
    word = (volatile uint32_t*)(byte + 4);
    both = (volatile uint64_t*)(byte + 8);
    if (weir_node() == 0) {
        measure(atomic_costs[2], byte, half, word, both);
    }
#endif
    return 0;
}
