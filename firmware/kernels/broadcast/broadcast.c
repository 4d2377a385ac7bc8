/*
 * broadcast, compiled: node 0 sends a datum down a tree. Every node sends the datum to its
 * children in the tree, in the tree's order, as soon as it has received the datum.
 */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/marks.h"

WEIR_FROM_HOST struct {
    /* Node 0 begins with the datum; the other nodes store it here after its arrival. */
    uint32_t datum;
    uint32_t child_count;
    const uint32_t* children;
} weir_parameters;

static volatile uint32_t received;
static volatile uint32_t is_informed;

static void receive(void) {
    received = am_argument(0);
    is_informed = 1;
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    const uint32_t child_count = weir_parameters.child_count;
    const uint32_t* const children = weir_parameters.children;
    uint32_t datum = weir_parameters.datum;
    if (weir_node() == 0) {
        weir_mark(MARK_PROGRAM_BEGINS, 0);
    } else {
        am_wait(&is_informed);
        datum = received;
    }
    weir_mark(MARK_PROGRAM_ENDS, 0);
    for (uint32_t i = 0; i < child_count; ++i) {
        am_send_1(children[i], receive, datum);
    }
    weir_parameters.datum = datum;
    return 0;
}
