/*
 * Every node sends doubles to all others, whose handlers take long, and then enters the barrier.
 * Status: number of handlers that had not ended; 99: a double arrived with another value.
 */
#include "firmware/sparcle/active_messages.h"

static volatile uint32_t handled;
static double received;

static void take(void) {
    am_take_double(0, &received);
    weir_work(2000);
    ++handled;
}

int main(void) {
    const uint32_t rounds = 3;
    uint32_t round = 0;
    for (; round < rounds; ++round) {
        uint32_t other = 0;
        for (; other < weir_nodes; ++other) {
            if (other != weir_node()) {
                am_send_double(other, take, 2.5);
            }
        }
        am_barrier_handled();
        if (handled != (round + 1) * (weir_nodes - 1)) {
            return (int)((round + 1) * (weir_nodes - 1) - handled);
        }
        am_barrier_handled(); /* no node begins the next round before all have checked */
    }
    return received == 2.5 ? 0 : 99;
}
