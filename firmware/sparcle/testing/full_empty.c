/*
 * Every access by full/empty bits. All nodes take words and put them back, and each node reads
 * values after the previous node has written them. With hardware contexts, two threads of each node
 * take part. main(what) selects a fault:
 * - 1: writes an element of a J-structure twice
 * - 2: puts an element of an L-structure back twice
 * - 3: waits for a word that is never filled
 */
#include "firmware/sparcle/full_empty.h"

#define TURNS 10
#define VALUES 16

#ifdef WEIR_CONTEXTS
#define THREADS 2
#define STACK_BYTES 4096
static unsigned char stack[STACK_BYTES] __attribute__((aligned(8)));
#else
#define THREADS 1
#endif

static volatile uint32_t* counter;
static volatile double* halves;
static volatile double* values[VALUES];
static struct shared_barrier barrier;
static uint32_t wrong;

static void expect(uint32_t number, uint32_t found, uint32_t right) {
    if (found != right) {
        console_printf("%d: %d instead of %d\n", number, found, right);
        wrong = 1;
    }
}

static uint32_t private_word;
static volatile double private_double;

/* Called for a word of shared memory, and for a word of the node's own memory. */
static void try_each(volatile uint32_t* word) {
    uint32_t value = 0;
    *word = 0;
    expect(1, shared_load_found(word, &value), 1);
    expect(2, shared_empty(word, 1), 1);
    expect(3, shared_load_found(word, &value), 0);
    expect(4, value, 1);
    shared_store_empty(word, 2);
    expect(5, shared_take_found(word, &value), 0);
    expect(6, value, 2);
    shared_fill_empty(word, 3);
    expect(7, shared_load_full(word), 3);
    expect(8, shared_store_found(word, 4), 1);
    expect(9, shared_take_full(word), 4);
    expect(10, shared_fill(word, 5), 0);
    expect(11, shared_take_found(word, &value), 1);
    expect(12, shared_store_found(word, 6), 0);
    expect(13, *word, 6);
    expect(14, shared_fill(word, 7), 0);
}

static void try_each_of_double(volatile double* place) {
    *place = 0.5;
    expect(18, shared_take_full_double(place) == 0.5, 1);
    shared_fill_empty_double(place, 1.5);
    expect(19, shared_load_full_double(place) == 1.5, 1);
    expect(20, shared_fill_double(place, 2.5), 1);
    expect(21, shared_take_full_double(place) == 2.5, 1);
    expect(22, shared_fill_double(place, 0), 0);
}

static void count(uint32_t thread) {
    for (uint32_t i = 0; i < TURNS; ++i) {
        l_put(counter, l_take(counter) + 1);
        l_put_double(halves, l_take_double(halves) + 0.5);
        weir_work(thread);
    }
}

/* Each node adds 1 to the previous node's value. */
static void pass_on(void) {
    for (uint32_t i = 0; i < VALUES; ++i) {
        const double before = weir_node() == 0 ? i : j_read_double(values[i] + 2 * weir_node() - 2);
        j_write_double(values[i] + 2 * weir_node(), before + 1);
    }
}

int main(int count_of_words, const unsigned* words) {
    const uint32_t what = count_of_words > 0 ? words[0] : 0;
    volatile uint32_t* const own = shared_line(0);
    for (uint32_t node = 1; node < weir_nodes; ++node) {
        (void)shared_line(node);
    }
    counter = shared_line(weir_nodes - 1);
    halves = (volatile double*)shared_line(0);
    for (uint32_t i = 0; i < VALUES; ++i) {
        values[i] = shared_allocate(i % weir_nodes, weir_nodes * SHARED_LINE);
        j_reset_double(values[i] + 2 * weir_node());
    }
    shared_barrier_make(&barrier);
    if (weir_node() == 0) {
        try_each(own);
        try_each(&private_word);
        try_each_of_double((volatile double*)(own + 2));
        try_each_of_double(&private_double);
        if (what == 1) {
            j_write(own + 1, 1);
        } else if (what == 2) {
            l_put(own, 1);
        } else if (what == 3) {
            (void)shared_take_full(own);
            (void)shared_load_full(own);
        }
    }
    shared_barrier_meet(&barrier);
#ifdef WEIR_CONTEXTS
    context_start(1, count, 1, stack + STACK_BYTES);
#endif
    count(0);
    pass_on();
#ifdef WEIR_CONTEXTS
    context_join(1);
#endif
    shared_barrier_meet(&barrier);
    expect(15, l_look(counter), weir_nodes * THREADS * TURNS);
    expect(17, (uint32_t)(2 * l_look_double(halves)), weir_nodes * THREADS * TURNS);
    for (uint32_t i = 0; i < VALUES; ++i) {
        expect(16, (uint32_t)j_read_double(values[i] + 2 * (weir_nodes - 1)), i + weir_nodes);
    }
    return (int)wrong;
}
