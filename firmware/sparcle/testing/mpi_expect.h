/* Expectations of the MPI test programs. Every rank prints the lines of those that are false, and
 * rank 0 prints at the end whether all were true. */
#ifndef WEIR_FIRMWARE_SPARCLE_TESTING_MPI_EXPECT_H
#define WEIR_FIRMWARE_SPARCLE_TESTING_MPI_EXPECT_H

#include <mpi.h>
#include <stdio.h>

#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

static int rank, size;
static int false_expectations;

#define EXPECT(condition)                                                 \
    do {                                                                  \
        if (!(condition)) {                                               \
            ++false_expectations;                                         \
            printf("rank %d, line %d: %s\n", rank, __LINE__, #condition); \
        }                                                                 \
    } while (0)

static void begin(int* count, char*** words) {
    MPI_Init(count, words);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
}
/* Status of main() */
static int end(void) {
    int all = 0;
    MPI_Allreduce(&false_expectations, &all, 1, MPI_INT, MPI_SUM, WORLD);
    if (rank == 0) {
        printf("%d ranks: %d false\n", size, all);
    }
    MPI_Finalize();
    return all != 0;
}

#endif
