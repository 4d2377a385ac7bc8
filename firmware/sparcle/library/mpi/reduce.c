/* Reductions to one rank, to all, and to a part for each. */
#include <string.h>

#include "firmware/sparcle/library/mpi/collective.h"

/* MPICH's defaults: from these bytes on, the data are reduced in parts. */
#define LEAST_PARTED_BYTES 2048
#define LEAST_PAIRWISE_BYTES 524288

static const char* const reduce_algorithms[] = {"binomial", "reduce_scatter_gather", NULL};
enum { AUTO, BINOMIAL, SCATTER_GATHER };
static const char* const allreduce_algorithms[] = {"recursive_doubling", "reduce_scatter_allgather",
                                                   "ring", "tree", NULL};
enum { DOUBLING = 1, SCATTER_ALLGATHER, RING, TREE };
static const char* const scatter_algorithms[] = {"recursive_halving", "pairwise", "tree", NULL};
enum { HALVING = 1, PAIRWISE, TREE_SCATTER };

/* A copy of the rank's own values: count values at their extent. */
static int begin_reduction(struct weir_mpi_collective* c, const void* own, const void* result,
                           int count, MPI_Datatype type, MPI_Op op, int has_result,
                           char** accumulated) {
    const void* const values = own == MPI_IN_PLACE ? result : own;
    CHECK(weir_mpi_check_data(c->comm, values, count, type));
    if (has_result) {
        CHECK(weir_mpi_check_data(c->comm, result, count, type));
    }
    CHECK(weir_mpi_check_operation(c->comm, op, type));
    const struct weir_mpi_type* const made =
        weir_mpi_is_basic(type) ? NULL : weir_mpi_type_of(type);
    if (made != NULL &&
        (made->true_lower < 0 || made->true_lower + made->true_extent > made->extent)) {
        return ERROR(c->comm, MPI_ERR_TYPE,
                     "values of datatype %d overlap their neighbours; accepted in a reduction: "
                     "types whose values lie within their extent",
                     type);
    }
    c->op = op;
    c->type = type;
    c->each = (uint32_t)weir_mpi_extent_of(type);
    *accumulated = weir_mpi_buffer(c, (uint32_t)count * c->each);
    weir_mpi_copy_values(*accumulated, values, count, type);
    return MPI_SUCCESS;
}

static void swap(char** one, char** other) {
    char* const kept = *one;
    *one = *other;
    *other = kept;
}

/* Values from a rank above, whose buffer then has the result. */
static void combine_higher(struct weir_mpi_collective* c, char** accumulated, char** other,
                           int count) {
    weir_mpi_combine_step(c, *accumulated, *other, count);
    swap(accumulated, other);
}

/* Up a binomial tree: values are always combined in the order of ranks, from the root on. Returns
 * the buffer with the result at the root. */
static char* climb(struct weir_mpi_collective* c, char* accumulated, int count, int root) {
    const int size = c->comm->size;
    const int place = (c->comm->rank - root + size) % size;
    const uint32_t bytes = (uint32_t)count * c->each;
    char* other = size == 1 ? NULL : weir_mpi_buffer(c, bytes);
    int distance = 1;
    for (; distance < size && (place & distance) == 0; distance *= 2) {
        if (place + distance < size) {
            weir_mpi_receive(c, other, bytes, (place + distance + root) % size);
            weir_mpi_await(c);
            combine_higher(c, &accumulated, &other, count);
        }
    }
    if (place != 0) {
        weir_mpi_send(c, accumulated, bytes, (place - distance + root) % size);
        weir_mpi_await(c);
    }
    return accumulated;
}
static void descend(struct weir_mpi_collective* c, char* data, uint32_t bytes) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    int distance = 1;
    while (distance < size && (rank & distance) == 0) {
        distance *= 2;
    }
    if (rank != 0) {
        weir_mpi_receive(c, data, bytes, rank - distance);
        weir_mpi_await(c);
    }
    for (distance /= 2; distance > 0; distance /= 2) {
        if (rank + distance < size) {
            weir_mpi_send(c, data, bytes, rank + distance);
            weir_mpi_await(c);
        }
    }
}

/* ---- reductions in parts, among a power of two of ranks (Rabenseifner) ---- */

/* The ranks beyond the greatest power of two, `rest` of them, are folded. Among the first
 * 2 * rest ranks, each even one gives its values to the odd one after it, and does not take part.
 */
struct fold {
    int power;
    int rest;
    int place; /* among those that take part; -1: does not */
};
static struct fold fold_of(const struct weir_mpi_collective* c) {
    const int rank = c->comm->rank;
    struct fold fold = {1, 0, 0};
    while (2 * fold.power <= c->comm->size) {
        fold.power *= 2;
    }
    fold.rest = c->comm->size - fold.power;
    fold.place = rank >= 2 * fold.rest ? rank - fold.rest : rank % 2 == 1 ? rank / 2 : -1;
    return fold;
}
static int rank_of_place(const struct fold* fold, int place) {
    return place < fold->rest ? 2 * place + 1 : place + fold->rest;
}

static struct fold begin_fold(struct weir_mpi_collective* c, char** accumulated, char** other,
                              int count) {
    const struct fold fold = fold_of(c);
    const int rank = c->comm->rank;
    const uint32_t bytes = (uint32_t)count * c->each;
    if (fold.place < 0) {
        weir_mpi_send(c, *accumulated, bytes, rank + 1);
        weir_mpi_await(c);
    } else if (rank < 2 * fold.rest) {
        weir_mpi_receive(c, *other, bytes, rank - 1);
        weir_mpi_await(c);
        weir_mpi_combine_step(c, *other, *accumulated, count); /* from a lower rank */
    }
    return fold;
}
/* Gives the result to the ranks that did not take part. */
static void end_fold(struct weir_mpi_collective* c, const struct fold* fold, char* accumulated,
                     int count) {
    const int rank = c->comm->rank;
    const uint32_t bytes = (uint32_t)count * c->each;
    if (fold->place < 0) {
        weir_mpi_receive(c, accumulated, bytes, rank + 1);
    } else if (rank < 2 * fold->rest) {
        weir_mpi_send(c, accumulated, bytes, rank - 1);
    }
    weir_mpi_await(c);
}

/* Value with which the part of a place begins; the arrays of uneven parts have one more element. */
static int begin_of(const struct fold* fold, const int* begins, int count, int place) {
    if (begins != NULL) {
        return begins[place];
    }
    return count / fold->power * place + count % fold->power * place / fold->power;
}
static void move_places(struct weir_mpi_collective* c, const struct fold* fold, const int* begins,
                        int count, char* data, int sends, int first, int number, int partner) {
    const int begin = begin_of(fold, begins, count, first);
    const int end = begin_of(fold, begins, count, first + number);
    char* const at = data + (uint32_t)begin * c->each;
    const uint32_t bytes = (uint32_t)(end - begin) * c->each;
    if (bytes != 0 && sends) {
        weir_mpi_send(c, at, bytes, rank_of_place(fold, partner));
    } else if (bytes != 0) {
        weir_mpi_receive(c, at, bytes, rank_of_place(fold, partner));
    }
}

/* Recursive halving: afterwards each place has the result of its part. */
static void halve(struct weir_mpi_collective* c, const struct fold* fold, const int* begins,
                  int count, char* accumulated, char* other) {
    for (int half = fold->power / 2; half > 0; half /= 2) {
        const int partner = fold->place ^ half;
        const int kept = fold->place & -half;
        const int given = partner & -half;
        move_places(c, fold, begins, count, other, 0, kept, half, partner);
        move_places(c, fold, begins, count, accumulated, 1, given, half, partner);
        weir_mpi_await(c);
        const int begin = begin_of(fold, begins, count, kept);
        const int end = begin_of(fold, begins, count, kept + half);
        weir_mpi_combine_step(c, other + (uint32_t)begin * c->each,
                              accumulated + (uint32_t)begin * c->each, end - begin);
    }
}
static void double_parts(struct weir_mpi_collective* c, const struct fold* fold, int count,
                         char* accumulated) {
    for (int number = 1; number < fold->power; number *= 2) {
        const int partner = fold->place ^ number;
        move_places(c, fold, NULL, count, accumulated, 0, partner & -number, number, partner);
        move_places(c, fold, NULL, count, accumulated, 1, fold->place & -number, number, partner);
        weir_mpi_await(c);
    }
}
/* Gathers the parts at the place of the root, up a binomial tree. */
static void gather_parts(struct weir_mpi_collective* c, const struct fold* fold, int count,
                         char* accumulated, int root_place) {
    for (int number = 1; number < fold->power; number *= 2) {
        const int partner = fold->place ^ number;
        if (((fold->place ^ root_place) & number) != 0) {
            move_places(c, fold, NULL, count, accumulated, 1, fold->place & -number, number,
                        partner);
            weir_mpi_await(c);
            return;
        }
        move_places(c, fold, NULL, count, accumulated, 0, partner & -number, number, partner);
        weir_mpi_await(c);
    }
}

/* ---- to one rank ---- */

static char* reduce_in_parts(struct weir_mpi_collective* c, char* accumulated, int count,
                             int root) {
    char* other = weir_mpi_buffer(c, (uint32_t)count * c->each);
    const uint32_t bytes = (uint32_t)count * c->each;
    const struct fold fold = begin_fold(c, &accumulated, &other, count);
    const int is_folded = root < 2 * fold.rest && root % 2 == 0;
    const int root_place = root >= 2 * fold.rest ? root - fold.rest : root / 2;
    const int top = rank_of_place(&fold, root_place);
    if (fold.place >= 0) {
        halve(c, &fold, NULL, count, accumulated, other);
        gather_parts(c, &fold, count, accumulated, root_place);
    }
    if (is_folded && c->comm->rank == root) {
        weir_mpi_receive(c, accumulated, bytes, top);
    } else if (is_folded && c->comm->rank == top) {
        weir_mpi_send(c, accumulated, bytes, root);
    }
    weir_mpi_await(c);
    return accumulated;
}

static int do_Reduce(struct weir_mpi_collective* c, const void* own, void* result, int count,
                     MPI_Datatype type, MPI_Op op, int root) {
    const int rank = c->comm->rank;
    char* accumulated;
    CHECK(weir_mpi_check_rank(c->comm, root));
    CHECK(begin_reduction(c, own, result, count, type, op, rank == root, &accumulated));
    const int is_commutative = weir_mpi_is_commutative(op);
    int algorithm = weir_mpi_named_algorithm(c, reduce_algorithms);
    if (algorithm == SCATTER_GATHER && !is_commutative) {
        return weir_mpi_refuse_algorithm(c, reduce_algorithms[SCATTER_GATHER - 1],
                                         "commutative operations");
    }
    if (algorithm == AUTO) {
        const int is_long = weir_mpi_bytes_of(count, type) > LEAST_PARTED_BYTES;
        algorithm = is_long && is_commutative && count >= c->comm->size ? SCATTER_GATHER : BINOMIAL;
    }
    if (algorithm == SCATTER_GATHER) {
        accumulated = reduce_in_parts(c, accumulated, count, root);
    } else {
        /* The order of ranks matters where the operation does not commute. */
        const int top = is_commutative ? root : 0;
        const uint32_t bytes = (uint32_t)count * c->each;
        accumulated = climb(c, accumulated, count, top);
        if (top != root && rank == top) {
            weir_mpi_send(c, accumulated, bytes, root);
        } else if (top != root && rank == root) {
            weir_mpi_receive(c, accumulated, bytes, top);
        }
        weir_mpi_await(c);
    }
    if (rank == root) {
        weir_mpi_copy_typed(c, result, accumulated, count, type);
    }
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Reduce, Ireduce,
                    (const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                     int root),
                    (own, result, count, type, op, root))

/* ---- to all ---- */

/* In round k, places that differ in bit k exchange all values. */
static char* double_values(struct weir_mpi_collective* c, char* accumulated, int count) {
    const uint32_t bytes = (uint32_t)count * c->each;
    char* other = weir_mpi_buffer(c, bytes);
    const struct fold fold = begin_fold(c, &accumulated, &other, count);
    for (int bit = 1; fold.place >= 0 && bit < fold.power; bit *= 2) {
        const int partner = rank_of_place(&fold, fold.place ^ bit);
        weir_mpi_receive(c, other, bytes, partner);
        weir_mpi_send(c, accumulated, bytes, partner);
        weir_mpi_await(c);
        if (partner < c->comm->rank) {
            weir_mpi_combine_step(c, other, accumulated, count);
        } else {
            combine_higher(c, &accumulated, &other, count);
        }
    }
    end_fold(c, &fold, accumulated, count);
    return accumulated;
}

/* Parts go around and are combined, then their results go around. */
static void reduce_around(struct weir_mpi_collective* c, char* accumulated, int count) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    const int before = (rank + size - 1) % size;
    const int after = (rank + 1) % size;
    char* const other = weir_mpi_buffer(c, ((uint32_t)(count / size) + 1) * c->each);
    for (int round = 0; round < 2 * (size - 1); ++round) {
        const int combines = round < size - 1;
        const int out = (rank - round + 2 * size) % size;
        const int in = (rank - round - 1 + 2 * size) % size;
        const int out_begin = (int)((long long)count * out / size);
        const int out_end = (int)((long long)count * (out + 1) / size);
        const int in_begin = (int)((long long)count * in / size);
        const int in_end = (int)((long long)count * (in + 1) / size);
        char* const in_place = accumulated + (uint32_t)in_begin * c->each;
        weir_mpi_receive(c, combines ? other : in_place, (uint32_t)(in_end - in_begin) * c->each,
                         before);
        weir_mpi_send(c, accumulated + (uint32_t)out_begin * c->each,
                      (uint32_t)(out_end - out_begin) * c->each, after);
        weir_mpi_await(c);
        if (combines) {
            weir_mpi_combine_step(c, other, in_place, in_end - in_begin);
        }
    }
}

static char* reduce_to_all(struct weir_mpi_collective* c, char* accumulated, int count,
                           int algorithm) {
    if (algorithm == DOUBLING) {
        return double_values(c, accumulated, count);
    }
    if (algorithm == RING) {
        reduce_around(c, accumulated, count);
        return accumulated;
    }
    if (algorithm == TREE) {
        accumulated = climb(c, accumulated, count, 0);
        descend(c, accumulated, (uint32_t)count * c->each);
        return accumulated;
    }
    char* other = weir_mpi_buffer(c, (uint32_t)count * c->each);
    const struct fold fold = begin_fold(c, &accumulated, &other, count);
    if (fold.place >= 0) {
        halve(c, &fold, NULL, count, accumulated, other);
        double_parts(c, &fold, count, accumulated);
    }
    end_fold(c, &fold, accumulated, count);
    return accumulated;
}

static int do_Allreduce(struct weir_mpi_collective* c, const void* own, void* result, int count,
                        MPI_Datatype type, MPI_Op op) {
    char* accumulated;
    CHECK(begin_reduction(c, own, result, count, type, op, 1, &accumulated));
    const int is_commutative = weir_mpi_is_commutative(op);
    int algorithm = weir_mpi_named_algorithm(c, allreduce_algorithms);
    if ((algorithm == SCATTER_ALLGATHER || algorithm == RING) && !is_commutative) {
        return weir_mpi_refuse_algorithm(c, allreduce_algorithms[algorithm - 1],
                                         "commutative operations");
    }
    if (algorithm == AUTO) {
        const int is_long = weir_mpi_bytes_of(count, type) > LEAST_PARTED_BYTES;
        algorithm =
            is_long && is_commutative && count >= c->comm->size ? SCATTER_ALLGATHER : DOUBLING;
    }
    accumulated = reduce_to_all(c, accumulated, count, algorithm);
    weir_mpi_copy_typed(c, result, accumulated, count, type);
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Allreduce, Iallreduce,
                    (const void* own, void* result, int count, MPI_Datatype type, MPI_Op op),
                    (own, result, count, type, op))

void weir_mpi_allreduce(struct weir_mpi_collective* c, void* data, int count, MPI_Datatype type,
                        MPI_Op op) {
    const uint32_t bytes = weir_mpi_bytes_of(count, type);
    c->op = op;
    c->type = type;
    c->each = weir_mpi_bytes_of(1, type);
    char* const accumulated = weir_mpi_buffer(c, bytes);
    weir_mpi_copy(c, accumulated, data, bytes);
    weir_mpi_copy(c, data, double_values(c, accumulated, count), bytes);
}

/* ---- to a part for each rank ---- */

/* Rank r sends each other rank its part of r's values. */
static void reduce_in_pairs(struct weir_mpi_collective* c, char* accumulated, const int* begins) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    const int own = begins[rank + 1] - begins[rank];
    char* const at = accumulated + (uint32_t)begins[rank] * c->each;
    char* const other = weir_mpi_buffer(c, (uint32_t)own * c->each);
    for (int step = 1; step < size; ++step) {
        const int to = (rank + step) % size;
        const int from = (rank + size - step) % size;
        weir_mpi_receive(c, other, (uint32_t)own * c->each, from);
        weir_mpi_send(c, accumulated + (uint32_t)begins[to] * c->each,
                      (uint32_t)(begins[to + 1] - begins[to]) * c->each, to);
        weir_mpi_await(c);
        weir_mpi_combine_step(c, other, at, own);
    }
}

static void reduce_by_halving(struct weir_mpi_collective* c, char* accumulated, const int* begins) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    char* other = weir_mpi_buffer(c, (uint32_t)begins[size] * c->each);
    const struct fold fold = begin_fold(c, &accumulated, &other, begins[size]);
    /* A place has its rank's part, and that of the even rank that it stands for. */
    int* const places = weir_mpi_buffer(c, (uint32_t)(fold.power + 1) * sizeof *places);
    for (int place = 0; place < fold.power; ++place) {
        places[place] = begins[place < fold.rest ? 2 * place : place + fold.rest];
    }
    places[fold.power] = begins[size];
    if (fold.place >= 0) {
        halve(c, &fold, places, begins[size], accumulated, other);
    }
    if (fold.place < 0) {
        weir_mpi_receive(c, accumulated + (uint32_t)begins[rank] * c->each,
                         (uint32_t)(begins[rank + 1] - begins[rank]) * c->each, rank + 1);
    } else if (rank < 2 * fold.rest) {
        weir_mpi_send(c, accumulated + (uint32_t)begins[rank - 1] * c->each,
                      (uint32_t)(begins[rank] - begins[rank - 1]) * c->each, rank - 1);
    }
    weir_mpi_await(c);
}

/* Up a tree to rank 0, which sends each rank its part. */
static char* reduce_and_scatter(struct weir_mpi_collective* c, char* accumulated,
                                const int* begins) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    accumulated = climb(c, accumulated, begins[size], 0);
    for (int to = 1; to < size && rank == 0; ++to) {
        weir_mpi_send(c, accumulated + (uint32_t)begins[to] * c->each,
                      (uint32_t)(begins[to + 1] - begins[to]) * c->each, to);
        weir_mpi_await(c);
    }
    if (rank != 0) {
        weir_mpi_receive(c, accumulated + (uint32_t)begins[rank] * c->each,
                         (uint32_t)(begins[rank + 1] - begins[rank]) * c->each, 0);
        weir_mpi_await(c);
    }
    return accumulated;
}

static int reduce_to_parts(struct weir_mpi_collective* c, const void* own, void* result,
                           const int* begins, MPI_Datatype type, MPI_Op op) {
    const int rank = c->comm->rank;
    const int count = begins[c->comm->size];
    char* accumulated;
    CHECK(begin_reduction(c, own, result, count, type, op, 0, &accumulated));
    CHECK(weir_mpi_check_data(c->comm, result, begins[rank + 1] - begins[rank], type));
    const int is_commutative = weir_mpi_is_commutative(op);
    int algorithm = weir_mpi_named_algorithm(c, scatter_algorithms);
    if ((algorithm == HALVING || algorithm == PAIRWISE) && !is_commutative) {
        return weir_mpi_refuse_algorithm(c, scatter_algorithms[algorithm - 1],
                                         "commutative operations");
    }
    if (algorithm == AUTO) {
        algorithm = !is_commutative                                         ? TREE_SCATTER
                    : weir_mpi_bytes_of(count, type) < LEAST_PAIRWISE_BYTES ? HALVING
                                                                            : PAIRWISE;
    }
    if (algorithm == HALVING) {
        reduce_by_halving(c, accumulated, begins);
    } else if (algorithm == PAIRWISE) {
        reduce_in_pairs(c, accumulated, begins);
    } else {
        accumulated = reduce_and_scatter(c, accumulated, begins);
    }
    weir_mpi_copy_typed(c, result, accumulated + (uint32_t)begins[rank] * c->each,
                        begins[rank + 1] - begins[rank], type);
    return MPI_SUCCESS;
}

static int do_Reduce_scatter(struct weir_mpi_collective* c, const void* own, void* result,
                             const int* counts, MPI_Datatype type, MPI_Op op) {
    const int size = c->comm->size;
    CHECK(weir_mpi_check_result(c->comm, counts));
    int* const begins = weir_mpi_buffer(c, (uint32_t)(size + 1) * sizeof *begins);
    begins[0] = 0;
    for (int rank = 0; rank < size; ++rank) {
        if (counts[rank] < 0) {
            return weir_mpi_refuse_count(c->comm, counts[rank]);
        }
        begins[rank + 1] = begins[rank] + counts[rank];
    }
    return reduce_to_parts(c, own, result, begins, type, op);
}
WEIR_MPI_BOTH_FORMS(Reduce_scatter, Ireduce_scatter,
                    (const void* own, void* result, const int* counts, MPI_Datatype type,
                     MPI_Op op),
                    (own, result, counts, type, op))

static int do_Reduce_scatter_block(struct weir_mpi_collective* c, const void* own, void* result,
                                   int count, MPI_Datatype type, MPI_Op op) {
    const int size = c->comm->size;
    if (count < 0 || count > INT_MAX / 8 / size) {
        return weir_mpi_refuse_count(c->comm, count);
    }
    int* const begins = weir_mpi_buffer(c, (uint32_t)(size + 1) * sizeof *begins);
    for (int rank = 0; rank <= size; ++rank) {
        begins[rank] = rank * count;
    }
    return reduce_to_parts(c, own, result, begins, type, op);
}
WEIR_MPI_BOTH_FORMS(Reduce_scatter_block, Ireduce_scatter_block,
                    (const void* own, void* result, int count, MPI_Datatype type, MPI_Op op),
                    (own, result, count, type, op))

/* ---- prefixes ---- */

static const char* const scan_algorithms[] = {"recursive_doubling", "linear", NULL};
enum { LINEAR_SCAN = 2 };

/* The prefix of each rank, without its own values where is_exclusive. Returns the buffer that has
 * it; NULL at rank 0 of an exclusive scan. */
static char* scan_by_doubling(struct weir_mpi_collective* c, char* partial, int count,
                              int is_exclusive) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    const uint32_t bytes = (uint32_t)count * c->each;
    char* other = weir_mpi_buffer(c, bytes);
    char* const prefix = weir_mpi_buffer(c, bytes);
    int has_prefix = !is_exclusive;
    if (!is_exclusive) {
        weir_mpi_copy(c, prefix, partial, bytes);
    }
    for (int bit = 1; bit < size; bit *= 2) {
        const int partner = rank ^ bit;
        if (partner >= size) {
            continue;
        }
        weir_mpi_receive(c, other, bytes, partner);
        weir_mpi_send(c, partial, bytes, partner);
        weir_mpi_await(c);
        if (partner > rank) {
            combine_higher(c, &partial, &other, count);
            continue;
        }
        weir_mpi_combine_step(c, other, partial, count);
        if (has_prefix) {
            weir_mpi_combine_step(c, other, prefix, count);
        } else {
            weir_mpi_copy(c, prefix, other, bytes);
            has_prefix = 1;
        }
    }
    return has_prefix ? prefix : NULL;
}

/* From each rank to the next one */
static char* scan_in_order(struct weir_mpi_collective* c, char* own, int count, int is_exclusive) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    const uint32_t bytes = (uint32_t)count * c->each;
    char* const before = weir_mpi_buffer(c, bytes);
    if (rank > 0) {
        weir_mpi_receive(c, before, bytes, rank - 1);
        weir_mpi_await(c);
        weir_mpi_combine_step(c, before, own, count);
    }
    if (rank < size - 1) {
        weir_mpi_send(c, own, bytes, rank + 1);
        weir_mpi_await(c);
    }
    return !is_exclusive ? own : rank > 0 ? before : NULL;
}

static int scan(struct weir_mpi_collective* c, const void* own, void* result, int count,
                MPI_Datatype type, MPI_Op op, int is_exclusive) {
    char* accumulated;
    CHECK(begin_reduction(c, own, result, count, type, op, !is_exclusive || c->comm->rank > 0,
                          &accumulated));
    const char* const prefix = weir_mpi_named_algorithm(c, scan_algorithms) == LINEAR_SCAN
                                   ? scan_in_order(c, accumulated, count, is_exclusive)
                                   : scan_by_doubling(c, accumulated, count, is_exclusive);
    if (prefix != NULL) {
        weir_mpi_copy_typed(c, result, prefix, count, type);
    }
    return MPI_SUCCESS;
}
static int do_Scan(struct weir_mpi_collective* c, const void* own, void* result, int count,
                   MPI_Datatype type, MPI_Op op) {
    return scan(c, own, result, count, type, op, 0);
}
WEIR_MPI_BOTH_FORMS(Scan, Iscan,
                    (const void* own, void* result, int count, MPI_Datatype type, MPI_Op op),
                    (own, result, count, type, op))
/* The result of rank 0 stays as it is. */
static int do_Exscan(struct weir_mpi_collective* c, const void* own, void* result, int count,
                     MPI_Datatype type, MPI_Op op) {
    return scan(c, own, result, count, type, op, 1);
}
WEIR_MPI_BOTH_FORMS(Exscan, Iexscan,
                    (const void* own, void* result, int count, MPI_Datatype type, MPI_Op op),
                    (own, result, count, type, op))
