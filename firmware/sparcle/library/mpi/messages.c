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
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/active_messages.h"
#define WEIR_MPI_HAS_TAIL_CALLS
#include "firmware/sparcle/library/mpi/internals.h"

#define ENVELOPE_WORDS 4 /* source and context, tag, bytes, and the sender's request */
#define EAGER_WORDS (AM_MOST_ARGUMENTS - ENVELOPE_WORDS)
/* Data words of a message, after the request, the offset and the number of bytes. */
#define PIECE_WORDS (AM_MOST_ARGUMENTS - 3)
#define WORD_BYTES 4u
#define MOST_REQUESTS 256
#define ALIGNMENT WEIR_DMA_ALIGNMENT
#define SOURCE_SHIFT WEIR_MPI_SOURCE_SHIFT
/* Flags in a word with the number of the send's request. IS_ALIGNED: the data are aligned for a
 * body. IS_ASKED: the data are short, but do not come with this message. */
#define IS_ALIGNED 0x80000000u
#define IS_ASKED 0x40000000u
#define NUMBER_OF_REQUEST 0x3fffffffu
/* Number of messages of each sender that the reserve can hold. When a sender is stopped, the two
 * queues of 256 bytes hold at most 20 of its messages (24 bytes are the shortest). A stopped sender
 * adds at most one question in each class of contexts: the program's, and collectives'. */
#define RESERVE_OF_SENDER 24
/* From this number of kept messages on, they are also in lists by source and by tag. With fewer
 * messages, a search costs no more than the entries in these lists. */
#define INDEXED_FROM 64
#define TAG_LISTS 64 /* a power of two */
#define TOLD WEIR_MPI_TOLD

/* Link of a circular list; the head is a link too. */
struct link {
    struct link* next;
    struct link* before;
};

/* A message that has arrived before its receive was posted. */
struct weir_mpi_unexpected {
    struct weir_mpi_unexpected* next; /* in the order of arrival */
    uint32_t source_and_context;
    int tag;
    uint32_t bytes;
    uint32_t request;
    struct weir_mpi_unexpected* before;
    /* Link in the list of the source, used if is_indexed; in the order of arrival. */
    struct link of_source;
    struct link of_tag;
    uint32_t words[EAGER_WORDS];
};

_Static_assert(sizeof(struct weir_mpi_request) == 4 * WEIR_MPI_REQUEST_WORDS &&
                   offsetof(struct weir_mpi_request, state) == 4 * WEIR_MPI_REQUEST_STATE &&
                   offsetof(struct weir_mpi_request, bytes) == 4 * WEIR_MPI_REQUEST_BYTES &&
                   offsetof(struct weir_mpi_request, other) == 4 * WEIR_MPI_REQUEST_OTHER &&
                   offsetof(struct weir_mpi_request, tag) == 4 * WEIR_MPI_REQUEST_TAG &&
                   offsetof(struct weir_mpi_request, context) == 4 * WEIR_MPI_REQUEST_CONTEXT,
               "state.h");

struct weir_mpi_request weir_mpi_requests[MOST_REQUESTS];
#define requests weir_mpi_requests
struct weir_mpi_state weir_mpi_state = {.end_of_used = requests};
#ifdef WEIR_RANKS
static void look_again(struct weir_mpi_state* state) {
    if (state->first_queued != NULL) {
        state->attention = 1;
    }
}
#endif
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
static struct weir_mpi_unexpected* reserved_messages;
static unsigned char* reserve_at; /* end of the reserve's unused part */
static struct link* of_sources;   /* lists of kept messages, by source rank */
static struct link of_tags[TAG_LISTS];

static unsigned char* is_told;              /* by rank: nonzero if this node has stopped the rank */
static volatile unsigned char* has_stopped; /* by rank: nonzero if the rank has stopped this node */
/* By rank and class of contexts: nonzero while launch_queued() holds sends back. */
static unsigned char* is_held_back;

#ifdef WEIR_RANKS
/* In the copy of the node's first rank: number of queued sends between ranks of this node. */
static volatile uint32_t queued_on_node;

static int some_are_queued(void) { return *WEIR_OF_FIRST(&queued_on_node) != 0; }
static void let_queued_look(void) {
    struct weir_mpi_state* state = WEIR_OF_FIRST(&weir_mpi_state);
    for (uint32_t slot = 0; slot < weir_rank.ranks; ++slot) {
        look_again(state);
        state = (struct weir_mpi_state*)((char*)state + weir_rank.stride);
    }
}
static void note_news_of(int rank) { WEIR_OF_RANK(&weir_mpi_state, rank)->news = 1; }
#else
static int some_are_queued(void) { return first_queued != NULL; }
static void let_queued_look(void) { attention = 1; }
static void note_news_of(int rank) { (void)rank; }
#endif

static uint32_t words_of(uint32_t bytes) { return (bytes + WORD_BYTES - 1) / WORD_BYTES; }

static int is_eager(uint32_t bytes) { return bytes <= EAGER_WORDS * WORD_BYTES; }

/* Bytes of a long message that can be a body. */
static uint32_t body_bytes(const void* from, const void* to, uint32_t bytes) {
    return (((uint32_t)from | (uint32_t)to) & (ALIGNMENT - 1)) == 0 ? bytes & -ALIGNMENT : 0;
}

static inline int is_for(uint32_t context, int from, int wanted, uint32_t source_and_context,
                         int tag) {
    return context == (source_and_context & WEIR_MPI_CONTEXT_MASK) &&
           (from == MPI_ANY_SOURCE || from == (int)(source_and_context >> SOURCE_SHIFT)) &&
           (wanted == MPI_ANY_TAG || wanted == tag);
}
static inline int suits(const struct weir_mpi_request* receive, uint32_t source_and_context,
                        int tag) {
    return receive->state == POSTED &&
           is_for(receive->context, receive->other, receive->tag, source_and_context, tag);
}

static struct weir_mpi_request* posted_receive(uint32_t source_and_context, int tag) {
    struct weir_mpi_request* first = NULL;
    for (struct weir_mpi_request* receive = requests; receive != end_of_used; ++receive) {
        if (suits(receive, source_and_context, tag) &&
            (first == NULL || (int32_t)(receive->order - first->order) < 0)) {
            first = receive;
        }
    }
    return first;
}

/* ---- unexpected messages ---- */

static struct weir_mpi_unexpected* by_source(struct link* link) {
    return (struct weir_mpi_unexpected*)((char*)link -
                                         offsetof(struct weir_mpi_unexpected, of_source));
}
static struct weir_mpi_unexpected* by_tag(struct link* link) {
    return (struct weir_mpi_unexpected*)((char*)link -
                                         offsetof(struct weir_mpi_unexpected, of_tag));
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
    return &of_sources[source_and_context >> SOURCE_SHIFT];
}
static struct link* tag_list(int tag) {
    const uint32_t mixed = (uint32_t)tag ^ (uint32_t)tag >> 6 ^ (uint32_t)tag >> 12;
    return &of_tags[mixed % TAG_LISTS];
}

static void enter_lists(struct weir_mpi_unexpected* message) {
    append(source_list(message->source_and_context), &message->of_source);
    append(tag_list(message->tag), &message->of_tag);
}

static void begin_lists(void) {
    for (uint32_t rank = 0; rank < weir_ranks(); ++rank) {
        of_sources[rank] = (struct link){&of_sources[rank], &of_sources[rank]};
    }
    for (uint32_t i = 0; i < TAG_LISTS; ++i) {
        of_tags[i] = (struct link){&of_tags[i], &of_tags[i]};
    }
    for (struct weir_mpi_unexpected* next = first_message; next != NULL; next = next->next) {
        enter_lists(next);
    }
    is_indexed = 1;
    is_unusual = 1;
}

static void keep(struct weir_mpi_unexpected* message) {
    message->next = NULL;
    message->before = last_message;
    if (last_message == NULL) {
        first_message = message;
    } else {
        last_message->next = message;
    }
    last_message = message;
    messages_kept += 1;
    NOTE_NEWS();
    if (is_indexed) {
        enter_lists(message);
    } else if (messages_kept == INDEXED_FROM) {
        begin_lists();
    }
}

static void give_up_unusually(struct weir_mpi_unexpected* message) {
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

static inline void give_up(struct weir_mpi_unexpected* message) {
    struct weir_mpi_unexpected* const before = message->before;
    struct weir_mpi_unexpected* const next = message->next;
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
#ifdef WEIR_RANKS
    if (*WEIR_OF_FIRST(&queued_on_node) != 0) {
        let_queued_look(); /* they may wait for the memory that becomes free */
    }
#endif
    if (is_unusual) {
        give_up_unusually(message);
        return;
    }
    message->next = free_messages;
    free_messages = message;
}

static struct weir_mpi_unexpected* first_in_lists(uint32_t context, int from, int tag) {
    /* A matching message is in both lists, so the end of the shorter list ends the search. */
    struct link* const sources = from == MPI_ANY_SOURCE ? NULL : &of_sources[from];
    struct link* const tags = tag == MPI_ANY_TAG ? NULL : tag_list(tag);
    struct link* next_of_source = sources == NULL ? NULL : sources->next;
    struct link* next_of_tag = tags == NULL ? NULL : tags->next;
    while ((sources == NULL || next_of_source != sources) &&
           (tags == NULL || next_of_tag != tags)) {
        if (sources != NULL) {
            struct weir_mpi_unexpected* const message = by_source(next_of_source);
            if (is_for(context, from, tag, message->source_and_context, message->tag)) {
                return message;
            }
            next_of_source = next_of_source->next;
        }
        if (tags != NULL) {
            struct weir_mpi_unexpected* const message = by_tag(next_of_tag);
            if (is_for(context, from, tag, message->source_and_context, message->tag)) {
                return message;
            }
            next_of_tag = next_of_tag->next;
        }
    }
    return NULL;
}

/* The first kept message that matches the receive; NULL if there is none. */
static inline struct weir_mpi_unexpected* first_for(uint32_t context, int from, int tag) {
    struct weir_mpi_unexpected* next = first_message;
    if (next != NULL && is_indexed && !(from == MPI_ANY_SOURCE && tag == MPI_ANY_TAG)) {
        return first_in_lists(context, from, tag);
    }
    while (next != NULL && !is_for(context, from, tag, next->source_and_context, next->tag)) {
        next = next->next;
    }
    return next;
}

/* Memory for a kept message; NULL if only the reserve is left. */
static struct weir_mpi_unexpected* room(void) {
    struct weir_mpi_unexpected* const message = free_messages;
    if (message != NULL) {
        free_messages = message->next;
        return message;
    }
    return weir_take_from_heaps_end(sizeof *message);
}

static struct weir_mpi_unexpected* room_of_reserve(void) {
    struct weir_mpi_unexpected* message = reserved_messages;
    if (message != NULL) {
        reserved_messages = message->next;
    } else {
        reserve_at -= sizeof *message;
        message = (struct weir_mpi_unexpected*)reserve_at;
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

static void match(struct weir_mpi_request* receive, uint32_t source_and_context, int tag,
                  uint32_t bytes, uint32_t sender) {
    receive->other = (int)(source_and_context >> SOURCE_SHIFT);
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
        am_send_1(weir_node_of_rank(rank), WEIR_OF_RANK(be_stopped, rank), weir_rank_number());
    }
}

/* Memory for a message from another node. */
static struct weir_mpi_unexpected* room_in_handler(uint32_t source_and_context, int tag,
                                                   uint32_t bytes) {
    struct weir_mpi_unexpected* const message = room();
    if (message != NULL) {
        return message;
    }
    if (reserve_left == 0) {
        FAIL(
            "%d messages that no receive was posted for have filled this node's memory "
            "(memory.bytes). Before their senders were stopped, another message of %d bytes came "
            "from rank %d with tag %d",
            (int)messages_kept, (int)bytes, (int)(source_and_context >> SOURCE_SHIFT), tag);
    }
    stop_sender(source_and_context >> SOURCE_SHIFT);
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
    struct weir_mpi_request* const receive = posted_receive(source_and_context, tag);
    if (receive != NULL) {
        match(receive, source_and_context, tag, bytes, sender);
        if (comes_along(bytes, sender) && bytes <= receive->bytes) {
            take(receive->data, data, bytes);
            receive->state = COMPLETE;
            NOTE_NEWS();
        } else {
            receive->state = ARRIVING;
            attention = 1;
        }
        return 1;
    }
    struct weir_mpi_unexpected* const message =
        weir_is_on_node(source_and_context >> SOURCE_SHIFT)
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
    struct weir_mpi_request* const send = &requests[am_argument(0)];
    send->others_request = am_argument(1);
    send->stored = am_argument(2);
    send->state = LET;
    attention = 1;
}

/* Words of a long message: (request, offset, bytes, ...). */
static void arrive_piece(void) {
    struct weir_mpi_request* const receive = &requests[am_argument(0)];
    const uint32_t bytes = am_argument(2);
    take_words((unsigned char*)receive->data + am_argument(1), 3, bytes);
    receive->left -= bytes;
}

/* Body of a long message: (request). */
static void arrive_body(void) {
    struct weir_mpi_request* const receive = &requests[am_argument(0)];
    am_receive_body(receive->data, &receive->stored);
}

/* ---- requests ---- */

void* weir_mpi_memory(uint32_t bytes) {
    void* const memory = malloc(bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        FAIL("the heap has no room for %d bytes (memory.bytes)", (int)bytes);
    }
    return memory;
}

struct weir_mpi_extra* weir_mpi_extra_of(struct weir_mpi_request* request) {
    if (request->extra == NULL) {
        struct weir_mpi_extra* const extra = weir_mpi_memory(sizeof *extra);
        *extra = (struct weir_mpi_extra){0};
        request->extra = extra;
    }
    return request->extra;
}

/* Completes the extra part's duties; returns the error class. */
static int end_extra(struct weir_mpi_request* request) {
    struct weir_mpi_extra* const extra = request->extra;
    const int error = extra->error;
    if (extra->is_truncated) {
        request->came = extra->capacity;
    }
    if (extra->type != MPI_DATATYPE_NULL) {
        if (extra->owned != NULL && !extra->is_cancelled) {
            weir_mpi_unpack(extra->place, extra->owned, request->came, extra->type);
        }
        weir_mpi_let_type_go(extra->type);
    }
    if (extra->in_use != NULL) {
        *extra->in_use -= extra->used;
    }
    weir_mpi_state.detached -= extra->is_detached != 0;
    free(extra->owned);
    free(extra);
    request->extra = NULL;
    return error;
}

/* Frees a complete request; returns its error class. */
static __attribute__((noinline)) int release(struct weir_mpi_request* request, MPI_Status* status) {
    const int is_cancelled = request->extra != NULL && request->extra->is_cancelled;
    const int error = request->extra == NULL ? MPI_SUCCESS : end_extra(request);
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE =
            weir_mpi_rank_of(weir_mpi_communicators[request->context / 2], request->other);
        status->MPI_TAG = request->tag;
        status->MPI_ERROR = error;
        status->weir_bytes = (int)request->came;
        status->weir_is_cancelled = is_cancelled;
    }
    request->state = FREE;
    return error;
}

static void release_detached(void) {
    for (struct weir_mpi_request* next = requests; next != end_of_used; ++next) {
        if (next->state == COMPLETE && next->extra != NULL && next->extra->is_detached) {
            release(next, MPI_STATUS_IGNORE);
        }
    }
}

void weir_mpi_detach(struct weir_mpi_request* request) {
    if (request->state == COMPLETE) {
        release(request, MPI_STATUS_IGNORE);
        return;
    }
    weir_mpi_extra_of(request)->is_detached = 1;
    weir_mpi_state.detached += 1;
}

void weir_mpi_end_messages(void) {
    while (weir_mpi_state.detached != 0) {
        weir_mpi_go_on();
        release_detached();
    }
}

static struct weir_mpi_request* free_request(void) {
    for (struct weir_mpi_request* next = requests; next != requests + MOST_REQUESTS; ++next) {
        if (next->state == FREE) {
            return next;
        }
    }
    return NULL;
}

static __attribute__((noinline)) struct weir_mpi_request* scarce_request(void) {
    release_detached();
    struct weir_mpi_request* const request = free_request();
    if (request == NULL) {
        FAIL(
            "this would be active request %d; accepted: at most %d; MPI_Wait, MPI_Waitall and "
            "MPI_Test complete earlier requests",
            MOST_REQUESTS + 1, MOST_REQUESTS);
    }
    return request;
}

static inline __attribute__((always_inline)) struct weir_mpi_request* new_request(
    uint32_t state, const void* data, uint32_t bytes, int other, int tag, uint32_t context) {
    struct weir_mpi_request* next = free_request();
    if (next == NULL) {
        next = scarce_request();
    }
    next->data = (void*)data;
    next->bytes = bytes;
    next->other = other;
    next->tag = tag;
    next->context = context;
    next->left = 0;
    next->stored = 1;
    next->came = bytes;
    next->extra = NULL;
    next->state = state;
    if (next >= end_of_used) {
        end_of_used = next + 1;
    }
    return next;
}

struct weir_mpi_request* weir_mpi_new_request(uint32_t state) {
    return new_request(state, NULL, 0, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
}

static uint32_t number_of(const struct weir_mpi_request* request) {
    return (uint32_t)(request - requests);
}
uint32_t weir_mpi_number_of(const struct weir_mpi_request* request) { return number_of(request); }

struct weir_mpi_request* weir_mpi_active_request(uint32_t number) {
    return number < MOST_REQUESTS && requests[number].state != FREE ? &requests[number] : NULL;
}

static int is_stopped_by(int rank) { return ranks_that_stop != 0 && has_stopped[rank] != 0; }

/* Sends the message, or its question. Returns 0 if the message is for this node, which has no
 * memory for it. */
static inline __attribute__((always_inline)) int launch(struct weir_mpi_request* send,
                                                        const void* data, uint32_t bytes, int to,
                                                        int tag, uint32_t context, int polls) {
    uint32_t words[AM_MOST_ARGUMENTS];
    const int is_short = is_eager(bytes);
    const int carries = is_short && !is_stopped_by(to) && send->left == 0;
    words[0] = weir_rank_number() << SOURCE_SHIFT | context;
    words[1] = (uint32_t)tag;
    words[2] = bytes;
    words[3] = number_of(send) | (((uint32_t)data & (ALIGNMENT - 1)) == 0 ? IS_ALIGNED : 0) |
               (is_short && !carries ? IS_ASKED : 0);
    send->state = carries ? COMPLETE : ASKED;
    if (weir_is_on_node(to)) {
        const uint32_t psr = hold_handlers_off();
        const int is_delivered = WEIR_OF_RANK(deliver, to)(words[0], tag, bytes, words[3], data);
        let_handlers_come(psr);
        return is_delivered;
    }
    if (carries) {
        memcpy(words + ENVELOPE_WORDS, data, bytes);
    }
    if (polls) {
        am_wait_for_room(AM_MOST_ARGUMENTS);
    }
    am_send(weir_node_of_rank((uint32_t)to), WEIR_OF_RANK(arrive, to),
            ENVELOPE_WORDS + (carries ? words_of(bytes) : 0), words);
    return 1;
}

static uint32_t class_of(uint32_t context) { return context & WEIR_MPI_COLLECTIVE; }

/* Whether an earlier send's question to this rank has no answer yet: a stopped node asks once at a
 * time. */
static __attribute__((noinline)) int asks(int to, uint32_t context) {
    const struct weir_mpi_request* next = requests;
    while (next != end_of_used && (next->state != ASKED || next->other != to ||
                                   class_of(next->context) != class_of(context))) {
        ++next;
    }
    return next != end_of_used;
}
static inline int has_to_wait(int to, uint32_t context) {
    return is_stopped_by(to) && asks(to, context);
}

static int has_queued(int to, uint32_t context) {
    const struct weir_mpi_request* next = first_queued;
    while (next != NULL && (next->other != to || class_of(next->context) != class_of(context))) {
        next = next->next_queued;
    }
    return next != NULL;
}

static void queue(struct weir_mpi_request* send) {
    struct weir_mpi_request** last = &first_queued;
    while (*last != NULL) {
        last = &(*last)->next_queued;
    }
    send->next_queued = NULL;
    send->state = QUEUED;
    *last = send;
    is_unusual = 1;
#ifdef WEIR_RANKS
    *WEIR_OF_FIRST(&queued_on_node) += (uint32_t)weir_is_on_node(send->other);
#endif
}

static inline __attribute__((always_inline)) struct weir_mpi_request* begin_send(
    const void* data, uint32_t bytes, int to, int tag, uint32_t context, uint32_t is_synchronous) {
    if (to == MPI_PROC_NULL) {
        return new_request(COMPLETE, data, bytes, to, tag, context);
    }
    const int polls = am_polls();
    if (polls) {
        am_poll(); /* takes a stop that may have arrived */
    }
    const int queues =
        (first_queued != NULL && has_queued(to, context)) || has_to_wait(to, context);
    struct weir_mpi_request* const send = new_request(COMPLETE, data, bytes, to, tag, context);
    send->left = is_synchronous;
    if (queues || !launch(send, data, bytes, to, tag, context, polls)) {
        queue(send);
    }
    return send;
}

struct weir_mpi_request* weir_mpi_begin_send(const void* data, uint32_t bytes, int node, int tag,
                                             uint32_t context) {
    struct weir_mpi_request* const send = begin_send(data, bytes, node, tag, context, 0);
    return send;
}
struct weir_mpi_request* weir_mpi_begin_synchronous_send(const void* data, uint32_t bytes, int node,
                                                         int tag, uint32_t context) {
    struct weir_mpi_request* const send = begin_send(data, bytes, node, tag, context, 1);
    return send;
}

/* Sends the queued messages that may go now, for each rank and class of contexts in order. During
 * the search a rank may release or stop this node; a held-back send also holds back later sends to
 * the same rank and class. */
static void launch_queued(void) {
    struct weir_mpi_request** at = &first_queued;
    for (struct weir_mpi_request* next = first_queued; next != NULL; next = *at) {
        unsigned char* const is_held =
            &is_held_back[2 * next->other + (int)class_of(next->context)];
        if (*is_held || has_to_wait(next->other, next->context)) {
            *is_held = 1;
            at = &next->next_queued;
        } else if (launch(next, next->data, next->bytes, next->other, next->tag, next->context,
                          am_polls())) {
            *at = next->next_queued;
            NOTE_NEWS();
#ifdef WEIR_RANKS
            *WEIR_OF_FIRST(&queued_on_node) -= (uint32_t)weir_is_on_node(next->other);
#endif
        } else {
            next->state = QUEUED;
            at = &next->next_queued;
        }
    }
    for (const struct weir_mpi_request* next = first_queued; next != NULL;
         next = next->next_queued) {
        is_held_back[2 * next->other + (int)class_of(next->context)] = 0;
    }
}

static void let_senders_go(void) {
    for (uint32_t rank = 0; ranks_told != 0 && rank < weir_ranks(); ++rank) {
        while (is_told[rank]) {
            /* Handlers are held off, so that none stops the same sender between the change of
             * is_told and the message. */
            const uint32_t psr = hold_handlers_off();
            if (WEIR_DEVICE(WEIR_OUTPUT_ROOM) >= 3 * WORD_BYTES) {
                is_told[rank] = 0;
                ranks_told -= 1;
                am_send_1(weir_node_of_rank(rank), WEIR_OF_RANK(be_let_go, rank),
                          weir_rank_number());
            }
            let_handlers_come(psr);
            am_poll_if_polling();
        }
    }
}

/* Sends the data of a long message after the receiver's answer. */
static void send_long(struct weir_mpi_request* send) {
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
        am_send(weir_node_of_rank((uint32_t)send->other), WEIR_OF_RANK(arrive_piece, send->other),
                3 + words_of(bytes), words);
        offset += bytes;
    }
    if (body != 0) {
#ifdef WEIR_RANKS
        am_wait_body_sent(); /* the body of another rank, which would hold the core */
#endif
        am_wait_for_room(4);
        am_send_body_2(weir_node_of_rank((uint32_t)send->other),
                       WEIR_OF_RANK(arrive_body, send->other), send->others_request, 0, send->data,
                       body);
        am_wait_body_sent();
    }
    send->state = COMPLETE;
    NOTE_NEWS();
}

/* Reports that the message is longer than the receive. If the program continues, a buffer takes the
 * message. Returns 0 if the receive is complete, because the message has come and is dropped. */
static int truncate(struct weir_mpi_request* receive) {
    const struct weir_mpi_communicator* const comm = weir_mpi_communicators[receive->context / 2];
    const int rank = weir_mpi_rank_of(comm, receive->other);
    const int error =
        class_of(receive->context) == WEIR_MPI_COLLECTIVE
            ? ERROR(comm, MPI_ERR_TRUNCATE,
                    "rank %d sends %d bytes, but this rank's count and type are %d bytes; "
                    "accepted: equal numbers",
                    rank, (int)receive->came, (int)receive->bytes)
            : ERROR(comm, MPI_ERR_TRUNCATE,
                    "a message of %d bytes from rank %d with tag %d is longer than the %d bytes it "
                    "is received into",
                    (int)receive->came, rank, receive->tag, (int)receive->bytes);
    struct weir_mpi_extra* const extra = weir_mpi_extra_of(receive);
    extra->error = error;
    if (comes_along(receive->came, receive->others_request)) {
        receive->came = 0;
        receive->state = COMPLETE;
        NOTE_NEWS();
        return 0;
    }
    void* const buffer = weir_mpi_memory(receive->came);
    if (extra->type == MPI_DATATYPE_NULL) {
        extra->type = MPI_BYTE;
        extra->place = receive->data;
    }
    free(extra->owned);
    extra->owned = buffer;
    extra->capacity = receive->bytes;
    extra->is_truncated = 1;
    receive->data = buffer;
    receive->bytes = receive->came;
    return 1;
}

/* Answers the question of a matched long message with the receive's address. */
static void let_sender_go_on(struct weir_mpi_request* receive) {
    const uint32_t sender = receive->others_request & NUMBER_OF_REQUEST;
    const void* const not_aligned = (receive->others_request & IS_ALIGNED) == 0 ? (void*)1 : NULL;
    if (receive->came > receive->bytes && !truncate(receive)) {
        return;
    }
    receive->others_request = TOLD;
    if (weir_is_on_node(receive->other)) {
        struct weir_mpi_request* const send = WEIR_OF_RANK(requests, receive->other) + sender;
        memcpy(receive->data, send->data, receive->came);
        send->state = COMPLETE;
        note_news_of(receive->other);
        receive->state = COMPLETE;
        NOTE_NEWS();
        return;
    }
    arriving += 1;
    /* The sender computes the same division into body and words. */
    receive->left = receive->came - body_bytes(receive->data, not_aligned, receive->came);
    receive->stored = receive->left == receive->came;
    am_wait_for_room(3);
    am_send_3(weir_node_of_rank((uint32_t)receive->other), WEIR_OF_RANK(let_go_on, receive->other),
              sender, number_of(receive), (uint32_t)receive->data);
}

#ifdef WEIR_RANKS
void weir_mpi_continue(void) {
    weir_mpi_state.news = 0;
#else
void weir_mpi_go_on(void) {
    am_poll_if_polling();
#endif
    if ((attention | arriving | weir_mpi_state.has_progress) == 0) {
        return;
    }
    if (weir_mpi_state.collective_progress != NULL) {
        weir_mpi_state.collective_progress();
    }
    if (weir_mpi_state.window_progress != NULL) {
        weir_mpi_state.window_progress();
    }
    if ((attention | arriving) == 0) {
        return;
    }
    /* Stores only if needed: a run whose nodes store nothing is recognised as deadlocked. */
    if (attention) {
        attention = 0;
    }
    for (struct weir_mpi_request* next = requests; next != end_of_used; ++next) {
        if (next->state == LET) {
            send_long(next);
        } else if (next->state == ARRIVING) {
            if (next->others_request != TOLD) {
                let_sender_go_on(next);
            } else if (next->left == 0 && next->stored != 0) {
                next->state = COMPLETE;
                arriving -= 1;
                NOTE_NEWS();
            }
        }
    }
    if (weir_mpi_state.detached != 0) {
        release_detached();
    }
    if (ranks_told != 0 && reserve_left == reserve_whole) {
        let_senders_go();
    }
    if (first_queued != NULL) {
        launch_queued();
    }
}

struct weir_mpi_request* weir_mpi_begin_receive(void* data, uint32_t bytes, int from, int tag,
                                                uint32_t context) {
    if (from == MPI_PROC_NULL) {
        struct weir_mpi_request* const none =
            new_request(COMPLETE, data, 0, from, MPI_ANY_TAG, context);
        return none;
    }
    const uint32_t psr = hold_handlers_off();
    struct weir_mpi_request* const receive = new_request(POSTED, data, bytes, from, tag, context);
    receive->order = posted++;
    struct weir_mpi_unexpected* const message = first_for(context, from, tag);
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
    } else if (some_are_queued()) {
        let_queued_look(); /* the receive may match a queued message of this node to itself */
    }
    let_handlers_come(psr);
    return receive;
}

int weir_mpi_finish(struct weir_mpi_request* request, MPI_Status* status) {
    while (request->state != COMPLETE) {
        weir_mpi_go_on();
    }
    if (status == MPI_STATUS_IGNORE && request->extra == NULL) {
        request->state = FREE;
        return MPI_SUCCESS;
    }
    const int error = release(request, status);
    return error;
}

int weir_mpi_withdraw(struct weir_mpi_request* receive) {
    const uint32_t psr = hold_handlers_off();
    const int is_posted = receive->state == POSTED;
    if (is_posted) {
        receive->came = 0;
        receive->state = COMPLETE;
    }
    let_handlers_come(psr);
    return is_posted;
}

int weir_mpi_uses_context(uint32_t context) {
    int is_used = 0;
    for (const struct weir_mpi_request* next = requests; next != end_of_used; ++next) {
        is_used |= next->state != FREE && next->context == context;
    }
    const uint32_t psr = hold_handlers_off();
    is_used |= first_for(context, MPI_ANY_SOURCE, MPI_ANY_TAG) != NULL;
    let_handlers_come(psr);
    return is_used;
}

int weir_mpi_find_kept(uint32_t context, int node, int tag, int* source_node, int* its_tag,
                       uint32_t* bytes) {
    const uint32_t psr = hold_handlers_off();
    const struct weir_mpi_unexpected* const message = first_for(context, node, tag);
    let_handlers_come(psr);
    if (message == NULL) {
        return 0;
    }
    *source_node = (int)(message->source_and_context >> SOURCE_SHIFT);
    *its_tag = message->tag;
    *bytes = message->bytes;
    return 1;
}

void weir_mpi_tell_probe(int waits, int node, int tag) {
    weir_mpi_state.told_to_host[WEIR_MPI_PROBED_RANK] = (uint32_t)node;
    weir_mpi_state.told_to_host[WEIR_MPI_PROBED_TAG] = (uint32_t)tag;
    weir_mpi_state.told_to_host[WEIR_MPI_PROBES] = (uint32_t)waits;
}

void weir_mpi_start_messages(void) {
#ifdef WEIR_RANKS
    if (!weir_start_places()) {
        FAIL("the node's memory has no room for its ranks (memory.bytes)");
    }
#endif
    of_sources = weir_take_from_heaps_end(weir_ranks() * sizeof *of_sources);
    is_told = weir_take_from_heaps_end(weir_ranks());
    has_stopped = weir_take_from_heaps_end(weir_ranks());
    is_held_back = weir_take_from_heaps_end(2 * weir_ranks());
    /* Upper bound of the reserve in messages: three quarters of the remaining memory. */
    const uint32_t most = weir_rest_of_heap() / 4 * 3 / sizeof(struct weir_mpi_unexpected);
    reserve_whole =
        RESERVE_OF_SENDER * weir_ranks() < most ? RESERVE_OF_SENDER * weir_ranks() : most;
    reserve_left = reserve_whole;
    unsigned char* const reserve =
        weir_take_from_heaps_end(reserve_whole * sizeof(struct weir_mpi_unexpected));
    if (of_sources == NULL || is_told == NULL || has_stopped == NULL || is_held_back == NULL ||
        reserve == NULL) {
        FAIL("the node's memory has no room for messages (memory.bytes)");
    }
    reserve_at = reserve + reserve_whole * sizeof(struct weir_mpi_unexpected);
    memset(is_told, 0, weir_ranks());
    memset((void*)has_stopped, 0, weir_ranks());
    memset(is_held_back, 0, 2 * weir_ranks());
}
