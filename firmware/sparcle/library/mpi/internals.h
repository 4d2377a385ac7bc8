/*
 * Declarations that the files of MPI share. The library's own names begin with weir_mpi, so that a
 * program may use all others.
 *
 * Every MPI function keeps its stack frame until it returns, because error messages name the call
 * that has led to the error. Tail calls are therefore disabled, except in messages.c, which has
 * none of these functions.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_INTERNALS_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_INTERNALS_H

#ifndef WEIR_MPI_HAS_TAIL_CALLS
#pragma GCC optimize("no-optimize-sibling-calls")
#endif

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/sparcle/library/include/mpi.h"
#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/library/mpi/state.h"
#include "firmware/sparcle/library/ranks.h"

/* ---- messages.c: messages between nodes, and requests ---- */

/* A message carries node and context of its sender in one word. Context 2 * n has the messages of
 * the program in communicator n, and context 2 * n + 1 those of its collectives. */
#define WEIR_MPI_SOURCE_SHIFT 12
#define WEIR_MPI_CONTEXT_MASK 0xfffu

enum weir_mpi_request_state {
    FREE,
    POSTED = WEIR_MPI_POSTED, /* a receive without a matching message */
    ASKED = WEIR_MPI_ASKED,   /* a send that waits for the answer to its question */
    LET,                      /* a send that has its answer */
    ARRIVING,                 /* a receive whose sender has its answer */
    COMPLETE,
    QUEUED = WEIR_MPI_QUEUED, /* a send that may not ask yet, or waits for memory at its node */
    STEPPING                  /* a nonblocking collective */
};

/* Part of a request that few requests have. */
struct weir_mpi_extra {
    int error;
    int is_detached; /* released when complete, because no call will wait for it */
    int is_cancelled;
    int is_truncated; /* the receive is too short for its message: its capacity follows */
    uint32_t capacity;
    void* owned; /* memory to free when the request completes */
    /* Values to unpack when the request completes: from owned; type 0: none */
    void* place;
    int count;
    MPI_Datatype type;
    uint32_t* in_use; /* bytes in the attached buffer, and this message's part of them */
    uint32_t used;
    struct weir_mpi_collective* collective;
};

/* The host reads the first words of a request (state.h). */
struct weir_mpi_request {
    volatile uint32_t state;
    uint32_t order; /* number of the receive in the order of posting, in which receives match */
    void* data;
    uint32_t bytes; /* bytes to send, or the capacity of a receive */
    int other;      /* node of the sender or the receiver */
    int tag;
    uint32_t context;
    /* Number of the other node's request; a receive adds the flags IS_ALIGNED and IS_ASKED, or has
     * TOLD. */
    uint32_t others_request;
    /* Receive: number of bytes that are still to arrive as words. Send: nonzero if the message may
     * not leave before its receive is posted. */
    volatile uint32_t left;
    /* Receive: 1 if its body is in memory or it has none; send: destination address. */
    volatile uint32_t stored;
    uint32_t came; /* bytes of the received message */
    struct weir_mpi_request* next_queued;
    struct weir_mpi_extra* extra; /* NULL: none */
};

/* State of the messages on this node, in one object, so that one register addresses all of it. */
struct weir_mpi_state {
    uint32_t told_to_host[WEIR_MPI_STATE_WORDS]; /* state.h */
    struct weir_mpi_unexpected* first_message;
    struct weir_mpi_unexpected* last_message;
    struct weir_mpi_unexpected* free_messages;
    /* Nonzero if is_indexed, the reserve is in use, ranks are stopped (ranks_told) or sends are
     * queued. May stay nonzero after the last of these conditions. */
    uint32_t is_unusual;
    uint32_t is_indexed;
    uint32_t ranks_told;                   /* number of nodes that this node has stopped */
    struct weir_mpi_request* first_queued; /* list of queued sends, in order */
    struct weir_mpi_request* end_of_used;  /* end of the requests used so far */
    uint32_t posted;
    uint32_t arriving;                 /* number of receives whose data are in flight */
    volatile uint32_t attention;       /* nonzero: some request may be able to continue */
    volatile uint32_t ranks_that_stop; /* number of nodes that have stopped this node */
    uint32_t detached;                 /* number of detached requests */
    uint32_t has_progress;             /* nonzero: one of the next two is not NULL */
    /* Progress of nonblocking collectives, and of windows; NULL: none so far */
    void (*collective_progress)(void);
    void (*window_progress)(void);
#ifdef WEIR_RANKS
    /* Nonzero: something has come, or a request has completed, since the last call of
     * weir_mpi_continue(). */
    volatile uint32_t news;
#endif
};
extern struct weir_mpi_state weir_mpi_state;
#ifdef WEIR_RANKS
#define NOTE_NEWS() (weir_mpi_state.news = 1)
#else
#define NOTE_NEWS() ((void)0)
#endif

/* Value in place of a request's number: the answer to the sender has been sent. */
#define WEIR_MPI_TOLD 0xffffffffu

void weir_mpi_start_messages(void);
/* Waits until all detached requests are complete. */
void weir_mpi_end_messages(void);
/* Begin a send or a receive between this node and another one, or MPI_PROC_NULL. */
struct weir_mpi_request* weir_mpi_begin_send(const void* data, uint32_t bytes, int node, int tag,
                                             uint32_t context);
struct weir_mpi_request* weir_mpi_begin_synchronous_send(const void* data, uint32_t bytes, int node,
                                                         int tag, uint32_t context);
struct weir_mpi_request* weir_mpi_begin_receive(void* data, uint32_t bytes, int node, int tag,
                                                uint32_t context);
/* Request without messages, in the state. */
struct weir_mpi_request* weir_mpi_new_request(uint32_t state);
/* Continues all requests that can continue. If there are none, the node's other ranks run. */
#ifdef WEIR_RANKS
extern struct weir_mpi_request weir_mpi_requests[];
void weir_mpi_continue(void);
static inline int weir_mpi_can_continue(void) {
    if ((weir_mpi_state.attention | weir_mpi_state.news) != 0) {
        return 1;
    }
    if (weir_mpi_state.arriving == 0) {
        return 0;
    }
    const struct weir_mpi_request* next = weir_mpi_requests;
    while (next != weir_mpi_state.end_of_used &&
           (next->state != ARRIVING || next->others_request != WEIR_MPI_TOLD || next->left != 0 ||
            next->stored == 0)) {
        ++next;
    }
    return next != weir_mpi_state.end_of_used;
}
/* Inline, since a function's frame is a store: a run whose nodes store nothing is recognised as
 * deadlocked. */
static inline __attribute__((always_inline)) void weir_mpi_go_on(void) {
    if (!weir_mpi_can_continue()) {
        weir_let_ranks_run();
        if (!weir_mpi_can_continue()) {
            return;
        }
    }
    weir_mpi_continue();
}
/* The same, but waits until a request can continue, or something has come. */
static inline __attribute__((always_inline)) void weir_mpi_wait(void) {
    while (!weir_mpi_can_continue()) {
        weir_let_ranks_run();
    }
    weir_mpi_continue();
}
#else
void weir_mpi_go_on(void);
static inline void weir_mpi_wait(void) { weir_mpi_go_on(); }
#endif
/* Waits until the request is complete, and frees it; returns its error class. */
int weir_mpi_finish(struct weir_mpi_request* request, MPI_Status* status);
/* The request's extra part, created where it is missing. */
struct weir_mpi_extra* weir_mpi_extra_of(struct weir_mpi_request* request);
uint32_t weir_mpi_number_of(const struct weir_mpi_request* request);
/* Active request of this number; NULL if there is none. */
struct weir_mpi_request* weir_mpi_active_request(uint32_t number);
/* Frees the request when it is complete, without a call that waits for it. */
void weir_mpi_detach(struct weir_mpi_request* request);
/* Withdraws a receive that no message has matched; returns 0 if one has. */
int weir_mpi_withdraw(struct weir_mpi_request* receive);
int weir_mpi_uses_context(uint32_t context);
/* First message kept for such a receive. Returns 0 if there is none. */
int weir_mpi_find_kept(uint32_t context, int node, int tag, int* source_node, int* its_tag,
                       uint32_t* bytes);
/* Tells the host that the node waits in MPI_Probe, or no longer does. */
void weir_mpi_tell_probe(int waits, int node, int tag);
/* Memory from the heap; without room the run ends. */
void* weir_mpi_memory(uint32_t bytes);

/* ---- errors.c ---- */

struct weir_mpi_communicator;

/* Reports an error to the handler of the communicator (NULL: MPI_COMM_WORLD's). By default the run
 * ends, with the text and its values (weir_fault()); otherwise the error class is returned. */
int weir_mpi_error(const struct weir_mpi_communicator* comm, int error_class, const char* text,
                   const int32_t* values);
#define ERROR(comm, error_class, text, ...) \
    weir_mpi_error(comm, error_class, text, (const int32_t[]){__VA_ARGS__})
/* Ends the run, whatever the error handler is. */
#define FAIL(text, ...) weir_fault(text, (const int32_t[]){__VA_ARGS__})
#define CHECK(call)                         \
    do {                                    \
        const int error_of_call = call;     \
        if (error_of_call != MPI_SUCCESS) { \
            return error_of_call;           \
        }                                   \
    } while (0)

/* ---- communicators.c ---- */

#define WEIR_MPI_MOST_COMMUNICATORS 256

struct weir_mpi_topology {
    int dimensions;
    int* sizes;
    int* are_periodic;
    int* place; /* own coordinates */
};

struct weir_mpi_attribute {
    int key;
    void* value;
    struct weir_mpi_attribute* next;
};

struct weir_mpi_communicator {
    uint32_t context; /* context of the program's messages */
    int size;
    int rank;
    int* nodes; /* by rank; NULL: ranks are nodes */
    int* ranks; /* by node, MPI_UNDEFINED for a node without rank; NULL: ranks are nodes */
    uint32_t collectives; /* number of collective calls so far */
    MPI_Errhandler handler;
    struct weir_mpi_topology* topology;
    struct weir_mpi_attribute* attributes;
    char* name;
    int is_freed; /* but messages are in flight */
};

/* By handle - 1. */
extern struct weir_mpi_communicator* weir_mpi_communicators[WEIR_MPI_MOST_COMMUNICATORS];
extern struct weir_mpi_communicator weir_mpi_world;
void weir_mpi_start_communicators(void);
/* Communicator of these nodes, by rank, which it takes over. Collective in `parent`, whose other
 * members may make another communicator, or none (size 0). */
int weir_mpi_make_communicator(struct weir_mpi_communicator* parent, int* nodes, int size,
                               MPI_Comm* comm);

static inline MPI_Comm weir_mpi_handle_of(const struct weir_mpi_communicator* comm) {
    return (MPI_Comm)(comm->context / 2 + 1);
}
static inline int weir_mpi_node_of(const struct weir_mpi_communicator* comm, int rank) {
    return comm->nodes == NULL || rank < 0 ? rank : comm->nodes[rank];
}
static inline int weir_mpi_rank_of(const struct weir_mpi_communicator* comm, int node) {
    return comm->ranks == NULL || node < 0 ? node : comm->ranks[node];
}

struct weir_mpi_topology* weir_mpi_copy_of_topology(const struct weir_mpi_topology* topology);

/* ---- groups.c ---- */

struct weir_mpi_group {
    int size;
    int rank; /* this node's rank, or MPI_UNDEFINED */
    int* nodes;
};
/* A new group of these nodes, which it takes over. */
MPI_Group weir_mpi_new_group(int* nodes, int size);
int weir_mpi_check_group(MPI_Group group, struct weir_mpi_group** found);

/* ---- attributes.c ---- */

/* Calls the callbacks of copying and deleting, if there are attributes. */
extern int (*weir_mpi_copy_attributes)(struct weir_mpi_communicator* from,
                                       struct weir_mpi_communicator* to);
extern int (*weir_mpi_delete_attributes)(struct weir_mpi_communicator* comm);

/* ---- types.c and packing.c: datatypes ---- */

/* A basic type's handle has its number in bits 8 to 15, and its size's logarithm below. */
#define WEIR_MPI_KINDS 29
#define WEIR_MPI_FIRST_DERIVED 0x10000
extern const unsigned char weir_mpi_shifts[WEIR_MPI_KINDS];

struct weir_mpi_block {
    int32_t offset;
    uint32_t bytes;
    MPI_Datatype kind; /* basic type of the values */
};

struct weir_mpi_type {
    uint32_t size;
    MPI_Aint lower, extent;
    MPI_Aint true_lower, true_extent;
    uint32_t block_count;
    const struct weir_mpi_block* blocks; /* in the order of the type's signature */
    uint32_t users;                      /* the handle, and receives under way */
    unsigned char is_committed, is_dense;
    char* name;
    unsigned char combiner;
};

static inline int weir_mpi_is_basic(MPI_Datatype type) { return type < WEIR_MPI_FIRST_DERIVED; }
/* Type of a handle; NULL if there is none. */
const struct weir_mpi_type* weir_mpi_type_of(MPI_Datatype type);
extern struct weir_mpi_type** weir_mpi_types;
extern int weir_mpi_type_count;
void weir_mpi_hold_type(MPI_Datatype type);
void weir_mpi_let_type_go(MPI_Datatype type);
/* Values between a program's memory and contiguous bytes, from `skipped` bytes on. */
void weir_mpi_pack(void* out, const void* data, int count, MPI_Datatype type);
void weir_mpi_unpack(void* data, const void* in, uint32_t bytes, MPI_Datatype type);
/* Copies values of the type, without the gaps between them. */
void weir_mpi_copy_values(void* to, const void* from, int count, MPI_Datatype type);

/* Contiguous bytes of values: their place in the program's memory, or in a buffer. */
struct weir_mpi_view {
    void* data;
    uint32_t bytes;
    void* owned; /* buffer, or NULL */
};
struct weir_mpi_view weir_mpi_derived_view(const void* data, int count, MPI_Datatype type,
                                           int packs);
static inline uint32_t weir_mpi_bytes_of(int count, MPI_Datatype type) {
    if (!weir_mpi_is_basic(type)) {
        return (uint32_t)count * weir_mpi_type_of(type)->size;
    }
    return (uint32_t)count << (type & 0xff); /* not a multiplication, which takes 45 cycles */
}
static inline struct weir_mpi_view weir_mpi_view_of(const void* data, int count, MPI_Datatype type,
                                                    int packs) {
    if (weir_mpi_is_basic(type)) {
        return (struct weir_mpi_view){(void*)data, weir_mpi_bytes_of(count, type), NULL};
    }
    return weir_mpi_derived_view(data, count, type, packs);
}
static inline MPI_Aint weir_mpi_extent_of(MPI_Datatype type) {
    return weir_mpi_is_basic(type) ? 1 << (type & 0xff) : weir_mpi_type_of(type)->extent;
}
static inline int weir_mpi_is_dense(MPI_Datatype type) {
    return weir_mpi_is_basic(type) || weir_mpi_type_of(type)->is_dense;
}

/* ---- operations.c ---- */

typedef void weir_mpi_combiner(void* in, void* inout, int* count, MPI_Datatype* type);
/* Function of the operation for the type; `in` has the values of the lower ranks. */
int weir_mpi_check_operation(const struct weir_mpi_communicator* comm, MPI_Op op,
                             MPI_Datatype type);
int weir_mpi_is_commutative(MPI_Op op);
/* inout = in (op) inout */
void weir_mpi_combine(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op);

/* ---- checks of arguments ---- */

void weir_mpi_refuse_state(void) __attribute__((noreturn));
int weir_mpi_refuse_communicator(MPI_Comm comm);
int weir_mpi_refuse_count(const struct weir_mpi_communicator* comm, int count);
int weir_mpi_refuse_type(const struct weir_mpi_communicator* comm, MPI_Datatype type);
int weir_mpi_check_derived(const struct weir_mpi_communicator* comm, MPI_Datatype type);
int weir_mpi_refuse_data(const struct weir_mpi_communicator* comm, int count);
int weir_mpi_refuse_rank(const struct weir_mpi_communicator* comm, int rank);
int weir_mpi_refuse_tag(const struct weir_mpi_communicator* comm, int tag, int is_receive);
int weir_mpi_refuse_null(const struct weir_mpi_communicator* comm);

static inline void weir_mpi_check_running(void) {
    if (weir_mpi_state.told_to_host[WEIR_MPI_IS_RUNNING] != 1) {
        weir_mpi_refuse_state();
    }
}
static inline int weir_mpi_check_comm(MPI_Comm handle, struct weir_mpi_communicator** found) {
    weir_mpi_check_running();
    if ((uint32_t)handle - 1 >= WEIR_MPI_MOST_COMMUNICATORS ||
        weir_mpi_communicators[handle - 1] == NULL ||
        weir_mpi_communicators[handle - 1]->is_freed) {
        *found = NULL;
        return weir_mpi_refuse_communicator(handle);
    }
    *found = weir_mpi_communicators[handle - 1];
    return MPI_SUCCESS;
}
static inline int weir_mpi_check_type(const struct weir_mpi_communicator* comm, MPI_Datatype type) {
    const uint32_t kind = (uint32_t)type >> 8;
    if (kind - 1 < WEIR_MPI_KINDS - 1 && weir_mpi_shifts[kind] == (type & 0xff)) {
        return MPI_SUCCESS;
    }
    return weir_mpi_check_derived(comm, type);
}
static inline int weir_mpi_check_data(const struct weir_mpi_communicator* comm, const void* data,
                                      int count, MPI_Datatype type) {
    if (count < 0 || count > INT_MAX / 8) {
        return weir_mpi_refuse_count(comm, count);
    }
    CHECK(weir_mpi_check_type(comm, type));
    /* The values of a derived type may have absolute addresses (MPI_BOTTOM). */
    if (data == NULL && count != 0 && weir_mpi_is_basic(type)) {
        return weir_mpi_refuse_data(comm, count);
    }
    return MPI_SUCCESS;
}
static inline int weir_mpi_check_rank(const struct weir_mpi_communicator* comm, int rank) {
    return (uint32_t)rank >= (uint32_t)comm->size ? weir_mpi_refuse_rank(comm, rank) : MPI_SUCCESS;
}
static inline int weir_mpi_check_destination(const struct weir_mpi_communicator* comm, int rank,
                                             int tag) {
    if (rank != MPI_PROC_NULL) {
        CHECK(weir_mpi_check_rank(comm, rank));
    }
    return tag < 0 ? weir_mpi_refuse_tag(comm, tag, 0) : MPI_SUCCESS;
}
static inline int weir_mpi_check_source(const struct weir_mpi_communicator* comm, int rank,
                                        int tag) {
    if (rank != MPI_ANY_SOURCE && rank != MPI_PROC_NULL) {
        CHECK(weir_mpi_check_rank(comm, rank));
    }
    return tag < 0 && tag != MPI_ANY_TAG ? weir_mpi_refuse_tag(comm, tag, 1) : MPI_SUCCESS;
}
static inline int weir_mpi_check_result(const struct weir_mpi_communicator* comm,
                                        const void* result) {
    return result == NULL ? weir_mpi_refuse_null(comm) : MPI_SUCCESS;
}

#endif
