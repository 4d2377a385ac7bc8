#include "firmware/sparcle/library/mpi/collective.h"

static const char* const algorithms[] = {"k_dissemination", "recexch", "tree", NULL};

/* In round k every rank receives from the rank 2^k before it. */
static void disseminate(struct weir_mpi_collective* c) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    for (int distance = 1; distance < size; distance *= 2) {
        weir_mpi_receive(c, NULL, 0, (rank + size - distance) % size);
        weir_mpi_send(c, NULL, 0, (rank + distance) % size);
        weir_mpi_await(c);
    }
}

static void meet(struct weir_mpi_collective* c, int rank) {
    weir_mpi_receive(c, NULL, 0, rank);
    weir_mpi_send(c, NULL, 0, rank);
    weir_mpi_await(c);
}

/* Recursive exchange: in round k, ranks that differ in bit k meet. Ranks beyond the greatest power
 * of two meet a partner below it before and after. */
static void exchange(struct weir_mpi_collective* c) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    int power = 1;
    while (2 * power <= size) {
        power *= 2;
    }
    if (rank >= power) {
        weir_mpi_send(c, NULL, 0, rank - power);
        weir_mpi_receive(c, NULL, 0, rank - power);
        weir_mpi_await(c);
        return;
    }
    if (rank + power < size) {
        weir_mpi_receive(c, NULL, 0, rank + power);
        weir_mpi_await(c);
    }
    for (int bit = 1; bit < power; bit *= 2) {
        meet(c, rank ^ bit);
    }
    if (rank + power < size) {
        weir_mpi_send(c, NULL, 0, rank + power);
        weir_mpi_await(c);
    }
}

/* Up and down a binomial tree */
static void climb(struct weir_mpi_collective* c) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    int distance = 1;
    for (; distance < size && (rank & distance) == 0; distance *= 2) {
        if (rank + distance < size) {
            weir_mpi_receive(c, NULL, 0, rank + distance);
            weir_mpi_await(c);
        }
    }
    if (rank != 0) {
        weir_mpi_send(c, NULL, 0, rank - distance);
        weir_mpi_receive(c, NULL, 0, rank - distance);
        weir_mpi_await(c);
    }
    for (distance /= 2; distance > 0; distance /= 2) {
        if (rank + distance < size) {
            weir_mpi_send(c, NULL, 0, rank + distance);
        }
    }
    weir_mpi_await(c);
}

static int take_steps(struct weir_mpi_collective* c) {
    switch (weir_mpi_named_algorithm(c, algorithms)) {
        case 2:
            exchange(c);
            break;
        case 3:
            climb(c);
            break;
        default:
            disseminate(c);
    }
    return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm handle) {
    struct weir_mpi_communicator* comm;
    struct weir_mpi_collective collective;
    CHECK(weir_mpi_check_comm(handle, &comm));
    weir_mpi_begin(&collective, comm, OPERATION_Barrier);
    take_steps(&collective);
    const int error = weir_mpi_end(&collective);
    return error;
}
int MPI_Ibarrier(MPI_Comm handle, MPI_Request* request) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, request));
    struct weir_mpi_collective* const collective = weir_mpi_begin_recorded(comm, OPERATION_Barrier);
    CHECK(weir_mpi_start(collective, take_steps(collective), request));
    return MPI_SUCCESS;
}
