/*
 * shared-lock, compiled: every node repeatedly adds to one counter, under a lock or by
 * fetch-and-add at its home. Several threads of a node run in its hardware contexts.
 */
#include "firmware/sparcle/marks.h"
#include "firmware/sparcle/shared_memory.h"

WEIR_FROM_HOST struct {
    uint32_t lock; /* SHARED_LOCK_... */
    uint32_t fetches_at_home;
    uint32_t acquisitions;
    uint32_t threads;
    uint32_t inside_cycles;
    uint32_t outside_cycles;
} weir_parameters;

static struct shared_lock lock;
static volatile uint32_t* counter;

static void add(uint32_t thread) {
    weir_mark(MARK_PROGRAM_BEGINS, thread);
    for (uint32_t left = weir_parameters.acquisitions; left != 0; --left) {
        if (weir_parameters.fetches_at_home != 0) {
            (void)shared_fetch_and_add(counter, 1);
        } else {
            shared_lock_acquire(&lock, thread);
            const uint32_t count = *counter;
            weir_work(weir_parameters.inside_cycles);
            *counter = count + 1;
            shared_lock_release(&lock, thread);
        }
        weir_work(weir_parameters.outside_cycles);
    }
    weir_mark(MARK_PROGRAM_ENDS, thread);
}

#ifdef WEIR_CONTEXTS
#define STACK_BYTES 4096
static unsigned char stacks[SPARCLE_CONTEXTS - 1][STACK_BYTES] __attribute__((aligned(8)));
#endif

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    shared_lock_make(&lock, weir_parameters.lock, 0, weir_parameters.threads);
    counter = shared_line(weir_nodes - 1);
#ifdef WEIR_CONTEXTS
    for (uint32_t context = 1; context < weir_parameters.threads; ++context) {
        context_start(context, add, context, stacks[context]);
    }
#endif
    add(0);
#ifdef WEIR_CONTEXTS
    for (uint32_t context = 1; context < weir_parameters.threads; ++context) {
        context_join(context);
    }
#endif
    return 0;
}
