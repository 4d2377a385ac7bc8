/*
 * Shared memory that the host reserves at each node for the locks of atomic operations
 * (shared_atomics.c), after the memory of shared_allocate(). Plain C, because the host includes it
 * too.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_ATOMIC_LOCKS_H
#define WEIR_FIRMWARE_SPARCLE_ATOMIC_LOCKS_H

#include "nodes/sparcle/architecture.h"

/* Locks of a node, and a queue entry for each hardware context; each has a line of 16 bytes. */
#define ATOMIC_LOCKS_OF_NODE 8
#define ATOMIC_BYTES_OF_NODE (16 * (ATOMIC_LOCKS_OF_NODE + SPARCLE_CONTEXTS))

#endif
