/*
 * Services of the message layer, used by all nodes at the same time. Covers messages of all sizes,
 * bodies with each way to wait, barriers, recursive handlers and interrupted sends.
 */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/memory.h"

#define ROUNDS 20
#define BODY_BYTES 64
#define EXCHANGED_BYTES 1024 /* more than the queues between two nodes hold */

static volatile uint32_t arguments_sum;
static volatile uint32_t arrived;
static volatile uint32_t recursive_sum;
static volatile uint32_t stored;
static uint32_t body_in[EXCHANGED_BYTES / 4] __attribute__((aligned(256)));
static uint32_t body_out[EXCHANGED_BYTES / 4] __attribute__((aligned(256)));

static void add_arguments(void) {
    const uint32_t words = WEIR_HEADER_WORDS(am_window[0]);
    uint32_t sum = 0;
    for (uint32_t i = 2; i < words; ++i) {
        sum += am_argument(i - 2);
    }
    arguments_sum += sum;
    arrived += 1;
}

__attribute__((noinline)) static uint32_t triangle(uint32_t depth) {
    const uint32_t below = depth == 0 ? 0 : triangle(depth - 1);
    return below + depth;
}

/* Uses all windows, including the interrupted program's, and a division. */
static void recurse(void) {
    recursive_sum += triangle(am_argument(0)) / 5;
    arrived += 1;
}

static void arrive_body(void) { am_receive_body(body_in, &stored); }
static void arrive_body_status(void) { am_receive_body_status(body_in, &stored); }
static void arrive_body_blocking(void) { am_receive_body_blocking(body_in, &stored); }

static void wait_for_arrivals(uint32_t count) {
    while (arrived < count) {
        am_poll_if_polling();
    }
}

/* Sends from a given depth of calls, so that this node's messages arrive at another node's thread
 * at the same depth. */
__attribute__((noinline)) static uint32_t send_from(uint32_t depth, uint32_t next) {
    const uint32_t below = depth == 0 ? 0 : send_from(depth - 1, next);
    am_send_1(next, recurse, depth + 8);
    am_poll_if_polling();
    return below + 1;
}

static int check(uint32_t found, uint32_t expected, const char* what, int status) {
    if (found == expected) {
        return 0;
    }
    console_printf("node %u: %s is %u, not %u\n", weir_node(), what, found, expected);
    return status;
}

static int exchange_bodies(uint32_t next, uint32_t previous, am_handler handler, int mode) {
    volatile uint32_t sent;
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < EXCHANGED_BYTES / 4; ++i) {
            body_out[i] = weir_node() << 16 | round << 8 | i;
            body_in[i] = 0;
        }
        stored = 0;
        am_barrier();
        if (mode == AM_INTERRUPT) {
            am_send_body_interrupt(next, handler, body_out, EXCHANGED_BYTES, &sent);
            am_wait(&sent);
        } else {
            am_send_body(next, handler, body_out, EXCHANGED_BYTES);
            mode == AM_BLOCKING ? am_wait_body_sent_blocking() : am_wait_body_sent();
        }
        mode == AM_STATUS ? am_wait_stored(&stored) : am_wait(&stored);
        for (uint32_t i = 0; i < EXCHANGED_BYTES / 4; ++i) {
            if (body_in[i] != (previous << 16 | round << 8 | i)) {
                return check(body_in[i], previous << 16 | round << 8 | i, "a body's word", 3);
            }
        }
        am_barrier();
    }
    return 0;
}

/* All other nodes send to node 0 faster than its handlers run. */
#define CROWD_MESSAGES 24
#define CROWD_BODIES 8
#define MOST_SENDERS 3

static volatile uint32_t crowd_sum;
static volatile uint32_t crowd_arrived;
static volatile uint32_t crowd_bodies_begun;
static volatile uint32_t crowd_stored[MOST_SENDERS * CROWD_BODIES];
static uint32_t crowd_bodies[MOST_SENDERS * CROWD_BODIES][BODY_BYTES / 4]
    __attribute__((aligned(256)));

static void arrive_slowly(void) {
    weir_work(300);
    crowd_sum += am_argument(0) * am_argument(1);
    crowd_arrived += 1;
}
static void arrive_body_slowly(void) {
    const uint32_t index = crowd_bodies_begun;
    weir_work(150);
    am_receive_body(crowd_bodies[index], &crowd_stored[index]);
    weir_work(150);
    crowd_bodies_begun = index + 1;
}

static int crowd(void) {
    const uint32_t senders = weir_nodes - 1;
    uint32_t expected = 0;
    uint32_t found = 0;
    if (weir_node() != 0) {
        for (uint32_t i = 0; i < CROWD_MESSAGES; ++i) {
            am_send_2(0, arrive_slowly, weir_node(), i);
            if (i < CROWD_BODIES) {
                am_wait_body_sent();
                for (uint32_t j = 0; j < BODY_BYTES / 4; ++j) {
                    body_out[j] = weir_node() * 1000 + i * 100 + j;
                }
                am_send_body(0, arrive_body_slowly, body_out, BODY_BYTES);
            }
        }
        return 0;
    }
    while (crowd_arrived < senders * CROWD_MESSAGES) {
        am_poll_if_polling();
    }
    for (uint32_t i = 0; i < senders * CROWD_BODIES; ++i) {
        am_wait(&crowd_stored[i]);
        for (uint32_t j = 0; j < BODY_BYTES / 4; ++j) {
            found += crowd_bodies[i][j] ^ j;
        }
    }
    for (uint32_t node = 1; node <= senders; ++node) {
        for (uint32_t i = 0; i < CROWD_BODIES; ++i) {
            for (uint32_t j = 0; j < BODY_BYTES / 4; ++j) {
                expected += (node * 1000 + i * 100 + j) ^ j;
            }
        }
    }
    return check(found, expected, "the sum of the crowd's bodies", 8) |
           check(crowd_sum,
                 senders * (senders + 1) / 2 * (CROWD_MESSAGES * (CROWD_MESSAGES - 1) / 2),
                 "the crowd's sum", 16);
}

int main(int count, const unsigned* words) {
    const uint32_t next = (weir_node() + 1) % weir_nodes;
    const uint32_t previous = (weir_node() + weir_nodes - 1) % weir_nodes;
    uint32_t expected = 0;
    uint32_t messages = 0;
    int status = 0;
    (void)count;
    (void)words;

    for (uint32_t round = 0; round < ROUNDS; ++round) {
        uint32_t arguments[AM_MOST_ARGUMENTS];
        for (uint32_t i = 0; i < AM_MOST_ARGUMENTS; ++i) {
            arguments[i] = round * 100 + i;
        }
        for (uint32_t i = 0; i <= AM_MOST_ARGUMENTS; ++i) {
            am_send(next, add_arguments, i, arguments);
            am_poll_if_polling();
            for (uint32_t j = 0; j < i; ++j) {
                expected += arguments[j];
            }
        }
        am_send_0(next, add_arguments);
        am_send_1(next, add_arguments, 1);
        am_send_2(next, add_arguments, 2, 3);
        am_send_3(next, add_arguments, 4, 5, 6);
        am_send_4(next, add_arguments, 7, 8, 9, 10);
        am_poll_if_polling();
        expected += 55;
        messages += AM_MOST_ARGUMENTS + 6;
    }
    wait_for_arrivals(messages);
    status |= check(arguments_sum, expected, "the arguments' sum", 1);
    am_barrier();

    expected = 0;
    for (uint32_t round = 0; round < 4; ++round) {
        for (uint32_t depth = 0; depth < 12; ++depth) {
            if (send_from(depth, next) != depth + 1) {
                status |= 4;
            }
            for (uint32_t i = 0; i <= depth; ++i) {
                expected += (i + 8) * (i + 9) / 2 / 5;
                ++messages;
            }
        }
    }
    wait_for_arrivals(messages);
    status |= check(recursive_sum, expected, "the recursions' sum", 2);
    am_barrier();

    status |= exchange_bodies(next, previous, arrive_body, AM_INTERRUPT);
    status |= exchange_bodies(next, previous, arrive_body_status, AM_STATUS);
    status |= exchange_bodies(next, previous, arrive_body_blocking, AM_BLOCKING);
    status |= crowd();
    return status;
}
