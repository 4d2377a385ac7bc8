/*
 * Where the data of a program with threads lie (weir compile --threads). Memory has a home node by
 * its address, which never changes; so data are placed when they are allocated.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_THREADS_PLACEMENT_H
#define WEIR_FIRMWARE_SPARCLE_THREADS_PLACEMENT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As malloc(), at a node if its memory has room, else elsewhere. With coherence.home = "page" only
 * the first 4096 bytes lie at the node; with "line" or "hash" the lines lie at many nodes. Free it
 * by free(). NULL with errno EINVAL: there is no such node. */
void* weir_malloc_at(unsigned node, size_t bytes);

/* Homes of what malloc() takes from here on: pages in the order of their addresses, or at the node
 * of the thread that allocates. The variable WEIR_HEAP_HOMES of the environment
 * (workload.environment), "page" or "node", has the choice at the start; without it: page. */
enum { WEIR_HOMES_BY_PAGE, WEIR_HOMES_BY_NODE };
void weir_set_heap_homes(unsigned homes);

/* Home node of the page of an address from malloc(). */
unsigned weir_home_of(const void* address);

#ifdef __cplusplus
}
#endif

#endif
