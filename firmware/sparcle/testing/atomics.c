/*
 * Atomic operations of every size in words that all nodes change at the same time. A word is
 * changed by different operations and sizes. Further tests: locks made of atomic operations, and
 * each node's own words, which its handlers change too. With hardware contexts, every context does
 * the same. Any lost or torn operation changes an answer. main(turns).
 */
#include <stdatomic.h>

#include "firmware/sparcle/full_empty.h"

#define MOST_THREADS 64
#define SIZES 4
#define LOCKS 6

#ifdef WEIR_CONTEXTS
#define THREADS SPARCLE_CONTEXTS
#define STACK_BYTES 4096
static unsigned char stacks[THREADS][STACK_BYTES] __attribute__((aligned(8)));
#else
#define THREADS 1
#endif

struct three_words {
    uint32_t words[3];
};

/* Findings of one thread; read by node 0 at the end. */
struct findings {
    uint32_t wrong; /* number of the first check that failed, or 0 */
    uint32_t value;
    /* Number of additions to the last value that the storing thread has stored. */
    uint32_t adds_of_last;
};

static uint32_t turns;
static struct shared_barrier barrier;
static struct findings* all_findings[MOST_THREADS];
static uint32_t* all_held[MOST_THREADS]; /* tokens of each size that a thread holds */
static volatile uint32_t threads_done[THREADS];

static volatile uint8_t* counter_1;
static volatile uint16_t* counter_2;
static volatile uint32_t* counter_4;
static volatile uint64_t* counter_8;
static volatile uint32_t* empty_counter; /* counter in a word that is always empty */
static volatile uint8_t* tokens_1;
static volatile uint16_t* tokens_2;
static volatile uint32_t* tokens_4;
static volatile uint64_t* tokens_8;
static volatile uint32_t* bits;
static volatile uint64_t* mixed;
static _Atomic uint32_t* stored;
static volatile uint64_t* twins;
static struct three_words* triple;
static volatile uint8_t* lock_words[LOCKS];
static volatile uint32_t* locked[LOCKS];

static uint32_t number_of(uint32_t thread) { return weir_node() * THREADS + thread; }
static uint32_t all_threads(void) { return weir_nodes * THREADS; }

static void expect(uint32_t thread, uint32_t check, uint32_t found, uint32_t right) {
    struct findings* const findings = all_findings[number_of(thread)];
    if (found != right && findings->wrong == 0) {
        findings->wrong = check;
        findings->value = found;
    }
}

/* Adds to the counter: five turns add 5 in total, each by another operation. */
#define DEFINE_COUNT(bytes, type)                                                           \
    static void count_##bytes(uint32_t thread, uint32_t turn) {                             \
        volatile type* const counter = counter_##bytes;                                     \
        type found = *counter;                                                              \
        switch ((turn + thread) % 5) {                                                      \
            case 0:                                                                         \
                (void)__atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);                     \
                break;                                                                      \
            case 1:                                                                         \
                (void)__sync_add_and_fetch(counter, 1);                                     \
                break;                                                                      \
            case 2:                                                                         \
                while (!__atomic_compare_exchange_n(counter, &found, (type)(found + 1), 0,  \
                                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {  \
                }                                                                           \
                break;                                                                      \
            case 3:                                                                         \
                (void)__atomic_sub_fetch(counter, (type)-4, __ATOMIC_RELAXED);              \
                (void)__sync_fetch_and_sub(counter, 3);                                     \
                break;                                                                      \
            default:                                                                        \
                do {                                                                        \
                    found = *counter;                                                       \
                } while (!__sync_bool_compare_and_swap(counter, found, (type)(found + 1))); \
                break;                                                                      \
        }                                                                                   \
    }
DEFINE_COUNT(1, uint8_t)
DEFINE_COUNT(2, uint16_t)
DEFINE_COUNT(4, uint32_t)
DEFINE_COUNT(8, uint64_t)

/* A thread exchanges the tokens that it holds for those in the word. */
static void change_tokens(uint32_t thread, uint32_t turn) {
    uint32_t* const held = all_held[number_of(thread)];
    if (turn % 2 == 0) {
        held[0] = __atomic_exchange_n(tokens_1, (uint8_t)held[0], __ATOMIC_SEQ_CST);
        held[1] = __atomic_exchange_n(tokens_2, (uint16_t)held[1], __ATOMIC_SEQ_CST);
        held[2] = __atomic_exchange_n(tokens_4, held[2], __ATOMIC_SEQ_CST);
        held[3] = (uint32_t)__atomic_exchange_n(tokens_8, held[3], __ATOMIC_SEQ_CST);
        return;
    }
    held[2] = __sync_lock_test_and_set(tokens_4, held[2]);
    uint64_t found = __atomic_load_n(tokens_8, __ATOMIC_RELAXED);
    for (;;) {
        const uint64_t before = __sync_val_compare_and_swap(tokens_8, found, (uint64_t)held[3]);
        if (before == found) {
            held[3] = (uint32_t)before;
            break;
        }
        found = before;
    }
}

/* A thread's own bit does not change when other threads change theirs. */
static void turn_bits(uint32_t thread) {
    const uint32_t bit = 1u << number_of(thread) % 32;
    if (number_of(thread) >= 32) {
        return;
    }
    expect(thread, 2, __atomic_fetch_or(bits, bit, __ATOMIC_SEQ_CST) & bit, 0);
    expect(thread, 3, __atomic_and_fetch(bits, ~bit, __ATOMIC_SEQ_CST) & bit, 0);
    expect(thread, 4, __sync_fetch_and_xor(bits, bit) & bit, 0);
    expect(thread, 5, __sync_or_and_fetch(bits, bit) & bit, bit);
    expect(thread, 6, __atomic_fetch_and(bits, ~bit, __ATOMIC_SEQ_CST) & bit, bit);
    expect(thread, 7, *bits & bit, 0);
}

/* Operations of all sizes add to the first byte; one size adds to each other byte. */
static void mix_sizes(uint32_t thread, uint32_t turn) {
    (void)__atomic_fetch_add(mixed, 1ull << 56, __ATOMIC_SEQ_CST);
    (void)__atomic_fetch_add((volatile uint32_t*)mixed, 1u << 24, __ATOMIC_SEQ_CST);
    (void)__sync_fetch_and_add((volatile uint16_t*)mixed, 1u << 8);
    (void)__atomic_fetch_add((volatile uint8_t*)mixed, 1, __ATOMIC_SEQ_CST);
    (void)__atomic_fetch_add((volatile uint8_t*)mixed + 1 + (turn + thread) % 7, 1,
                             __ATOMIC_SEQ_CST);
}

/* Thread 0 of node 0 stores to the upper half of a word, to whose lower half the other threads add.
 * Thread 0 must always find its own value in the upper half. */
static void store_among_adds(uint32_t thread, uint32_t turn) {
    struct findings* const findings = all_findings[number_of(thread)];
    if (number_of(thread) != 0) {
        const uint32_t before = atomic_fetch_add(stored, 1);
        findings->adds_of_last += before >> 16 == turns;
        return;
    }
    const uint32_t number = (turn + 1) << 16;
    switch (turn % 4) {
        case 0:
            __atomic_store_n((volatile uint32_t*)stored, number, __ATOMIC_SEQ_CST);
            break;
        case 1:
            *stored = number;
            break;
        case 2:
            expect(thread, 8, atomic_exchange(stored, number) >> 16, turn);
            break;
        default:
            atomic_store_explicit(stored, number, memory_order_release);
            break;
    }
    expect(thread, 9, atomic_fetch_add(stored, 1) >> 16, turn + 1);
    findings->adds_of_last += turn + 1 == turns;
    expect(thread, 10, *stored >> 16, turn + 1);
}

/* Stores and checks objects whose parts are equal in every value: both halves of eight bytes, and
 * three words. */
static void store_twins(uint32_t thread, uint32_t turn) {
    const uint32_t half = number_of(thread) << 16 | turn;
    const uint64_t both = (uint64_t)half << 32 | half;
    uint64_t found = __atomic_load_n(twins, __ATOMIC_SEQ_CST);
    expect(thread, 11, (uint32_t)(found >> 32), (uint32_t)found);
    if (turn % 3 == 0) {
        __atomic_store_n(twins, both, __ATOMIC_SEQ_CST);
    } else if (turn % 3 == 1) {
        found = __atomic_exchange_n(twins, both, __ATOMIC_SEQ_CST);
    } else {
        (void)__atomic_compare_exchange_n(twins, &found, both, 1, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST);
    }
    expect(thread, 12, (uint32_t)(found >> 32), (uint32_t)found);
    found = *twins;
    expect(thread, 13, (uint32_t)(found >> 32), (uint32_t)found);

    struct three_words three;
    __atomic_load(triple, &three, __ATOMIC_SEQ_CST);
    struct three_words next;
    do {
        expect(thread, 14, three.words[0], three.words[1]);
        expect(thread, 15, three.words[0], three.words[2]);
        next.words[0] = next.words[1] = next.words[2] = three.words[0] + 1;
    } while (
        !__atomic_compare_exchange(triple, &three, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* Locks that are taken and released by different operations, also by ordinary stores. */
static _Bool try_lock(uint32_t kind, volatile uint8_t* lock) {
    volatile uint32_t* const word = (volatile uint32_t*)lock;
    uint32_t free = 0;
    switch (kind) {
        case 0:
            return !__atomic_test_and_set(lock, __ATOMIC_ACQUIRE);
        case 1:
            return __sync_lock_test_and_set(word, 1) == 0;
        case 2:
            return __sync_bool_compare_and_swap(word, 0, 1);
        case 3:
            return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0;
        case 4:
            return (__atomic_fetch_or(word, 1, __ATOMIC_ACQUIRE) & 1) == 0;
        default:
            if (weir_cycle() / 4 % 2 == 0) {
                return !__atomic_test_and_set(lock + 3, __ATOMIC_ACQUIRE);
            }
            return __atomic_compare_exchange_n(word, &free, 1, 0, __ATOMIC_ACQUIRE,
                                               __ATOMIC_RELAXED);
    }
}
static void unlock(uint32_t kind, volatile uint8_t* lock, uint32_t turn) {
    volatile uint32_t* const word = (volatile uint32_t*)lock;
    if (kind == 0) {
        __atomic_clear(lock, __ATOMIC_RELEASE);
    } else if (turn % 2 == 0) {
        __sync_lock_release(word);
    } else {
        *word = 0;
    }
}
static void count_locked(uint32_t turn) {
    for (uint32_t kind = 0; kind < LOCKS; ++kind) {
        while (!try_lock(kind, lock_words[kind])) {
            shared_look_again();
        }
        *locked[kind] = *locked[kind] + 1;
        unlock(kind, lock_words[kind], turn);
    }
}

/* Words of the node's own memory, which its threads and handlers change. */
static struct {
    uint8_t bytes[4];
    uint16_t halves[2];
    uint32_t word;
    _Atomic uint64_t both;
    uint32_t token;
    struct three_words triple;
} own;
static volatile uint32_t handled;
static uint32_t thread_tokens[THREADS];
static uint32_t handlers_token;

static void change_own(uint32_t* token) {
    struct three_words three;
    struct three_words next;
    (void)__atomic_fetch_add(&own.bytes[1], 1, __ATOMIC_SEQ_CST);
    (void)__sync_fetch_and_add(&own.halves[1], 1);
    (void)__atomic_add_fetch(&own.word, 1, __ATOMIC_SEQ_CST);
    ++own.both;
    *token = __atomic_exchange_n(&own.token, *token, __ATOMIC_SEQ_CST);
    __atomic_load(&own.triple, &three, __ATOMIC_SEQ_CST);
    do {
        next.words[0] = next.words[1] = next.words[2] = three.words[0] + 1;
    } while (!__atomic_compare_exchange(&own.triple, &three, &next, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
}
static void change_in_handler(void) {
    change_own(&handlers_token);
    (void)__atomic_fetch_add(&handled, 1, __ATOMIC_SEQ_CST);
}

static void run_thread(uint32_t thread) {
    for (uint32_t turn = 0; turn < turns; ++turn) {
        count_1(thread, turn);
        count_2(thread, turn);
        count_4(thread, turn);
        count_8(thread, turn);
        (void)__atomic_fetch_add(empty_counter, 1, __ATOMIC_SEQ_CST);
        change_tokens(thread, turn);
        if (thread == 0) {
            am_send_0(weir_node() + 1 < weir_nodes ? weir_node() + 1 : 0, change_in_handler);
        }
        turn_bits(thread);
        mix_sizes(thread, turn);
        store_among_adds(thread, turn);
        change_own(&thread_tokens[thread]);
        store_twins(thread, turn);
        count_locked(turn);
    }
    threads_done[thread] = 1;
}

static uint32_t wrong;
static void check(uint32_t number, uint32_t found, uint32_t right) {
    if (found != right) {
        console_printf("%d: %d instead of %d\n", number, found, right);
        wrong = 1;
    }
}

static void check_shared(void) {
    const uint32_t threads = all_threads();
    const uint32_t changes = threads * turns;
    check(101, *counter_1, (uint8_t)changes);
    check(102, *counter_2, (uint16_t)changes);
    check(103, *counter_4, changes);
    check(104, (uint32_t)*counter_8, changes);
    uint32_t value;
    check(105, shared_load_found(empty_counter, &value), 0);
    check(106, value, changes);
    uint32_t held[SIZES] = {*tokens_1, *tokens_2, *tokens_4, (uint32_t)*tokens_8};
    uint32_t adds_of_last = 0;
    uint32_t of_byte[8] = {(uint8_t)(4 * changes)};
    for (uint32_t i = 0; i < threads; ++i) {
        const struct findings* const findings = all_findings[i];
        check(findings->wrong, findings->value, findings->wrong == 0 ? findings->value : ~0u);
        for (uint32_t size = 0; size < SIZES; ++size) {
            held[size] += all_held[i][size];
        }
        adds_of_last += findings->adds_of_last;
        for (uint32_t turn = 0; turn < turns; ++turn) {
            ++of_byte[1 + (turn + i % THREADS) % 7];
        }
    }
    const uint32_t tokens = threads * (threads + 1) / 2;
    for (uint32_t size = 0; size < SIZES; ++size) {
        check(107 + size, held[size], tokens);
    }
    check(111, *bits, 0);
    for (uint32_t i = 0; i < 8; ++i) {
        check(112 + i, ((volatile uint8_t*)mixed)[i], (uint8_t)of_byte[i]);
    }
    check(120, *stored, turns << 16 | adds_of_last);
    check(121, triple->words[1], changes);
    for (uint32_t kind = 0; kind < LOCKS; ++kind) {
        check(122 + kind, *locked[kind], changes);
    }
}

static void check_own(void) {
    const uint32_t changes = (THREADS + 1) * turns;
    check(201, own.bytes[1], (uint8_t)changes);
    check(202, own.halves[1], (uint16_t)changes);
    check(203, own.word, changes);
    check(204, (uint32_t)own.both, changes);
    check(205, own.triple.words[2], changes);
    check(206, own.bytes[0] + own.bytes[2] + own.halves[0], 0);
    uint32_t tokens = own.token + handlers_token;
    for (uint32_t thread = 0; thread < THREADS; ++thread) {
        tokens += thread_tokens[thread];
    }
    check(207, tokens, 1000 + THREADS * (THREADS + 1) / 2);
}

int main(int count_of_words, const unsigned* words) {
    turns = count_of_words > 0 ? words[0] : 10;
    counter_1 = (volatile uint8_t*)shared_line(0) + 3;
    counter_2 = (volatile uint16_t*)shared_line(1) + 1;
    counter_4 = shared_line(weir_nodes - 1);
    empty_counter = counter_4 + 1;
    counter_8 = (volatile uint64_t*)shared_line(0) + 1;
    tokens_1 = (volatile uint8_t*)shared_line(1) + 1;
    tokens_2 = (volatile uint16_t*)(tokens_1 + 1);
    tokens_4 = (volatile uint32_t*)(tokens_2 + 1);
    tokens_8 = (volatile uint64_t*)(tokens_4 + 1);
    bits = shared_line(weir_nodes - 1);
    mixed = (volatile uint64_t*)shared_line(0);
    stored = (_Atomic uint32_t*)shared_line(1);
    twins = (volatile uint64_t*)shared_line(0);
    triple = (struct three_words*)shared_line(weir_nodes - 1);
    for (uint32_t kind = 0; kind < LOCKS; ++kind) {
        lock_words[kind] = (volatile uint8_t*)shared_line(kind % weir_nodes);
        locked[kind] = shared_line((kind + 1) % weir_nodes);
    }
    for (uint32_t i = 0; i < all_threads(); ++i) {
        all_findings[i] = shared_allocate(i / THREADS, sizeof *all_findings[i]);
        all_held[i] = shared_allocate(i / THREADS, SIZES * sizeof *all_held[i]);
    }
    shared_barrier_make(&barrier);
    own.token = 1000;
    for (uint32_t thread = 0; thread < THREADS; ++thread) {
        thread_tokens[thread] = thread + 1;
        for (uint32_t size = 0; size < SIZES; ++size) {
            all_held[number_of(thread)][size] = number_of(thread) + 1;
        }
    }
    if (weir_node() == 0) {
        (void)shared_empty(empty_counter, 0);
    }
    shared_barrier_meet(&barrier);
#ifdef WEIR_CONTEXTS
    for (uint32_t thread = 1; thread < THREADS; ++thread) {
        context_start(thread, run_thread, thread, stacks[thread] + STACK_BYTES);
    }
#endif
    run_thread(0);
    for (uint32_t thread = 0; thread < THREADS; ++thread) {
        while (threads_done[thread] == 0) {
            shared_look_again();
        }
    }
    while (handled < turns) {
    }
    shared_barrier_meet(&barrier);
    if (weir_node() == 0) {
        check_shared();
    }
    check_own();
    return (int)wrong;
}
