/*
 * Faults of MPI programs, and other ends of one rank while all others wait: main(NAME). A comment
 * with NAME marks the line that the run's message must name (mpi_run_test.cpp).
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "firmware/sparcle/weir.h"

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

static const char* name;
static int rank, size;
static int data[64], other[64];
static MPI_Request request = MPI_REQUEST_NULL;

static int is(const char* fault, int at) { return strcmp(name, fault) == 0 && getpid() - 1 == at; }

/* Ends in a tail call, which leaves no frame of this function. */
static __attribute__((noinline)) int send_on(int to) {
    return MPI_Send(data, 4, MPI_INT, to, 0, WORLD); /* tail */
}

static void receive_less(void) {
    if (is("truncated", 0) || is("truncated-wait", 0) || is("truncated-sendrecv", 0)) {
        MPI_Send(data, 8, MPI_INT, 1, 5, WORLD);
    }
    if (is("truncated", 1)) {
        MPI_Recv(data, 4, MPI_INT, 0, 5, WORLD, IGNORE); /* truncated */
    }
    if (is("truncated-wait", 1)) {
        MPI_Irecv(data, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &request);
        MPI_Wait(&request, IGNORE); /* truncated-wait */
    }
    if (is("truncated-sendrecv", 1)) {
        MPI_Sendrecv(other, 1, MPI_INT, 2, 1, data, 4, MPI_INT, 0, 5, /* truncated-sendrecv */
                     WORLD, IGNORE);
    }
    if (is("truncated-long", 0)) {
        MPI_Send(data, 50, MPI_INT, 1, 5, WORLD);
    }
    if (is("truncated-long", 1)) {
        MPI_Recv(data, 25, MPI_INT, 0, 5, WORLD, IGNORE); /* truncated-long */
    }
    if (strcmp(name, "truncated-bcast") == 0) {
        MPI_Bcast(data, rank == 3 ? 2 : 3, MPI_INT, 0, WORLD); /* truncated-bcast */
    }
    if (strcmp(name, "short-reduce") == 0) {
        MPI_Reduce(data, other, rank == 0 ? 4 : 3, MPI_INT, MPI_SUM, 0, WORLD); /* short-reduce */
    }
    if (strcmp(name, "uneven-alltoall") == 0) {
        MPI_Alltoall(data, 3, MPI_INT, other, 4, MPI_INT, WORLD); /* uneven-alltoall */
    }
}

static void call_wrongly(void) {
    if (is("rank", 1)) {
        MPI_Send(data, 1, MPI_INT, 99, 0, WORLD); /* rank */
    }
    if (is("any-destination", 1)) {
        MPI_Send(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD); /* any-destination */
    }
    if (is("source", 1)) {
        MPI_Recv(data, 1, MPI_INT, 4, 0, WORLD, IGNORE); /* source */
    }
    if (is("tag", 2)) {
        MPI_Isend(data, 1, MPI_INT, 0, -5, WORLD, &request); /* tag */
    }
    if (is("count", 2)) {
        MPI_Irecv(data, -1, MPI_INT, 0, 0, WORLD, &request); /* count */
    }
    if (is("type", 2)) {
        MPI_Send(data, 1, 12345, 0, 0, WORLD); /* type */
    }
    if (is("communicator", 3)) {
        MPI_Barrier(9); /* communicator */
    }
    if (is("null", 3)) {
        MPI_Send(NULL, 3, MPI_INT, 0, 0, WORLD); /* null */
    }
    if (is("null-request", 3)) {
        MPI_Isend(data, 3, MPI_INT, 0, 0, WORLD, NULL); /* null-request */
    }
    if (is("request", 0)) {
        request = 77;
        MPI_Wait(&request, IGNORE); /* request */
    }
    if (is("completed", 0)) {
        MPI_Isend(data, 1, MPI_INT, 0, 0, WORLD, &request);
        MPI_Request copy = request;
        MPI_Recv(data, 1, MPI_INT, 0, 0, WORLD, IGNORE);
        MPI_Wait(&request, IGNORE);
        MPI_Wait(&copy, IGNORE); /* completed */
    }
    if (is("requests", 0)) {
        for (int i = 0; i < 300; ++i) {
            MPI_Irecv(data, 1, MPI_INT, 1, 9, WORLD, &request); /* requests */
        }
    }
    if (is("root", 1)) {
        MPI_Bcast(data, 1, MPI_INT, -1, WORLD); /* root */
    }
    if (is("operation", 1)) {
        MPI_Allreduce(data, other, 1, MPI_INT, 99, WORLD); /* operation */
    }
    if (is("bits", 1)) {
        MPI_Reduce(data, other, 1, MPI_DOUBLE, MPI_BAND, 0, WORLD); /* bits */
    }
    if (is("uncommitted", 1)) {
        MPI_Datatype pair;
        MPI_Type_contiguous(2, MPI_INT, &pair);
        MPI_Send(data, 1, pair, 0, 0, WORLD); /* uncommitted */
    }
    if (is("topology", 1)) {
        MPI_Cart_coords(WORLD, 0, 2, data); /* topology */
    }
    if (is("group", 1)) {
        MPI_Group_size(99, &size); /* group */
    }
    if (is("buffer", 1)) {
        MPI_Bsend(data, 3, MPI_INT, 0, 0, WORLD); /* buffer */
    }
    if (strncmp(name, "window", 6) == 0) {
        MPI_Win window;
        MPI_Win_create(data, sizeof data, sizeof(int), MPI_INFO_NULL, WORLD, &window);
        if (is("window-epoch", 1)) {
            MPI_Put(other, 1, MPI_INT, 0, 0, 1, MPI_INT, window); /* window-epoch */
        }
        MPI_Win_fence(0, window);
        if (is("window-range", 1)) {
            MPI_Get(other, 3, MPI_INT, 0, 62, 3, MPI_INT, window); /* window-range */
        }
        MPI_Win_fence(0, window);
    }
    if (is("tail", 1)) {
        send_on(99);
    }
    if (is("second-init", 1)) {
        MPI_Init(NULL, NULL); /* second-init */
    }
}

static void end_alone(void) {
    if (is("abort-all", 2)) {
        MPI_Abort(WORLD, 7); /* abort-all */
    }
    if (is("abort", 2)) {
        abort(); /* abort */
    }
    if (is("assert", 2)) {
        assert(rank == 3); /* assert */
    }
    if (is("exit", 2)) {
        exit(3); /* exit */
    }
    if (is("leave", 2)) {
        exit(0);
    }
    if (is("missing", 1)) {
        MPI_Recv(data, 3, MPI_INT, MPI_ANY_SOURCE, 9, WORLD, IGNORE); /* missing */
    }
    if (is("probe", 1)) {
        MPI_Probe(3, MPI_ANY_TAG, WORLD, IGNORE); /* probe */
    }
    if (is("nonblocking", 1)) {
        MPI_Ibcast(data, 3, MPI_INT, 0, WORLD, &request);
        MPI_Wait(&request, IGNORE); /* nonblocking */
    }
    if (strcmp(name, "communicators") == 0) {
        MPI_Comm copy;
        MPI_Comm_dup(WORLD, &copy);
        if (rank == 1) {
            MPI_Send(data, 1, MPI_INT, 0, 3, WORLD);
        }
        if (rank == 0) {
            MPI_Recv(data, 1, MPI_INT, 1, 3, copy, IGNORE); /* communicators */
        }
    }
    if (is("unreceived", 1)) {
        MPI_Send(data, 20, MPI_INT, 3, 8, WORLD); /* unreceived */
    }
}

int main(int count, char** words) {
    name = count > 1 ? words[1] : "";
    if (is("before-init", 1)) {
        MPI_Send(data, 1, MPI_INT, 0, 0, WORLD); /* before-init */
    }
    MPI_Init(&count, &words);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    receive_less();
    call_wrongly();
    end_alone();
    MPI_Barrier(WORLD);
    MPI_Finalize();
    if (is("after-finalize", 1)) {
        MPI_Comm_size(WORLD, &size); /* after-finalize */
    }
    return 0;
}
