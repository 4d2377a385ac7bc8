/*
 * remap, compiled: each node works, sends a request to another, waits for its reply (synchronous)
 * or for nothing, and begins again. See remap.h.
 *
 * Destinations and times of work were chosen by the host, so that they are those of the other core.
 */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/marks.h"

WEIR_FROM_HOST struct {
    uint32_t synchronous;
    uint32_t iterations;
    uint32_t barrier_messages;
    uint32_t argument_words;
    uint32_t work_cycles;        /* where there is no table */
    const uint32_t* work;        /* by iteration; or null */
    const uint16_t* destination; /* by iteration */
    uint32_t key;                /* this node's answer is the iteration, exclusive or this */
    uint32_t* replies;           /* by iteration; what was answered */
    uint8_t* const* deliveries;  /* by node that asks, then iteration: how often it came */
} weir_parameters;

/* Of the handlers run on this node, in their order; or null. */
WEIR_FROM_HOST const uint32_t* remap_handler_work;
WEIR_FROM_HOST uint32_t remap_handler_work_cycles;
WEIR_FROM_HOST volatile uint32_t remap_replied;
/* A reply that came twice, or unasked. */
WEIR_FROM_HOST volatile uint32_t remap_replies_too_many;

static void work_in_handler(void) {
    uint32_t cycles = remap_handler_work_cycles;
    if (remap_handler_work != NULL) {
        cycles = *remap_handler_work++;
    }
    if (cycles != 0) {
        weir_work(cycles);
    }
}

static void load_padding(void) {
    for (uint32_t i = 2; i < weir_parameters.argument_words; ++i) {
        (void)am_argument(i);
    }
}

static void send(uint32_t destination, am_handler handler, uint32_t first, uint32_t second) {
    const uint32_t words = weir_parameters.argument_words;
    if (words == 2) {
        am_send_2(destination, handler, first, second);
        return;
    }
    uint32_t arguments[AM_MOST_ARGUMENTS] = {first, second};
    for (uint32_t i = 2; i < words; ++i) {
        arguments[i] = i;
    }
    am_send(destination, handler, words, arguments);
}

static void reply(void) {
    const uint32_t iteration = am_argument(0);
    const uint32_t value = am_argument(1);
    load_padding();
    work_in_handler();
    weir_parameters.replies[iteration] = value;
    remap_replies_too_many += remap_replied;
    remap_replied = 1;
}

/* At the node asked: the answer depends on who answers what. */
static void request(void) {
    const uint32_t asking = am_argument(0);
    const uint32_t iteration = am_argument(1);
    load_padding();
    weir_parameters.deliveries[asking][iteration] += 1;
    work_in_handler();
    send(asking, reply, iteration, iteration ^ weir_parameters.key);
}

static void deliver(void) {
    const uint32_t sender = am_argument(0);
    const uint32_t iteration = am_argument(1);
    load_padding();
    work_in_handler();
    weir_parameters.deliveries[sender][iteration] += 1;
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    const uint32_t iterations = weir_parameters.iterations;
    const uint32_t synchronous = weir_parameters.synchronous;
    const uint32_t barrier_messages = weir_parameters.barrier_messages;
    const uint32_t* work = weir_parameters.work;
    uint32_t cycles = weir_parameters.work_cycles;
    uint32_t to_barrier = barrier_messages;
    for (uint32_t i = 0; i < iterations; ++i) {
        if (barrier_messages != 0 && to_barrier-- == 0) {
            am_hardware_barrier();
            to_barrier = barrier_messages - 1;
        }
        if (work != NULL) {
            cycles = work[i];
        }
        if (cycles != 0) {
            weir_work(cycles);
        }
        remap_replied = 0;
        send(weir_parameters.destination[i], synchronous ? request : deliver, weir_node(), i);
        if (synchronous) {
            am_wait(&remap_replied);
        } else {
            am_poll_if_polling(); /* or a full queue would hold all for ever */
        }
    }
    weir_mark(MARK_STEADY_STATE_ENDS, 0);
    return 0;
}
