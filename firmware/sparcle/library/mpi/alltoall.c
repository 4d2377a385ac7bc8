/* Exchanges of each rank with each other one. */
#include "firmware/sparcle/library/mpi/collective.h"

/* MPICH's defaults: up to these bytes for each rank */
#define MOST_BRUCK_BYTES 256
#define LEAST_BRUCK_RANKS 8
#define MOST_SCATTERED_BYTES 32768
/* Messages in flight of the scattered algorithm, in each direction */
#define SCATTERED_AT_ONCE 16

static const char* const algorithms[] = {"brucks", "pairwise", "scattered", NULL};
enum { AUTO, BRUCK, PAIRWISE, SCATTERED };
static const char* const uneven_algorithms[] = {"scattered", "pairwise", NULL};

/* Parts that a rank sends or receives: bytes, and where they begin. */
struct parts {
    char* data;
    const uint32_t* bytes; /* by rank; NULL: all have `each` */
    const uint32_t* places;
    uint32_t each;
};

static uint32_t bytes_at(const struct parts* parts, int rank) {
    return parts->bytes == NULL ? parts->each : parts->bytes[rank];
}
static char* place_at(const struct parts* parts, int rank) {
    return parts->data +
           (parts->places == NULL ? (uint32_t)rank * parts->each : parts->places[rank]);
}

/* The part that a rank sends itself must be as long as the part that it receives. */
static int copy_own(struct weir_mpi_collective* c, const struct parts* out,
                    const struct parts* in) {
    const int rank = c->comm->rank;
    if (bytes_at(out, rank) != bytes_at(in, rank)) {
        return ERROR(c->comm, MPI_ERR_TRUNCATE,
                     "this rank sends itself %d bytes and receives %d; accepted: the same",
                     (int)bytes_at(out, rank), (int)bytes_at(in, rank));
    }
    weir_mpi_copy(c, place_at(in, rank), place_at(out, rank), bytes_at(in, rank));
    return MPI_SUCCESS;
}

/* In step k each rank exchanges with the rank at its own number exclusive-or k. If the number of
 * ranks is no power of two, it sends to the k-th after it and receives from the k-th before it. */
static void exchange_in_pairs(struct weir_mpi_collective* c, const struct parts* out,
                              const struct parts* in) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    const int is_power = weir_mpi_is_power_of_two(size);
    for (int step = 1; step < size; ++step) {
        const int to = is_power ? rank ^ step : (rank + step) % size;
        const int from = is_power ? rank ^ step : (rank + size - step) % size;
        weir_mpi_receive(c, place_at(in, from), bytes_at(in, from), from);
        weir_mpi_send(c, place_at(out, to), bytes_at(out, to), to);
        weir_mpi_await(c);
    }
}

static void scatter_all(struct weir_mpi_collective* c, const struct parts* out,
                        const struct parts* in) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    for (int first = 1; first < size; first += SCATTERED_AT_ONCE) {
        const int end = first + SCATTERED_AT_ONCE < size ? first + SCATTERED_AT_ONCE : size;
        for (int step = first; step < end; ++step) {
            const int from = (rank + step) % size;
            weir_mpi_receive(c, place_at(in, from), bytes_at(in, from), from);
        }
        for (int step = first; step < end; ++step) {
            const int to = (rank + size - step) % size;
            weir_mpi_send(c, place_at(out, to), bytes_at(out, to), to);
        }
        weir_mpi_await(c);
    }
}

/* Bruck's algorithm: in round k, blocks with bit k in their distance move 2^k ranks on together. */
static void exchange_in_rounds(struct weir_mpi_collective* c, const struct parts* out,
                               const struct parts* in) {
    const int size = c->comm->size;
    const int rank = c->comm->rank;
    const uint32_t each = in->each;
    char* const blocks = weir_mpi_buffer(c, (uint32_t)size * each);
    char* const packed = weir_mpi_buffer(c, (uint32_t)size * each);
    char* const came = weir_mpi_buffer(c, (uint32_t)size * each);
    for (int i = 0; i < size; ++i) {
        weir_mpi_copy(c, blocks + (uint32_t)i * each, place_at(out, (rank + i) % size), each);
    }
    for (int distance = 1; distance < size; distance *= 2) {
        uint32_t bytes = 0;
        for (int i = distance; i < size; ++i) {
            if ((i & distance) != 0) {
                weir_mpi_copy(c, packed + bytes, blocks + (uint32_t)i * each, each);
                bytes += each;
            }
        }
        weir_mpi_receive(c, came, bytes, (rank + size - distance) % size);
        weir_mpi_send(c, packed, bytes, (rank + distance) % size);
        weir_mpi_await(c);
        bytes = 0;
        for (int i = distance; i < size; ++i) {
            if ((i & distance) != 0) {
                weir_mpi_copy(c, blocks + (uint32_t)i * each, came + bytes, each);
                bytes += each;
            }
        }
    }
    for (int i = 0; i < size; ++i) {
        weir_mpi_copy(c, place_at(in, (rank + size - i) % size), blocks + (uint32_t)i * each, each);
    }
}

static int do_Alltoall(struct weir_mpi_collective* c, const void* out, int count, MPI_Datatype type,
                       void* in, int in_count, MPI_Datatype in_type) {
    const int size = c->comm->size;
    CHECK(weir_mpi_check_data(c->comm, in, in_count, in_type));
    struct parts to = {.each = weir_mpi_bytes_of(in_count, in_type)};
    struct parts from = {.each = to.each};
    if (out == MPI_IN_PLACE) {
        to.data = weir_mpi_buffer(c, (uint32_t)size * to.each);
        weir_mpi_pack(to.data, in, size * in_count, in_type);
    } else {
        CHECK(weir_mpi_check_data(c->comm, out, count, type));
        to.each = weir_mpi_bytes_of(count, type);
        to.data = (char*)weir_mpi_input(c, out, size * count, type);
    }
    from.data = weir_mpi_output(c, in, size * in_count, in_type);
    int algorithm = weir_mpi_named_algorithm(c, algorithms);
    if (algorithm == AUTO) {
        algorithm = from.each <= MOST_BRUCK_BYTES && size >= LEAST_BRUCK_RANKS ? BRUCK
                    : from.each <= MOST_SCATTERED_BYTES                        ? SCATTERED
                                                                               : PAIRWISE;
    }
    CHECK(copy_own(c, &to, &from));
    if (algorithm == BRUCK) {
        exchange_in_rounds(c, &to, &from);
    } else if (algorithm == PAIRWISE) {
        exchange_in_pairs(c, &to, &from);
    } else {
        scatter_all(c, &to, &from);
    }
    weir_mpi_deliver(c, in, from.data, size * in_count, in_type);
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Alltoall, Ialltoall,
                    (const void* out, int count, MPI_Datatype type, void* in, int in_count,
                     MPI_Datatype in_type),
                    (out, count, type, in, in_count, in_type))

/* Uneven parts: counts and places, either in extents of one type, or in bytes with a type each. */
struct uneven {
    char* data;
    const int* counts;
    const int* places;
    MPI_Datatype type; /* MPI_DATATYPE_NULL: `types` */
    const MPI_Datatype* types;
};

static MPI_Datatype type_at(const struct uneven* uneven, int rank) {
    return uneven->types == NULL ? uneven->type : uneven->types[rank];
}
static char* values_at(const struct uneven* uneven, int rank) {
    return uneven->data +
           uneven->places[rank] * (uneven->types == NULL ? weir_mpi_extent_of(uneven->type) : 1);
}
static int check_uneven(const struct weir_mpi_collective* c, const struct uneven* uneven) {
    CHECK(weir_mpi_check_result(c->comm, uneven->counts));
    CHECK(weir_mpi_check_result(c->comm, uneven->places));
    for (int rank = 0; rank < c->comm->size; ++rank) {
        CHECK(weir_mpi_check_data(c->comm, uneven->data, uneven->counts[rank],
                                  type_at(uneven, rank)));
    }
    return MPI_SUCCESS;
}

/* Contiguous parts: the values themselves where all types are dense, else a buffer. */
static struct parts parts_of(struct weir_mpi_collective* c, const struct uneven* uneven,
                             int packs) {
    const int size = c->comm->size;
    uint32_t* const bytes = weir_mpi_buffer(c, 2 * (uint32_t)size * sizeof *bytes);
    uint32_t* const places = bytes + size;
    uint32_t all = 0;
    int is_dense = !packs;
    for (int rank = 0; rank < size; ++rank) {
        bytes[rank] = weir_mpi_bytes_of(uneven->counts[rank], type_at(uneven, rank));
        places[rank] = all;
        all += (bytes[rank] + 7) & -8u;
        is_dense = is_dense && weir_mpi_is_dense(type_at(uneven, rank));
    }
    if (is_dense) {
        for (int rank = 0; rank < size; ++rank) {
            places[rank] = (uint32_t)(values_at(uneven, rank) - uneven->data);
        }
        return (struct parts){uneven->data, bytes, places, 0};
    }
    return (struct parts){weir_mpi_buffer(c, all), bytes, places, 0};
}
static void pack_parts(struct weir_mpi_collective* c, const struct uneven* uneven,
                       const struct parts* parts) {
    for (int rank = 0; rank < c->comm->size && parts->data != uneven->data; ++rank) {
        weir_mpi_pack(place_at(parts, rank), values_at(uneven, rank), uneven->counts[rank],
                      type_at(uneven, rank));
    }
}

static int exchange_uneven(struct weir_mpi_collective* c, const struct uneven* out,
                           const struct uneven* in) {
    const int is_in_place = out->data == MPI_IN_PLACE;
    CHECK(check_uneven(c, in));
    if (!is_in_place) {
        CHECK(check_uneven(c, out));
    }
    const struct parts to = parts_of(c, is_in_place ? in : out, is_in_place);
    const struct parts from = parts_of(c, in, 0);
    pack_parts(c, is_in_place ? in : out, &to);
    CHECK(copy_own(c, &to, &from));
    if (weir_mpi_named_algorithm(c, uneven_algorithms) == 2) {
        exchange_in_pairs(c, &to, &from);
    } else {
        scatter_all(c, &to, &from);
    }
    for (int rank = 0; rank < c->comm->size && from.data != in->data; ++rank) {
        weir_mpi_unpack_step(c, values_at(in, rank), place_at(&from, rank), bytes_at(&from, rank),
                             type_at(in, rank));
    }
    return MPI_SUCCESS;
}

static int do_Alltoallv(struct weir_mpi_collective* c, const void* out, const int* counts,
                        const int* places, MPI_Datatype type, void* in, const int* in_counts,
                        const int* in_places, MPI_Datatype in_type) {
    const struct uneven to = {(char*)out, counts, places, type, NULL};
    const struct uneven from = {in, in_counts, in_places, in_type, NULL};
    return exchange_uneven(c, &to, &from);
}
WEIR_MPI_BOTH_FORMS(Alltoallv, Ialltoallv,
                    (const void* out, const int* counts, const int* places, MPI_Datatype type,
                     void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type),
                    (out, counts, places, type, in, in_counts, in_places, in_type))

static int do_Alltoallw(struct weir_mpi_collective* c, const void* out, const int* counts,
                        const int* places, const MPI_Datatype* types, void* in,
                        const int* in_counts, const int* in_places, const MPI_Datatype* in_types) {
    const struct uneven to = {(char*)out, counts, places, MPI_DATATYPE_NULL, types};
    const struct uneven from = {in, in_counts, in_places, MPI_DATATYPE_NULL, in_types};
    CHECK(weir_mpi_check_result(c->comm, in_types));
    if (out != MPI_IN_PLACE) {
        CHECK(weir_mpi_check_result(c->comm, types));
    }
    return exchange_uneven(c, &to, &from);
}
WEIR_MPI_BOTH_FORMS(Alltoallw, Ialltoallw,
                    (const void* out, const int* counts, const int* places,
                     const MPI_Datatype* types, void* in, const int* in_counts,
                     const int* in_places, const MPI_Datatype* in_types),
                    (out, counts, places, types, in, in_counts, in_places, in_types))
