/*
 * Collective operations of all nodes, for programs on active messages alone. Every node's program
 * calls the same operations in the same order. C side of firmware/collectives.h.
 *
 * Data are words, or doubles of two words, anywhere in a node's memory. Each operation begins with
 * am_barrier(), before which no node announces the addresses of its data. The words then travel in
 * short messages. An operation returns when this node has its result and may use its data again.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_COLLECTIVES_H
#define WEIR_FIRMWARE_SPARCLE_COLLECTIVES_H

#include "firmware/sparcle/active_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Combines `words` words at `other` into those at `own`. Runs in the program, not in handlers. A
 * call has at most AM_COMBINED_WORDS words; all calls but the last have an even number. */
typedef void (*am_combine)(void* own, const void* other, uint32_t words);
#define AM_COMBINED_WORDS 12

void am_add_words(void* own, const void* other, uint32_t words);
void am_least_words(void* own, const void* other, uint32_t words); /* unsigned */
void am_most_words(void* own, const void* other, uint32_t words);
void am_add_doubles(void* own, const void* other, uint32_t words);
void am_least_doubles(void* own, const void* other, uint32_t words);
void am_most_doubles(void* own, const void* other, uint32_t words);

/* Copies `words` words at `data` of node `root` to `data` of every node, down a binomial tree. */
void am_broadcast(uint32_t root, void* data, uint32_t words);
/* Combines `data` of all nodes, up the same tree and in the same order in every run. Result: `data`
 * of node `root`, or of every node (am_all_reduce). `data` of other nodes is overwritten. */
void am_reduce(uint32_t root, void* data, uint32_t words, am_combine combine);
void am_all_reduce(void* data, uint32_t words, am_combine combine);
/* Collects `words` words of each node at `all` of node `root`, in the order of the nodes. Other
 * nodes' `all` is not used. */
void am_gather(uint32_t root, const void* own, uint32_t words, void* all);
/* All-to-all exchange: `out` has `words` words for each node, in the order of the nodes. The words
 * arrive in that node's `in`, in the order of their senders. */
void am_all_to_all(const void* out, uint32_t words, void* in);

/* Return the sum of all nodes' values. */
uint32_t am_sum(uint32_t value);
double am_sum_double(double value);

#ifdef __cplusplus
}
#endif

#endif
