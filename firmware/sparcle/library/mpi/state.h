/*
 * State of MPI that the host reads after a deadlock, to report the messages that ranks wait for
 * (firmware/sparcle/mpi_waits.h). Plain C; the constants are indices of words.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_STATE_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_STATE_H

/* First words of weir_mpi_state */
#define WEIR_MPI_IS_RUNNING 0    /* 0 before MPI_Init, then 1, then WEIR_MPI_FINALIZED */
#define WEIR_MPI_MESSAGES_KEPT 1 /* number of kept messages, for which no receive was posted */
#define WEIR_MPI_RESERVE_LEFT 2  /* number of messages for which the reserve still has memory */
#define WEIR_MPI_RESERVE_WHOLE 3 /* number of messages for which the whole reserve has memory */
/* 1 while the rank waits in MPI_Probe; the next two words have source and tag. */
#define WEIR_MPI_PROBES 4
#define WEIR_MPI_PROBED_RANK 5
#define WEIR_MPI_PROBED_TAG 6
#define WEIR_MPI_STATE_WORDS 8

#define WEIR_MPI_FINALIZED 2

/* Words of an element of weir_mpi_requests */
#define WEIR_MPI_REQUEST_STATE 0
#define WEIR_MPI_REQUEST_BYTES 3 /* bytes of a send's data, or capacity of a receive */
#define WEIR_MPI_REQUEST_OTHER 4 /* node, or -1 for any */
#define WEIR_MPI_REQUEST_TAG 5   /* tag, or -1 for any */
#define WEIR_MPI_REQUEST_CONTEXT 6
#define WEIR_MPI_REQUEST_WORDS 13

/* States in which a request waits for another rank. */
#define WEIR_MPI_POSTED 1u /* a receive without a matching message */
#define WEIR_MPI_ASKED 2u  /* a send whose receive has not been posted */
#define WEIR_MPI_QUEUED 6u /* a send that waits for an earlier send, or for memory at its node */

/* Contexts: communicator n (0: MPI_COMM_WORLD) has 2 * n for the program's messages, and the next
 * for those of collectives. */
#define WEIR_MPI_PROGRAM 0
#define WEIR_MPI_COLLECTIVE 1
/* Tag of a collective's messages: the number of the call in its communicator, and below, in the
 * last WEIR_MPI_OPERATION_BITS bits, the operation. */
#define WEIR_MPI_OPERATION_BITS 5
/* Names of the operations after "MPI_", in the order of their numbers */
#define WEIR_MPI_OPERATIONS(OPERATION) \
    OPERATION(Barrier)                 \
    OPERATION(Bcast)                   \
    OPERATION(Reduce)                  \
    OPERATION(Allreduce)               \
    OPERATION(Reduce_scatter)          \
    OPERATION(Reduce_scatter_block)    \
    OPERATION(Scan)                    \
    OPERATION(Exscan)                  \
    OPERATION(Gather)                  \
    OPERATION(Gatherv)                 \
    OPERATION(Allgather)               \
    OPERATION(Allgatherv)              \
    OPERATION(Scatter)                 \
    OPERATION(Scatterv)                \
    OPERATION(Alltoall)                \
    OPERATION(Alltoallv)               \
    OPERATION(Alltoallw)               \
    OPERATION(Comm_create)

#endif
