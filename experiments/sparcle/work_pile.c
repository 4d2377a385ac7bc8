/*
 * Tasks that rank 0 hands out one at a time: for one rank of each node, or for several
 * (weir compile --contexts). A worker computes its task, sends the result, and waits for the next
 * task. With one rank of each node, node 0 computes no task.
 *
 * main(TASKS CYCLES): number of tasks, and cycles of each.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/sparcle/weir.h"

#define NO_TASK (-1)

static long hand_out(int tasks, int size) {
    long sum = 0;
    int next = 0;
    for (int workers = size - 1; workers > 0;) {
        MPI_Status status;
        int result;
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        sum += result;
        const int task = next < tasks ? next++ : NO_TASK;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
        workers -= task == NO_TASK;
    }
    return sum;
}

static void work(int cycles) {
    int task;
    int result = 0;
    for (;;) {
        MPI_Sendrecv(&result, 1, MPI_INT, 0, 0, &task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (task == NO_TASK) {
            return;
        }
        weir_work((uint32_t)cycles);
        result = task;
    }
}

int main(int count, char** words) {
    const int tasks = count > 1 ? atoi(words[1]) : 240;
    const int cycles = count > 2 ? atoi(words[2]) : 10000;
    long sum = 0;
    int rank;
    int size;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    const uint32_t begin = weir_cycle();
    if (rank == 0) {
        sum = hand_out(tasks, size);
        printf("%d ranks: %u cycles\n", size, (unsigned)(weir_cycle() - begin));
    } else {
        work(cycles);
    }
    MPI_Finalize();
    return rank == 0 && sum != (long)tasks * (tasks - 1) / 2;
}
