/* Does what no program should; main's first argument says what. */
#include "firmware/sparcle/active_messages.h"

#define FAULT_ILLEGAL 1
#define FAULT_UNALIGNED 2
#define FAULT_DIVISION 3
#define FAULT_FLOAT_IN_HANDLER 4

static volatile double real;
static volatile uint32_t done;

static void multiply(void) {
    real = real * 3.0;
    done = 1;
}

int main(int count, const unsigned* words) {
    volatile uint32_t zero = 0;
    (void)count;
    switch (words[0]) {
        case FAULT_ILLEGAL:
            __asm__ volatile("unimp 7");
            break;
        case FAULT_UNALIGNED:
            __asm__ volatile("st %%g0, [%0 + 2]" : : "r"(&done) : "memory");
            break;
        case FAULT_DIVISION:
            done = words[0] / zero;
            break;
        case FAULT_FLOAT_IN_HANDLER:
            real = 2.0;
            am_send_0(weir_node() ^ 1, multiply);
            am_wait(&done);
            break;
        default:
            break;
    }
    return 0;
}
