/*
 * multithread, compiled: each thread has a hardware context, and reads words of other nodes one by
 * one. While it waits, the next context runs.
 */
#include "firmware/sparcle/contexts.h"
#include "firmware/sparcle/marks.h"

#define ELEMENTS 64
#define STACK_BYTES 4096

WEIR_FROM_HOST struct {
    uint32_t threads;
    uint32_t reads; /* number of each thread's reads */
    uint32_t work_cycles;
} weir_parameters;
WEIR_FROM_HOST uint32_t multithread_elements[ELEMENTS];

uint32_t multithread_sums[SPARCLE_CONTEXTS];
static unsigned char stacks[SPARCLE_CONTEXTS - 1][STACK_BYTES] __attribute__((aligned(8)));

static uint32_t remainder_of(uint32_t value, uint32_t divisor) {
    while (value >= divisor) {
        value -= divisor;
    }
    return value;
}

/* Threads take the node's reads in turn, so that consecutive reads go to consecutive neighbours. */
static void run_thread(uint32_t context) {
    const uint32_t others = weir_nodes - 1;
    const uint32_t threads = weir_parameters.threads;
    const uint32_t stride = remainder_of(threads, others);
    const uint32_t work_cycles = weir_parameters.work_cycles;
    uint32_t step = remainder_of(context, others);
    uint32_t element = context + 7 * weir_node();
    uint32_t sum = 0;
    weir_mark(MARK_PROGRAM_BEGINS, context);
    for (uint32_t left = weir_parameters.reads; left != 0; --left) {
        uint32_t node = weir_node() + 1 + step;
        if (node >= weir_nodes) {
            node -= weir_nodes;
        }
        sum += context_read(context, node, &multithread_elements[element % ELEMENTS]);
        if (work_cycles != 0) {
            weir_work(work_cycles);
        }
        element += threads;
        step += stride;
        if (step >= others) {
            step -= others;
        }
    }
    weir_mark(MARK_PROGRAM_ENDS, context);
    multithread_sums[context] = sum;
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    for (uint32_t context = 1; context < weir_parameters.threads; ++context) {
        context_start(context, run_thread, context, stacks[context]);
    }
    run_thread(0);
    for (uint32_t context = 1; context < weir_parameters.threads; ++context) {
        context_join(context);
    }
    return 0;
}
