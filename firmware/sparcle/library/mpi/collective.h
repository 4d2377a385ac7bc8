/*
 * Steps of collectives. An algorithm is written once, as a function that takes steps: it sends,
 * receives, copies and combines. A blocking call takes each step at once. A nonblocking call
 * records the steps, which later calls of MPI take as soon as their messages have come. Therefore
 * an algorithm must not look at data, and its buffers must be the caller's, or of
 * weir_mpi_buffer().
 */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_COLLECTIVE_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_COLLECTIVE_H

#include "firmware/sparcle/library/mpi/internals.h"

/* Greatest number of messages between two calls of weir_mpi_await() */
#define WEIR_MPI_MOST_PENDING 64
/* Number of a communicator's first call of MPI_Comm_create_group, by tag; others have lower ones */
#define WEIR_MPI_FIRST_GROUP_CALL (1u << 25)

#define WEIR_MPI_OPERATION(name) OPERATION_##name,
enum weir_mpi_operation { WEIR_MPI_OPERATIONS(WEIR_MPI_OPERATION) WEIR_MPI_OPERATION_COUNT };

struct weir_mpi_collective {
    struct weir_mpi_communicator* comm;
    enum weir_mpi_operation operation;
    int tag;
    int error;
    /* Operation and type of the combinations */
    MPI_Op op;
    MPI_Datatype type;
    uint32_t each; /* bytes from one value to the next */
    int pending_count;
    struct weir_mpi_request* pending[WEIR_MPI_MOST_PENDING];
    struct weir_mpi_buffer* buffers;
    /* For nonblocking calls only */
    int is_recorded;
    struct weir_mpi_step* steps;
    int step_count;
    int step_capacity;
    int next_step;
    struct weir_mpi_request* request;
    struct weir_mpi_collective* next;
};

/* Begin the steps of a blocking call, and of a nonblocking one. */
void weir_mpi_begin(struct weir_mpi_collective* collective, struct weir_mpi_communicator* comm,
                    enum weir_mpi_operation operation);
struct weir_mpi_collective* weir_mpi_begin_recorded(struct weir_mpi_communicator* comm,
                                                    enum weir_mpi_operation operation);
/* Ends the steps of a blocking call; returns the error class. */
int weir_mpi_end(struct weir_mpi_collective* collective);
/* Ends the record, whose making has had this result, and takes the first steps. */
int weir_mpi_start(struct weir_mpi_collective* collective, int error, MPI_Request* request);

/* Memory until the end of the collective, at a multiple of 8 */
void* weir_mpi_buffer(struct weir_mpi_collective* collective, uint32_t bytes);

/* Steps. Messages begin in their order; weir_mpi_await() completes all that have begun. */
void weir_mpi_send(struct weir_mpi_collective* collective, const void* data, uint32_t bytes,
                   int rank);
void weir_mpi_receive(struct weir_mpi_collective* collective, void* data, uint32_t bytes, int rank);
void weir_mpi_await(struct weir_mpi_collective* collective);
void weir_mpi_copy(struct weir_mpi_collective* collective, void* to, const void* from,
                   uint32_t bytes);
/* Copies values of the type, without the gaps between them. */
void weir_mpi_copy_typed(struct weir_mpi_collective* collective, void* to, const void* from,
                         int count, MPI_Datatype type);
void weir_mpi_unpack_step(struct weir_mpi_collective* collective, void* data, const void* in,
                          uint32_t bytes, MPI_Datatype type);
/* inout = in (op) inout, where `in` has the values of lower ranks */
void weir_mpi_combine_step(struct weir_mpi_collective* collective, const void* in, void* inout,
                           int count);

/* Contiguous bytes of the program's values: the values themselves, or a packed copy. */
const void* weir_mpi_input(struct weir_mpi_collective* collective, const void* data, int count,
                           MPI_Datatype type);
/* Place for contiguous bytes of values, which weir_mpi_deliver() unpacks if it is a buffer. */
void* weir_mpi_output(struct weir_mpi_collective* collective, void* data, int count,
                      MPI_Datatype type);
void weir_mpi_deliver(struct weir_mpi_collective* collective, void* data, const void* output,
                      int count, MPI_Datatype type);

/* algorithms.c: position, from 1 on, of the algorithm that the run's environment names for this
 * operation. 0: none is named. The list of names ends with NULL. */
int weir_mpi_named_algorithm(const struct weir_mpi_collective* collective,
                             const char* const* names);
/* Refuses a named algorithm for this call: reason ends the sentence "it is for ...". */
int weir_mpi_refuse_algorithm(const struct weir_mpi_collective* collective, const char* name,
                              const char* reason);

/* reduce.c, gather.c: collectives that communicators use */
void weir_mpi_allreduce(struct weir_mpi_collective* collective, void* data, int count,
                        MPI_Datatype type, MPI_Op op);
/* all[rank] of `each` bytes is in place. */
void weir_mpi_allgather(struct weir_mpi_collective* collective, void* all, uint32_t each);

static inline int weir_mpi_is_power_of_two(int number) { return (number & (number - 1)) == 0; }

/* Defines MPI_NAME and its nonblocking form, from `static int do_NAME(collective, arguments)`. */
#define WEIR_MPI_LIST(...) __VA_ARGS__
#define WEIR_MPI_BOTH_FORMS(NAME, NONBLOCKING, PARAMETERS, ARGUMENTS)                      \
    int MPI_##NAME(WEIR_MPI_LIST PARAMETERS, MPI_Comm comm) {                              \
        struct weir_mpi_communicator* found;                                               \
        struct weir_mpi_collective collective;                                             \
        CHECK(weir_mpi_check_comm(comm, &found));                                          \
        weir_mpi_begin(&collective, found, OPERATION_##NAME);                              \
        const int error = do_##NAME(&collective, WEIR_MPI_LIST ARGUMENTS);                 \
        const int end_error = weir_mpi_end(&collective);                                   \
        return error != MPI_SUCCESS ? error : end_error;                                   \
    }                                                                                      \
    int MPI_##NONBLOCKING(WEIR_MPI_LIST PARAMETERS, MPI_Comm comm, MPI_Request* request) { \
        struct weir_mpi_communicator* found;                                               \
        CHECK(weir_mpi_check_comm(comm, &found));                                          \
        CHECK(weir_mpi_check_result(found, request));                                      \
        struct weir_mpi_collective* const collective =                                     \
            weir_mpi_begin_recorded(found, OPERATION_##NAME);                              \
        const int error = do_##NAME(collective, WEIR_MPI_LIST ARGUMENTS);                  \
        return weir_mpi_start(collective, error, request);                                 \
    }

#endif
