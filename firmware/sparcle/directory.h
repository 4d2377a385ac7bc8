/*
 * Parts of the directories' software (limitless.c, software_directory.c): blocks of the node's own
 * memory that the host has reserved, bits of readers, and packets.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_DIRECTORY_H
#define WEIR_FIRMWARE_SPARCLE_DIRECTORY_H

#include "firmware/sparcle/shared_memory.h"
#include "firmware/sparcle/trap.h"
#include "memory/coherence/coherence_registers.h"

/* Number of hash buckets; each holds a list of lines. */
#define DIRECTORY_BUCKETS 64
/* Bits in a word of readers, one for each node. */
#define DIRECTORY_BITS 32

static inline uint32_t directory_bucket(uint32_t line) {
    return line / SHARED_LINE % DIRECTORY_BUCKETS;
}

static inline uint32_t directory_reader_words(void) {
    return (weir_nodes + DIRECTORY_BITS - 1) / DIRECTORY_BITS;
}

/* Takes a block from the unused part of the directory's memory. */
static inline void* directory_place(uint32_t bytes) {
    const uint32_t place = weir_shared_memory.directory;
    if (bytes > weir_shared_memory.directory_end - place) {
        console_printf("node %u: its directory's software has no room for another line or packet\n",
                       weir_node());
        weir_stop(WEIR_STATUS_DIRECTORY_FULL);
    }
    weir_shared_memory.directory = place + bytes;
    return (void*)place;
}

static inline void directory_set_reader(uint32_t* readers, uint32_t node) {
    readers[node / DIRECTORY_BITS] |= 1u << node % DIRECTORY_BITS;
}

static inline uint32_t directory_count(const uint32_t* readers) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < directory_reader_words(); ++i) {
        for (uint32_t word = readers[i]; word != 0; word &= word - 1) {
            ++count;
        }
    }
    return count;
}

static inline void directory_send(uint32_t packet, uint32_t node) {
    WEIR_DEVICE(WEIR_SEND_PACKET) = WEIR_COHERENCE_VALUE(packet, node);
}

/* Sends an invalidation (INV) to each reader. */
static inline void directory_invalidate(const uint32_t* readers) {
    for (uint32_t i = 0; i < directory_reader_words(); ++i) {
        uint32_t node = i * DIRECTORY_BITS;
        for (uint32_t word = readers[i]; word != 0; word >>= 1, ++node) {
            if ((word & 1) != 0) {
                directory_send(WEIR_SENDS_INVALIDATE, node);
            }
        }
    }
}

/* Hands saved packets of an overflow trap back to the controller, as many as it has room for. */
void directory_return_packets(void);

#endif
