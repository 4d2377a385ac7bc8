/*
 * Software part of a LimitLESS directory, in the coherence trap of a home's processor. The same
 * steps as in firmware/limitless.h, in C. The directory's data are in the part of the node's own
 * memory that the host has reserved (shared_memory.h); it never accesses shared memory.
 */
#include "firmware/sparcle/directory.h"

WEIR_FROM_HOST struct weir_shared_memory weir_shared_memory;

/* A line whose readers are in a bit vector, with a bit for each node. */
struct known_line {
    struct known_line* next;
    uint32_t line;
    uint32_t readers[];
};
/* A packet that an overflow trap has taken from the input queue. */
struct saved_packet {
    struct saved_packet* next;
    uint32_t length_and_sender; /* length and sender in the format of WEIR_HELD_PACKET */
    uint32_t words[WEIR_MOST_PACKET_WORDS];
};

static struct known_line* known_lines[DIRECTORY_BUCKETS];
static struct known_line* free_lines;
static struct saved_packet* free_packets;
static struct saved_packet* oldest_packet;
static struct saved_packet* newest_packet;
static uint32_t saved_packets;

static struct known_line* new_line(uint32_t line) {
    struct known_line* known = free_lines;
    if (known != NULL) {
        free_lines = known->next;
    } else {
        known = directory_place(sizeof *known + directory_reader_words() * sizeof(uint32_t));
    }
    known->line = line;
    known->next = NULL;
    for (uint32_t i = 0; i < directory_reader_words(); ++i) {
        known->readers[i] = 0;
    }
    return known;
}

/* Pointer to the line's entry in its bucket; a new entry is appended if there is none. */
static struct known_line** find(uint32_t line) {
    struct known_line** place = &known_lines[directory_bucket(line)];
    while (*place != NULL && (*place)->line != line) {
        place = &(*place)->next;
    }
    if (*place == NULL) {
        *place = new_line(line);
    }
    return place;
}

static inline void set_reader(struct known_line* known, uint32_t node) {
    known->readers[node / DIRECTORY_BITS] |= 1u << node % DIRECTORY_BITS;
}

static void empty_pointers(struct known_line* known) {
    const uint32_t pointers = WEIR_DEVICE(WEIR_POINTERS);
    for (uint32_t i = 0; i < pointers; ++i) {
        set_reader(known, (&WEIR_DEVICE(WEIR_POINTER(0)))[i]);
    }
}

/* Serves a read request for which the hardware has no free pointer. */
static void read_line(uint32_t line, uint32_t reader) {
    struct known_line* const known = *find(line);
    empty_pointers(known);
    set_reader(known, reader);
    WEIR_DEVICE(WEIR_DIRECTORY_STATE) = WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ON_WRITE, 0);
    directory_send(WEIR_SENDS_READ_DATA, reader);
}

/* State and count are written before the first invalidation, because its acknowledgement may arrive
 * before the second invalidation has left. The hardware counts acknowledgements, and answers the
 * writer after the last. */
static void write_line(uint32_t line, uint32_t writer, int has_copy) {
    struct known_line** const place = find(line);
    struct known_line* const known = *place;
    empty_pointers(known);
    known->readers[writer / DIRECTORY_BITS] &= ~(1u << writer % DIRECTORY_BITS);
    const uint32_t copies = directory_count(known->readers);
    WEIR_DEVICE(WEIR_DIRECTORY_STATE) = WEIR_COHERENCE_VALUE(
        copies == 0 ? WEIR_HOME_READ_WRITE : WEIR_HOME_WRITE_TRANSACTION, copies);
    if (copies == 0) {
        directory_send(has_copy ? WEIR_SENDS_MODIFY_GRANT : WEIR_SENDS_WRITE_DATA, writer);
    } else {
        directory_invalidate(known->readers);
    }
    *place = known->next;
    known->next = free_lines;
    free_lines = known;
}

/* ---- packets saved by overflow traps ---- */

static int take_packet(void) {
    const uint32_t length_and_sender = WEIR_DEVICE(WEIR_HELD_PACKET);
    struct saved_packet* packet = free_packets;
    if (length_and_sender == 0) {
        return 0;
    }
    if (packet != NULL) {
        free_packets = packet->next;
    } else {
        packet = directory_place(sizeof *packet);
    }
    packet->next = NULL;
    packet->length_and_sender = length_and_sender;
    for (uint32_t i = 0; i < (length_and_sender & 0xffff); ++i) {
        packet->words[i] = (&WEIR_DEVICE(WEIR_PACKET_WORD(0)))[i];
    }
    if (oldest_packet == NULL) {
        oldest_packet = packet;
    } else {
        newest_packet->next = packet;
    }
    newest_packet = packet;
    ++saved_packets;
    WEIR_DEVICE(WEIR_TAKE_PACKET) = 0;
    return 1;
}

static void packets_taken(void) {
    WEIR_DEVICE(WEIR_PACKETS_SAVED) = saved_packets;
    if (saved_packets == 0) {
        WEIR_DEVICE(WEIR_HOLD_PACKETS) = 0;
    }
}

/* Inlined, so that the time of the trap below does not depend on other callers. */
static inline __attribute__((always_inline)) void return_packets(void) {
    while (oldest_packet != NULL && WEIR_DEVICE(WEIR_MAY_RETURN) != 0) {
        struct saved_packet* const packet = oldest_packet;
        oldest_packet = packet->next;
        --saved_packets;
        for (uint32_t i = 0; i < (packet->length_and_sender & 0xffff); ++i) {
            (&WEIR_DEVICE(WEIR_PACKET_WORD(0)))[i] = packet->words[i];
        }
        WEIR_DEVICE(WEIR_RETURN_PACKET) = packet->length_and_sender;
        packet->next = free_packets;
        free_packets = packet;
    }
    packets_taken();
}

/* Replaces am_save_messages() in the overflow trap: the queue holds packets as well as messages. */
void am_save_queue(int in_handler) {
    WEIR_DEVICE(WEIR_HOLD_PACKETS) = 1;
    do {
        am_save_messages(in_handler);
    } while (take_packet());
    packets_taken();
}

/* Routine of the coherence trap, above handlers and program. */
void limitless_trap(void);
void limitless_trap(void) {
    uint32_t line;
    while ((line = WEIR_DEVICE(WEIR_TRAPPED_LINE)) != 0) {
        const uint32_t packet = WEIR_DEVICE(WEIR_TRAPPED_PACKET);
        const uint32_t from = WEIR_COHERENCE_NODE(packet);
        if (WEIR_COHERENCE_WHAT(packet) == WEIR_ASKS_TO_READ) {
            read_line(line, from);
        } else {
            write_line(line, from, WEIR_COHERENCE_WHAT(packet) == WEIR_ASKS_TO_MODIFY);
        }
        WEIR_DEVICE(WEIR_TRAP_DONE) = 0;
    }
    if (oldest_packet != NULL) {
        return_packets();
    }
}

void directory_return_packets(void) {
    if (oldest_packet != NULL) {
        return_packets();
    }
}
