/*
 * MPI on active messages. A message of up to EAGER_WORDS words travels in one active message (eager
 * protocol). The sender of a longer message first sends a question (rendezvous protocol). When a
 * matching receive has been posted, the receiver answers with the destination address. The sender's
 * DMA engine then moves the data to it as a body. Parts of the data that do not begin and end at
 * multiples of 8 bytes cannot be a body and are sent as words.
 *
 * Handlers record arrivals and move words. Handlers send only stops (see below), and only if the
 * output queue has room. The waiting calls do all other work, so that full queues cannot form a
 * cycle. The network keeps the order of two messages between the same nodes, so receives match them
 * in order.
 *
 * A message that arrives before its receive is kept in memory, at the end of the heap. When the
 * heap is full, a reserve takes the messages in flight, and the handler stops their senders. A
 * stopped sender sends a question before each message, even a short one. A stopped sender has at
 * most one outstanding question to each node in each context; its other messages wait in their
 * requests. A message that matches a posted receive needs no memory, so every receive still finds
 * its message. When the reserve is complete again, the senders are released.
 *
 * An error ends the run by one call of the host (weir_fault), which needs neither stack nor memory,
 * and names rank, call and line. Therefore no MPI function may leave its frame early: none ends in
 * a tail call.
 */
#include "firmware/sparcle/library/include/mpi.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/library/mpi_state.h"

#define ENVELOPE_WORDS 4 /* source and context, tag, bytes, and the sender's request */
#define EAGER_WORDS (AM_MOST_ARGUMENTS - ENVELOPE_WORDS)
/* Data words of a message, after the request, the offset and the number of bytes. */
#define PIECE_WORDS (AM_MOST_ARGUMENTS - 3)
#define WORD_BYTES 4u
#define MOST_REQUESTS 256
#define ALIGNMENT WEIR_DMA_ALIGNMENT
/* Flags in a word with the number of the send's request. IS_ALIGNED: the data are aligned for a
 * body. IS_ASKED: the data are short, but do not come with this message. */
#define IS_ALIGNED 0x80000000u
#define IS_ASKED 0x40000000u
#define NUMBER_OF_REQUEST 0x3fffffffu
/* Number of messages of each sender that the reserve can hold. When a sender is stopped, the two
 * queues of 256 bytes hold at most 20 of its messages (24 bytes are the shortest). A stopped sender
 * adds at most one question in each context. */
#define RESERVE_OF_SENDER 24
/* From this number of kept messages on, they are also in lists by source and by tag. With fewer
 * messages, a search costs no more than the entries in these lists. */
#define INDEXED_FROM 64
#define TAG_LISTS 64 /* a power of two */
/* Value in place of a request's number: the answer to the sender has been sent. */
#define TOLD 0xffffffffu

/* Contexts: messages of the program, and messages of collectives. */
enum { CONTEXT_PROGRAM = WEIR_MPI_PROGRAM, CONTEXT_COLLECTIVE = WEIR_MPI_COLLECTIVE };

enum state {
    FREE,
    POSTED = WEIR_MPI_POSTED, /* a receive without a matching message */
    ASKED = WEIR_MPI_ASKED,   /* a send that waits for the answer to its question */
    LET,                      /* a send that has its answer */
    ARRIVING,                 /* a receive whose sender has its answer */
    COMPLETE,
    QUEUED =
        WEIR_MPI_QUEUED, /* a send that may not ask yet, or that waits for memory at its node */
};

/* The host reads the first words of a request (mpi_state.h). */
struct request {
    volatile uint32_t state;
    uint32_t order; /* number of the receive in the order of posting, in which receives match */
    void* data;
    uint32_t bytes; /* bytes to send, or the capacity of a receive */
    int other;      /* rank of the sender or the receiver */
    int tag;
    uint32_t context;
    /* Number of the other rank's request; a receive adds the flags IS_ALIGNED and IS_ASKED, or has
     * TOLD. */
    uint32_t others_request;
    volatile uint32_t left; /* number of bytes that are still to arrive as words */
    /* Receive: 1 if its body is in memory or it has none; send: destination address. */
    volatile uint32_t stored;
    uint32_t came; /* bytes of the received message */
    struct request* next_queued;
};
_Static_assert(sizeof(struct request) == 4 * WEIR_MPI_REQUEST_WORDS &&
                   offsetof(struct request, state) == 4 * WEIR_MPI_REQUEST_STATE &&
                   offsetof(struct request, bytes) == 4 * WEIR_MPI_REQUEST_BYTES &&
                   offsetof(struct request, other) == 4 * WEIR_MPI_REQUEST_OTHER &&
                   offsetof(struct request, tag) == 4 * WEIR_MPI_REQUEST_TAG &&
                   offsetof(struct request, context) == 4 * WEIR_MPI_REQUEST_CONTEXT,
               "mpi_state.h");

/* Link of a circular list; the head is a link too. */
struct link {
    struct link* next;
    struct link* before;
};

/* A message that has arrived before its receive was posted. */
struct unexpected {
    struct unexpected* next; /* in the order of arrival */
    uint32_t source_and_context;
    int tag;
    uint32_t bytes;
    uint32_t request;
    struct unexpected* before;
    /* Link in the list of the source, used if is_indexed; in the order of arrival. */
    struct link of_source;
    struct link of_tag;
    uint32_t words[EAGER_WORDS];
};

struct request weir_mpi_requests[MOST_REQUESTS];
#define requests weir_mpi_requests
/* State of MPI on this node, in one object, so that one register addresses all variables. */
struct mpi {
    uint32_t told_to_host[WEIR_MPI_STATE_WORDS]; /* mpi_state.h */
    struct unexpected* first_message;
    struct unexpected* last_message;
    struct unexpected* free_messages;
    /* Nonzero if is_indexed, the reserve is in use, ranks are stopped (ranks_told) or sends are
     * queued. May stay nonzero after the last of these conditions. */
    uint32_t is_unusual;
    uint32_t is_indexed;
    uint32_t ranks_told;          /* number of ranks that this node has stopped */
    struct request* first_queued; /* list of queued sends, in order */
    struct request* end_of_used;  /* end of the requests used so far */
    uint32_t posted;
    uint32_t arriving;                 /* number of receives whose data are in flight */
    volatile uint32_t attention;       /* nonzero: some request may be able to continue */
    volatile uint32_t ranks_that_stop; /* number of ranks that have stopped this node */
} weir_mpi_state = {.end_of_used = requests};
#define is_running weir_mpi_state.told_to_host[WEIR_MPI_IS_RUNNING]
#define messages_kept weir_mpi_state.told_to_host[WEIR_MPI_MESSAGES_KEPT]
#define reserve_left weir_mpi_state.told_to_host[WEIR_MPI_RESERVE_LEFT]
#define reserve_whole weir_mpi_state.told_to_host[WEIR_MPI_RESERVE_WHOLE]
#define first_message weir_mpi_state.first_message
#define last_message weir_mpi_state.last_message
#define free_messages weir_mpi_state.free_messages
#define is_unusual weir_mpi_state.is_unusual
#define is_indexed weir_mpi_state.is_indexed
#define ranks_told weir_mpi_state.ranks_told
#define first_queued weir_mpi_state.first_queued
#define end_of_used weir_mpi_state.end_of_used
#define posted weir_mpi_state.posted
#define arriving weir_mpi_state.arriving
#define attention weir_mpi_state.attention
#define ranks_that_stop weir_mpi_state.ranks_that_stop

/* Blocks of the reserve that were used and are free again. */
static struct unexpected* reserved_messages;
static unsigned char* reserve_at; /* end of the reserve's unused part */
static struct link* of_sources;   /* lists of kept messages, by source rank */
static struct link of_tags[TAG_LISTS];

static unsigned char* is_told;              /* by rank: nonzero if this node has stopped the rank */
static volatile unsigned char* has_stopped; /* by rank: nonzero if the rank has stopped this node */
/* By rank and context: nonzero while launch_queued() holds sends back. */
static unsigned char* is_held_back;

extern uint32_t weir_processor_khz;

#define FAIL(text, ...) weir_fault(text, (const int32_t[]){__VA_ARGS__})

static uint32_t words_of(uint32_t bytes) { return (bytes + WORD_BYTES - 1) / WORD_BYTES; }

static int is_eager(uint32_t bytes) { return bytes <= EAGER_WORDS * WORD_BYTES; }

/* Bytes of a long message that can be a body. */
static uint32_t body_bytes(const void* from, const void* to, uint32_t bytes) {
    return (((uint32_t)from | (uint32_t)to) & (ALIGNMENT - 1)) == 0 ? bytes & -ALIGNMENT : 0;
}

static inline int is_for(uint32_t context, int from, int wanted, uint32_t source_and_context,
                         int tag) {
    return context == (source_and_context & 0xff) &&
           (from == MPI_ANY_SOURCE || from == (int)(source_and_context >> 8)) &&
           (wanted == MPI_ANY_TAG || wanted == tag);
}
static inline int suits(const struct request* receive, uint32_t source_and_context, int tag) {
    return receive->state == POSTED &&
           is_for(receive->context, receive->other, receive->tag, source_and_context, tag);
}

static struct request* posted_receive(uint32_t source_and_context, int tag) {
    struct request* first = NULL;
    for (struct request* receive = requests; receive != end_of_used; ++receive) {
        if (suits(receive, source_and_context, tag) &&
            (first == NULL || (int32_t)(receive->order - first->order) < 0)) {
            first = receive;
        }
    }
    return first;
}

/* ---- unexpected messages ---- */

static struct unexpected* by_source(struct link* link) {
    return (struct unexpected*)((char*)link - offsetof(struct unexpected, of_source));
}
static struct unexpected* by_tag(struct link* link) {
    return (struct unexpected*)((char*)link - offsetof(struct unexpected, of_tag));
}

static void append(struct link* list, struct link* link) {
    link->next = list;
    link->before = list->before;
    list->before->next = link;
    list->before = link;
}
static void unlink(struct link* link) {
    link->before->next = link->next;
    link->next->before = link->before;
}

static struct link* source_list(uint32_t source_and_context) {
    return &of_sources[source_and_context >> 8];
}
static struct link* tag_list(int tag) {
    const uint32_t mixed = (uint32_t)tag ^ (uint32_t)tag >> 6 ^ (uint32_t)tag >> 12;
    return &of_tags[mixed % TAG_LISTS];
}

static void enter_lists(struct unexpected* message) {
    append(source_list(message->source_and_context), &message->of_source);
    append(tag_list(message->tag), &message->of_tag);
}

static void begin_lists(void) {
    for (uint32_t rank = 0; rank < weir_nodes; ++rank) {
        of_sources[rank] = (struct link){&of_sources[rank], &of_sources[rank]};
    }
    for (uint32_t i = 0; i < TAG_LISTS; ++i) {
        of_tags[i] = (struct link){&of_tags[i], &of_tags[i]};
    }
    for (struct unexpected* next = first_message; next != NULL; next = next->next) {
        enter_lists(next);
    }
    is_indexed = 1;
    is_unusual = 1;
}

static void keep(struct unexpected* message) {
    message->next = NULL;
    message->before = last_message;
    if (last_message == NULL) {
        first_message = message;
    } else {
        last_message->next = message;
    }
    last_message = message;
    messages_kept += 1;
    if (is_indexed) {
        enter_lists(message);
    } else if (messages_kept == INDEXED_FROM) {
        begin_lists();
    }
}

static void give_up_unusually(struct unexpected* message) {
    if (is_indexed) {
        unlink(&message->of_source);
        unlink(&message->of_tag);
        is_indexed = messages_kept != 0;
    }
    if (reserve_left != reserve_whole) {
        message->next = reserved_messages;
        reserved_messages = message;
        reserve_left += 1;
    } else {
        message->next = free_messages;
        free_messages = message;
    }
    if (ranks_told != 0 || first_queued != NULL) {
        attention = 1; /* a queued send may wait for the memory that has become free */
    } else {
        is_unusual = is_indexed || reserve_left != reserve_whole;
    }
}

static inline void give_up(struct unexpected* message) {
    struct unexpected* const before = message->before;
    struct unexpected* const next = message->next;
    if (before == NULL) {
        first_message = next;
    } else {
        before->next = next;
    }
    if (next == NULL) {
        last_message = before;
    } else {
        next->before = before;
    }
    messages_kept -= 1;
    if (is_unusual) {
        give_up_unusually(message);
        return;
    }
    message->next = free_messages;
    free_messages = message;
}

static struct unexpected* first_in_lists(uint32_t context, int from, int tag) {
    /* A matching message is in both lists, so the end of the shorter list ends the search. */
    struct link* const sources = from == MPI_ANY_SOURCE ? NULL : &of_sources[from];
    struct link* const tags = tag == MPI_ANY_TAG ? NULL : tag_list(tag);
    struct link* next_of_source = sources == NULL ? NULL : sources->next;
    struct link* next_of_tag = tags == NULL ? NULL : tags->next;
    while ((sources == NULL || next_of_source != sources) &&
           (tags == NULL || next_of_tag != tags)) {
        if (sources != NULL) {
            struct unexpected* const message = by_source(next_of_source);
            if (is_for(context, from, tag, message->source_and_context, message->tag)) {
                return message;
            }
            next_of_source = next_of_source->next;
        }
        if (tags != NULL) {
            struct unexpected* const message = by_tag(next_of_tag);
            if (is_for(context, from, tag, message->source_and_context, message->tag)) {
                return message;
            }
            next_of_tag = next_of_tag->next;
        }
    }
    return NULL;
}

/* The first kept message that matches the receive; NULL if there is none. */
static inline struct unexpected* first_for(uint32_t context, int from, int tag) {
    struct unexpected* next = first_message;
    if (next != NULL && is_indexed && !(from == MPI_ANY_SOURCE && tag == MPI_ANY_TAG)) {
        return first_in_lists(context, from, tag);
    }
    while (next != NULL && !is_for(context, from, tag, next->source_and_context, next->tag)) {
        next = next->next;
    }
    return next;
}

/* Memory for a kept message; NULL if only the reserve is left. */
static struct unexpected* room(void) {
    struct unexpected* const message = free_messages;
    if (message != NULL) {
        free_messages = message->next;
        return message;
    }
    return weir_take_from_heaps_end(sizeof *message);
}

static struct unexpected* room_of_reserve(void) {
    struct unexpected* message = reserved_messages;
    if (message != NULL) {
        reserved_messages = message->next;
    } else {
        reserve_at -= sizeof *message;
        message = (struct unexpected*)reserve_at;
    }
    reserve_left -= 1;
    is_unusual = 1;
    return message;
}

/* ---- handlers ---- */

static void take_words(void* to, uint32_t first_argument, uint32_t bytes) {
    unsigned char* out = to;
    for (uint32_t i = 0; i < bytes; i += WORD_BYTES) {
        const uint32_t word = am_argument(first_argument + i / WORD_BYTES);
        memcpy(out + i, &word, bytes - i < WORD_BYTES ? bytes - i : WORD_BYTES);
    }
}

static void take(void* to, const void* own, uint32_t bytes) {
    if (own == NULL) {
        take_words(to, ENVELOPE_WORDS, bytes);
    } else {
        memcpy(to, own, bytes);
    }
}

static void match(struct request* receive, uint32_t source_and_context, int tag, uint32_t bytes,
                  uint32_t sender) {
    receive->other = (int)(source_and_context >> 8);
    receive->tag = tag;
    receive->came = bytes;
    receive->others_request = sender;
}

static void be_stopped(void) {
    has_stopped[am_argument(0)] = 1;
    ranks_that_stop += 1;
}

static void be_let_go(void) {
    has_stopped[am_argument(0)] = 0;
    ranks_that_stop -= 1;
    attention = 1;
}

/* If the queue has no room for the stop, the sender's next message tries again. */
static void stop_sender(uint32_t rank) {
    if (!is_told[rank] && WEIR_DEVICE(WEIR_OUTPUT_ROOM) >= 3 * WORD_BYTES) {
        is_told[rank] = 1;
        ranks_told += 1;
        is_unusual = 1;
        am_send_1(rank, be_stopped, weir_node());
    }
}

/* Memory for a message from another node. */
static struct unexpected* room_in_handler(uint32_t source_and_context, int tag, uint32_t bytes) {
    struct unexpected* const message = room();
    if (message != NULL) {
        return message;
    }
    if (reserve_left == 0) {
        FAIL(
            "%d messages that no receive was posted for have filled this node's memory "
            "(memory.bytes). Before their senders were stopped, another message of %d bytes came "
            "from rank %d with tag %d",
            (int)messages_kept, (int)bytes, (int)(source_and_context >> 8), tag);
    }
    stop_sender(source_and_context >> 8);
    return room_of_reserve();
}

static int comes_along(uint32_t bytes, uint32_t sender) {
    return is_eager(bytes) && (sender & IS_ASKED) == 0;
}

/* Handles a short message, or the question of a message whose data follow later. `data`: data of
 * this node's own message; NULL: the words are in the handled message. Returns 0 if the node's own
 * message has no memory. */
static int deliver(uint32_t source_and_context, int tag, uint32_t bytes, uint32_t sender,
                   const void* data) {
    struct request* const receive = posted_receive(source_and_context, tag);
    if (receive != NULL) {
        match(receive, source_and_context, tag, bytes, sender);
        if (comes_along(bytes, sender) && bytes <= receive->bytes) {
            take(receive->data, data, bytes);
            receive->state = COMPLETE;
        } else {
            receive->state = ARRIVING;
            attention = 1;
        }
        return 1;
    }
    struct unexpected* const message = source_and_context >> 8 == weir_node()
                                           ? room()
                                           : room_in_handler(source_and_context, tag, bytes);
    if (message == NULL) {
        return 0;
    }
    message->source_and_context = source_and_context;
    message->tag = tag;
    message->bytes = bytes;
    message->request = sender;
    if (comes_along(bytes, sender)) {
        take(message->words, data, bytes);
    }
    keep(message);
    return 1;
}

static void arrive(void) {
    (void)deliver(am_argument(0), (int)am_argument(1), am_argument(2), am_argument(3), NULL);
}

/* Answer to a send's question: (the send's request, the receive's, the address). */
static void let_go_on(void) {
    struct request* const send = &requests[am_argument(0)];
    send->others_request = am_argument(1);
    send->stored = am_argument(2);
    send->state = LET;
    attention = 1;
}

/* Words of a long message: (request, offset, bytes, ...). */
static void arrive_piece(void) {
    struct request* const receive = &requests[am_argument(0)];
    const uint32_t bytes = am_argument(2);
    take_words((unsigned char*)receive->data + am_argument(1), 3, bytes);
    receive->left -= bytes;
}

/* Body of a long message: (request). */
static void arrive_body(void) {
    struct request* const receive = &requests[am_argument(0)];
    am_receive_body(receive->data, &receive->stored);
}

/* ---- checks of arguments ---- */

static void refuse_state(void) __attribute__((noreturn));
static void refuse_state(void) {
    if (is_running == WEIR_MPI_FINALIZED) {
        FAIL("it is called after MPI_Finalize");
    }
    FAIL("it is called before MPI_Init");
}
static inline void check_running(MPI_Comm comm) {
    if (is_running != 1) {
        refuse_state();
    }
    if (comm != MPI_COMM_WORLD) {
        FAIL("there is no communicator %d; accepted: MPI_COMM_WORLD", comm);
    }
}

/* Logarithms of the datatypes' sizes in bytes: two bits for each kind. */
#define BYTE_SHIFTS \
    (1u << 6 | 1u << 8 | 2u << 10 | 2u << 12 | 3u << 14 | 3u << 16 | 2u << 18 | 3u << 20)
#define KINDS 11
static inline uint32_t byte_shift(MPI_Datatype type) {
    return BYTE_SHIFTS >> 2 * ((uint32_t)type >> 16) & 3;
}
static inline void check_type(MPI_Datatype type) {
    if ((uint32_t)type >> 16 >= KINDS || 1u << byte_shift(type) != ((uint32_t)type & 0xffff)) {
        FAIL("there is no datatype %d; accepted: those of mpi.h, as MPI_INT", type);
    }
}

static inline void check_data(const void* data, int count, MPI_Datatype type) {
    if (count < 0 || count > INT_MAX / 8) {
        FAIL("its count is %d; accepted: 0 to %d", count, INT_MAX / 8);
    }
    check_type(type);
    if (data == NULL && count != 0) {
        FAIL("its data are a null pointer; accepted: the address of %d values", count);
    }
}

static inline void check_rank(int rank) {
    if (rank < 0 || rank >= (int)weir_nodes) {
        FAIL("there is no rank %d; accepted: 0 to %d", rank, (int)weir_nodes - 1);
    }
}
static inline void check_destination(int rank, int tag) {
    if (rank != MPI_PROC_NULL) {
        check_rank(rank);
    }
    if (tag < 0) {
        FAIL("its tag is %d; accepted: 0 or more", tag);
    }
}
static inline void check_source(int rank, int tag) {
    if (rank != MPI_ANY_SOURCE && rank != MPI_PROC_NULL) {
        check_rank(rank);
    }
    if (tag < 0 && tag != MPI_ANY_TAG) {
        FAIL("its tag is %d; accepted: 0 or more, or MPI_ANY_TAG", tag);
    }
}
static inline void check_result(const void* result) {
    if (result == NULL) {
        FAIL("the address of its result is a null pointer");
    }
}

/* ---- requests ---- */

static inline __attribute__((always_inline)) struct request* new_request(
    enum state state, const void* data, uint32_t bytes, int other, int tag, uint32_t context) {
    for (struct request* next = requests; next != requests + MOST_REQUESTS; ++next) {
        if (next->state == FREE) {
            next->data = (void*)data;
            next->bytes = bytes;
            next->other = other;
            next->tag = tag;
            next->context = context;
            next->left = 0;
            next->stored = 1;
            next->came = bytes;
            next->state = state;
            if (next >= end_of_used) {
                end_of_used = next + 1;
            }
            return next;
        }
    }
    FAIL(
        "this would be active request %d; accepted: at most %d; MPI_Wait, MPI_Waitall and MPI_Test "
        "complete earlier requests",
        MOST_REQUESTS + 1, MOST_REQUESTS);
}

static uint32_t number_of(const struct request* request) { return (uint32_t)(request - requests); }

static int is_stopped_by(int rank) { return ranks_that_stop != 0 && has_stopped[rank] != 0; }

/* Sends the message, or its question. Returns 0 if the message is for this node, which has no
 * memory for it. */
static inline __attribute__((always_inline)) int launch(struct request* send, const void* data,
                                                        uint32_t bytes, int to, int tag,
                                                        uint32_t context, int polls) {
    uint32_t words[AM_MOST_ARGUMENTS];
    const int is_short = is_eager(bytes);
    const int carries = is_short && !is_stopped_by(to);
    words[0] = weir_node() << 8 | context;
    words[1] = (uint32_t)tag;
    words[2] = bytes;
    words[3] = number_of(send) | (((uint32_t)data & (ALIGNMENT - 1)) == 0 ? IS_ALIGNED : 0) |
               (is_short && !carries ? IS_ASKED : 0);
    send->state = carries ? COMPLETE : ASKED;
    if (to == (int)weir_node()) {
        const uint32_t psr = hold_handlers_off();
        const int is_delivered = deliver(words[0], tag, bytes, words[3], data);
        let_handlers_come(psr);
        return is_delivered;
    }
    if (carries) {
        memcpy(words + ENVELOPE_WORDS, data, bytes);
    }
    if (polls) {
        am_wait_for_room(AM_MOST_ARGUMENTS);
    }
    am_send((uint32_t)to, arrive, ENVELOPE_WORDS + (carries ? words_of(bytes) : 0), words);
    return 1;
}

/* Whether an earlier send's question to this rank has no answer yet: a stopped node asks once at a
 * time. */
static __attribute__((noinline)) int asks(int to, uint32_t context) {
    const struct request* next = requests;
    while (next != end_of_used &&
           (next->state != ASKED || next->other != to || next->context != context)) {
        ++next;
    }
    return next != end_of_used;
}
static inline int has_to_wait(int to, uint32_t context) {
    return is_stopped_by(to) && asks(to, context);
}

static int has_queued(int to, uint32_t context) {
    const struct request* next = first_queued;
    while (next != NULL && (next->other != to || next->context != context)) {
        next = next->next_queued;
    }
    return next != NULL;
}

static void queue(struct request* send) {
    struct request** last = &first_queued;
    while (*last != NULL) {
        last = &(*last)->next_queued;
    }
    send->next_queued = NULL;
    send->state = QUEUED;
    *last = send;
    is_unusual = 1;
}

static struct request* begin_send(const void* data, uint32_t bytes, int to, int tag,
                                  uint32_t context) {
    if (to == MPI_PROC_NULL) {
        return new_request(COMPLETE, data, bytes, to, tag, context);
    }
    const int polls = am_polls();
    if (polls) {
        am_poll(); /* takes a stop that may have arrived */
    }
    const int queues =
        (first_queued != NULL && has_queued(to, context)) || has_to_wait(to, context);
    struct request* const send = new_request(COMPLETE, data, bytes, to, tag, context);
    if (queues || !launch(send, data, bytes, to, tag, context, polls)) {
        queue(send);
    }
    return send;
}

/* Sends the queued messages that may go now, for each rank and context in order. During the search
 * a rank may release or stop this node; a held-back send also holds back later sends to the same
 * rank and context. */
static void launch_queued(void) {
    struct request** at = &first_queued;
    for (struct request* next = first_queued; next != NULL; next = *at) {
        unsigned char* const is_held = &is_held_back[2 * next->other + (int)next->context];
        if (*is_held || has_to_wait(next->other, next->context)) {
            *is_held = 1;
            at = &next->next_queued;
        } else if (launch(next, next->data, next->bytes, next->other, next->tag, next->context,
                          am_polls())) {
            *at = next->next_queued;
        } else {
            next->state = QUEUED;
            at = &next->next_queued;
        }
    }
    for (const struct request* next = first_queued; next != NULL; next = next->next_queued) {
        is_held_back[2 * next->other + (int)next->context] = 0;
    }
}

static void let_senders_go(void) {
    for (uint32_t rank = 0; ranks_told != 0 && rank < weir_nodes; ++rank) {
        while (is_told[rank]) {
            /* Handlers are held off, so that none stops the same sender between the change of
             * is_told and the message. */
            const uint32_t psr = hold_handlers_off();
            if (WEIR_DEVICE(WEIR_OUTPUT_ROOM) >= 3 * WORD_BYTES) {
                is_told[rank] = 0;
                ranks_told -= 1;
                am_send_1(rank, be_let_go, weir_node());
            }
            let_handlers_come(psr);
            am_poll_if_polling();
        }
    }
}

/* Sends the data of a long message after the receiver's answer. */
static void send_long(struct request* send) {
    const uint32_t body = body_bytes(send->data, (const void*)send->stored, send->bytes);
    for (uint32_t offset = body; offset < send->bytes;) {
        const uint32_t left = send->bytes - offset;
        const uint32_t bytes = left < PIECE_WORDS * WORD_BYTES ? left : PIECE_WORDS * WORD_BYTES;
        uint32_t words[AM_MOST_ARGUMENTS];
        words[0] = send->others_request;
        words[1] = offset;
        words[2] = bytes;
        memcpy(words + 3, (const unsigned char*)send->data + offset, bytes);
        am_wait_for_room(AM_MOST_ARGUMENTS);
        am_send((uint32_t)send->other, arrive_piece, 3 + words_of(bytes), words);
        offset += bytes;
    }
    if (body != 0) {
        am_wait_for_room(4);
        am_send_body_2((uint32_t)send->other, arrive_body, send->others_request, 0, send->data,
                       body);
        am_wait_body_sent();
    }
    send->state = COMPLETE;
}

/* Answers the question of a matched long message with the receive's address. */
static void let_sender_go_on(struct request* receive) {
    const uint32_t sender = receive->others_request & NUMBER_OF_REQUEST;
    const void* const not_aligned = (receive->others_request & IS_ALIGNED) == 0 ? (void*)1 : NULL;
    if (receive->came > receive->bytes && receive->context == CONTEXT_COLLECTIVE) {
        FAIL(
            "rank %d sends %d bytes, "
            "but this rank's count and type are %d bytes; "
            "accepted: equal numbers",
            receive->other, (int)receive->came, (int)receive->bytes);
    }
    if (receive->came > receive->bytes) {
        FAIL(
            "a message of %d bytes from rank %d with tag %d is longer than the %d bytes it is "
            "received into",
            (int)receive->came, receive->other, receive->tag, (int)receive->bytes);
    }
    receive->others_request = TOLD;
    if (receive->other == (int)weir_node()) {
        memcpy(receive->data, requests[sender].data, receive->came);
        requests[sender].state = COMPLETE;
        receive->state = COMPLETE;
        return;
    }
    arriving += 1;
    /* The sender computes the same division into body and words. */
    receive->left = receive->came - body_bytes(receive->data, not_aligned, receive->came);
    receive->stored = receive->left == receive->came;
    am_wait_for_room(3);
    am_send_3((uint32_t)receive->other, let_go_on, sender, number_of(receive),
              (uint32_t)receive->data);
}

/* Continues all requests that can continue. */
static void go_on(void) {
    am_poll_if_polling();
    if ((attention | arriving) == 0) {
        return;
    }
    /* Stores only if needed: a run whose nodes store nothing is recognised as deadlocked. */
    if (attention) {
        attention = 0;
    }
    for (struct request* next = requests; next != end_of_used; ++next) {
        if (next->state == LET) {
            send_long(next);
        } else if (next->state == ARRIVING) {
            if (next->others_request != TOLD) {
                let_sender_go_on(next);
            } else if (next->left == 0 && next->stored != 0) {
                next->state = COMPLETE;
                arriving -= 1;
            }
        }
    }
    if (ranks_told != 0 && reserve_left == reserve_whole) {
        let_senders_go();
    }
    if (first_queued != NULL) {
        launch_queued();
    }
}

static struct request* begin_receive(void* data, uint32_t bytes, int from, int tag,
                                     uint32_t context) {
    if (from == MPI_PROC_NULL) {
        struct request* const none = new_request(COMPLETE, data, 0, from, MPI_ANY_TAG, context);
        return none;
    }
    const uint32_t psr = hold_handlers_off();
    struct request* const receive = new_request(POSTED, data, bytes, from, tag, context);
    receive->order = posted++;
    struct unexpected* const message = first_for(context, from, tag);
    if (message != NULL) {
        match(receive, message->source_and_context, message->tag, message->bytes, message->request);
        if (comes_along(message->bytes, message->request) && message->bytes <= bytes) {
            memcpy(data, message->words, message->bytes);
            receive->state = COMPLETE;
        } else {
            receive->state = ARRIVING;
            attention = 1;
        }
        give_up(message);
    } else if (first_queued != NULL) {
        attention = 1; /* the receive may match a queued message of this node to itself */
    }
    let_handlers_come(psr);
    return receive;
}

static void finish(struct request* request, MPI_Status* status) {
    while (request->state != COMPLETE) {
        go_on();
    }
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = request->other;
        status->MPI_TAG = request->tag;
        status->MPI_ERROR = MPI_SUCCESS;
        status->weir_bytes = (int)request->came;
    }
    request->state = FREE;
}

static uint32_t bytes_of(int count, MPI_Datatype type) {
    return (uint32_t)count << byte_shift(type); /* not a multiplication, which takes 45 cycles */
}

static void send(const void* data, uint32_t bytes, int to, int tag) {
    finish(begin_send(data, bytes, to, tag, CONTEXT_COLLECTIVE), MPI_STATUS_IGNORE);
}
static void finish_of_collective(struct request* request) {
    const uint32_t bytes = request->bytes;
    finish(request, MPI_STATUS_IGNORE);
    if (request->came != bytes) {
        FAIL(
            "rank %d sends %d bytes, "
            "but this rank's count and type are %d bytes; "
            "accepted: equal numbers",
            request->other, (int)request->came, (int)bytes);
    }
}
static void receive(void* data, uint32_t bytes, int from, int tag) {
    finish_of_collective(begin_receive(data, bytes, from, tag, CONTEXT_COLLECTIVE));
}

/* ---- MPI's functions ---- */

int MPI_Init(int* count, char*** words) {
    (void)count;
    (void)words;
    if (is_running != 0) {
        FAIL(is_running == 1 ? "it is called a second time" : "it is called after MPI_Finalize");
    }
    of_sources = weir_take_from_heaps_end(weir_nodes * sizeof *of_sources);
    is_told = weir_take_from_heaps_end(weir_nodes);
    has_stopped = weir_take_from_heaps_end(weir_nodes);
    is_held_back = weir_take_from_heaps_end(2 * weir_nodes);
    /* Upper bound of the reserve in messages: three quarters of the remaining memory. */
    const uint32_t most = weir_rest_of_heap() / 4 * 3 / sizeof(struct unexpected);
    reserve_whole = RESERVE_OF_SENDER * weir_nodes < most ? RESERVE_OF_SENDER * weir_nodes : most;
    reserve_left = reserve_whole;
    unsigned char* const reserve =
        weir_take_from_heaps_end(reserve_whole * sizeof(struct unexpected));
    if (of_sources == NULL || is_told == NULL || has_stopped == NULL || is_held_back == NULL ||
        reserve == NULL) {
        FAIL("the node's memory has no room for messages (memory.bytes)");
    }
    reserve_at = reserve + reserve_whole * sizeof(struct unexpected);
    memset(is_told, 0, weir_nodes);
    memset((void*)has_stopped, 0, weir_nodes);
    memset(is_held_back, 0, 2 * weir_nodes);
    is_running = 1;
    weir_fault_of_exit = "the program ends with status %d between MPI_Init and MPI_Finalize";
    am_barrier(); /* waits until all nodes are ready to receive */
    return MPI_SUCCESS;
}

int MPI_Finalize(void) {
    check_running(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    is_running = WEIR_MPI_FINALIZED;
    weir_fault_of_exit = NULL;
    return MPI_SUCCESS;
}

/* Ends all ranks. */
int MPI_Abort(MPI_Comm comm, int status) {
    (void)comm;
    FAIL("the program ends all ranks with code %d", status);
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
    check_running(comm);
    check_result(size);
    *size = (int)weir_nodes;
    return MPI_SUCCESS;
}
int MPI_Comm_rank(MPI_Comm comm, int* rank) {
    check_running(comm);
    check_result(rank);
    *rank = (int)weir_node();
    return MPI_SUCCESS;
}
int MPI_Get_processor_name(char* name, int* length) {
    check_result(name);
    check_result(length);
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node %u", (unsigned)weir_node());
    return MPI_SUCCESS;
}
double MPI_Wtime(void) { return (double)weir_long_cycle() / (1e3 * weir_processor_khz); }
double MPI_Wtick(void) { return 1 / (1e3 * weir_processor_khz); }

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    check_running(comm);
    check_data(data, count, type);
    check_destination(to, tag);
    check_result(request);
    *request = (int)number_of(begin_send(data, bytes_of(count, type), to, tag, CONTEXT_PROGRAM));
    return MPI_SUCCESS;
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    check_running(comm);
    check_data(data, count, type);
    check_source(from, tag);
    check_result(request);
    *request =
        (int)number_of(begin_receive(data, bytes_of(count, type), from, tag, CONTEXT_PROGRAM));
    return MPI_SUCCESS;
}

/* Returns NULL for MPI_REQUEST_NULL. */
static struct request* request_of(const MPI_Request* request) {
    check_running(MPI_COMM_WORLD);
    if (request == NULL) {
        FAIL("the address of its request is a null pointer");
    }
    if (*request == MPI_REQUEST_NULL) {
        return NULL;
    }
    if ((uint32_t)*request >= MOST_REQUESTS || requests[*request].state == FREE) {
        FAIL(
            "request %d is not active; accepted: one that MPI_Isend or MPI_Irecv has given and no "
            "call has completed, or MPI_REQUEST_NULL",
            *request);
    }
    return &requests[*request];
}
/* Fills the status of a receive without a message. */
static void give_empty(MPI_Status* status) {
    if (status != MPI_STATUS_IGNORE) {
        *status = (MPI_Status){MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0};
    }
}
static void complete(MPI_Request* request, MPI_Status* status) {
    struct request* const begun = request_of(request);
    if (begun == NULL) {
        give_empty(status);
        return;
    }
    finish(begun, status);
    *request = MPI_REQUEST_NULL;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    complete(request, status);
    return MPI_SUCCESS;
}
int MPI_Waitall(int count, MPI_Request* all, MPI_Status* statuses) {
    check_running(MPI_COMM_WORLD);
    if (count < 0) {
        FAIL("its count is %d; accepted: 0 or more", count);
    }
    for (int i = 0; i < count; ++i) {
        complete(all == NULL ? NULL : &all[i],
                 statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
    }
    return MPI_SUCCESS;
}
int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status) {
    const struct request* const begun = request_of(request);
    check_result(is_complete);
    go_on();
    *is_complete = begun == NULL || begun->state == COMPLETE;
    if (*is_complete) {
        complete(request, status);
    }
    return MPI_SUCCESS;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    check_running(comm);
    check_data(data, count, type);
    check_destination(to, tag);
    finish(begin_send(data, bytes_of(count, type), to, tag, CONTEXT_PROGRAM), MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    check_running(comm);
    check_data(data, count, type);
    check_source(from, tag);
    finish(begin_receive(data, bytes_of(count, type), from, tag, CONTEXT_PROGRAM), status);
    return MPI_SUCCESS;
}
int MPI_Sendrecv(const void* sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* received, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
    check_running(comm);
    check_data(sent, send_count, send_type);
    check_destination(to, send_tag);
    check_data(received, count, type);
    check_source(from, tag);
    struct request* const receive =
        begin_receive(received, bytes_of(count, type), from, tag, CONTEXT_PROGRAM);
    struct request* const send =
        begin_send(sent, bytes_of(send_count, send_type), to, send_tag, CONTEXT_PROGRAM);
    finish(receive, status);
    finish(send, MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}
/* Waits until a matching message has arrived, which stays unreceived. */
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
    check_running(comm);
    check_source(from, tag);
    if (from == MPI_PROC_NULL) {
        give_empty(status);
        if (status != MPI_STATUS_IGNORE) {
            status->MPI_SOURCE = MPI_PROC_NULL;
        }
        return MPI_SUCCESS;
    }
    weir_mpi_state.told_to_host[WEIR_MPI_PROBED_RANK] = (uint32_t)from;
    weir_mpi_state.told_to_host[WEIR_MPI_PROBED_TAG] = (uint32_t)tag;
    weir_mpi_state.told_to_host[WEIR_MPI_PROBES] = 1;
    while (1) {
        const uint32_t psr = hold_handlers_off();
        const struct unexpected* const message = first_for(CONTEXT_PROGRAM, from, tag);
        let_handlers_come(psr);
        if (message == NULL) {
            go_on();
            continue;
        }
        if (status != MPI_STATUS_IGNORE) {
            status->MPI_SOURCE = (int)(message->source_and_context >> 8);
            status->MPI_TAG = message->tag;
            status->MPI_ERROR = MPI_SUCCESS;
            status->weir_bytes = (int)message->bytes;
        }
        weir_mpi_state.told_to_host[WEIR_MPI_PROBES] = 0;
        return MPI_SUCCESS;
    }
}
int MPI_Type_size(MPI_Datatype type, int* size) {
    check_type(type);
    check_result(size);
    *size = (int)bytes_of(1, type);
    return MPI_SUCCESS;
}
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
    check_type(type);
    check_result(status);
    check_result(count);
    const int bytes = type & 0xffff;
    *count = status->weir_bytes % bytes == 0 ? status->weir_bytes / bytes : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* ---- collectives; each has a tag of its own ---- */

enum {
    TAG_BARRIER = WEIR_MPI_TAG_BARRIER,
    TAG_BROADCAST,
    TAG_REDUCE,
    TAG_GATHER,
    TAG_SCATTER,
    TAG_EXCHANGE
};

/* In round k every node receives from the node 2^k before it. */
int MPI_Barrier(MPI_Comm comm) {
    check_running(comm);
    const int nodes = (int)weir_nodes;
    const int self = (int)weir_node();
    for (int distance = 1; distance < nodes; distance *= 2) {
        struct request* const before = begin_receive(NULL, 0, (self + nodes - distance) % nodes,
                                                     TAG_BARRIER, CONTEXT_COLLECTIVE);
        send(NULL, 0, (self + distance) % nodes, TAG_BARRIER);
        finish(before, MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}

/* Sends the data down a binomial tree. */
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    check_running(comm);
    check_data(data, count, type);
    check_rank(root);
    const int nodes = (int)weir_nodes;
    const int place = ((int)weir_node() - root + nodes) % nodes;
    const uint32_t bytes = bytes_of(count, type);
    int distance = 1;
    while (distance < nodes && (place & distance) == 0) {
        distance *= 2;
    }
    if (place != 0) {
        receive(data, bytes, (place - distance + root) % nodes, TAG_BROADCAST);
    }
    for (distance /= 2; distance > 0; distance /= 2) {
        if (place + distance < nodes) {
            send(data, bytes, (place + distance + root) % nodes, TAG_BROADCAST);
        }
    }
    return MPI_SUCCESS;
}

#define COMBINE_ALL(type, is_whole)                                     \
    for (int i = 0; i < count; ++i) {                                   \
        const type a = ((type*)result)[i], b = ((const type*)other)[i]; \
        type c = a;                                                     \
        switch (op) {                                                   \
            case MPI_SUM:                                               \
                c = a + b;                                              \
                break;                                                  \
            case MPI_PROD:                                              \
                c = a * b;                                              \
                break;                                                  \
            case MPI_MAX:                                               \
                c = a < b ? b : a;                                      \
                break;                                                  \
            case MPI_MIN:                                               \
                c = b < a ? b : a;                                      \
                break;                                                  \
            case MPI_LAND:                                              \
                c = a != 0 && b != 0;                                   \
                break;                                                  \
            case MPI_LOR:                                               \
                c = a != 0 || b != 0;                                   \
                break;                                                  \
            default:                                                    \
                c = (type)COMBINE_BITS_##is_whole(a, b);                \
        }                                                               \
        ((type*)result)[i] = c;                                         \
    }                                                                   \
    return
#define COMBINE_BITS_1(a, b) (op == MPI_BAND ? (a & b) : op == MPI_BOR ? (a | b) : (a ^ b))
#define COMBINE_BITS_0(a, b) (a) /* excluded by check_operation() */

static void check_operation(MPI_Op op, MPI_Datatype type) {
    if (op < MPI_SUM || op > MPI_BXOR) {
        FAIL("there is no operation %d; accepted: those of mpi.h, as MPI_SUM", op);
    }
    if (op >= MPI_BAND && (type == MPI_FLOAT || type == MPI_DOUBLE)) {
        FAIL(
            "operation %d is for bits; accepted for floating-point types: "
            "MPI_SUM, MPI_PROD, MPI_MAX, "
            "MPI_MIN, MPI_LAND, MPI_LOR",
            op);
    }
}

static void combine(void* result, const void* other, int count, MPI_Datatype type, MPI_Op op) {
    switch (type) {
        case MPI_CHAR:
            COMBINE_ALL(signed char, 1);
        case MPI_BYTE:
        case MPI_UNSIGNED_CHAR:
            COMBINE_ALL(unsigned char, 1);
        case MPI_SHORT:
            COMBINE_ALL(short, 1);
        case MPI_UNSIGNED_SHORT:
            COMBINE_ALL(unsigned short, 1);
        case MPI_INT:
            COMBINE_ALL(int, 1);
        case MPI_UNSIGNED:
            COMBINE_ALL(unsigned, 1);
        case MPI_LONG_LONG:
            COMBINE_ALL(long long, 1);
        case MPI_UNSIGNED_LONG_LONG:
            COMBINE_ALL(unsigned long long, 1);
        case MPI_FLOAT:
            COMBINE_ALL(float, 0);
        case MPI_DOUBLE:
            COMBINE_ALL(double, 0);
        default: /* excluded by check_type() */
            return;
    }
}

/* Up the same tree: numbers are always added in the same order. */
int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    check_running(comm);
    check_rank(root);
    check_data(own, count, type);
    if (own == MPI_IN_PLACE || (int)weir_node() == root) {
        check_data(result, count, type);
    }
    check_operation(op, type);
    const int nodes = (int)weir_nodes;
    const int place = ((int)weir_node() - root + nodes) % nodes;
    const uint32_t bytes = bytes_of(count, type);
    char* const room = malloc(2 * (bytes + ALIGNMENT));
    if (room == NULL) {
        FAIL("the heap has no room for 2 times its %d bytes", (int)bytes);
    }
    char* const other = room + ((bytes + ALIGNMENT - 1) & -ALIGNMENT);
    memcpy(room, own == MPI_IN_PLACE ? result : own, bytes);
    int distance = 1;
    for (; distance < nodes && (place & distance) == 0; distance *= 2) {
        if (place + distance < nodes) {
            receive(other, bytes, (place + distance + root) % nodes, TAG_REDUCE);
            combine(room, other, count, type, op);
        }
    }
    if (place != 0) {
        send(room, bytes, (place - distance + root) % nodes, TAG_REDUCE);
    } else {
        memcpy(result, room, bytes);
    }
    free(room);
    return MPI_SUCCESS;
}

int MPI_Allreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    check_running(comm);
    check_data(result, count, type);
    MPI_Reduce(own, result, count, type, op, 0, comm);
    MPI_Bcast(result, count, type, 0, comm);
    return MPI_SUCCESS;
}

/* Checks that the part that a rank sends to itself has the same length as the part that it
 * receives. */
static void check_own_part(uint32_t sent, uint32_t received) {
    if (sent != received) {
        FAIL("this rank sends itself %d bytes and receives %d; accepted: the same", (int)sent,
             (int)received);
    }
}

int MPI_Gather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
               MPI_Datatype all_type, int root, MPI_Comm comm) {
    check_running(comm);
    check_rank(root);
    if (own != MPI_IN_PLACE) {
        check_data(own, count, type);
    }
    if ((int)weir_node() != root) {
        send(own, bytes_of(count, type), root, TAG_GATHER);
        return MPI_SUCCESS;
    }
    check_data(all, all_count, all_type);
    const uint32_t bytes = bytes_of(all_count, all_type);
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        char* const place = (char*)all + node * bytes;
        if ((int)node != root) {
            receive(place, bytes, (int)node, TAG_GATHER);
        } else if (own != MPI_IN_PLACE) {
            check_own_part(bytes_of(count, type), bytes);
            memcpy(place, own, bytes);
        }
    }
    return MPI_SUCCESS;
}

int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
                  MPI_Datatype all_type, MPI_Comm comm) {
    check_running(comm);
    check_data(all, all_count, all_type);
    const void* const mine =
        own == MPI_IN_PLACE ? (char*)all + weir_node() * bytes_of(all_count, all_type) : own;
    if (weir_node() == 0 && own == MPI_IN_PLACE) {
        MPI_Gather(MPI_IN_PLACE, count, type, all, all_count, all_type, 0, comm);
    } else {
        MPI_Gather(mine, own == MPI_IN_PLACE ? all_count : count,
                   own == MPI_IN_PLACE ? all_type : type, all, all_count, all_type, 0, comm);
    }
    MPI_Bcast(all, all_count * (int)weir_nodes, all_type, 0, comm);
    return MPI_SUCCESS;
}

int MPI_Scatter(const void* all, int count, MPI_Datatype type, void* own, int own_count,
                MPI_Datatype own_type, int root, MPI_Comm comm) {
    check_running(comm);
    check_rank(root);
    if (own != MPI_IN_PLACE) {
        check_data(own, own_count, own_type);
    }
    if ((int)weir_node() != root) {
        receive(own, bytes_of(own_count, own_type), root, TAG_SCATTER);
        return MPI_SUCCESS;
    }
    check_data(all, count, type);
    const uint32_t bytes = bytes_of(count, type);
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        const char* const place = (const char*)all + node * bytes;
        if ((int)node != root) {
            send(place, bytes, (int)node, TAG_SCATTER);
        } else if (own != MPI_IN_PLACE) {
            check_own_part(bytes, bytes_of(own_count, own_type));
            memcpy(own, place, bytes);
        }
    }
    return MPI_SUCCESS;
}

static void exchange(const void* out, uint32_t out_bytes, uint32_t to, void* in, uint32_t in_bytes,
                     uint32_t from) {
    if (to == weir_node()) {
        check_own_part(out_bytes, in_bytes);
        memcpy(in, out, in_bytes);
        return;
    }
    struct request* const received =
        begin_receive(in, in_bytes, (int)from, TAG_EXCHANGE, CONTEXT_COLLECTIVE);
    send(out, out_bytes, (int)to, TAG_EXCHANGE);
    finish_of_collective(received);
}

/* In step k each node sends to the k-th node after it. */
int MPI_Alltoall(const void* out, int count, MPI_Datatype type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm) {
    check_running(comm);
    check_data(out, count, type);
    check_data(in, in_count, in_type);
    const uint32_t out_bytes = bytes_of(count, type);
    const uint32_t in_bytes = bytes_of(in_count, in_type);
    for (uint32_t step = 0; step < weir_nodes; ++step) {
        const uint32_t to = (weir_node() + step) % weir_nodes;
        const uint32_t from = (weir_node() + weir_nodes - step) % weir_nodes;
        exchange((const char*)out + to * out_bytes, out_bytes, to, (char*)in + from * in_bytes,
                 in_bytes, from);
    }
    return MPI_SUCCESS;
}

int MPI_Alltoallv(const void* out, const int* counts, const int* places, MPI_Datatype type,
                  void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type,
                  MPI_Comm comm) {
    check_running(comm);
    check_type(type);
    check_type(in_type);
    check_result(counts);
    check_result(places);
    check_result(in_counts);
    check_result(in_places);
    for (uint32_t rank = 0; rank < weir_nodes; ++rank) {
        check_data(out, counts[rank], type);
        check_data(in, in_counts[rank], in_type);
    }
    for (uint32_t step = 0; step < weir_nodes; ++step) {
        const uint32_t to = (weir_node() + step) % weir_nodes;
        const uint32_t from = (weir_node() + weir_nodes - step) % weir_nodes;
        exchange((const char*)out + bytes_of(places[to], type), bytes_of(counts[to], type), to,
                 (char*)in + bytes_of(in_places[from], in_type), bytes_of(in_counts[from], in_type),
                 from);
    }
    return MPI_SUCCESS;
}
