/*
 * Prints the cycles of floating-point operations: those of the unit, or, in the image compiled with
 * -msoft-float, those of the firmware. An operation's cycles are the extra time of a loop whose
 * expression contains the operation twice. These cycles include the overhead of a call, if the
 * operation is one.
 */
#include "firmware/sparcle/weir.h"

#define PAIRS 64

#define COSTS_OF(TYPE)                                                                        \
    TYPE TYPE##_first[PAIRS], TYPE##_second[PAIRS], TYPE##_result[PAIRS];                     \
    static void TYPE##_costs(void) {                                                          \
        uint32_t state = 1;                                                                   \
        for (int i = 0; i < PAIRS; ++i) {                                                     \
            TYPE##_first[i] = (TYPE)(int32_t)next_random(&state) / (TYPE)(i + 3);             \
            TYPE##_second[i] = (TYPE)(int32_t)next_random(&state) / (TYPE)(i + 5);            \
        }                                                                                     \
        print(#TYPE, "add", MORE_CYCLES(TYPE, first + second, first + second + second));      \
        print(#TYPE, "subtract", MORE_CYCLES(TYPE, first - second, first - second - second)); \
        print(#TYPE, "multiply", MORE_CYCLES(TYPE, first* second, first* second* second));    \
        print(#TYPE, "divide", MORE_CYCLES(TYPE, first / second, first / second / second));   \
    }

/* The first of two runs brings code and data into the cache. */
#define MORE_CYCLES(TYPE, ONCE, TWICE) (CYCLES_OF(TYPE, TWICE) - CYCLES_OF(TYPE, ONCE))
#define CYCLES_OF(TYPE, EXPRESSION)                   \
    ({                                                \
        uint32_t begin = 0;                           \
        for (int time = 0; time < 2; ++time) {        \
            begin = weir_cycle();                     \
            for (int i = 0; i < PAIRS; ++i) {         \
                const TYPE first = TYPE##_first[i];   \
                const TYPE second = TYPE##_second[i]; \
                TYPE##_result[i] = EXPRESSION;        \
            }                                         \
        }                                             \
        weir_cycle() - begin;                         \
    })

static uint32_t next_random(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void print(const char* type, const char* operation, uint32_t cycles_of_all) {
    const uint32_t tenths = (cycles_of_all * 10 + PAIRS / 2) / PAIRS;
    console_printf("%s %s: %u.%u cycles\n", type, operation, tenths / 10, tenths % 10);
}

COSTS_OF(float)
COSTS_OF(double)

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    if (weir_node() == 0) {
        float_costs();
        double_costs();
    }
    return 0;
}
