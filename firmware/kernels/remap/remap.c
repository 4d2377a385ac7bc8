/*
 * remap, compiled: each node works, sends a request to another node, waits for its reply
 * (synchronous) or for nothing, and repeats. See remap.h.
 *
 * The host chooses destinations and work times, so that they equal those of the behavioural core.
 */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/marks.h"

WEIR_FROM_HOST struct {
    uint32_t synchronous;
    uint32_t iterations;
    uint32_t barrier_messages;
    uint32_t argument_words;
    uint32_t work_cycles;        /* work of each iteration if `work` is NULL */
    const uint32_t* work;        /* table of work times, by iteration; or NULL */
    const uint16_t* destination; /* destination of each iteration's message */
    uint32_t key;                /* this node answers a request with its iteration xor this key */
    uint32_t* replies;           /* received answers, by iteration */
    uint8_t* const* deliveries;  /* by requester and iteration: number of deliveries */
} weir_parameters;

/* Every body has its own memory, which the host fills before the run and checks after it. */
WEIR_FROM_HOST struct {
    uint32_t bytes; /* bytes of each body; 0: short messages */
    uint32_t stride;
    uint32_t send_mode;
    uint32_t receive_mode;
    uint32_t send_buffers;
    unsigned char* to_send;      /* body of each iteration's message */
    unsigned char* reply;        /* the same body for all replies */
    unsigned char* reply_stored; /* memory for the received reply of each iteration */
    /* Memory for received bodies of requests or messages, in the order of arrival. */
    unsigned char* stored;
    /* Origin of each of these bodies: sender << 16 | lower 16 bits of its iteration. */
    uint32_t* origins;
} remap_bodies;
WEIR_FROM_HOST uint32_t remap_bodies_stored;
static volatile uint32_t body_is_stored;
static volatile uint32_t reply_is_stored;

/* Work of each handler on this node, in the order in which they run; or NULL: each handler works
 * remap_handler_work_cycles. */
WEIR_FROM_HOST const uint32_t* remap_handler_work;
WEIR_FROM_HOST uint32_t remap_handler_work_cycles;
WEIR_FROM_HOST volatile uint32_t remap_replied;
/* Number of replies that arrived twice or without a request. */
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

static void send_body(uint32_t destination, am_handler handler, uint32_t first, uint32_t second,
                      const unsigned char* body) {
    const uint32_t words = weir_parameters.argument_words;
    if (words == 2) {
        am_send_body_2(destination, handler, first, second, body, remap_bodies.bytes);
    } else {
        uint32_t arguments[AM_MOST_ARGUMENTS] = {first, second};
        const uint32_t pair[2] = {(uint32_t)body, remap_bodies.bytes};
        for (uint32_t i = 2; i < words; ++i) {
            arguments[i] = i;
        }
        am_send_body_pairs(destination, handler, words, arguments, 1, pair);
    }
}

static void receive_body(unsigned char* address, volatile uint32_t* stored) {
    if (remap_bodies.receive_mode == AM_BLOCKING) {
        am_receive_body_blocking(address, stored);
    } else if (remap_bodies.receive_mode == AM_STATUS) {
        am_receive_body_status(address, stored);
    } else {
        am_receive_body(address, stored);
    }
}

static void receive_next_body(uint32_t sender, uint32_t iteration) {
    const uint32_t index = remap_bodies_stored++;
    remap_bodies.origins[index] = sender << 16 | (iteration & 0xffff);
    receive_body(remap_bodies.stored + index * remap_bodies.stride, &body_is_stored);
}

/* has_body is a constant in each handler, so the compiler removes the unused branches. */
static inline __attribute__((always_inline)) void take_reply(int has_body) {
    const uint32_t iteration = am_argument(0);
    const uint32_t value = am_argument(1);
    load_padding();
    if (has_body) {
        receive_body(remap_bodies.reply_stored + iteration * remap_bodies.stride, &reply_is_stored);
    }
    work_in_handler();
    weir_parameters.replies[iteration] = value;
    remap_replies_too_many += remap_replied;
    remap_replied = 1;
}
static void reply(void) { take_reply(0); }
static void reply_with_body(void) { take_reply(1); }

/* Handler of a request, at the requested node. The answer depends on the requester, the iteration
 * and the requested node. */
static inline __attribute__((always_inline)) void take_request(int has_body) {
    const uint32_t asking = am_argument(0);
    const uint32_t iteration = am_argument(1);
    load_padding();
    if (has_body) {
        receive_next_body(asking, iteration);
    }
    weir_parameters.deliveries[asking][iteration] += 1;
    work_in_handler();
    if (has_body) {
        send_body(asking, reply_with_body, iteration, iteration ^ weir_parameters.key,
                  remap_bodies.reply);
        if (remap_bodies.send_mode == AM_BLOCKING) {
            am_wait_body_sent_in_handler();
        }
    } else {
        send(asking, reply, iteration, iteration ^ weir_parameters.key);
    }
}
static void request(void) { take_request(0); }
static void request_with_body(void) { take_request(1); }

static inline __attribute__((always_inline)) void take_delivery(int has_body) {
    const uint32_t sender = am_argument(0);
    const uint32_t iteration = am_argument(1);
    load_padding();
    if (has_body) {
        receive_next_body(sender, iteration);
    }
    work_in_handler();
    weir_parameters.deliveries[sender][iteration] += 1;
}
static void deliver(void) { take_delivery(0); }
static void deliver_with_body(void) { take_delivery(1); }

/* Sends the body of an iteration. With one buffer, the previous body must have left
 * memory before. */
static void send_next_body(uint32_t iteration, am_handler handler) {
    if (remap_bodies.send_buffers == 1) {
        am_wait_body_sent();
    }
    reply_is_stored = 0;
    send_body(weir_parameters.destination[iteration], handler, weir_node(), iteration,
              remap_bodies.to_send + iteration * remap_bodies.stride);
    if (remap_bodies.send_mode == AM_BLOCKING) {
        am_wait_body_sent_blocking();
    }
}

static inline __attribute__((always_inline)) void run(int has_bodies) {
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
        if (has_bodies) {
            send_next_body(i, synchronous ? request_with_body : deliver_with_body);
        } else {
            send(weir_parameters.destination[i], synchronous ? request : deliver, weir_node(), i);
        }
        if (synchronous) {
            am_wait(&remap_replied);
            if (has_bodies) {
                am_wait_stored(&reply_is_stored);
            }
        } else {
            am_poll_if_polling(); /* without polling, full queues would deadlock */
        }
    }
    weir_mark(MARK_STEADY_STATE_ENDS, 0);
}

__attribute__((noinline)) static void run_with_bodies(void) { run(1); }

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    if (remap_bodies.bytes != 0) {
        run_with_bodies();
    } else {
        run(0);
    }
    return 0;
}
