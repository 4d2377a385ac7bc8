/*
 * MPI on active messages. A message of up to EAGER_WORDS words travels in one active message. The
 * sender of a longer one asks first (rendezvous); when the receiver knows where it goes, it lets
 * the sender go on, whose body its DMA engine then puts there. What can't be a body, for it does
 * not begin and end at multiples of 8 bytes, goes in words.
 *
 * Handlers note what has come, and move words; they send nothing. All else is done by the calls
 * that wait, so that no cycle of full queues can come about.
 * Two messages from one node to another stay in order, as the network keeps them, so that the
 * receives match them in order.
 */
#include "firmware/sparcle/library/include/mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/active_messages.h"

#define ENVELOPE_WORDS 4 /* source and context, tag, bytes, and the sender's request */
#define EAGER_WORDS (AM_MOST_ARGUMENTS - ENVELOPE_WORDS)
#define PIECE_WORDS (AM_MOST_ARGUMENTS - 3) /* behind the request, the offset and the bytes */
#define WORD_BYTES 4u
#define MOST_REQUESTS 256
#define MOST_UNEXPECTED 512
#define ALIGNMENT WEIR_DMA_ALIGNMENT
/* Beside the number of a send's request: its data may be a body. */
#define IS_ALIGNED 0x80000000u
/* Instead of that number: the sender has been let go on. */
#define TOLD 0xffffffffu

/* Whose messages they are: the program's own, or the collectives'. */
enum { CONTEXT_PROGRAM, CONTEXT_COLLECTIVE };

enum state {
    FREE,
    POSTED,   /* a receive that no message has matched */
    ASKED,    /* a send that waits to be let go on */
    LET,      /* a send that may go on */
    ARRIVING, /* a receive whose message has been let go on */
    COMPLETE,
};

struct request {
    volatile uint32_t state;
    uint32_t order; /* of receives: the first that was posted matches first */
    void* data;
    uint32_t bytes; /* to send; or what there is room for */
    int other;      /* rank that sends or receives */
    int tag;
    uint32_t context;
    uint32_t others_request;  /* and IS_ALIGNED; or TOLD */
    volatile uint32_t left;   /* bytes that are to come in words */
    volatile uint32_t stored; /* 1: the body is in memory */
    uint32_t came;            /* bytes of the message */
};

/* A message that has come before its receive was posted. */
struct unexpected {
    struct unexpected* next;
    uint32_t source_and_context;
    int tag;
    uint32_t bytes;
    uint32_t request;
    uint32_t words[EAGER_WORDS];
};

static struct request requests[MOST_REQUESTS];
static struct unexpected messages[MOST_UNEXPECTED];
static struct unexpected* free_messages;
static struct unexpected* first_message;
static struct unexpected** last_message = &first_message;
static uint32_t posted;
static struct request* end_of_used = requests; /* behind the last that was ever used */
static volatile uint32_t attention;            /* a request may go on */
static int is_initialised;
extern uint32_t weir_processor_khz;

static void fail(const char* what) __attribute__((noreturn));
static void fail(const char* what) {
    console_printf("node %u: MPI: %s\n", weir_node(), what);
    _Exit(1);
}

/* What handlers share with calls is changed while no handler runs. */
static inline uint32_t hold_handlers_off(void) {
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0" : "=r"(psr) : : "memory");
    const uint32_t level = psr & LEVEL_TRAP << PSR_LEVEL_SHIFT;
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop"
                     :
                     : "r"(psr - level + (LEVEL_HANDLERS_OFF << PSR_LEVEL_SHIFT))
                     : "memory");
    return psr;
}
static inline void let_handlers_come(uint32_t psr) {
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop" : : "r"(psr) : "memory");
}

static uint32_t words_of(uint32_t bytes) { return (bytes + WORD_BYTES - 1) / WORD_BYTES; }

static int is_eager(uint32_t bytes) { return bytes <= EAGER_WORDS * WORD_BYTES; }

/* The part of a long message that can be a body. */
static uint32_t body_bytes(const void* from, const void* to, uint32_t bytes) {
    return (((uint32_t)from | (uint32_t)to) & (ALIGNMENT - 1)) == 0 ? bytes & -ALIGNMENT : 0;
}

static int suits(const struct request* receive, uint32_t source_and_context, int tag) {
    return receive->state == POSTED && receive->context == (source_and_context & 0xff) &&
           (receive->other == MPI_ANY_SOURCE || receive->other == (int)(source_and_context >> 8)) &&
           (receive->tag == MPI_ANY_TAG || receive->tag == tag);
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

/* A short message, or the question of a long one. `data` are a node's own; NULL: the words of the
 * message that is handled. */
static void deliver(uint32_t source_and_context, int tag, uint32_t bytes, uint32_t sender,
                    const void* data) {
    struct request* const receive = posted_receive(source_and_context, tag);
    if (receive != NULL) {
        match(receive, source_and_context, tag, bytes, sender);
        if (is_eager(bytes) && bytes <= receive->bytes) {
            take(receive->data, data, bytes);
            receive->state = COMPLETE;
        } else {
            receive->state = ARRIVING;
            attention = 1;
        }
        return;
    }
    struct unexpected* const message = free_messages;
    if (message == NULL) {
        fail("more than 512 messages have come that no receive was posted for");
    }
    free_messages = message->next;
    message->next = NULL;
    message->source_and_context = source_and_context;
    message->tag = tag;
    message->bytes = bytes;
    message->request = sender;
    if (is_eager(bytes)) {
        take(message->words, data, bytes);
    }
    *last_message = message;
    last_message = &message->next;
}

static void arrive(void) {
    deliver(am_argument(0), (int)am_argument(1), am_argument(2), am_argument(3), NULL);
}

/* A send may go on: (its request, the receive's, the address). */
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

/* The body of a long message: (request). */
static void arrive_body(void) {
    struct request* const receive = &requests[am_argument(0)];
    am_receive_body(receive->data, &receive->stored);
}

/* ---- calls ---- */

static void check(MPI_Comm comm, int count, int rank) {
    if (!is_initialised) {
        fail("a call before MPI_Init");
    }
    if (comm != MPI_COMM_WORLD) {
        fail("a communicator other than MPI_COMM_WORLD");
    }
    if (count < 0 || rank >= (int)weir_nodes || rank < MPI_PROC_NULL) {
        fail("a negative count, or a rank that no node has");
    }
}

static struct request* new_request(enum state state, const void* data, uint32_t bytes, int other,
                                   int tag, uint32_t context) {
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
    fail("more than 256 requests at a time");
}

static uint32_t number_of(const struct request* request) { return (uint32_t)(request - requests); }

static struct request* begin_send(const void* data, uint32_t bytes, int to, int tag,
                                  uint32_t context) {
    uint32_t words[AM_MOST_ARGUMENTS];
    const int is_short = is_eager(bytes);
    struct request* const send = new_request(is_short || to == MPI_PROC_NULL ? COMPLETE : ASKED,
                                             data, bytes, to, tag, context);
    if (to == MPI_PROC_NULL) {
        return send;
    }
    words[0] = weir_node() << 8 | context;
    words[1] = (uint32_t)tag;
    words[2] = bytes;
    words[3] = number_of(send) | (((uint32_t)data & (ALIGNMENT - 1)) == 0 ? IS_ALIGNED : 0);
    if (to == (int)weir_node()) {
        const uint32_t psr = hold_handlers_off();
        deliver(words[0], tag, bytes, words[3], data);
        let_handlers_come(psr);
        return send;
    }
    if (is_short) {
        memcpy(words + ENVELOPE_WORDS, data, bytes);
    }
    am_wait_for_room(AM_MOST_ARGUMENTS);
    am_send((uint32_t)to, arrive, ENVELOPE_WORDS + (is_short ? words_of(bytes) : 0), words);
    return send;
}

/* The receiver has said where it goes. */
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

/* A long message for it has asked: says where it goes. */
static void let_sender_go_on(struct request* receive) {
    const uint32_t sender = receive->others_request & ~IS_ALIGNED;
    const void* const not_aligned = (receive->others_request & IS_ALIGNED) == 0 ? (void*)1 : NULL;
    if (receive->came > receive->bytes) {
        fail("a message that is longer than what it is received into");
    }
    receive->others_request = TOLD;
    if (receive->other == (int)weir_node()) {
        memcpy(receive->data, requests[sender].data, receive->came);
        requests[sender].state = COMPLETE;
        receive->state = COMPLETE;
        return;
    }
    /* The sender comes to the same. */
    receive->left = receive->came - body_bytes(receive->data, not_aligned, receive->came);
    receive->stored = receive->left == receive->came;
    am_wait_for_room(3);
    am_send_3((uint32_t)receive->other, let_go_on, sender, number_of(receive),
              (uint32_t)receive->data);
}

/* What there is to do for any request. */
static void go_on(void) {
    am_poll_if_polling();
    if (!attention) {
        return;
    }
    attention = 0;
    for (struct request* next = requests; next != end_of_used; ++next) {
        if (next->state == LET) {
            send_long(next);
        } else if (next->state == ARRIVING) {
            if (next->others_request != TOLD) {
                let_sender_go_on(next);
            } else if (next->left == 0 && next->stored != 0) {
                next->state = COMPLETE;
            }
            attention = 1; /* it has to be looked at again */
        }
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
    for (struct unexpected** at = &first_message; *at != NULL; at = &(*at)->next) {
        struct unexpected* const message = *at;
        if (!suits(receive, message->source_and_context, message->tag)) {
            continue;
        }
        match(receive, message->source_and_context, message->tag, message->bytes, message->request);
        if (is_eager(message->bytes) && message->bytes <= bytes) {
            memcpy(data, message->words, message->bytes);
            receive->state = COMPLETE;
        } else {
            receive->state = ARRIVING;
            attention = 1;
        }
        *at = message->next;
        if (last_message == &message->next) {
            last_message = at;
        }
        message->next = free_messages;
        free_messages = message;
        break;
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
    return (uint32_t)count * ((uint32_t)type & 0xffff);
}

static void send(const void* data, uint32_t bytes, int to, int tag) {
    finish(begin_send(data, bytes, to, tag, CONTEXT_COLLECTIVE), MPI_STATUS_IGNORE);
}
static void receive(void* data, uint32_t bytes, int from, int tag) {
    finish(begin_receive(data, bytes, from, tag, CONTEXT_COLLECTIVE), MPI_STATUS_IGNORE);
}

int MPI_Init(int* count, char*** words) {
    (void)count;
    (void)words;
    for (int i = 0; i < MOST_UNEXPECTED; ++i) {
        messages[i].next = free_messages;
        free_messages = &messages[i];
    }
    is_initialised = 1;
    am_barrier(); /* nobody sends to a node that is not ready */
    return MPI_SUCCESS;
}

int MPI_Finalize(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    is_initialised = 0;
    return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int status) {
    (void)comm;
    exit(status);
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
    check(comm, 0, 0);
    *size = (int)weir_nodes;
    return MPI_SUCCESS;
}
int MPI_Comm_rank(MPI_Comm comm, int* rank) {
    check(comm, 0, 0);
    *rank = (int)weir_node();
    return MPI_SUCCESS;
}
int MPI_Get_processor_name(char* name, int* length) {
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node %u", (unsigned)weir_node());
    return MPI_SUCCESS;
}
double MPI_Wtime(void) { return (double)weir_long_cycle() / (1e3 * weir_processor_khz); }
double MPI_Wtick(void) { return 1 / (1e3 * weir_processor_khz); }

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    check(comm, count, to);
    *request = (int)number_of(begin_send(data, bytes_of(count, type), to, tag, CONTEXT_PROGRAM));
    return MPI_SUCCESS;
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    check(comm, count, from);
    *request =
        (int)number_of(begin_receive(data, bytes_of(count, type), from, tag, CONTEXT_PROGRAM));
    return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    if (*request != MPI_REQUEST_NULL) {
        finish(&requests[*request], status);
        *request = MPI_REQUEST_NULL;
    }
    return MPI_SUCCESS;
}
int MPI_Waitall(int count, MPI_Request* all, MPI_Status* statuses) {
    for (int i = 0; i < count; ++i) {
        MPI_Wait(&all[i], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i]);
    }
    return MPI_SUCCESS;
}
int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status) {
    go_on();
    *is_complete = *request == MPI_REQUEST_NULL || requests[*request].state == COMPLETE;
    return *is_complete ? MPI_Wait(request, status) : MPI_SUCCESS;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    MPI_Request request;
    MPI_Isend(data, count, type, to, tag, comm, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    MPI_Request request;
    MPI_Irecv(data, count, type, from, tag, comm, &request);
    return MPI_Wait(&request, status);
}
int MPI_Sendrecv(const void* sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* received, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
    MPI_Request both[2];
    MPI_Irecv(received, count, type, from, tag, comm, &both[0]);
    MPI_Isend(sent, send_count, send_type, to, send_tag, comm, &both[1]);
    MPI_Wait(&both[0], status);
    return MPI_Wait(&both[1], MPI_STATUS_IGNORE);
}
/* Until a message that suits has come, which stays. */
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
    check(comm, 0, from);
    const struct request asked = {
        .state = POSTED, .other = from, .tag = tag, .context = CONTEXT_PROGRAM};
    while (1) {
        const uint32_t psr = hold_handlers_off();
        const struct unexpected* message = first_message;
        while (message != NULL && !suits(&asked, message->source_and_context, message->tag)) {
            message = message->next;
        }
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
        return MPI_SUCCESS;
    }
}
int MPI_Type_size(MPI_Datatype type, int* size) {
    *size = (int)bytes_of(1, type);
    return MPI_SUCCESS;
}
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
    const int bytes = type & 0xffff;
    *count = status->weir_bytes % bytes == 0 ? status->weir_bytes / bytes : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* ---- collectives, whose tags tell them apart ---- */

enum { TAG_BARRIER, TAG_BROADCAST, TAG_REDUCE, TAG_GATHER, TAG_SCATTER, TAG_EXCHANGE };

/* In round k every node hears from the one 2^k before it. */
int MPI_Barrier(MPI_Comm comm) {
    check(comm, 0, 0);
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

/* Down a binomial tree. */
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    check(comm, count, root);
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
#define COMBINE_BITS_0(a, b) (fail("bits of numbers that are not whole"), a)

static void combine(void* result, const void* other, int count, MPI_Datatype type, MPI_Op op) {
    if (op < MPI_SUM || op > MPI_BXOR) {
        fail("an operation that is not there");
    }
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
        default:
            fail("a type that is not there");
    }
}

/* Up the same tree: the order in which numbers are added is always the same. */
int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    check(comm, count, root);
    const int nodes = (int)weir_nodes;
    const int place = ((int)weir_node() - root + nodes) % nodes;
    const uint32_t bytes = bytes_of(count, type);
    char* const room = malloc(2 * (bytes + ALIGNMENT));
    if (room == NULL) {
        fail("no memory for MPI_Reduce");
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
    MPI_Reduce(own, result, count, type, op, 0, comm);
    return MPI_Bcast(result, count, type, 0, comm);
}

int MPI_Gather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
               MPI_Datatype all_type, int root, MPI_Comm comm) {
    check(comm, count, root);
    if ((int)weir_node() != root) {
        send(own, bytes_of(count, type), root, TAG_GATHER);
        return MPI_SUCCESS;
    }
    const uint32_t bytes = bytes_of(all_count, all_type);
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        char* const place = (char*)all + node * bytes;
        if ((int)node != root) {
            receive(place, bytes, (int)node, TAG_GATHER);
        } else if (own != MPI_IN_PLACE) {
            memcpy(place, own, bytes);
        }
    }
    return MPI_SUCCESS;
}

int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
                  MPI_Datatype all_type, MPI_Comm comm) {
    const void* const mine =
        own == MPI_IN_PLACE ? (char*)all + weir_node() * bytes_of(all_count, all_type) : own;
    if (weir_node() == 0 && own == MPI_IN_PLACE) {
        MPI_Gather(MPI_IN_PLACE, count, type, all, all_count, all_type, 0, comm);
    } else {
        MPI_Gather(mine, own == MPI_IN_PLACE ? all_count : count,
                   own == MPI_IN_PLACE ? all_type : type, all, all_count, all_type, 0, comm);
    }
    return MPI_Bcast(all, all_count * (int)weir_nodes, all_type, 0, comm);
}

int MPI_Scatter(const void* all, int count, MPI_Datatype type, void* own, int own_count,
                MPI_Datatype own_type, int root, MPI_Comm comm) {
    check(comm, count, root);
    if ((int)weir_node() != root) {
        receive(own, bytes_of(own_count, own_type), root, TAG_SCATTER);
        return MPI_SUCCESS;
    }
    const uint32_t bytes = bytes_of(count, type);
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        const char* const place = (const char*)all + node * bytes;
        if ((int)node != root) {
            send(place, bytes, (int)node, TAG_SCATTER);
        } else if (own != MPI_IN_PLACE) {
            memcpy(own, place, bytes);
        }
    }
    return MPI_SUCCESS;
}

static void exchange(const void* out, uint32_t out_bytes, uint32_t to, void* in, uint32_t in_bytes,
                     uint32_t from) {
    if (to == weir_node()) {
        memcpy(in, out, in_bytes);
        return;
    }
    struct request* const received =
        begin_receive(in, in_bytes, (int)from, TAG_EXCHANGE, CONTEXT_COLLECTIVE);
    send(out, out_bytes, (int)to, TAG_EXCHANGE);
    finish(received, MPI_STATUS_IGNORE);
}

/* In step k each node sends to the k-th after it. */
int MPI_Alltoall(const void* out, int count, MPI_Datatype type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm) {
    check(comm, count, 0);
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
    check(comm, 0, 0);
    for (uint32_t step = 0; step < weir_nodes; ++step) {
        const uint32_t to = (weir_node() + step) % weir_nodes;
        const uint32_t from = (weir_node() + weir_nodes - step) % weir_nodes;
        exchange((const char*)out + bytes_of(places[to], type), bytes_of(counts[to], type), to,
                 (char*)in + bytes_of(in_places[from], in_type), bytes_of(in_counts[from], in_type),
                 from);
    }
    return MPI_SUCCESS;
}
