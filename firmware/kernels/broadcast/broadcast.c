/*
 * broadcast, compiled: node 0 has a value and passes it down a tree; every node passes it on to its
 * children, in the tree's order, as soon as it has it. Again and again, a barrier between.
 */
#include "firmware/sparcle/active_messages.h"

WEIR_FROM_HOST struct {
    uint32_t rounds;
    const uint32_t *values;     /* by round; at node 0 */
    uint32_t *received;         /* by round */
    uint32_t child_count;
    const uint32_t *children;
} weir_parameters;

WEIR_FROM_HOST volatile uint32_t broadcast_arrived; /* rounds */
WEIR_FROM_HOST volatile uint32_t broadcast_value;

static void arrive(void) {
    broadcast_value = am_argument(0);
    broadcast_arrived += 1;
}

int main(int count, const unsigned *words) {
    (void)count;
    (void)words;
    const uint32_t child_count = weir_parameters.child_count;
    for (uint32_t round = 0; round < weir_parameters.rounds; ++round) {
        uint32_t value;
        if (weir_node() == 0) {
            weir_mark(6, round);
            value = weir_parameters.values[round];
        } else {
            while (broadcast_arrived <= round) {
                am_poll_if_polling();
            }
            value = broadcast_value;
        }
        for (uint32_t i = 0; i < child_count; ++i) {
            am_send_1(weir_parameters.children[i], arrive, value);
        }
        weir_parameters.received[round] = value;
        weir_mark(7, round);
        am_barrier();
    }
    return 0;
}
