/*
 * Shared memory that the host keeps at each node for the locks of atomic operations
 * (shared_atomics.c), behind what shared_allocate() has. Plain C; the host includes it, too.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_ATOMIC_LOCKS_H
#define WEIR_FIRMWARE_SPARCLE_ATOMIC_LOCKS_H

#include "nodes/sparcle/architecture.h"

/* Locks, and a place in their queues for each hardware context: a line of 16 bytes for each. */
#define ATOMIC_LOCKS_OF_NODE 8
#define ATOMIC_BYTES_OF_NODE (16 * (ATOMIC_LOCKS_OF_NODE + SPARCLE_CONTEXTS))

#endif
