/*
 * Every collective, blocking and nonblocking, with data of several lengths, all roots, derived
 * types, MPI_IN_PLACE, and operations that do not commute. main(MOST): longest data, in values.
 */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/testing/mpi_expect.h"

static int most;
static int *own, *all, *result;
static MPI_Comm comm;     /* with the ranks in another order than their nodes */
static MPI_Datatype wide; /* an int, and a gap of one */

/* Value i of a rank's data for another rank */
static int value(int from, int to, int i) { return 10000 * from + 100 * to + i; }

/* Waits by MPI_Test, in which the collective makes progress. */
static void finish(MPI_Request* request) {
    int is_complete = 0;
    while (!is_complete) {
        MPI_Test(request, &is_complete, IGNORE);
    }
    EXPECT(*request == MPI_REQUEST_NULL);
}

static void broadcast(int count, int root, int is_nonblocking) {
    MPI_Request request;
    for (int i = 0; i < count; ++i) {
        all[i] = rank == root ? value(root, 0, i) : -1;
        own[2 * i] = all[i];
        own[2 * i + 1] = -7;
    }
    if (is_nonblocking) {
        MPI_Ibcast(all, count, MPI_INT, root, comm, &request);
        finish(&request);
    } else {
        MPI_Bcast(all, count, MPI_INT, root, comm);
    }
    MPI_Bcast(own, count, wide, root, comm);
    int is_right = 1;
    for (int i = 0; i < count; ++i) {
        is_right &= all[i] == value(root, 0, i) && own[2 * i] == all[i] && own[2 * i + 1] == -7;
    }
    EXPECT(is_right);
}

static void gather(int count, int root, int is_nonblocking) {
    MPI_Request request;
    for (int i = 0; i < count; ++i) {
        own[i] = value(rank, root, i);
    }
    memset(all, 0, (size_t)(2 * size * count) * sizeof *all);
    if (is_nonblocking) {
        MPI_Igather(own, count, MPI_INT, all, count, MPI_INT, root, comm, &request);
        finish(&request);
    } else {
        MPI_Gather(own, count, MPI_INT, all, count, wide, root, comm);
    }
    const int step = is_nonblocking ? 1 : 2;
    int is_right = 1;
    for (int i = 0; i < size * count && rank == root; ++i) {
        is_right &= all[step * i] == value(i / count, root, i % count);
    }
    if (rank == root) {
        memcpy(all + root * count, own, (size_t)count * sizeof *own);
    }
    MPI_Gather(rank == root ? MPI_IN_PLACE : own, count, MPI_INT, all, count, MPI_INT, root, comm);
    for (int i = 0; i < size * count && rank == root; ++i) {
        is_right &= all[i] == value(i / count, root, i % count);
    }
    EXPECT(is_right);
}

static void scatter(int count, int root, int is_nonblocking) {
    MPI_Request request;
    for (int i = 0; i < size * count && rank == root; ++i) {
        all[i] = value(root, i / count, i % count);
    }
    memset(own, 0, (size_t)(2 * count) * sizeof *own);
    if (is_nonblocking) {
        MPI_Iscatter(all, count, MPI_INT, own, count, wide, root, comm, &request);
        finish(&request);
    } else {
        MPI_Scatter(all, count, MPI_INT, own, count, wide, root, comm);
    }
    int is_right = 1;
    for (int i = 0; i < count; ++i) {
        is_right &= own[2 * i] == value(root, rank, i) && own[2 * i + 1] == 0;
    }
    MPI_Scatter(all, count, MPI_INT, rank == root ? MPI_IN_PLACE : own, count, MPI_INT, root, comm);
    for (int i = 0; i < count && rank != root; ++i) {
        is_right &= own[i] == value(root, rank, i);
    }
    EXPECT(is_right);
}

static void allgather(int count, int is_nonblocking) {
    MPI_Request request;
    for (int i = 0; i < count; ++i) {
        own[i] = value(rank, 1, i);
    }
    memset(all, 0, (size_t)(2 * size * count) * sizeof *all);
    if (is_nonblocking) {
        MPI_Iallgather(own, count, MPI_INT, all, count, wide, comm, &request);
        finish(&request);
    } else {
        MPI_Allgather(own, count, MPI_INT, all, count, wide, comm);
    }
    int is_right = 1;
    for (int i = 0; i < size * count; ++i) {
        is_right &= all[2 * i] == value(i / count, 1, i % count) && all[2 * i + 1] == 0;
    }
    memset(all, 0, (size_t)(size * count) * sizeof *all);
    memcpy(all + rank * count, own, (size_t)count * sizeof *own);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_INT, comm);
    for (int i = 0; i < size * count; ++i) {
        is_right &= all[i] == value(i / count, 1, i % count);
    }
    EXPECT(is_right);
}

static void alltoall(int count, int is_nonblocking) {
    MPI_Request request;
    int* const out = malloc((size_t)(size * count + 1) * sizeof *out);
    for (int i = 0; i < size * count; ++i) {
        out[i] = value(rank, i / count, i % count);
    }
    memset(all, 0, (size_t)(2 * size * count) * sizeof *all);
    if (is_nonblocking) {
        MPI_Ialltoall(out, count, MPI_INT, all, count, wide, comm, &request);
        finish(&request);
    } else {
        MPI_Alltoall(out, count, MPI_INT, all, count, wide, comm);
    }
    int is_right = 1;
    for (int i = 0; i < size * count; ++i) {
        is_right &= all[2 * i] == value(i / count, rank, i % count) && all[2 * i + 1] == 0;
    }
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_INT, comm);
    for (int i = 0; i < size * count; ++i) {
        is_right &= out[i] == value(i / count, rank, i % count);
    }
    EXPECT(is_right);
    free(out);
}

/* Parts of different lengths, rank r's with r + 1 + length values, at places with gaps. */
static void move_uneven(int length, int root, int is_nonblocking) {
    int counts[64];
    int places[64];
    int bytes[64];
    int at = 0;
    MPI_Request request;
    MPI_Datatype types[64];
    int* const out = malloc((size_t)(size * (size + length + 3)) * sizeof *out);
    for (int i = 0; i < size; ++i) {
        counts[i] = i % 3 == 2 ? 0 : i + 1 + length;
        places[i] = at;
        bytes[i] = 4 * at;
        at += counts[i] + 2;
        types[i] = MPI_INT;
    }
    for (int i = 0; i < counts[rank]; ++i) {
        own[i] = value(rank, 2, i);
    }
    int is_right = 1;
    for (int repetition = 0; repetition < 2; ++repetition) {
        for (int i = 0; i < at; ++i) {
            all[i] = -1;
        }
        if (repetition == 1) {
            memcpy(all + places[rank], own, (size_t)counts[rank] * sizeof *own);
        }
        const void* const part = repetition == 1 ? MPI_IN_PLACE : own;
        if (is_nonblocking) {
            MPI_Iallgatherv(part, counts[rank], MPI_INT, all, counts, places, MPI_INT, comm,
                            &request);
            finish(&request);
        } else {
            MPI_Allgatherv(part, counts[rank], MPI_INT, all, counts, places, MPI_INT, comm);
        }
        for (int from = 0; from < size; ++from) {
            for (int i = 0; i < counts[from]; ++i) {
                is_right &= all[places[from] + i] == value(from, 2, i);
            }
            is_right &= all[places[from] + counts[from]] == -1;
        }
    }
    EXPECT(is_right);
    for (int i = 0; i < at; ++i) {
        all[i] = -1;
    }
    if (is_nonblocking) {
        MPI_Igatherv(own, counts[rank], MPI_INT, all, counts, places, MPI_INT, root, comm,
                     &request);
        finish(&request);
    } else {
        MPI_Gatherv(own, counts[rank], MPI_INT, all, counts, places, MPI_INT, root, comm);
    }
    for (int from = 0; from < size && rank == root; ++from) {
        for (int i = 0; i < counts[from]; ++i) {
            is_right &= all[places[from] + i] == value(from, 2, i);
        }
    }
    memset(own, 0, (size_t)counts[rank] * sizeof *own);
    if (is_nonblocking) {
        MPI_Iscatterv(all, counts, places, MPI_INT, own, counts[rank], MPI_INT, root, comm,
                      &request);
        finish(&request);
    } else {
        MPI_Scatterv(all, counts, places, MPI_INT, own, counts[rank], MPI_INT, root, comm);
    }
    for (int i = 0; i < counts[rank]; ++i) {
        is_right &= own[i] == value(rank, 2, i);
    }
    EXPECT(is_right);
    /* Rank r sends r + 1 + length values to each rank. */
    int out_counts[64];
    int out_places[64];
    int out_bytes[64];
    for (int i = 0; i < size; ++i) {
        out_counts[i] = counts[rank];
        out_places[i] = i * (counts[rank] + 1);
        out_bytes[i] = 4 * out_places[i];
        for (int k = 0; k < counts[rank]; ++k) {
            out[out_places[i] + k] = value(rank, i, k);
        }
    }
    for (int repetition = 0; repetition < 2; ++repetition) {
        memset(all, 0, (size_t)at * sizeof *all);
        if (repetition == 0 && is_nonblocking) {
            MPI_Ialltoallv(out, out_counts, out_places, MPI_INT, all, counts, places, MPI_INT, comm,
                           &request);
            finish(&request);
        } else if (repetition == 0) {
            MPI_Alltoallv(out, out_counts, out_places, MPI_INT, all, counts, places, MPI_INT, comm);
        } else if (is_nonblocking) {
            MPI_Ialltoallw(out, out_counts, out_bytes, types, all, counts, bytes, types, comm,
                           &request);
            finish(&request);
        } else {
            MPI_Alltoallw(out, out_counts, out_bytes, types, all, counts, bytes, types, comm);
        }
        for (int from = 0; from < size; ++from) {
            for (int i = 0; i < counts[from]; ++i) {
                is_right &= all[places[from] + i] == value(from, rank, i);
            }
        }
    }
    EXPECT(is_right);
    free(out);
}

/* Product of 2 x 2 matrices with small numbers, which does not commute */
static void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
    const unsigned* a = in;
    unsigned* b = inout;
    (void)type;
    for (int i = 0; i < *count; ++i, a += 4, b += 4) {
        const unsigned c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                               a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        memcpy(b, c, sizeof c);
    }
}
static void matrix_of(unsigned* matrix, int of, int i) {
    matrix[0] = 1;
    matrix[1] = (unsigned)(of + i);
    matrix[2] = (unsigned)(2 * of + 1);
    matrix[3] = 3;
}

static void reduce(int count, int root, int is_nonblocking) {
    MPI_Request request;
    for (int i = 0; i < count; ++i) {
        own[i] = (rank + 1) * (i + 1);
        result[i] = -1;
    }
    const int sum = size * (size + 1) / 2;
    int is_right = 1;
    if (is_nonblocking) {
        MPI_Ireduce(own, result, count, MPI_INT, MPI_SUM, root, comm, &request);
        finish(&request);
    } else {
        MPI_Reduce(own, result, count, MPI_INT, MPI_SUM, root, comm);
    }
    for (int i = 0; i < count; ++i) {
        is_right &= result[i] == (rank == root ? sum * (i + 1) : -1);
    }
    memcpy(result, own, (size_t)count * sizeof *own);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : own, result, count, MPI_INT, MPI_SUM, root, comm);
    for (int i = 0; i < count && rank == root; ++i) {
        is_right &= result[i] == sum * (i + 1);
    }
    EXPECT(is_right);
    if (is_nonblocking) {
        MPI_Iallreduce(own, result, count, MPI_INT, MPI_SUM, comm, &request);
        finish(&request);
    } else {
        MPI_Allreduce(own, result, count, MPI_INT, MPI_SUM, comm);
    }
    for (int i = 0; i < count; ++i) {
        is_right &= result[i] == sum * (i + 1);
    }
    MPI_Allreduce(MPI_IN_PLACE, own, count, MPI_INT, MPI_SUM, comm);
    EXPECT(is_right && memcmp(own, result, (size_t)count * sizeof *own) == 0);
}

static void reduce_to_parts(int count, int is_nonblocking) {
    int counts[64];
    int begin_of_own = 0;
    int whole = 0;
    MPI_Request request;
    for (int i = 0; i < size; ++i) {
        counts[i] = i % 4 == 3 ? 0 : count + i;
        begin_of_own += i < rank ? counts[i] : 0;
        whole += counts[i];
    }
    for (int i = 0; i < whole; ++i) {
        all[i] = (rank + 1) * (i + 1);
    }
    const int sum = size * (size + 1) / 2;
    int is_right = 1;
    if (is_nonblocking) {
        MPI_Ireduce_scatter(all, result, counts, MPI_INT, MPI_SUM, comm, &request);
        finish(&request);
    } else {
        MPI_Reduce_scatter(all, result, counts, MPI_INT, MPI_SUM, comm);
    }
    for (int i = 0; i < counts[rank]; ++i) {
        is_right &= result[i] == sum * (begin_of_own + i + 1);
    }
    EXPECT(is_right);
    for (int i = 0; i < size * count; ++i) {
        all[i] = (rank + 1) * (i + 1);
    }
    if (is_nonblocking) {
        MPI_Ireduce_scatter_block(all, result, count, MPI_INT, MPI_SUM, comm, &request);
        finish(&request);
    } else {
        MPI_Reduce_scatter_block(all, result, count, MPI_INT, MPI_SUM, comm);
    }
    for (int i = 0; i < count; ++i) {
        is_right &= result[i] == sum * (rank * count + i + 1);
    }
    EXPECT(is_right);
}

static void scan(int count, int is_nonblocking) {
    MPI_Request request;
    for (int i = 0; i < count; ++i) {
        own[i] = (rank + 1) * (i + 1);
        result[i] = -1;
    }
    int is_right = 1;
    if (is_nonblocking) {
        MPI_Iscan(own, result, count, MPI_INT, MPI_SUM, comm, &request);
        finish(&request);
    } else {
        MPI_Scan(own, result, count, MPI_INT, MPI_SUM, comm);
    }
    for (int i = 0; i < count; ++i) {
        is_right &= result[i] == (rank + 1) * (rank + 2) / 2 * (i + 1);
        result[i] = -1;
    }
    if (is_nonblocking) {
        MPI_Iexscan(own, result, count, MPI_INT, MPI_SUM, comm, &request);
        finish(&request);
    } else {
        MPI_Exscan(own, result, count, MPI_INT, MPI_SUM, comm);
    }
    for (int i = 0; i < count; ++i) {
        is_right &= result[i] == (rank == 0 ? -1 : rank * (rank + 1) / 2 * (i + 1));
    }
    EXPECT(is_right);
}

/* The order of ranks, where it matters */
static void multiply_matrices(int count, int with_algorithms_for_all) {
    MPI_Op op;
    MPI_Datatype matrix;
    int is_commutative = -1;
    MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &op);
    MPI_Op_commutative(op, &is_commutative);
    EXPECT(!is_commutative);
    MPI_Op_commutative(MPI_SUM, &is_commutative);
    EXPECT(is_commutative);
    unsigned* const expected = malloc((size_t)count * 16);
    unsigned* const before = malloc((size_t)count * 16);
    for (int i = 0; i < count; ++i) {
        matrix_of((unsigned*)own + 4 * i, rank, i);
        matrix_of(expected + 4 * i, 0, i);
        for (int of = 1; of < size; ++of) {
            if (of == rank) {
                memcpy(before + 4 * i, expected + 4 * i, 16);
            }
            unsigned next[4];
            matrix_of(next, of, i);
            int one = 1;
            multiply(expected + 4 * i, next, &one, &matrix);
            memcpy(expected + 4 * i, next, 16);
        }
    }
    if (with_algorithms_for_all) {
        MPI_Allreduce(own, result, count, matrix, op, comm);
        EXPECT(memcmp(result, expected, (size_t)count * 16) == 0);
        MPI_Reduce(own, result, count, matrix, op, size - 1, comm);
        EXPECT(rank != size - 1 || memcmp(result, expected, (size_t)count * 16) == 0);
    }
    MPI_Exscan(own, result, count, matrix, op, comm);
    EXPECT(rank == 0 || memcmp(result, before, (size_t)count * 16) == 0);
    MPI_Scan(own, result, count, matrix, op, comm);
    MPI_Bcast(result, count, matrix, size - 1, comm);
    EXPECT(memcmp(result, expected, (size_t)count * 16) == 0);
    MPI_Reduce_local(own, result, 0, matrix, op);
    MPI_Op_free(&op);
    EXPECT(op == MPI_OP_NULL);
    MPI_Type_free(&matrix);
    free(expected);
    free(before);
}

static void operate(void) {
    const unsigned char byte = (unsigned char)(1u << rank % 8);
    unsigned char bytes = 0;
    MPI_Allreduce(&byte, &bytes, 1, MPI_BYTE, MPI_BOR, comm);
    EXPECT(bytes == (size >= 8 ? 0xff : (1 << size) - 1));
    const short small = (short)(rank == 1);
    short flags[3] = {-1, -1, -1};
    MPI_Allreduce(&small, &flags[0], 1, MPI_SHORT, MPI_LAND, comm);
    MPI_Allreduce(&small, &flags[1], 1, MPI_SHORT, MPI_LOR, comm);
    MPI_Allreduce(&small, &flags[2], 1, MPI_SHORT, MPI_LXOR, comm);
    EXPECT(flags[0] == 0 && flags[1] == (size > 1) && flags[2] == (size > 1));
    const unsigned bits[2] = {~(1u << rank), 1u << rank};
    unsigned got[2];
    MPI_Allreduce(&bits[0], &got[0], 1, MPI_UNSIGNED, MPI_BAND, comm);
    MPI_Allreduce(&bits[1], &got[1], 1, MPI_UNSIGNED, MPI_BXOR, comm);
    EXPECT(got[0] == ~got[1] && got[1] == (size == 32 ? ~0u : (1u << size) - 1));
    const long long large = 1LL << 40 | rank;
    long long most_large = 0;
    MPI_Allreduce(&large, &most_large, 1, MPI_LONG_LONG, MPI_MAX, comm);
    EXPECT(most_large == (1LL << 40 | (size - 1)));
    const float single = (float)(rank + 1);
    float product = 0;
    float expected = 1;
    for (int i = 1; i <= size; ++i) {
        expected *= (float)i;
    }
    MPI_Allreduce(&single, &product, 1, MPI_FLOAT, MPI_PROD, comm);
    EXPECT(product == expected);
    const double complex wave = rank + 2 * I;
    double complex sum = 0;
    MPI_Allreduce(&wave, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, comm);
    EXPECT(creal(sum) == size * (size - 1) / 2 && cimag(sum) == 2 * size);
    struct {
        double number;
        int at;
    } pair = {(rank + 3) % size, rank}, least = {-1, -1}, greatest = {-1, -1};
    MPI_Allreduce(&pair, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
    MPI_Reduce(&pair, &greatest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, comm);
    EXPECT(least.number == 0 && (least.at + 3) % size == 0);
    EXPECT(rank != 0 || (greatest.number == size - 1 && (greatest.at + 3) % size == size - 1));
    const int equal[2] = {7, size - rank};
    int first[2] = {-1, -1};
    MPI_Allreduce(equal, first, 1, MPI_2INT, MPI_MAXLOC, comm);
    EXPECT(first[0] == 7 && first[1] == 1);
    struct {
        short number;
        int at;
    } short_pair = {(short)-rank, rank}, short_least = {0, 0};
    MPI_Allreduce(&short_pair, &short_least, 1, MPI_SHORT_INT, MPI_MINLOC, comm);
    EXPECT(short_least.number == 1 - size && short_least.at == size - 1);
}

/* Several nonblocking collectives at a time, completed in another order, with messages between. */
static void overlap(int count) {
    MPI_Request requests[4];
    int sum = -1;
    int got = -1;
    for (int i = 0; i < count; ++i) {
        own[i] = rank == 0 ? i : -1;
        all[i] = rank == size - 1 ? 3 * i : -1;
    }
    MPI_Ibcast(own, count, MPI_INT, 0, comm, &requests[0]);
    MPI_Ibcast(all, count, MPI_INT, size - 1, comm, &requests[1]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[2]);
    MPI_Ibarrier(comm, &requests[3]);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 0, comm, IGNORE);
    MPI_Barrier(comm);
    EXPECT(got == (rank + size - 1) % size);
    MPI_Wait(&requests[3], IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    int is_right = sum == size * (size - 1) / 2;
    for (int i = 0; i < count; ++i) {
        is_right &= own[i] == i && all[i] == 3 * i;
    }
    EXPECT(is_right);
}

/* No rank leaves a barrier before the last one has entered it. */
static void meet(int is_nonblocking) {
    static int arrivals;
    MPI_Request request;
    MPI_Status status;
    arrivals += 1;
    if (rank != 0) {
        MPI_Send(&arrivals, 1, MPI_INT, 0, 9, comm);
    }
    if (is_nonblocking) {
        MPI_Ibarrier(comm, &request);
        finish(&request);
    } else {
        MPI_Barrier(comm);
    }
    for (int i = 1; i < size && rank == 0; ++i) {
        int is_there = 0;
        int got = -1;
        MPI_Iprobe(i, 9, comm, &is_there, &status);
        EXPECT(is_there);
        MPI_Recv(&got, 1, MPI_INT, i, 9, comm, &status);
        EXPECT(got == arrivals);
    }
}

int main(int count, char** words) {
    begin(&count, &words);
    most = count > 1 ? atoi(words[1]) : 1000;
    const int has_named_algorithm = getenv("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM") != NULL ||
                                    getenv("MPIR_CVAR_REDUCE_INTRA_ALGORITHM") != NULL;
    const size_t room = (size_t)(2 * size * (most + size + 4) + 64);
    own = malloc(room * sizeof *own);
    all = malloc(room * sizeof *all);
    result = malloc(room * sizeof *result);
    MPI_Comm_split(WORLD, 0, (rank * 7 + 3) % 64, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Datatype pair;
    MPI_Type_contiguous(1, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 2 * sizeof(int), &wide);
    MPI_Type_commit(&wide);
    MPI_Type_free(&pair);
    for (int is_nonblocking = 0; is_nonblocking < 2; ++is_nonblocking) {
        meet(is_nonblocking);
        for (int length = 0; length <= most; length = 9 * length + 1) {
            const int roots[] = {0, size / 2, size - 1};
            for (int i = 0; i < 3; ++i) {
                broadcast(length, roots[i], is_nonblocking);
                gather(length, roots[i], is_nonblocking);
                scatter(length, roots[i], is_nonblocking);
                reduce(length, roots[i], is_nonblocking);
            }
            allgather(length, is_nonblocking);
            alltoall(length, is_nonblocking);
            move_uneven(length, size / 2, is_nonblocking);
            reduce_to_parts(length, is_nonblocking);
            scan(length, is_nonblocking);
        }
    }
    multiply_matrices(3, !has_named_algorithm);
    operate();
    overlap(most);
    free(own);
    free(all);
    free(result);
    MPI_Type_free(&wide);
    MPI_Comm_free(&comm);
    return end();
}
