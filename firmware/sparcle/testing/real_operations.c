/* Computes all operations on node 0; the host compares the results. */
#include "firmware/sparcle/testing/real_operations.h"

#include "firmware/sparcle/weir.h"

volatile uint64_t real_results[REAL_PAIRS][REAL_OPERATIONS];

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    for (int pair = 0; pair < REAL_PAIRS && weir_node() == 0; ++pair) {
        const struct real_pair operands = real_operands(pair);
        for (int operation = 0; operation < REAL_OPERATIONS; ++operation) {
            real_results[pair][operation] = real_operation(operation, operands);
        }
    }
    return 0;
}
