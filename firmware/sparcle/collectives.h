/*
 * Operations of all nodes together, for programs on active messages alone: every node's program
 * calls the same ones in the same order. The C side of firmware/collectives.h.
 *
 * Data are words, or doubles, which are two, anywhere in a node's memory. Each operation begins
 * with am_barrier(), before which no node says where its data go; then the words travel in short
 * messages. It returns when this node has what it is to have, and its data may be used again.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_COLLECTIVES_H
#define WEIR_FIRMWARE_SPARCLE_COLLECTIVES_H

#include "firmware/sparcle/active_messages.h"

/* Combines `words` words at `other` into those at `own`. At most AM_COMBINED_WORDS at a time, an
 * even number but at the end. Called by the program, not by handlers. */
typedef void (*am_combine)(void* own, const void* other, uint32_t words);
#define AM_COMBINED_WORDS 12

void am_add_words(void* own, const void* other, uint32_t words);
void am_least_words(void* own, const void* other, uint32_t words); /* without signs */
void am_most_words(void* own, const void* other, uint32_t words);
void am_add_doubles(void* own, const void* other, uint32_t words);
void am_least_doubles(void* own, const void* other, uint32_t words);
void am_most_doubles(void* own, const void* other, uint32_t words);

/* What node `root` has at `data` comes to `data` of every node, down a binomial tree. */
void am_broadcast(uint32_t root, void* data, uint32_t words);
/* `data` of all nodes are combined, in an order that is the same in every run, up that tree: into
 * those of node `root`, or of every node. Elsewhere they are lost. */
void am_reduce(uint32_t root, void* data, uint32_t words, am_combine combine);
void am_all_reduce(void* data, uint32_t words, am_combine combine);
/* `words` words of each node come to `all` of node `root`, in the order of the nodes. `all` of the
 * others is not used. */
void am_gather(uint32_t root, const void* own, uint32_t words, void* all);
/* `words` words for each node, in their order, come to that node's `in`, in the order of those they
 * come from. */
void am_all_to_all(const void* out, uint32_t words, void* in);

/* The sum over all nodes. */
uint32_t am_sum(uint32_t value);
double am_sum_double(double value);

#endif
