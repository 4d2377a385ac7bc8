/* Program faults, selected by main's first argument. Faults that only the emulator's checks detect
 * (nodes/sparcle/program_checks.h) have no effect, so the program ends normally without the checks.
 */
#include "firmware/sparcle/active_messages.h"

#define FAULT_ILLEGAL 1
#define FAULT_UNALIGNED 2
#define FAULT_DIVISION 3
#define FAULT_FLOAT_IN_HANDLER 4
#define FAULT_NULL_PAGE 5
#define FAULT_TEXT 6
#define FAULT_STACK 7
#define FAULT_UNINITIALISED 8
#define FAULT_SLOW_HANDLER 9

static volatile double real;
static volatile uint32_t done;

static void multiply(void) {
    real = real * 3.0;
    done = 1;
}

static void be_slow(void) {
    weir_work(500);
    done = 1;
}

/* Overflows the stack into the buffer of overflow traps below it. */
static __attribute__((noinline)) uint32_t descend(uint32_t depth) {
    volatile uint32_t frame[64];
    frame[0] = depth;
    return depth == 0 ? 0 : descend(depth - 1) + frame[0];
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
        case FAULT_NULL_PAGE:
            done = *(volatile uint32_t*)(zero + 8);
            break;
        case FAULT_TEXT:
            *(volatile uint32_t*)&multiply = *(volatile uint32_t*)&multiply;
            break;
        case FAULT_STACK:
            done = descend(300);
            break;
        case FAULT_UNINITIALISED:
            done = *(volatile uint32_t*)(weir_data + 64);
            break;
        case FAULT_SLOW_HANDLER:
            am_send_0(weir_node() ^ 1, be_slow);
            am_wait(&done);
            break;
        default:
            break;
    }
    return 0;
}
