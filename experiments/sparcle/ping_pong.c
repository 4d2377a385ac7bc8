/*
 * The ping-pong of MPI between node 0 and the last one, from which LogGP's parameters follow:
 *
 * - half of a round trip, for messages of many lengths;
 * - G, its slope: of short messages, which travel along, and of long ones, which are asked for;
 * - g, by which a train of messages takes longer with each;
 * - o_s, the call that sends, and o_r, the call that receives what has come already;
 * - L, half of a round trip - o_s - o_r: with the handler that takes the message in.
 */
#include <mpi.h>
#include <stdio.h>

#define REPETITIONS 16
#define TRAIN 16
#define MOST_BYTES 8192
#define LONG_BYTES 256 /* from here on the slope of long messages is taken */

static char data[MOST_BYTES] __attribute__((aligned(8)));
static int rank, last;

/* Seconds of the call that sends, or receives what has come; the clock's own are taken off. */
static double call(int bytes, int receives) {
    double sum = 0;
    for (int i = 0; i <= REPETITIONS; ++i) {
        const double before = MPI_Wtime();
        double begin = MPI_Wtime();
        const double clock = begin - before;
        if (rank == last && receives) {
            MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        begin = MPI_Wtime();
        if (rank == 0 && receives) {
            MPI_Recv(data, bytes, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 0) {
            MPI_Send(data, bytes, MPI_CHAR, last, 0, MPI_COMM_WORLD);
        }
        sum += i == 0 ? 0 : MPI_Wtime() - begin - clock;
        if (rank == last && !receives) {
            MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return sum / REPETITIONS;
}

/* Seconds of a train: `count` messages there, one back; the mean of the repetitions. */
static double train(int bytes, int count) {
    double sum = 0;
    for (int i = 0; i <= REPETITIONS; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int n = 0; n < count; ++n) {
            if (rank == 0) {
                MPI_Send(data, bytes, MPI_CHAR, last, 0, MPI_COMM_WORLD);
            } else if (rank == last) {
                MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        }
        if (rank == 0) {
            MPI_Recv(data, bytes, MPI_CHAR, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == last) {
            MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        sum += i == 0 ? 0 : MPI_Wtime() - begin; /* the first has caches to fill */
    }
    return sum / REPETITIONS;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &last);
    --last;
    const double cycle = MPI_Wtick();
    double bytes_sum = 0, cycles_sum = 0, product_sum = 0, square_sum = 0, short_begin = 0;
    double half = 0;
    int points = 0;
    for (int bytes = 0; bytes <= MOST_BYTES; bytes = bytes == 0 ? 8 : 2 * bytes) {
        half = train(bytes, 1) / 2 / cycle;
        if (rank == 0) {
            printf("%5d bytes: half of a round trip %8.1f cycles\n", bytes, half);
        }
        if (bytes == 8) {
            short_begin = half;
        } else if (bytes == 32 && rank == 0) {
            printf("short: G %.3f cycles/byte\n", (half - short_begin) / (32 - 8));
        }
        if (bytes >= LONG_BYTES) {
            ++points;
            bytes_sum += bytes;
            cycles_sum += half;
            product_sum += half * bytes;
            square_sum += (double)bytes * bytes;
        }
    }
    const double slope = (points * product_sum - bytes_sum * cycles_sum) /
                         (points * square_sum - bytes_sum * bytes_sum);
    const double one = train(8, 1);
    const double many = train(8, TRAIN);
    const double send = call(8, 0) / cycle;
    const double receive = call(8, 1) / cycle;
    if (rank == 0) {
        printf("long: G %.3f cycles/byte, %.0f cycles without bytes\n", slope,
               (cycles_sum - slope * bytes_sum) / points);
        printf("8 bytes: o_s %.0f, o_r %.0f, g %.0f, L %.0f cycles\n", send, receive,
               (many - one) / (TRAIN - 1) / cycle, one / 2 / cycle - send - receive);
    }
    MPI_Finalize();
    return 0;
}
