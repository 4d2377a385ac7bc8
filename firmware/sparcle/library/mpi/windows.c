/*
 * One-sided communication. Every rank knows the addresses of all windows. A put is one active
 * message or several, whose handlers store the data. The data go by DMA where both ends begin at
 * multiples of 8 bytes, else as words.
 *
 * All other operations are messages in the window's own communicator. Their target takes them in
 * order within its MPI calls, and answers a get as by a put. The origin counts the answers, and the
 * target counts the messages that have come. A fence compares the target's count with the number of
 * messages that all origins have sent to it.
 */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/library/mpi/collective.h"

#define MOST WEIR_MPI_MOST_COMMUNICATORS
#define WORD_BYTES 4u
/* Data words of a put's message, after the window's number, the address and the bytes */
#define PIECE_WORDS (AM_MOST_ARGUMENTS - 3)
#define PIECE_BYTES (PIECE_WORDS * WORD_BYTES)
#define ALIGNMENT WEIR_DMA_ALIGNMENT
#define IS_ANSWER 0x80000000u /* flag in a word with a window's number */

enum kind { GET, ACCUMULATE, COMPARE, FLUSH, LOCK, UNLOCK, POST, COMPLETED };

/* A message; its data follow. */
struct operation {
    enum kind kind;
    char* target;   /* address in the target's window */
    uint32_t bytes; /* size of the values */
    char* result;   /* address at the origin, or NULL */
    MPI_Datatype type;
    MPI_Op op; /* or kind of lock */
};

/* A rank's part of the window. */
struct part {
    char* base;
    uint32_t bytes;
    uint32_t unit;
};

/* A get whose values are unpacked when they have come. */
struct unpacking {
    struct unpacking* next;
    void* data;
    int count;
    MPI_Datatype type;
    /* the packed values follow */
};

/* A rank that waits for the lock of this rank's window. */
struct waiting {
    struct waiting* next;
    int rank;
    int kind;
};

struct window {
    struct weir_mpi_communicator* comm;
    MPI_Comm handle;
    void* owned; /* by MPI_Win_allocate */
    int flavor;
    struct part* parts;        /* by rank */
    volatile uint32_t arrived; /* number of put messages that have been stored here */
    uint32_t served;           /* number of operations that have been taken here */
    uint32_t* sent;            /* by rank: number of messages for it */
    volatile uint32_t answered;
    uint32_t expected_answers;
    struct unpacking* unpackings;
    /* Operation that is being received */
    struct weir_mpi_request* incoming;
    struct operation* operation;
    int source;
    /* Access epochs */
    int is_fenced;
    unsigned char* is_open; /* by rank: locked, or started */
    uint32_t* posts;        /* by rank: number of posts that have come, less those that started */
    int* started;           /* ranks of the group of MPI_Win_start */
    int started_count;
    uint32_t completions; /* number of origins whose accesses to this window have ended */
    uint32_t expected_completions;
    /* Lock of this rank's window */
    int holders; /* number of shared holders; -1: one exclusive */
    struct waiting* first_waiting;
};

static struct window* windows[MOST];

static struct window* window_of(MPI_Win win) {
    return (uint32_t)win - 1 < MOST ? windows[win - 1] : NULL;
}

/* ---- stores into memory of other nodes ---- */

static uint32_t body_bytes(const char* from, const char* to, uint32_t bytes) {
    return (((uint32_t)from | (uint32_t)to) & (ALIGNMENT - 1)) == 0 ? bytes & -ALIGNMENT : 0;
}
/* Number of messages of such a store */
static uint32_t message_count(const char* from, const char* to, uint32_t bytes) {
    const uint32_t body = body_bytes(from, to, bytes);
    return (body != 0) + (bytes - body + PIECE_BYTES - 1) / PIECE_BYTES;
}

static void count_arrival(uint32_t window_and_flag) {
    struct window* const window = windows[window_and_flag & ~IS_ANSWER];
    if ((window_and_flag & IS_ANSWER) != 0) {
        window->answered += 1;
    } else {
        window->arrived += 1;
    }
    NOTE_NEWS();
}
/* Handlers: (window and flag, address, bytes, ...), and (window and flag, address) with a body */
static void arrive_piece(void) {
    const uint32_t bytes = am_argument(2);
    char* const to = (char*)am_argument(1);
    for (uint32_t i = 0; i < bytes; i += WORD_BYTES) {
        const uint32_t word = am_argument(3 + i / WORD_BYTES);
        memcpy(to + i, &word, bytes - i < WORD_BYTES ? bytes - i : WORD_BYTES);
    }
    count_arrival(am_argument(0));
}
static void arrive_body(void) {
    static volatile uint32_t stored;
    am_receive_body_blocking((void*)am_argument(1), &stored);
    count_arrival(am_argument(0));
}
static void count_answer(uint32_t window) {
    windows[window]->answered += 1;
    NOTE_NEWS();
}
static void arrive_answer(void) { count_answer(am_argument(0)); }

#ifdef WEIR_RANKS
/* Stores into the memory of a rank of this node, which counts as many messages as between nodes. */
static void store_on_node(uint32_t rank, uint32_t number, char* to, const char* from,
                          uint32_t bytes) {
    memcpy(to, from, bytes);
    const uint32_t psr = hold_handlers_off();
    for (uint32_t left = message_count(from, to, bytes); left != 0; --left) {
        WEIR_OF_RANK(count_arrival, rank)(number);
    }
    let_handlers_come(psr);
}
#endif

static void store_there(const struct window* window, int rank, uint32_t flag, char* to,
                        const char* from, uint32_t bytes) {
    const uint32_t node = (uint32_t)weir_mpi_node_of(window->comm, rank);
    const uint32_t number = (window->comm->context / 2) | flag;
#ifdef WEIR_RANKS
    if (weir_is_on_node((int)node)) {
        store_on_node(node, number, to, from, bytes);
        return;
    }
#endif
    const uint32_t body = body_bytes(from, to, bytes);
    for (uint32_t offset = body; offset < bytes;) {
        const uint32_t part = bytes - offset < PIECE_BYTES ? bytes - offset : PIECE_BYTES;
        uint32_t words[AM_MOST_ARGUMENTS];
        words[0] = number;
        words[1] = (uint32_t)to + offset;
        words[2] = part;
        memcpy(words + 3, from + offset, part);
        am_wait_for_room(AM_MOST_ARGUMENTS);
        am_send(weir_node_of_rank(node), WEIR_OF_RANK(arrive_piece, node),
                3 + (part + WORD_BYTES - 1) / WORD_BYTES, words);
        offset += part;
    }
    if (body != 0) {
        am_wait_for_room(4);
        am_send_body_2(weir_node_of_rank(node), WEIR_OF_RANK(arrive_body, node), number,
                       (uint32_t)to, from, body);
        am_wait_body_sent();
    }
}

static void answer(const struct window* window, int rank) {
    am_wait_for_room(1);
    const uint32_t node = (uint32_t)weir_mpi_node_of(window->comm, rank);
#ifdef WEIR_RANKS
    if (weir_is_on_node((int)node)) {
        const uint32_t psr = hold_handlers_off();
        WEIR_OF_RANK(count_answer, node)(window->comm->context / 2);
        let_handlers_come(psr);
        return;
    }
#endif
    am_send_1(weir_node_of_rank(node), WEIR_OF_RANK(arrive_answer, node),
              window->comm->context / 2);
}

/* ---- operations at their target ---- */

static uint32_t bytes_each(MPI_Datatype type) { return (uint32_t)weir_mpi_extent_of(type); }

/* Whether a rank may have the lock now */
static int is_free_for(const struct window* window, int kind) {
    return window->holders == 0 || (window->holders > 0 && kind == MPI_LOCK_SHARED);
}
static void give_locks(struct window* window) {
    while (window->first_waiting != NULL && is_free_for(window, window->first_waiting->kind)) {
        struct waiting* const first = window->first_waiting;
        window->holders = first->kind == MPI_LOCK_EXCLUSIVE ? -1 : window->holders + 1;
        window->first_waiting = first->next;
        answer(window, first->rank);
        free(first);
    }
}
static void queue_for_lock(struct window* window, int rank, int kind) {
    struct waiting** last = &window->first_waiting;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = weir_mpi_memory(sizeof **last);
    **last = (struct waiting){NULL, rank, kind};
    give_locks(window);
}

/* The old values go to the origin, if it asks for them; own: the origin is this rank. */
static void tell_old(const struct window* window, const struct operation* operation, int rank,
                     int is_own) {
    if (operation->result == NULL) {
        return;
    }
    if (is_own) {
        memcpy(operation->result, operation->target, operation->bytes);
    } else {
        store_there(window, rank, IS_ANSWER, operation->result, operation->target,
                    operation->bytes);
    }
}

static void change(const struct window* window, const struct operation* operation, const char* data,
                   int rank, int is_own) {
    const uint32_t each = bytes_each(operation->type);
    tell_old(window, operation, rank, is_own);
    if (operation->op == MPI_REPLACE) {
        memcpy(operation->target, data, operation->bytes);
    } else if (operation->kind == ACCUMULATE && operation->op != MPI_NO_OP) {
        /* The operation's first operand is the window's value; the result is in the second one. */
        char* const inout = weir_mpi_memory(operation->bytes);
        memcpy(inout, data, operation->bytes);
        weir_mpi_combine(operation->target, inout, (int)(operation->bytes / each), operation->type,
                         operation->op);
        memcpy(operation->target, inout, operation->bytes);
        free(inout);
    } else if (operation->kind == COMPARE &&
               memcmp(operation->target, data, operation->bytes) == 0) {
        memcpy(operation->target, data + operation->bytes, operation->bytes);
    }
}

static void serve(struct window* window) {
    const struct operation* const operation = window->operation;
    const int rank = window->source;
    switch (operation->kind) {
        case GET:
            tell_old(window, operation, rank, 0);
            break;
        case ACCUMULATE:
        case COMPARE:
            change(window, operation, (const char*)(operation + 1), rank, 0);
            break;
        case FLUSH:
            answer(window, rank);
            break;
        case LOCK:
            queue_for_lock(window, rank, operation->op);
            break;
        case UNLOCK:
            window->holders = window->holders < 0 ? 0 : window->holders - 1;
            answer(window, rank);
            give_locks(window);
            break;
        case POST:
            window->posts[rank] += 1;
            break;
        default:
            window->completions += 1;
    }
    window->served += 1;
}

/* Stores nothing while there is nothing to do: a run whose nodes store nothing is recognised as
 * deadlocked. */
static void progress(void) {
    for (int i = 0; i < MOST; ++i) {
        struct window* const window = windows[i];
        if (window == NULL) {
            continue;
        }
        int node;
        int tag;
        uint32_t bytes;
        while (window->incoming != NULL || weir_mpi_find_kept(window->comm->context, MPI_ANY_SOURCE,
                                                              MPI_ANY_TAG, &node, &tag, &bytes)) {
            if (window->incoming == NULL) {
                window->operation = weir_mpi_memory(bytes);
                window->source = weir_mpi_rank_of(window->comm, node);
                window->incoming = weir_mpi_begin_receive(window->operation, bytes, node, tag,
                                                          window->comm->context);
            }
            if (window->incoming->state != COMPLETE) {
                break;
            }
            (void)weir_mpi_finish(window->incoming, MPI_STATUS_IGNORE);
            window->incoming = NULL;
            serve(window);
            free(window->operation);
        }
    }
}

/* ---- operations at their origin ---- */

static void send_operation(struct window* window, int rank, const struct operation* operation,
                           const void* data, uint32_t bytes) {
    char* const message = weir_mpi_memory(sizeof *operation + bytes);
    memcpy(message, operation, sizeof *operation);
    if (bytes != 0) {
        memcpy(message + sizeof *operation, data, bytes);
    }
    window->sent[rank] += 1;
    struct weir_mpi_request* const request =
        weir_mpi_begin_send(message, sizeof *operation + bytes,
                            weir_mpi_node_of(window->comm, rank), 0, window->comm->context);
    weir_mpi_extra_of(request)->owned = message;
    weir_mpi_detach(request);
}
static void send_plain(struct window* window, int rank, enum kind kind, int lock) {
    const struct operation operation = {kind, NULL, 0, NULL, MPI_BYTE, lock};
    send_operation(window, rank, &operation, NULL, 0);
}
static void ask(struct window* window, int rank, enum kind kind, int lock) {
    window->expected_answers += 1;
    send_plain(window, rank, kind, lock);
}

/* Waits for all answers, and unpacks the values of gets. */
static void take_answers(struct window* window) {
    while (window->answered != window->expected_answers) {
        weir_mpi_go_on();
    }
    while (window->unpackings != NULL) {
        struct unpacking* const first = window->unpackings;
        weir_mpi_unpack(first->data, first + 1, weir_mpi_bytes_of(first->count, first->type),
                        first->type);
        window->unpackings = first->next;
        free(first);
    }
}

static int check_window(MPI_Win win, struct window** window) {
    weir_mpi_check_running();
    *window = window_of(win);
    return *window != NULL ? MPI_SUCCESS
                           : ERROR(NULL, MPI_ERR_WIN,
                                   "there is no window %d; accepted: one that a call has made and "
                                   "none has freed",
                                   win);
}

/* An access to a rank's window. */
struct access {
    struct window* window;
    int rank;
    int is_own;
    char* target;
    int count;
    MPI_Datatype type;
};

/* Checks an access; *is_none: the rank is MPI_PROC_NULL. */
static int check_access(struct access* access, MPI_Win win, MPI_Aint place, int* is_none) {
    CHECK(check_window(win, &access->window));
    struct window* const window = access->window;
    const struct weir_mpi_communicator* const comm = window->comm;
    *is_none = access->rank == MPI_PROC_NULL;
    if (*is_none) {
        return MPI_SUCCESS;
    }
    CHECK(weir_mpi_check_rank(comm, access->rank));
    CHECK(weir_mpi_check_data(comm, window, access->count, access->type));
    if (!window->is_fenced && !window->is_open[access->rank]) {
        return ERROR(comm, MPI_ERR_RMA_SYNC,
                     "no epoch is open for rank %d; accepted: an access after MPI_Win_fence, "
                     "MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all",
                     access->rank);
    }
    const struct part* const part = &window->parts[access->rank];
    const struct weir_mpi_type* const type = weir_mpi_type_of(access->type);
    const long long begin = (long long)place * part->unit + type->true_lower;
    const long long end = begin + (long long)(access->count - 1) * type->extent + type->true_extent;
    if (place < 0 || begin < 0 || (access->count > 0 && end > part->bytes)) {
        return ERROR(comm, MPI_ERR_RMA_RANGE,
                     "%d values from place %d on are outside of the window of rank %d, which has "
                     "%d bytes in units of %d",
                     access->count, (int)place, access->rank, (int)part->bytes, (int)part->unit);
    }
    access->target = part->base + (uint32_t)place * part->unit;
    access->is_own = access->rank == comm->rank;
    return MPI_SUCCESS;
}

/* Calls the function for each block of the access, with the offset of its values in the packed
 * data. */
static void for_each_block(const struct access* access,
                           void (*function)(const struct access* access, char* target,
                                            uint32_t bytes, MPI_Datatype kind, void* context,
                                            uint32_t offset),
                           void* context) {
    const struct weir_mpi_type* const type = weir_mpi_type_of(access->type);
    uint32_t offset = 0;
    if (type->is_dense && type->block_count == 1) {
        if (access->count > 0) {
            function(access, access->target, (uint32_t)access->count * type->size,
                     type->blocks[0].kind, context, 0);
        }
        return;
    }
    for (int i = 0; i < access->count; ++i) {
        for (uint32_t b = 0; b < type->block_count; ++b) {
            function(access, access->target + i * type->extent + type->blocks[b].offset,
                     type->blocks[b].bytes, type->blocks[b].kind, context, offset);
            offset += type->blocks[b].bytes;
        }
    }
}

static int check_equal_bytes(const struct access* access, uint32_t bytes) {
    const uint32_t there = weir_mpi_bytes_of(access->count, access->type);
    return bytes == there ? MPI_SUCCESS
                          : ERROR(access->window->comm, MPI_ERR_TRUNCATE,
                                  "its values have %d bytes, and those of the target %d; accepted: "
                                  "the same",
                                  (int)bytes, (int)there);
}

static void put_block(const struct access* access, char* target, uint32_t bytes, MPI_Datatype kind,
                      void* context, uint32_t offset) {
    const char* const from = (const char*)context + offset;
    (void)kind;
    if (access->is_own) {
        memcpy(target, from, bytes);
        return;
    }
    access->window->sent[access->rank] += message_count(from, target, bytes);
    store_there(access->window, access->rank, 0, target, from, bytes);
}

int MPI_Put(const void* own, int count, MPI_Datatype type, int rank, MPI_Aint place,
            int there_count, MPI_Datatype there_type, MPI_Win win) {
    struct access access = {.rank = rank, .count = there_count, .type = there_type};
    int is_none;
    CHECK(check_access(&access, win, place, &is_none));
    CHECK(weir_mpi_check_data(access.window->comm, own, count, type));
    if (is_none) {
        return MPI_SUCCESS;
    }
    const struct weir_mpi_view view = weir_mpi_view_of(own, count, type, 1);
    CHECK(check_equal_bytes(&access, view.bytes));
    for_each_block(&access, put_block, view.data);
    free(view.owned);
    return MPI_SUCCESS;
}

static void get_block(const struct access* access, char* target, uint32_t bytes, MPI_Datatype kind,
                      void* context, uint32_t offset) {
    char* const to = (char*)context + offset;
    if (access->is_own) {
        memcpy(to, target, bytes);
        return;
    }
    const struct operation operation = {GET, target, bytes, to, kind, MPI_NO_OP};
    access->window->expected_answers += message_count(target, to, bytes);
    send_operation(access->window, access->rank, &operation, NULL, 0);
}

/* Place for values that are unpacked when all answers have come; the values' own place if they are
 * dense. */
static char* place_for(struct window* window, void* data, int count, MPI_Datatype type) {
    if (weir_mpi_is_dense(type)) {
        return data;
    }
    struct unpacking* const made = weir_mpi_memory(sizeof *made + weir_mpi_bytes_of(count, type));
    *made = (struct unpacking){window->unpackings, data, count, type};
    window->unpackings = made;
    return (char*)(made + 1);
}

int MPI_Get(void* own, int count, MPI_Datatype type, int rank, MPI_Aint place, int there_count,
            MPI_Datatype there_type, MPI_Win win) {
    struct access access = {.rank = rank, .count = there_count, .type = there_type};
    int is_none;
    CHECK(check_access(&access, win, place, &is_none));
    CHECK(weir_mpi_check_data(access.window->comm, own, count, type));
    if (is_none) {
        return MPI_SUCCESS;
    }
    CHECK(check_equal_bytes(&access, weir_mpi_bytes_of(count, type)));
    for_each_block(&access, get_block, place_for(access.window, own, count, type));
    return MPI_SUCCESS;
}

/* Data of an accumulation */
struct change {
    const char* data; /* packed; NULL: there are none */
    char* result;     /* packed; NULL: none */
    MPI_Op op;
};

static void change_values(const struct access* access, char* target, uint32_t bytes,
                          MPI_Datatype type, const struct change* what, uint32_t offset) {
    const struct operation operation = {
        ACCUMULATE, target,  bytes, what->result == NULL ? NULL : what->result + offset,
        type,       what->op};
    const char* const data = what->data == NULL ? target : what->data + offset;
    if (access->is_own) {
        change(access->window, &operation, data, access->rank, 1);
        return;
    }
    if (operation.result != NULL) {
        access->window->expected_answers += message_count(target, operation.result, bytes);
    }
    /* An operation without data (MPI_NO_OP) still says how many bytes it is for. */
    send_operation(access->window, access->rank, &operation, data, what->data == NULL ? 0 : bytes);
}
static void change_block(const struct access* access, char* target, uint32_t bytes,
                         MPI_Datatype kind, void* context, uint32_t offset) {
    change_values(access, target, bytes, kind, context, offset);
}

static int accumulate(const void* own, int count, MPI_Datatype type, void* result, int result_count,
                      MPI_Datatype result_type, struct access* access, MPI_Op op) {
    const struct weir_mpi_communicator* const comm = access->window->comm;
    const int has_data = op != MPI_NO_OP;
    struct change what = {NULL, NULL, op};
    /* A pair's values are combined together, so that they travel with their gaps. */
    const int is_pair = access->type >= MPI_2INT && access->type <= MPI_LONG_DOUBLE_INT;
    struct weir_mpi_view view = {NULL, 0, NULL};
    if (op >= MPI_NO_OP + 1) {
        return ERROR(comm, MPI_ERR_OP, "operation %d is not of mpi.h; accepted: those of mpi.h",
                     op);
    }
    if (weir_mpi_is_basic(access->type) || is_pair) {
        CHECK(weir_mpi_check_operation(comm, op, access->type));
    }
    if (has_data) {
        CHECK(weir_mpi_check_data(comm, own, count, type));
        CHECK(check_equal_bytes(access, weir_mpi_bytes_of(count, type)));
        if (!is_pair) {
            view = weir_mpi_view_of(own, count, type, 1);
        }
        what.data = is_pair ? own : view.data;
    }
    if (result != NULL) {
        CHECK(weir_mpi_check_data(comm, result, result_count, result_type));
        CHECK(check_equal_bytes(access, weir_mpi_bytes_of(result_count, result_type)));
        what.result =
            is_pair ? result : place_for(access->window, result, result_count, result_type);
    }
    if (is_pair) {
        change_values(access, access->target, (uint32_t)access->count * bytes_each(access->type),
                      access->type, &what, 0);
    } else {
        for_each_block(access, change_block, &what);
    }
    free(view.owned);
    return MPI_SUCCESS;
}

int MPI_Accumulate(const void* own, int count, MPI_Datatype type, int rank, MPI_Aint place,
                   int there_count, MPI_Datatype there_type, MPI_Op op, MPI_Win win) {
    struct access access = {.rank = rank, .count = there_count, .type = there_type};
    int is_none;
    CHECK(check_access(&access, win, place, &is_none));
    if (!is_none) {
        CHECK(accumulate(own, count, type, NULL, 0, MPI_BYTE, &access, op));
    }
    return MPI_SUCCESS;
}
int MPI_Get_accumulate(const void* own, int count, MPI_Datatype type, void* result,
                       int result_count, MPI_Datatype result_type, int rank, MPI_Aint place,
                       int there_count, MPI_Datatype there_type, MPI_Op op, MPI_Win win) {
    struct access access = {.rank = rank, .count = there_count, .type = there_type};
    int is_none;
    CHECK(check_access(&access, win, place, &is_none));
    CHECK(weir_mpi_check_result(access.window->comm, result));
    if (!is_none) {
        CHECK(accumulate(own, count, type, result, result_count, result_type, &access, op));
    }
    return MPI_SUCCESS;
}
int MPI_Fetch_and_op(const void* own, void* result, MPI_Datatype type, int rank, MPI_Aint place,
                     MPI_Op op, MPI_Win win) {
    CHECK(MPI_Get_accumulate(own, 1, type, result, 1, type, rank, place, 1, type, op, win));
    return MPI_SUCCESS;
}
int MPI_Compare_and_swap(const void* own, const void* compared, void* result, MPI_Datatype type,
                         int rank, MPI_Aint place, MPI_Win win) {
    struct access access = {.rank = rank, .count = 1, .type = type};
    char data[2 * 16];
    int is_none;
    CHECK(check_access(&access, win, place, &is_none));
    const struct weir_mpi_communicator* const comm = access.window->comm;
    CHECK(weir_mpi_check_result(comm, own));
    CHECK(weir_mpi_check_result(comm, compared));
    CHECK(weir_mpi_check_result(comm, result));
    if (is_none) {
        return MPI_SUCCESS;
    }
    if (!weir_mpi_is_basic(type)) {
        return ERROR(comm, MPI_ERR_TYPE, "datatype %d is not basic; accepted: a type of mpi.h",
                     type);
    }
    const uint32_t bytes = weir_mpi_bytes_of(1, type);
    memcpy(data, compared, bytes);
    memcpy(data + bytes, own, bytes);
    const struct operation operation = {COMPARE, access.target, bytes, result, type, MPI_NO_OP};
    if (access.is_own) {
        change(access.window, &operation, data, rank, 1);
        return MPI_SUCCESS;
    }
    access.window->expected_answers += message_count(access.target, result, bytes);
    send_operation(access.window, rank, &operation, data, 2 * bytes);
    return MPI_SUCCESS;
}

/* ---- windows ---- */

static int make_window(void* base, MPI_Aint bytes, int unit, MPI_Comm handle, MPI_Win* win,
                       int flavor) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, win));
    if (bytes < 0 || unit < 1) {
        return ERROR(comm, bytes < 0 ? MPI_ERR_SIZE : MPI_ERR_DISP,
                     "its window has %d bytes in units of %d; accepted: 0 or more, and 1 or more",
                     (int)bytes, unit);
    }
    MPI_Comm own;
    CHECK(MPI_Comm_dup(handle, &own));
    const uint32_t size = (uint32_t)comm->size;
    struct window* const window = weir_mpi_memory(sizeof *window);
    *window = (struct window){.comm = weir_mpi_communicators[own - 1],
                              .handle = own,
                              .flavor = flavor,
                              .owned = flavor == MPI_WIN_FLAVOR_ALLOCATE ? base : NULL};
    window->parts = weir_mpi_memory(size * sizeof *window->parts);
    window->sent = weir_mpi_memory(size * sizeof *window->sent);
    window->posts = weir_mpi_memory(size * sizeof *window->posts);
    window->is_open = weir_mpi_memory(size);
    memset(window->sent, 0, size * sizeof *window->sent);
    memset(window->posts, 0, size * sizeof *window->posts);
    memset(window->is_open, 0, size);
    windows[own - 1] = window;
    weir_mpi_state.window_progress = progress;
    weir_mpi_state.has_progress = 1;
    struct part* const part = &window->parts[comm->rank];
    *part = (struct part){base, (uint32_t)bytes, (uint32_t)unit};
    struct weir_mpi_collective collective;
    weir_mpi_begin(&collective, window->comm, OPERATION_Comm_create);
    weir_mpi_allgather(&collective, window->parts, sizeof *part);
    CHECK(weir_mpi_end(&collective));
    *win = own;
    return MPI_SUCCESS;
}
int MPI_Win_create(void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* win) {
    (void)info;
    CHECK(make_window(base, bytes, unit, comm, win, MPI_WIN_FLAVOR_CREATE));
    return MPI_SUCCESS;
}
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* win) {
    (void)info;
    CHECK(weir_mpi_check_result(NULL, base));
    void* const memory = bytes < 0 ? NULL : weir_mpi_memory((uint32_t)bytes);
    *(void**)base = memory;
    CHECK(make_window(memory, bytes, unit, comm, win, MPI_WIN_FLAVOR_ALLOCATE));
    return MPI_SUCCESS;
}
/* Places in a dynamic window are addresses (MPI_Get_address). A node's whole memory can be reached,
 * so that attaching has nothing to prepare. */
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
    (void)info;
    CHECK(make_window(NULL, INT_MAX, 1, comm, win, MPI_WIN_FLAVOR_DYNAMIC));
    return MPI_SUCCESS;
}
static int check_dynamic(MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    return window->flavor == MPI_WIN_FLAVOR_DYNAMIC
               ? MPI_SUCCESS
               : ERROR(window->comm, MPI_ERR_WIN,
                       "window %d has memory of its own; accepted: one of MPI_Win_create_dynamic",
                       win);
}
int MPI_Win_attach(MPI_Win win, void* base, MPI_Aint bytes) {
    CHECK(check_dynamic(win));
    if (bytes < 0 || (base == NULL && bytes != 0)) {
        return ERROR(NULL, MPI_ERR_SIZE, "it attaches %d bytes; accepted: 0 or more, at an address",
                     (int)bytes);
    }
    return MPI_SUCCESS;
}
int MPI_Win_detach(MPI_Win win, const void* base) {
    (void)base;
    CHECK(check_dynamic(win));
    return MPI_SUCCESS;
}
int MPI_Win_free(MPI_Win* win) {
    struct window* window;
    CHECK(weir_mpi_check_result(NULL, win));
    CHECK(check_window(*win, &window));
    take_answers(window);
    CHECK(MPI_Barrier(window->handle));
    windows[*win - 1] = NULL;
    CHECK(MPI_Comm_free(&window->handle));
    free(window->owned);
    free(window->parts);
    free(window->sent);
    free(window->posts);
    free(window->is_open);
    free(window);
    *win = MPI_WIN_NULL;
    return MPI_SUCCESS;
}
int MPI_Win_get_group(MPI_Win win, MPI_Group* group) {
    struct window* window;
    CHECK(check_window(win, &window));
    CHECK(MPI_Comm_group(window->handle, group));
    return MPI_SUCCESS;
}
int MPI_Win_get_attr(MPI_Win win, int key, void* value, int* is_there) {
    static MPI_Aint size;
    static int unit;
    static int model = MPI_WIN_UNIFIED;
    struct window* window;
    CHECK(check_window(win, &window));
    CHECK(weir_mpi_check_result(window->comm, value));
    CHECK(weir_mpi_check_result(window->comm, is_there));
    const struct part* const own = &window->parts[window->comm->rank];
    *is_there = 1;
    switch (key) {
        case MPI_WIN_BASE:
            *(void**)value = own->base;
            break;
        case MPI_WIN_SIZE:
            size = (MPI_Aint)own->bytes;
            *(MPI_Aint**)value = &size;
            break;
        case MPI_WIN_DISP_UNIT:
            unit = (int)own->unit;
            *(int**)value = &unit;
            break;
        case MPI_WIN_CREATE_FLAVOR:
            *(int**)value = &window->flavor;
            break;
        case MPI_WIN_MODEL:
            *(int**)value = &model;
            break;
        default:
            *is_there = 0;
    }
    return MPI_SUCCESS;
}

/* ---- synchronization ---- */

int MPI_Win_fence(int modes, MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    uint32_t expected = 0;
    take_answers(window);
    CHECK(MPI_Reduce_scatter_block(window->sent, &expected, 1, MPI_UNSIGNED, MPI_SUM,
                                   window->handle));
    while (window->arrived + window->served != expected) {
        weir_mpi_go_on();
    }
    /* No rank begins the next epoch before the last one has ended here. */
    CHECK(MPI_Barrier(window->handle));
    window->is_fenced = (modes & MPI_MODE_NOSUCCEED) == 0;
    return MPI_SUCCESS;
}

/* Ranks of the group in the window's communicator. */
static int ranks_of(const struct window* window, MPI_Group group, int** ranks, int* count) {
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_group(group, &found));
    *ranks = weir_mpi_memory((uint32_t)found->size * sizeof **ranks);
    *count = found->size;
    for (int i = 0; i < found->size; ++i) {
        (*ranks)[i] = weir_mpi_rank_of(window->comm, found->nodes[i]);
        if ((*ranks)[i] == MPI_UNDEFINED) {
            free(*ranks);
            return ERROR(window->comm, MPI_ERR_GROUP,
                         "member %d of the group is not in the window's group", i);
        }
    }
    return MPI_SUCCESS;
}

int MPI_Win_post(MPI_Group group, int modes, MPI_Win win) {
    struct window* window;
    int* ranks;
    int count;
    (void)modes;
    CHECK(check_window(win, &window));
    CHECK(ranks_of(window, group, &ranks, &count));
    for (int i = 0; i < count; ++i) {
        send_plain(window, ranks[i], POST, 0);
    }
    window->expected_completions += (uint32_t)count;
    free(ranks);
    return MPI_SUCCESS;
}
int MPI_Win_start(MPI_Group group, int modes, MPI_Win win) {
    struct window* window;
    (void)modes;
    CHECK(check_window(win, &window));
    CHECK(ranks_of(window, group, &window->started, &window->started_count));
    for (int i = 0; i < window->started_count; ++i) {
        const int rank = window->started[i];
        while (window->posts[rank] == 0) {
            weir_mpi_go_on();
        }
        window->posts[rank] -= 1;
        window->is_open[rank] = 1;
    }
    return MPI_SUCCESS;
}
int MPI_Win_complete(MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    if (window->started == NULL) {
        return ERROR(window->comm, MPI_ERR_RMA_SYNC, "MPI_Win_start was not called before");
    }
    take_answers(window);
    for (int i = 0; i < window->started_count; ++i) {
        window->is_open[window->started[i]] = 0;
        send_plain(window, window->started[i], COMPLETED, 0);
    }
    free(window->started);
    window->started = NULL;
    return MPI_SUCCESS;
}
int MPI_Win_wait(MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    while (window->completions != window->expected_completions) {
        weir_mpi_go_on();
    }
    return MPI_SUCCESS;
}
int MPI_Win_test(MPI_Win win, int* is_complete) {
    struct window* window;
    CHECK(check_window(win, &window));
    CHECK(weir_mpi_check_result(window->comm, is_complete));
    weir_mpi_go_on();
    *is_complete = window->completions == window->expected_completions;
    return MPI_SUCCESS;
}

int MPI_Win_lock(int kind, int rank, int modes, MPI_Win win) {
    struct window* window;
    (void)modes;
    CHECK(check_window(win, &window));
    CHECK(weir_mpi_check_rank(window->comm, rank));
    if (kind != MPI_LOCK_EXCLUSIVE && kind != MPI_LOCK_SHARED) {
        return ERROR(window->comm, MPI_ERR_LOCKTYPE,
                     "its lock is %d; accepted: MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED", kind);
    }
    if (window->is_open[rank]) {
        return ERROR(window->comm, MPI_ERR_RMA_SYNC, "rank %d is locked or started already", rank);
    }
    ask(window, rank, LOCK, kind);
    take_answers(window);
    window->is_open[rank] = 1;
    return MPI_SUCCESS;
}
int MPI_Win_lock_all(int modes, MPI_Win win) {
    struct window* window;
    (void)modes;
    CHECK(check_window(win, &window));
    for (int rank = 0; rank < window->comm->size; ++rank) {
        ask(window, rank, LOCK, MPI_LOCK_SHARED);
        window->is_open[rank] = 1;
    }
    take_answers(window);
    return MPI_SUCCESS;
}
/* The answers of unlocking and flushing come after all that was sent before. */
static int check_open(const struct window* window, int rank) {
    CHECK(weir_mpi_check_rank(window->comm, rank));
    return window->is_open[rank]
               ? MPI_SUCCESS
               : ERROR(window->comm, MPI_ERR_RMA_SYNC,
                       "rank %d is not locked; accepted: a call after MPI_Win_lock", rank);
}
int MPI_Win_unlock(int rank, MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    CHECK(check_open(window, rank));
    take_answers(window);
    ask(window, rank, UNLOCK, 0);
    take_answers(window);
    window->is_open[rank] = 0;
    return MPI_SUCCESS;
}
int MPI_Win_unlock_all(MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    take_answers(window);
    for (int rank = 0; rank < window->comm->size; ++rank) {
        CHECK(check_open(window, rank));
        ask(window, rank, UNLOCK, 0);
        window->is_open[rank] = 0;
    }
    take_answers(window);
    return MPI_SUCCESS;
}
int MPI_Win_flush(int rank, MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    CHECK(check_open(window, rank));
    ask(window, rank, FLUSH, 0);
    take_answers(window);
    return MPI_SUCCESS;
}
int MPI_Win_flush_all(MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    for (int rank = 0; rank < window->comm->size; ++rank) {
        CHECK(check_open(window, rank));
        ask(window, rank, FLUSH, 0);
    }
    take_answers(window);
    return MPI_SUCCESS;
}
/* A put's data have left memory when its call returns. */
int MPI_Win_flush_local(int rank, MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    CHECK(check_open(window, rank));
    take_answers(window);
    return MPI_SUCCESS;
}
int MPI_Win_flush_local_all(MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    take_answers(window);
    return MPI_SUCCESS;
}
/* A window has one copy in memory. */
int MPI_Win_sync(MPI_Win win) {
    struct window* window;
    CHECK(check_window(win, &window));
    weir_mpi_go_on();
    return MPI_SUCCESS;
}
