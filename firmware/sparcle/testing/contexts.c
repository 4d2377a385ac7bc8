/*
 * Threads in contexts, and handlers in C that interrupt them. Each thread asks all other nodes in
 * turn for the square of a number; the answer's handler gives the square to the thread. Status: 0,
 * or the number of the failed check.
 */
#include "firmware/sparcle/contexts.h"

#define THREADS SPARCLE_CONTEXTS
#define QUESTIONS 40
#define STACK_BYTES 4096
#define BODY_WORDS 16

static volatile uint32_t answers[THREADS];
static volatile uint32_t asked;
static uint32_t wrong[THREADS];
static unsigned char stacks[THREADS - 1][STACK_BYTES] __attribute__((aligned(8)));
static uint32_t body[BODY_WORDS] __attribute__((aligned(8)));
static uint32_t received[BODY_WORDS] __attribute__((aligned(8)));
static volatile uint32_t stored;

/* Uses many registers and %y, so that a thread notices if they are not restored. */
static __attribute__((noinline)) uint32_t square(uint32_t value, uint32_t others) {
    volatile uint32_t words[8];
    for (uint32_t i = 0; i < 8; ++i) {
        words[i] = (value + i) * (others + i);
    }
    return value * value + words[7] - (value + 7) * (others + 7);
}

static void give(void) { context_give(&answers[am_argument(0)], am_argument(1)); }

static void answer(void) {
    ++asked;
    am_send_2(am_argument(0), give, am_argument(1), square(am_argument(2), asked));
}

static void take_body(void) { am_receive_body(received, &stored); }

static void run_thread(uint32_t context) {
    uint32_t other = weir_node();
    uint32_t product = context + 1;
    for (uint32_t i = 0; i < QUESTIONS; ++i) {
        const uint32_t number = 1000 * context + i;
        if (++other >= weir_nodes) {
            other = 0;
        }
        if (other != weir_node()) {
            am_send_3(other, answer, weir_node(), context, number);
            wrong[context] += context_take(&answers[context]) != number * number;
        }
        for (uint32_t work = 0; work < 20; ++work) {
            product = product * 3 - 2 * work;
        }
    }
    uint32_t expected = context + 1;
    for (uint32_t work = 0; work < 20 * QUESTIONS; ++work) {
        expected = expected * 3 - 2 * (work % 20);
    }
    wrong[context] += product != expected;
}

int main(void) {
    for (uint32_t i = 0; i < THREADS; ++i) {
        context_empty(&answers[i]);
    }
    am_barrier();
    for (uint32_t context = 1; context < THREADS; ++context) {
        context_start(context, run_thread, context, stacks[context]);
    }
    run_thread(0);
    for (uint32_t context = 1; context < THREADS; ++context) {
        context_join(context);
        wrong[0] += wrong[context];
    }
    if (wrong[0] != 0) {
        return 1;
    }
    for (uint32_t i = 0; i < BODY_WORDS; ++i) {
        body[i] = 100 * weir_node() + i;
    }
    am_send_body(weir_node() + 1 < weir_nodes ? weir_node() + 1 : 0, take_body, body, sizeof body);
    am_wait(&stored);
    const uint32_t from = weir_node() != 0 ? weir_node() - 1 : weir_nodes - 1;
    if (received[BODY_WORDS - 1] != 100 * from + BODY_WORDS - 1) {
        return 2;
    }
    am_barrier_handled();
    return asked == 0 ? 3 : 0;
}
