/* Program for a debugger: deep frames, in the program and in a handler, and a trap. */
#include "firmware/sparcle/active_messages.h"

#define APART __attribute__((noinline, noclone))

static volatile uint32_t come;

static APART uint32_t bottom(void) {
    uint32_t value = 1000;
    __asm__ volatile("" : "+r"(value));
    return value;
}

static APART uint32_t descend(uint32_t depth) {
    volatile uint32_t here = depth;
    if (depth == 0) {
        return bottom() + here;
    }
    return descend(depth - 1) + here;
}

static void take(void) { come = descend(am_argument(0)); }

int main(int count, const unsigned* words) {
    if (weir_node() == 1) {
        am_send_1(0, take, 20);
    } else if (weir_node() == 0) {
        am_wait(&come);
        come = descend(20);
        come = descend(200);
        if (count > 0) {
            *(volatile unsigned*)(words[0] | 1) = 0;
        }
    }
    return 0;
}
