/*
 * Directory of a home whose lines have no pointers in hardware (coherence.protocol = "software"),
 * in the coherence trap of its processor. The same steps as in firmware/limitless.h, in C. The host
 * redirects the trap's call of limitless_trap() to this file.
 */
#include "firmware/sparcle/directory.h"

/* A line that another node has requested at least once. */
struct shared_line {
    struct shared_line* next;
    uint32_t line;
    uint32_t asked; /* request in progress while copies are invalidated, in the register's format */
    /* Number of outstanding acknowledgements; OWNED: the node with the only copy may have written
     * the line. */
    uint32_t to_come;
    uint32_t readers[];
};
#define OWNED 0x80000000u

static struct shared_line* shared_lines[DIRECTORY_BUCKETS];

static struct shared_line* find(uint32_t line) {
    struct shared_line** place = &shared_lines[directory_bucket(line)];
    while (*place != NULL) {
        if ((*place)->line == line) {
            return *place;
        }
        place = &(*place)->next;
    }
    struct shared_line* const known =
        directory_place(sizeof *known + directory_reader_words() * sizeof(uint32_t));
    known->next = NULL;
    known->line = line;
    known->to_come = 0;
    for (uint32_t i = 0; i < directory_reader_words(); ++i) {
        known->readers[i] = 0;
    }
    *place = known;
    return known;
}

/* Replies to a request after all conflicting copies have gone. */
static void grant(struct shared_line* known, uint32_t asked) {
    const uint32_t node = WEIR_COHERENCE_NODE(asked);
    uint32_t packet = WEIR_SENDS_READ_DATA;
    directory_set_reader(known->readers, node);
    known->to_come = 0;
    if (WEIR_COHERENCE_WHAT(asked) != WEIR_ASKS_TO_READ) {
        known->to_come = OWNED;
        packet = WEIR_COHERENCE_WHAT(asked) == WEIR_ASKS_TO_MODIFY ? WEIR_SENDS_MODIFY_GRANT
                                                                   : WEIR_SENDS_WRITE_DATA;
    }
    WEIR_DEVICE(WEIR_DIRECTORY_STATE) = WEIR_COHERENCE_VALUE(WEIR_HOME_TRAPS_ALWAYS, 0);
    directory_send(packet, node);
}

/* Begins to serve a request. State, count and requester are written before the first invalidation
 * leaves. */
static void begin(struct shared_line* known, uint32_t asked) {
    const uint32_t node = WEIR_COHERENCE_NODE(asked);
    int is_owned = known->to_come == OWNED;
    uint32_t copies = 0;
    if (WEIR_DEVICE(WEIR_POINTERS) != 0) {
        directory_set_reader(known->readers, WEIR_DEVICE(WEIR_POINTER(0)));
        is_owned = 1; /* the home may have written the line */
    }
    if (is_owned || WEIR_COHERENCE_WHAT(asked) != WEIR_ASKS_TO_READ) {
        known->readers[node / DIRECTORY_BITS] &= ~(1u << node % DIRECTORY_BITS);
        copies = directory_count(known->readers);
    }
    if (copies == 0) {
        grant(known, asked);
        return;
    }
    known->asked = asked;
    known->to_come = copies;
    WEIR_DEVICE(WEIR_DIRECTORY_STATE) = WEIR_COHERENCE_VALUE(WEIR_HOME_SOFTWARE_TRANSACTION, 0);
    directory_invalidate(known->readers);
    for (uint32_t i = 0; i < directory_reader_words(); ++i) {
        known->readers[i] = 0;
    }
}

static void acknowledged(struct shared_line* known) {
    if (known->to_come > 1) {
        --known->to_come;
    } else {
        grant(known, known->asked);
    }
}

/* Handles the owner's replacement of the line. If the line is already being invalidated, only the
 * acknowledgement that follows counts. */
static void replaced(struct shared_line* known, uint32_t owner) {
    if (known->to_come == OWNED) {
        known->readers[owner / DIRECTORY_BITS] = 0;
        known->to_come = 0;
    }
}

/* Routine of the coherence trap, above handlers and program. */
void software_directory_trap(void);
void software_directory_trap(void) {
    uint32_t line;
    while ((line = WEIR_DEVICE(WEIR_TRAPPED_LINE)) != 0) {
        const uint32_t packet = WEIR_DEVICE(WEIR_TRAPPED_PACKET);
        struct shared_line* const known = find(line);
        switch (WEIR_COHERENCE_WHAT(packet)) {
            case WEIR_TELLS_OF_REPLACEMENT:
                replaced(known, WEIR_COHERENCE_NODE(packet));
                break;
            case WEIR_TELLS_OF_UPDATE:
            case WEIR_TELLS_OF_INVALIDATION:
                acknowledged(known);
                break;
            default:
                begin(known, packet);
                break;
        }
        WEIR_DEVICE(WEIR_TRAP_DONE) = 0;
    }
    directory_return_packets();
}
