/* Gathers of which every rank has the result. */
#include "firmware/sparcle/library/mpi/collective.h"

/* MPICH's defaults, in bytes of all parts together */
#define MOST_DOUBLED_BYTES 524288
#define MOST_BRUCK_BYTES 81920

static const char* const algorithms[] = {"recursive_doubling", "brucks", "ring", NULL};
enum { AUTO, DOUBLING, BRUCK, RING };

/* In round k, ranks that differ in bit k exchange the 2^k parts that they have. */
static void double_parts(struct weir_mpi_collective* c, char* all, uint32_t each) {
    const int rank = c->comm->rank;
    for (int count = 1; count < c->comm->size; count *= 2) {
        const int partner = rank ^ count;
        const uint32_t bytes = (uint32_t)count * each;
        weir_mpi_receive(c, all + (uint32_t)(partner & -count) * each, bytes, partner);
        weir_mpi_send(c, all + (uint32_t)(rank & -count) * each, bytes, partner);
        weir_mpi_await(c);
    }
}

/* Bruck's algorithm: in round k a rank gets the 2^k parts that follow its own. */
static void take_rounds(struct weir_mpi_collective* c, char* all, uint32_t each) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    char* const parts = weir_mpi_buffer(c, (uint32_t)size * each);
    weir_mpi_copy(c, parts, all + (uint32_t)rank * each, each);
    for (int count = 1; count < size; count *= 2) {
        const int more = count < size - count ? count : size - count;
        weir_mpi_receive(c, parts + (uint32_t)count * each, (uint32_t)more * each,
                         (rank + count) % size);
        weir_mpi_send(c, parts, (uint32_t)more * each, (rank + size - count) % size);
        weir_mpi_await(c);
    }
    const uint32_t tail = (uint32_t)(size - rank) * each;
    weir_mpi_copy(c, all + (uint32_t)rank * each, parts, tail);
    weir_mpi_copy(c, all, parts + tail, (uint32_t)rank * each);
}

/* Parts go around, from each rank to the next one. Either all have `each` bytes, or the arrays have
 * bytes and places. */
static void pass_around(struct weir_mpi_collective* c, char* all, uint32_t each,
                        const uint32_t* bytes, const uint32_t* places) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    for (int round = 0; round < size - 1; ++round) {
        const int own = (rank - round + size) % size;
        const int next = (rank - round - 1 + 2 * size) % size;
        weir_mpi_receive(c, all + (places != NULL ? places[next] : (uint32_t)next * each),
                         bytes != NULL ? bytes[next] : each, (rank + size - 1) % size);
        weir_mpi_send(c, all + (places != NULL ? places[own] : (uint32_t)own * each),
                      bytes != NULL ? bytes[own] : each, (rank + 1) % size);
        weir_mpi_await(c);
    }
}

void weir_mpi_allgather(struct weir_mpi_collective* c, void* all, uint32_t each) {
    if (weir_mpi_is_power_of_two(c->comm->size)) {
        double_parts(c, all, each);
    } else {
        take_rounds(c, all, each);
    }
}

static int check_own_part(const struct weir_mpi_collective* c, uint32_t sent, uint32_t received) {
    if (sent != received) {
        return ERROR(c->comm, MPI_ERR_TRUNCATE,
                     "this rank sends itself %d bytes and receives %d; accepted: the same",
                     (int)sent, (int)received);
    }
    return MPI_SUCCESS;
}

static int do_Allgather(struct weir_mpi_collective* c, const void* own, int count,
                        MPI_Datatype type, void* all, int all_count, MPI_Datatype all_type) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    CHECK(weir_mpi_check_data(c->comm, all, all_count, all_type));
    const uint32_t each = weir_mpi_bytes_of(all_count, all_type);
    char* const parts = weir_mpi_output(c, all, size * all_count, all_type);
    char* const place = parts + (uint32_t)rank * each;
    if (own != MPI_IN_PLACE) {
        CHECK(weir_mpi_check_data(c->comm, own, count, type));
        CHECK(check_own_part(c, weir_mpi_bytes_of(count, type), each));
        weir_mpi_pack(place, own, count, type);
    } else if (parts != all) {
        weir_mpi_pack(place, (char*)all + rank * all_count * weir_mpi_extent_of(all_type),
                      all_count, all_type);
    }
    int algorithm = weir_mpi_named_algorithm(c, algorithms);
    if (algorithm == DOUBLING && !weir_mpi_is_power_of_two(size)) {
        return weir_mpi_refuse_algorithm(c, algorithms[DOUBLING - 1], "a power of two of ranks");
    }
    if (algorithm == AUTO) {
        const uint32_t bytes = (uint32_t)size * each;
        algorithm = weir_mpi_is_power_of_two(size) && bytes < MOST_DOUBLED_BYTES ? DOUBLING
                    : bytes < MOST_BRUCK_BYTES                                   ? BRUCK
                                                                                 : RING;
    }
    if (algorithm == DOUBLING) {
        double_parts(c, parts, each);
    } else if (algorithm == BRUCK) {
        take_rounds(c, parts, each);
    } else {
        pass_around(c, parts, each, NULL, NULL);
    }
    weir_mpi_deliver(c, all, parts, size * all_count, all_type);
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Allgather, Iallgather,
                    (const void* own, int count, MPI_Datatype type, void* all, int all_count,
                     MPI_Datatype all_type),
                    (own, count, type, all, all_count, all_type))

/* A ring, as MPICH for long data: every rank knows all lengths. */
static int do_Allgatherv(struct weir_mpi_collective* c, const void* own, int count,
                         MPI_Datatype type, void* all, const int* all_counts, const int* places,
                         MPI_Datatype all_type) {
    const int size = c->comm->size;
    const int self = c->comm->rank;
    CHECK(weir_mpi_check_result(c->comm, all_counts));
    CHECK(weir_mpi_check_result(c->comm, places));
    for (int rank = 0; rank < size; ++rank) {
        CHECK(weir_mpi_check_data(c->comm, all, all_counts[rank], all_type));
    }
    const int is_dense = weir_mpi_is_dense(all_type);
    const MPI_Aint extent = weir_mpi_extent_of(all_type);
    uint32_t* const bytes = weir_mpi_buffer(c, 2 * (uint32_t)size * sizeof *bytes);
    uint32_t* const begins = bytes + size;
    uint32_t packed = 0;
    for (int rank = 0; rank < size; ++rank) {
        bytes[rank] = weir_mpi_bytes_of(all_counts[rank], all_type);
        begins[rank] = is_dense ? (uint32_t)(places[rank] * extent) : packed;
        packed += (bytes[rank] + 7) & -8u;
    }
    char* const parts = is_dense ? all : weir_mpi_buffer(c, packed);
    if (own != MPI_IN_PLACE) {
        CHECK(weir_mpi_check_data(c->comm, own, count, type));
        CHECK(check_own_part(c, weir_mpi_bytes_of(count, type), bytes[self]));
        weir_mpi_pack(parts + begins[self], own, count, type);
    } else if (!is_dense) {
        weir_mpi_pack(parts + begins[self], (char*)all + places[self] * extent, all_counts[self],
                      all_type);
    }
    pass_around(c, parts, 0, bytes, begins);
    for (int rank = 0; rank < size && !is_dense; ++rank) {
        weir_mpi_unpack_step(c, (char*)all + places[rank] * extent, parts + begins[rank],
                             bytes[rank], all_type);
    }
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Allgatherv, Iallgatherv,
                    (const void* own, int count, MPI_Datatype type, void* all,
                     const int* all_counts, const int* places, MPI_Datatype all_type),
                    (own, count, type, all, all_counts, places, all_type))
