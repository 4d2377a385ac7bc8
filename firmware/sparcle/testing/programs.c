/* Computes the results of all programs; the host compares them. */
#include "firmware/sparcle/testing/programs.h"

#include "firmware/sparcle/weir.h"

volatile uint64_t program_results[PROGRAM_COUNT];

int main(int count, const unsigned* words) {
    for (int i = 0; i < PROGRAM_COUNT; ++i) {
        program_results[i] = program(i);
    }
    if (weir_node() == 0) {
        console_printf("%d arguments, %u %s\n", count, words[0], "done");
    }
    return (int)words[1];
}
