/*
 * MPI messages of several sizes from rank 0 to rank 1 and back, one at a time. Messages of up to 40
 * bytes are sent at once, longer ones wait for the receiver's answer. main(DELAY): rank 1 is ready
 * only DELAY loop turns after it has received the previous message.
 *
 * Prints for each size half of the cycles from the begin of the send until the reception of a
 * reply of the same size. It is the mean of 20 round trips after the first one.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 20
#define MOST_BYTES 4096

static double data[MOST_BYTES / 8];

static void wait_turns(int turns) {
    for (volatile int i = 0; i < turns; ++i) {
    }
}

static double cycles(void) { return MPI_Wtime() / MPI_Wtick(); }

static double half_round_trip(int rank, int bytes, int delay) {
    double begin = 0.0;
    for (int round = 0; round <= ROUNDS; ++round) {
        if (round == 1) {
            begin = cycles();
        }
        if (rank == 0) {
            MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            wait_turns(delay);
            MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
    return (cycles() - begin) / (2.0 * ROUNDS);
}

int main(int argc, char** argv) {
    static const int sizes[] = {8, 24, 40, 48, 64, 256, 1024, 4096};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        if (rank < 2) {
            const double half = half_round_trip(rank, sizes[i], argc > 1 ? atoi(argv[1]) : 0);
            if (rank == 0) {
                printf("%d bytes: %.1f cycles\n", sizes[i], half);
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
