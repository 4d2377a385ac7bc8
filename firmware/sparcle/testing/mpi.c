/* Each function of mpi.h, with data of many lengths and alignments; node 0 prints whether all
 * results are right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 5000
#define EACH 20

static char out[MOST_BYTES + 16];
static char in[MOST_BYTES + 16];
static int rank, size;
static int wrong;

static void expect(int is_right, int number) {
    if (!is_right) {
        wrong |= 1 << number;
    }
}

/* Exchange around a ring: eager, by a body, in words, and by a body with a rest in words. */
static void exchange(int offset, int bytes) {
    const int to = (rank + 1) % size;
    const int from = (rank + size - 1) % size;
    char* const place = in + (5 * offset & 7);
    MPI_Status status;
    int count = -1;
    for (int i = 0; i < bytes; ++i) {
        out[offset + i] = (char)(7 * i + rank + offset);
    }
    memset(in, 0x55, sizeof in);
    MPI_Sendrecv(out + offset, bytes, MPI_CHAR, to, bytes, place, bytes + 3, MPI_CHAR, from, bytes,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    expect(count == bytes && status.MPI_SOURCE == from && status.MPI_TAG == bytes, 0);
    for (int i = 0; i < bytes; ++i) {
        expect(place[i] == (char)(7 * i + from + offset), 1);
    }
    expect(place[bytes] == 0x55 && (place == in || place[-1] == 0x55), 2);
}

/* Messages that arrive before their receives, which match them by tag and in order. */
static void receive_in_another_order(void) {
    int values[2 * EACH];
    MPI_Request requests[2 * EACH];
    for (int i = 0; i < 2 * EACH; ++i) {
        values[i] = 100 * rank + i;
        MPI_Isend(&values[i], 1, MPI_INT, (rank + 1) % size, i % 2, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const int from = (rank + size - 1) % size;
    for (int tag = 1; tag >= 0; --tag) {
        for (int i = tag; i < 2 * EACH; i += 2) {
            int value = -1;
            MPI_Recv(&value, 1, MPI_INT, tag == 1 ? from : MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            expect(value == 100 * from + i, 3);
        }
    }
    MPI_Waitall(2 * EACH, requests, MPI_STATUSES_IGNORE);
}

/* A message whose length the receiver does not know. */
static void look_first(void) {
    int values[EACH];
    MPI_Request request;
    MPI_Status status;
    int count = -1;
    for (int i = 0; i < EACH; ++i) {
        values[i] = rank + i;
    }
    MPI_Isend(values, 3 + rank, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD, &request);
    MPI_Probe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    const int from = (rank + size - 1) % size;
    expect(count == 3 + from && status.MPI_SOURCE == from, 12);
    MPI_Recv(values, count, MPI_INT, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Node n sends n + 1 numbers to each node. */
static void move_uneven(void) {
    int own[EACH * EACH], all[EACH * EACH];
    int counts[EACH], places[EACH], in_counts[EACH], in_places[EACH];
    int at = 0, bytes = 0;
    for (int i = 0; i < size; ++i) {
        counts[i] = rank + 1;
        places[i] = i * (rank + 1);
        in_counts[i] = i + 1;
        in_places[i] = at;
        at += i + 1;
    }
    for (int i = 0; i < size * (rank + 1); ++i) {
        own[i] = 100 * rank + i;
    }
    MPI_Alltoallv(own, counts, places, MPI_INT, all, in_counts, in_places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) {
        expect(all[in_places[i] + i] == 100 * i + rank * (i + 1) + i, 13);
    }
    MPI_Type_size(MPI_DOUBLE, &bytes);
    expect(bytes == 8, 13);
}

static void send_to_itself(void) {
    int long_one[EACH], long_copy[EACH];
    int short_one = rank, short_copy = -1, is_complete = 0;
    MPI_Request requests[2];
    for (int i = 0; i < EACH; ++i) {
        long_one[i] = rank + i;
    }
    MPI_Send(&short_one, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Irecv(&short_copy, 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(long_one, EACH, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv(long_copy, EACH, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!is_complete) {
        MPI_Test(&requests[1], &is_complete, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    expect(short_copy == rank && memcmp(long_one, long_copy, sizeof long_one) == 0, 4);
}

static void compute_together(void) {
    double own[EACH], most[EACH];
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == size * (size - 1) / 2, 5);
    for (int i = 0; i < EACH; ++i) {
        own[i] = rank + i * 0.5;
    }
    MPI_Reduce(own, most, EACH, MPI_DOUBLE, MPI_MAX, size - 1, MPI_COMM_WORLD);
    for (int i = 0; i < EACH && rank == size - 1; ++i) {
        expect(most[i] == size - 1 + i * 0.5, 6);
    }
}

static void move_together(void) {
    int* const own = malloc((size_t)(size * EACH) * sizeof *own);
    int* const all = malloc((size_t)(size * EACH) * sizeof *all);
    for (int i = 0; i < size * EACH; ++i) {
        own[i] = 1000 * rank + i;
    }
    MPI_Alltoall(own, EACH, MPI_INT, all, EACH, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size * EACH; ++i) {
        expect(all[i] == 1000 * (i / EACH) + EACH * rank + i % EACH, 7);
    }
    MPI_Allgather(own, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) {
        expect(all[i] == 1000 * i, 8);
    }
    MPI_Scatter(own, EACH, MPI_INT, all, EACH, MPI_INT, 0, MPI_COMM_WORLD);
    expect(all[3] == EACH * rank + 3, 9);
    MPI_Bcast(own, size * EACH, MPI_INT, size / 2, MPI_COMM_WORLD);
    expect(own[3] == 1000 * (size / 2) + 3, 10);
    free(own);
    free(all);
}

int main(int count, char** words) {
    int all = -1;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double begin = MPI_Wtime();
    for (int offset = 0; offset < 8; offset += 3) {
        for (int bytes = 0; bytes < MOST_BYTES; bytes = 3 * bytes + 5) {
            exchange(offset, bytes);
        }
    }
    receive_in_another_order();
    look_first();
    send_to_itself();
    move_uneven();
    compute_together();
    move_together();
    expect(MPI_Wtime() > begin, 11);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d nodes: %x\n", size, all);
    }
    MPI_Finalize();
    return all;
}
