/*
 * ping, compiled: unloaded messages of each requested number of arguments between every pair of
 * nodes, each in its own slot of time. See ping.h.
 */
#include "firmware/sparcle/active_messages.h"

/* Plan of the messages; the host writes it, the same on every node. */
WEIR_FROM_HOST struct {
    uint32_t slot_cycles;
    uint32_t first_slot; /* begin of slot 0, at a time when all nodes have started */
    uint32_t size_count;
    uint32_t argument_words[AM_MOST_ARGUMENTS + 1];
} weir_parameters;

/* End of the log of received arguments, in their order of arrival. The host sets this
 * pointer to the log's begin, and reads it after the run. (Messages may arrive before main() is
 * called.) */
WEIR_FROM_HOST volatile uint32_t* volatile ping_log_end;
WEIR_FROM_HOST volatile uint32_t ping_without_arguments;

/* One handler for each number of arguments, so that a handler's time is that of its loads. */
static void arrive_0(void) { ping_without_arguments += 1; }
static void arrive_1(void) {
    volatile uint32_t* const log = ping_log_end;
    const uint32_t argument = am_argument(0);
    log[0] = argument;
    ping_log_end = log + 1;
}
static void arrive_2(void) {
    volatile uint32_t* const log = ping_log_end;
    const uint32_t first = am_argument(0);
    const uint32_t second = am_argument(1);
    log[0] = first;
    log[1] = second;
    ping_log_end = log + 2;
}
static void arrive_more(void) {
    volatile uint32_t* log = ping_log_end;
    const uint32_t words = WEIR_HEADER_WORDS(am_window[0]);
    for (uint32_t i = 2; i < words; ++i) {
        *log++ = am_argument(i - 2);
    }
    ping_log_end = log;
}

static void send(uint32_t destination, uint32_t count, const uint32_t* arguments) {
    switch (count) {
        case 0:
            am_send_0(destination, arrive_0);
            break;
        case 1:
            am_send_1(destination, arrive_1, arguments[0]);
            break;
        case 2:
            am_send_2(destination, arrive_2, arguments[0], arguments[1]);
            break;
        default:
            am_send(destination, arrive_more, count, arguments);
    }
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    const uint32_t sizes = weir_parameters.size_count;
    const uint32_t slot_cycles = weir_parameters.slot_cycles;
    const uint32_t self = weir_node();
    /* Arguments of this node's messages, in the order of sending. */
    const uint32_t* arguments = (const uint32_t*)weir_data;
    uint32_t slot_begin = weir_parameters.first_slot + self * weir_nodes * sizes * slot_cycles;

    for (uint32_t other = 0; other < weir_nodes; ++other) {
        if (other == self) {
            slot_begin += sizes * slot_cycles;
            continue;
        }
        for (uint32_t size = 0; size < sizes; ++size) {
            const uint32_t words_now = weir_parameters.argument_words[size];
            weir_wait_until(slot_begin);
            send(other, words_now, arguments);
            arguments += words_now;
            slot_begin += slot_cycles;
        }
    }
    return 0;
}
