#include "firmware/sparcle/library/mpi/collective.h"

#include <stdlib.h>
#include <string.h>

/* Head of a buffer; its size keeps the buffer at a multiple of 8. */
struct weir_mpi_buffer {
    struct weir_mpi_buffer* next;
    uint32_t unused;
};

enum step_kind { SEND, RECEIVE, AWAIT, COPY, COPY_TYPED, UNPACK, COMBINE };
struct weir_mpi_step {
    enum step_kind kind;
    void* to; /* or data of a message */
    const void* from;
    uint32_t number; /* bytes or values */
    int rank_or_type;
};

static struct weir_mpi_collective* active; /* nonblocking collectives */

void weir_mpi_begin(struct weir_mpi_collective* collective, struct weir_mpi_communicator* comm,
                    enum weir_mpi_operation operation) {
    const uint32_t number = comm->collectives++ & (2 * WEIR_MPI_FIRST_GROUP_CALL - 1);
    collective->comm = comm;
    collective->operation = operation;
    collective->tag = (int)(number << WEIR_MPI_OPERATION_BITS | (uint32_t)operation);
    collective->error = MPI_SUCCESS;
    collective->pending_count = 0;
    collective->buffers = NULL;
    collective->is_recorded = 0;
}

static void free_buffers(struct weir_mpi_collective* collective) {
    while (collective->buffers != NULL) {
        struct weir_mpi_buffer* const first = collective->buffers;
        collective->buffers = first->next;
        free(first);
    }
}

void* weir_mpi_buffer(struct weir_mpi_collective* collective, uint32_t bytes) {
    struct weir_mpi_buffer* const made = weir_mpi_memory(sizeof *made + bytes);
    made->next = collective->buffers;
    collective->buffers = made;
    return made + 1;
}

/* ---- taking of steps ---- */

static void note(struct weir_mpi_collective* collective, int error) {
    if (collective->error == MPI_SUCCESS) {
        collective->error = error;
    }
}

/* Frees a message's request, which is complete or will be. */
static void end_message(struct weir_mpi_collective* collective, struct weir_mpi_request* message) {
    const uint32_t bytes = message->bytes;
    int error = weir_mpi_finish(message, MPI_STATUS_IGNORE);
    if (error == MPI_SUCCESS && message->came != bytes) {
        error = ERROR(collective->comm, MPI_ERR_TRUNCATE,
                      "rank %d sends %d bytes, but this rank's count and type are %d bytes; "
                      "accepted: equal numbers",
                      weir_mpi_rank_of(collective->comm, message->other), (int)message->came,
                      (int)bytes);
    }
    note(collective, error);
}

static void await(struct weir_mpi_collective* collective) {
    for (int i = 0; i < collective->pending_count; ++i) {
        end_message(collective, collective->pending[i]);
    }
    collective->pending_count = 0;
}

static void begin_message(struct weir_mpi_collective* collective, int sends, void* data,
                          uint32_t bytes, int rank) {
    const int node = weir_mpi_node_of(collective->comm, rank);
    const uint32_t context = collective->comm->context + WEIR_MPI_COLLECTIVE;
    collective->pending[collective->pending_count++] =
        sends ? weir_mpi_begin_send(data, bytes, node, collective->tag, context)
              : weir_mpi_begin_receive(data, bytes, node, collective->tag, context);
}

/* Takes any step but AWAIT. */
static void take(struct weir_mpi_collective* collective, const struct weir_mpi_step* step) {
    switch (step->kind) {
        case SEND:
        case RECEIVE:
            begin_message(collective, step->kind == SEND, step->to, step->number,
                          step->rank_or_type);
            break;
        case COPY:
            memcpy(step->to, step->from, step->number);
            break;
        case COPY_TYPED:
            weir_mpi_copy_values(step->to, step->from, (int)step->number, step->rank_or_type);
            break;
        case UNPACK:
            weir_mpi_unpack(step->to, step->from, step->number, step->rank_or_type);
            break;
        default:
            weir_mpi_combine(step->from, step->to, (int)step->number, collective->type,
                             collective->op);
    }
}

static void record(struct weir_mpi_collective* collective, enum step_kind kind, void* to,
                   const void* from, uint32_t number, int rank_or_type) {
    if (collective->step_count == collective->step_capacity) {
        collective->step_capacity =
            collective->step_capacity == 0 ? 8 : 2 * collective->step_capacity;
        struct weir_mpi_step* const more = realloc(
            collective->steps, (uint32_t)collective->step_capacity * sizeof *collective->steps);
        if (more == NULL) {
            FAIL("the heap has no room for %d steps of a nonblocking collective (memory.bytes)",
                 collective->step_capacity);
        }
        collective->steps = more;
    }
    collective->steps[collective->step_count++] =
        (struct weir_mpi_step){kind, to, from, number, rank_or_type};
}

static void step(struct weir_mpi_collective* collective, enum step_kind kind, void* to,
                 const void* from, uint32_t number, int rank_or_type) {
    if (collective->is_recorded) {
        record(collective, kind, to, from, number, rank_or_type);
        return;
    }
    const struct weir_mpi_step now = {kind, to, from, number, rank_or_type};
    take(collective, &now);
}

void weir_mpi_send(struct weir_mpi_collective* collective, const void* data, uint32_t bytes,
                   int rank) {
    if (collective->is_recorded) {
        record(collective, SEND, (void*)data, NULL, bytes, rank);
    } else {
        begin_message(collective, 1, (void*)data, bytes, rank);
    }
}
void weir_mpi_receive(struct weir_mpi_collective* collective, void* data, uint32_t bytes,
                      int rank) {
    if (collective->is_recorded) {
        record(collective, RECEIVE, data, NULL, bytes, rank);
    } else {
        begin_message(collective, 0, data, bytes, rank);
    }
}
void weir_mpi_await(struct weir_mpi_collective* collective) {
    if (collective->is_recorded) {
        record(collective, AWAIT, NULL, NULL, 0, 0);
    } else {
        await(collective);
    }
}
void weir_mpi_copy(struct weir_mpi_collective* collective, void* to, const void* from,
                   uint32_t bytes) {
    if (to != from && bytes != 0) {
        step(collective, COPY, to, from, bytes, 0);
    }
}
void weir_mpi_copy_typed(struct weir_mpi_collective* collective, void* to, const void* from,
                         int count, MPI_Datatype type) {
    if (to != from && count != 0) {
        step(collective, COPY_TYPED, to, from, (uint32_t)count, type);
    }
}
void weir_mpi_unpack_step(struct weir_mpi_collective* collective, void* data, const void* in,
                          uint32_t bytes, MPI_Datatype type) {
    if (bytes != 0) {
        step(collective, UNPACK, data, in, bytes, type);
    }
}
void weir_mpi_combine_step(struct weir_mpi_collective* collective, const void* in, void* inout,
                           int count) {
    if (count != 0) {
        step(collective, COMBINE, inout, in, (uint32_t)count, 0);
    }
}

int weir_mpi_end(struct weir_mpi_collective* collective) {
    await(collective);
    free_buffers(collective);
    return collective->error;
}

/* ---- the program's values ---- */

const void* weir_mpi_input(struct weir_mpi_collective* collective, const void* data, int count,
                           MPI_Datatype type) {
    if (weir_mpi_is_dense(type)) {
        return data;
    }
    void* const packed = weir_mpi_buffer(collective, weir_mpi_bytes_of(count, type));
    weir_mpi_pack(packed, data, count, type);
    return packed;
}
void* weir_mpi_output(struct weir_mpi_collective* collective, void* data, int count,
                      MPI_Datatype type) {
    return weir_mpi_is_dense(type) ? data
                                   : weir_mpi_buffer(collective, weir_mpi_bytes_of(count, type));
}
void weir_mpi_deliver(struct weir_mpi_collective* collective, void* data, const void* output,
                      int count, MPI_Datatype type) {
    if (data != output) {
        weir_mpi_unpack_step(collective, data, output, weir_mpi_bytes_of(count, type), type);
    }
}

/* ---- nonblocking calls ---- */

struct weir_mpi_collective* weir_mpi_begin_recorded(struct weir_mpi_communicator* comm,
                                                    enum weir_mpi_operation operation) {
    struct weir_mpi_collective* const collective = weir_mpi_memory(sizeof *collective);
    weir_mpi_begin(collective, comm, operation);
    collective->is_recorded = 1;
    collective->steps = NULL;
    collective->step_count = 0;
    collective->step_capacity = 0;
    collective->next_step = 0;
    return collective;
}

static void drop(struct weir_mpi_collective* collective) {
    free_buffers(collective);
    free(collective->steps);
    free(collective);
}

/* Takes the steps that can be taken. Returns 1 after the last one. Stores nothing if it can take
 * none: a run whose nodes store nothing is recognised as deadlocked. */
static int advance(struct weir_mpi_collective* collective) {
    while (collective->next_step < collective->step_count) {
        const struct weir_mpi_step* const next = &collective->steps[collective->next_step];
        if (next->kind == AWAIT) {
            for (int i = 0; i < collective->pending_count; ++i) {
                if (collective->pending[i]->state != COMPLETE) {
                    return 0;
                }
            }
            await(collective);
        } else {
            take(collective, next);
        }
        ++collective->next_step;
    }
    return 1;
}

static void progress(void) {
    struct weir_mpi_collective** at = &active;
    while (*at != NULL) {
        struct weir_mpi_collective* const collective = *at;
        if (!advance(collective)) {
            at = &collective->next;
            continue;
        }
        *at = collective->next;
        if (collective->error != MPI_SUCCESS) {
            weir_mpi_extra_of(collective->request)->error = collective->error;
        }
        collective->request->state = COMPLETE;
        drop(collective);
    }
}

int weir_mpi_start(struct weir_mpi_collective* collective, int error, MPI_Request* request) {
    if (error != MPI_SUCCESS) {
        drop(collective);
        return error;
    }
    record(collective, AWAIT, NULL, NULL, 0, 0);
    collective->request = weir_mpi_new_request(STEPPING);
    *request = (int)weir_mpi_number_of(collective->request);
    struct weir_mpi_collective** last = &active;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    collective->next = NULL;
    *last = collective;
    weir_mpi_state.collective_progress = progress;
    weir_mpi_state.has_progress = 1;
    NOTE_NEWS();
    weir_mpi_go_on();
    return MPI_SUCCESS;
}
