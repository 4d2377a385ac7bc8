/* Each operation of collectives.h, for lengths around those of its messages, with every node as the
 * root. Status: 0, or the number of the operation that failed on any node. */
#include "firmware/sparcle/collectives.h"

#define MOST_WORDS 30
#define MOST_NODES 32

static uint32_t wrong;
static uint32_t all[MOST_NODES * MOST_WORDS];
static uint32_t out[MOST_NODES * MOST_WORDS];

static void expect(int is_right, uint32_t number) {
    if (!is_right && wrong == 0) {
        wrong = number;
    }
}

static void move(uint32_t root, uint32_t words) {
    uint32_t data[MOST_WORDS + 1];
    for (uint32_t i = 0; i <= words; ++i) {
        data[i] = 1000 * weir_node() + i;
    }
    am_gather(root, data, words, all);
    for (uint32_t i = 0; i < weir_nodes * words && weir_node() == root; ++i) {
        expect(all[i] == 1000 * (i / words) + i % words, 1);
    }
    am_broadcast(root, data, words);
    for (uint32_t i = 0; i < words; ++i) {
        expect(data[i] == 1000 * root + i, 2);
    }
    expect(data[words] == 1000 * weir_node() + words, 3);
    for (uint32_t i = 0; i < weir_nodes * words; ++i) {
        out[i] = 1000 * weir_node() + i;
    }
    am_all_to_all(out, words, all);
    for (uint32_t i = 0; i < weir_nodes * words; ++i) {
        expect(all[i] == 1000 * (i / words) + words * weir_node() + i % words, 4);
    }
}

static void combine(uint32_t root, uint32_t words) {
    uint32_t data[MOST_WORDS];
    double doubles[MOST_WORDS];
    for (uint32_t i = 0; i < words; ++i) {
        data[i] = weir_node() + i;
        doubles[i] = 0.5 * weir_node() + i;
    }
    am_reduce(root, data, words, am_add_words);
    for (uint32_t i = 0; i < words && weir_node() == root; ++i) {
        expect(data[i] == weir_nodes * (weir_nodes - 1) / 2 + weir_nodes * i, 5);
    }
    am_all_reduce(doubles, 2 * words, am_most_doubles);
    for (uint32_t i = 0; i < words; ++i) {
        expect(doubles[i] == 0.5 * (weir_nodes - 1) + i, 6);
    }
    data[0] = weir_node() + 7;
    am_all_reduce(data, 1, am_least_words);
    expect(data[0] == 7, 7);
}

int main(void) {
    for (uint32_t root = 0; root < weir_nodes; root += (weir_nodes + 2) / 3) {
        move(root, 1 + root % 2);
        move(root, 12 + root % 2);
        move(root, MOST_WORDS);
        combine(root, 1);
        combine(root, 13 + root % 16);
    }
    expect(am_sum(weir_node() + 1) == weir_nodes * (weir_nodes + 1) / 2, 8);
    expect(am_sum_double(0.25) == 0.25 * weir_nodes, 9);
    am_all_reduce(&wrong, 1, am_most_words);
    return (int)wrong;
}
