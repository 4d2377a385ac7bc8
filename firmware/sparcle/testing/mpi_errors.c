/* Error handlers: with MPI_ERRORS_RETURN, wrong calls return their error class. */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/testing/mpi_expect.h"

static int data[64], other[64];
static int calls, last_error;

static void count_error(MPI_Comm* comm, int* error, ...) {
    calls += *comm == WORLD;
    last_error = *error;
}

static void call_wrongly(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_Group group;
    MPI_Win win;
    MPI_Op op = 99;
    int at = 0;
    EXPECT(MPI_Send(data, -1, MPI_INT, 0, 0, WORLD) == MPI_ERR_COUNT);
    EXPECT(MPI_Send(data, 1, MPI_INT, size, 0, WORLD) == MPI_ERR_RANK);
    EXPECT(MPI_Send(data, 1, MPI_INT, 0, -1, WORLD) == MPI_ERR_TAG);
    EXPECT(MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, WORLD) == MPI_ERR_TYPE);
    EXPECT(MPI_Send(NULL, 1, MPI_INT, 0, 0, WORLD) == MPI_ERR_BUFFER);
    EXPECT(MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL) == MPI_ERR_COMM);
    EXPECT(MPI_Ssend(data, 1, MPI_INT, 0, -9, WORLD) == MPI_ERR_TAG);
    EXPECT(MPI_Bsend(data, 1, MPI_INT, 0, 0, WORLD) == MPI_ERR_BUFFER);
    EXPECT(MPI_Buffer_attach(NULL, 8) == MPI_ERR_BUFFER);
    EXPECT(MPI_Irecv(data, 1, MPI_INT, -7, 0, WORLD, &request) == MPI_ERR_RANK);
    EXPECT(MPI_Sendrecv(data, 1, MPI_INT, 99, 0, other, 1, MPI_INT, 0, 0, WORLD, IGNORE) ==
           MPI_ERR_RANK);
    EXPECT(MPI_Sendrecv_replace(data, 1, MPI_INT, 0, -2, 0, 0, WORLD, IGNORE) == MPI_ERR_TAG);
    EXPECT(MPI_Probe(99, 0, WORLD, IGNORE) == MPI_ERR_RANK);
    EXPECT(MPI_Iprobe(0, 0, WORLD, NULL, IGNORE) == MPI_ERR_ARG);
    request = 77;
    EXPECT(MPI_Wait(&request, IGNORE) == MPI_ERR_REQUEST);
    EXPECT(MPI_Waitany(1, &request, &at, IGNORE) == MPI_ERR_REQUEST);
    EXPECT(MPI_Testall(1, &request, &at, MPI_STATUSES_IGNORE) == MPI_ERR_REQUEST);
    EXPECT(MPI_Waitsome(-1, &request, &at, &at, MPI_STATUSES_IGNORE) == MPI_ERR_COUNT);
    EXPECT(MPI_Start(&request) == MPI_ERR_REQUEST);
    request = MPI_REQUEST_NULL;
    EXPECT(MPI_Request_free(&request) == MPI_ERR_REQUEST);
    /* Types */
    EXPECT(MPI_Type_vector(-1, 1, 1, MPI_INT, &type) == MPI_ERR_COUNT);
    EXPECT(MPI_Type_vector(1, -1, 1, MPI_INT, &type) == MPI_ERR_ARG);
    EXPECT(MPI_Type_contiguous(1, 12345, &type) == MPI_ERR_TYPE);
    type = MPI_INT;
    EXPECT(MPI_Type_free(&type) == MPI_ERR_TYPE);
    EXPECT(MPI_Type_contiguous(2, MPI_INT, &type) == MPI_SUCCESS);
    EXPECT(MPI_Send(data, 1, type, MPI_PROC_NULL, 0, WORLD) == MPI_ERR_TYPE); /* no commit */
    const MPI_Datatype freed = type;
    EXPECT(MPI_Type_free(&type) == MPI_SUCCESS);
    EXPECT(MPI_Send(data, 1, freed, MPI_PROC_NULL, 0, WORLD) == MPI_ERR_TYPE);
    const int three[] = {4, 4, 4};
    const int starts[] = {2, 0, 0};
    EXPECT(MPI_Type_create_subarray(3, three, three, starts, MPI_ORDER_C, MPI_INT, &type) ==
           MPI_ERR_ARG);
    EXPECT(MPI_Pack(data, 10, MPI_INT, other, 8, &at, WORLD) == MPI_ERR_TRUNCATE);
    EXPECT(MPI_Unpack(other, 8, &at, data, 10, MPI_INT, WORLD) == MPI_ERR_TRUNCATE);
    /* Communicators, groups and topologies */
    comm = WORLD;
    EXPECT(MPI_Comm_free(&comm) == MPI_ERR_COMM);
    EXPECT(MPI_Comm_split(WORLD, -5, 0, &comm) == MPI_ERR_ARG);
    EXPECT(MPI_Comm_size(55, &at) == MPI_ERR_COMM);
    EXPECT(MPI_Comm_rank(WORLD, NULL) == MPI_ERR_ARG);
    EXPECT(MPI_Comm_get_attr(WORLD, 999, &at, &at) == MPI_ERR_KEYVAL);
    EXPECT(MPI_Group_size(MPI_GROUP_NULL, &at) == MPI_ERR_GROUP);
    EXPECT(MPI_Comm_group(WORLD, &group) == MPI_SUCCESS);
    const int twice[] = {0, 0};
    EXPECT(MPI_Group_incl(group, size > 1 ? 2 : 1, size > 1 ? twice : &size, &group) ==
           MPI_ERR_RANK);
    MPI_Group_free(&group);
    EXPECT(MPI_Cart_coords(WORLD, 0, 1, &at) == MPI_ERR_TOPOLOGY);
    const int too_many[] = {size + 1};
    EXPECT(MPI_Cart_create(WORLD, 1, too_many, twice, 0, &comm) == MPI_ERR_TOPOLOGY);
    int dims[2] = {-1, 0};
    EXPECT(MPI_Dims_create(6, 2, dims) == MPI_ERR_DIMS);
    dims[0] = 4;
    EXPECT(MPI_Dims_create(6, 2, dims) == MPI_ERR_DIMS);
    /* Collectives and operations */
    EXPECT(MPI_Bcast(data, 1, MPI_INT, size, WORLD) == MPI_ERR_RANK);
    EXPECT(MPI_Allreduce(data, other, 1, MPI_INT, op, WORLD) == MPI_ERR_OP);
    EXPECT(MPI_Allreduce(data, other, 1, MPI_DOUBLE, MPI_BAND, WORLD) == MPI_ERR_OP);
    EXPECT(MPI_Allreduce(data, other, 1, MPI_BYTE, MPI_SUM, WORLD) == MPI_ERR_OP);
    EXPECT(MPI_Allreduce(data, other, 1, MPI_INT, MPI_MAXLOC, WORLD) == MPI_ERR_OP);
    EXPECT(MPI_Allreduce(data, other, 1, MPI_2INT, MPI_SUM, WORLD) == MPI_ERR_OP);
    EXPECT(MPI_Op_free(&op) == MPI_ERR_OP);
    EXPECT(MPI_Gather(data, 1, MPI_INT, other, 1, MPI_INT, -1, WORLD) == MPI_ERR_RANK);
    EXPECT(MPI_Alltoall(data, 1, MPI_INT, other, 2, MPI_INT, MPI_COMM_SELF) == MPI_ERR_TRUNCATE);
    EXPECT(MPI_Ibcast(data, 1, MPI_INT, size, WORLD, &request) == MPI_ERR_RANK);
    EXPECT(MPI_Reduce_scatter(data, other, NULL, MPI_INT, MPI_SUM, WORLD) == MPI_ERR_ARG);
    /* Windows */
    EXPECT(MPI_Win_create(data, -1, 1, MPI_INFO_NULL, WORLD, &win) == MPI_ERR_SIZE);
    EXPECT(MPI_Win_create(data, 8, 0, MPI_INFO_NULL, WORLD, &win) == MPI_ERR_DISP);
    EXPECT(MPI_Win_fence(0, MPI_WIN_NULL) == MPI_ERR_WIN);
    MPI_Win_create(data, sizeof data, sizeof(int), MPI_INFO_NULL, WORLD, &win);
    EXPECT(MPI_Put(other, 1, MPI_INT, 0, 0, 1, MPI_INT, win) == MPI_ERR_RMA_SYNC);
    EXPECT(MPI_Win_unlock(0, win) == MPI_ERR_RMA_SYNC);
    EXPECT(MPI_Win_complete(win) == MPI_ERR_RMA_SYNC);
    EXPECT(MPI_Win_lock(1, 0, 0, win) == MPI_ERR_LOCKTYPE);
    MPI_Win_fence(0, win);
    EXPECT(MPI_Put(other, 1, MPI_INT, 0, 64, 1, MPI_INT, win) == MPI_ERR_RMA_RANGE);
    EXPECT(MPI_Get(other, 2, MPI_INT, 0, 63, 2, MPI_INT, win) == MPI_ERR_RMA_RANGE);
    EXPECT(MPI_Put(other, 1, MPI_INT, 0, 0, 2, MPI_INT, win) == MPI_ERR_TRUNCATE);
    EXPECT(MPI_Put(other, 1, MPI_INT, size, 0, 1, MPI_INT, win) == MPI_ERR_RANK);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Short and long messages that do not fit; what fits of a long one is there. */
static void truncate(void) {
    const int lengths[] = {2, 8, 60};
    for (int i = 0; i < 3; ++i) {
        MPI_Request request;
        MPI_Status status;
        for (int k = 0; k < 64; ++k) {
            data[k] = k + 1;
            other[k] = 0;
        }
        MPI_Isend(data, lengths[i], MPI_INT, rank, 4, WORLD, &request);
        EXPECT(MPI_Recv(other, 1, MPI_INT, rank, 4, WORLD, &status) == MPI_ERR_TRUNCATE);
        EXPECT(status.MPI_ERROR == MPI_ERR_TRUNCATE && other[1] == 0);
        EXPECT(lengths[i] < 60 || other[0] == 1);
        MPI_Wait(&request, IGNORE);
        MPI_Isend(data, lengths[i], MPI_INT, (rank + 1) % size, 5, WORLD, &request);
        EXPECT(MPI_Recv(other, 1, MPI_INT, (rank + size - 1) % size, 5, WORLD, IGNORE) ==
               MPI_ERR_TRUNCATE);
        MPI_Wait(&request, IGNORE);
        MPI_Request both[2];
        MPI_Status statuses[2];
        MPI_Irecv(other, 1, MPI_INT, rank, 6, WORLD, &both[0]);
        MPI_Isend(data, lengths[i], MPI_INT, rank, 6, WORLD, &both[1]);
        EXPECT(MPI_Waitall(2, both, statuses) == MPI_ERR_IN_STATUS);
        EXPECT(statuses[0].MPI_ERROR == MPI_ERR_TRUNCATE && statuses[1].MPI_ERROR == MPI_SUCCESS);
    }
}

int main(int count, char** words) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Errhandler own;
    MPI_Comm copy;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    int error_class = -1;
    begin(&count, &words);
    MPI_Comm_get_errhandler(WORLD, &handler);
    EXPECT(handler == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    call_wrongly();
    truncate();
    for (int error = MPI_SUCCESS; error <= MPI_ERR_LASTCODE; ++error) {
        EXPECT(MPI_Error_string(error, text, &length) == MPI_SUCCESS);
        EXPECT(length == (int)strlen(text) && strncmp(text, "MPI_", 4) == 0);
        MPI_Error_class(error, &error_class);
        EXPECT(error_class == error);
    }
    EXPECT(MPI_Error_string(-3, text, &length) == MPI_ERR_ARG);
    EXPECT(MPI_Comm_set_errhandler(WORLD, 999) == MPI_ERR_ARG);
    /* A handler of the program; a copy of the communicator has it too. */
    MPI_Comm_create_errhandler(count_error, &own);
    MPI_Errhandler_set(WORLD, own);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_get_errhandler(copy, &handler);
    EXPECT(handler == own);
    MPI_Comm_free(&copy);
    EXPECT(MPI_Send(data, 1, MPI_INT, 99, 0, WORLD) == MPI_ERR_RANK);
    EXPECT(calls == 1 && last_error == MPI_ERR_RANK);
    MPI_Comm_call_errhandler(WORLD, MPI_ERR_OTHER);
    EXPECT(calls == 2 && last_error == MPI_ERR_OTHER);
    MPI_Errhandler_free(&own);
    EXPECT(own == MPI_ERRHANDLER_NULL);
    MPI_Errhandler_create(count_error, &own);
    MPI_Errhandler_get(WORLD, &handler);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_ARE_FATAL);
    return end();
}
