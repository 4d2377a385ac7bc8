#include "firmware/sparcle/library/mpi/collective.h"

/* MPICH's defaults: from these bytes and ranks on, the data are scattered and gathered. */
#define LEAST_SCATTERED_BYTES 12288
#define LEAST_RING_BYTES 524288
#define LEAST_SCATTERED_RANKS 8

static const char* const algorithms[] = {"binomial", "scatter_recursive_doubling_allgather",
                                         "scatter_ring_allgather", "linear", NULL};
enum { AUTO, BINOMIAL, DOUBLING, RING, LINEAR };

/* Data of one call. Ranks are counted from the root: place 0 is the root. */
struct call {
    struct weir_mpi_collective* c;
    char* data;
    uint32_t bytes;
    int root;
    int place;
    uint32_t part; /* bytes of a place's part; the last parts may be shorter */
};

static int rank_at(const struct call* call, int place) {
    return (place + call->root) % call->c->comm->size;
}

static void send_down_tree(const struct call* call) {
    const int size = call->c->comm->size;
    int distance = 1;
    while (distance < size && (call->place & distance) == 0) {
        distance *= 2;
    }
    if (call->place != 0) {
        weir_mpi_receive(call->c, call->data, call->bytes, rank_at(call, call->place - distance));
        weir_mpi_await(call->c);
    }
    for (distance /= 2; distance > 0; distance /= 2) {
        if (call->place + distance < size) {
            weir_mpi_send(call->c, call->data, call->bytes, rank_at(call, call->place + distance));
            weir_mpi_await(call->c);
        }
    }
}

static void send_to_each(const struct call* call) {
    if (call->place != 0) {
        weir_mpi_receive(call->c, call->data, call->bytes, call->root);
        weir_mpi_await(call->c);
        return;
    }
    for (int place = 1; place < call->c->comm->size; ++place) {
        weir_mpi_send(call->c, call->data, call->bytes, rank_at(call, place));
        weir_mpi_await(call->c);
    }
}

/* Bytes of the parts from `first` on, of which there are `count`. */
static uint32_t bytes_of_parts(const struct call* call, int first, int count) {
    const uint32_t begin = (uint32_t)first * call->part;
    const uint32_t end = (uint32_t)(first + count) * call->part;
    const uint32_t most = call->bytes;
    return (end < most ? end : most) - (begin < most ? begin : most);
}
static void move_parts(const struct call* call, int sends, int first, int count, int place) {
    const uint32_t bytes = bytes_of_parts(call, first, count);
    char* const at = call->data + (uint32_t)first * call->part;
    if (bytes != 0 && sends) {
        weir_mpi_send(call->c, at, bytes, rank_at(call, place));
    } else if (bytes != 0) {
        weir_mpi_receive(call->c, at, bytes, rank_at(call, place));
    }
}

/* Each place gets its part, and those of the places below it, down a binomial tree. */
static void scatter_parts(const struct call* call) {
    const int size = call->c->comm->size;
    int distance = 1;
    while (distance < size && (call->place & distance) == 0) {
        distance *= 2;
    }
    if (call->place != 0) {
        move_parts(call, 0, call->place, distance, call->place - distance);
        weir_mpi_await(call->c);
    }
    for (distance /= 2; distance > 0; distance /= 2) {
        if (call->place + distance < size) {
            move_parts(call, 1, call->place + distance, distance, call->place + distance);
            weir_mpi_await(call->c);
        }
    }
}

static void double_parts(const struct call* call) {
    for (int count = 1; count < call->c->comm->size; count *= 2) {
        const int partner = call->place ^ count;
        move_parts(call, 0, partner & -count, count, partner);
        move_parts(call, 1, call->place & -count, count, partner);
        weir_mpi_await(call->c);
    }
}

static void pass_parts_around(const struct call* call) {
    const int size = call->c->comm->size;
    for (int round = 0; round < size - 1; ++round) {
        const int own = (call->place - round + size) % size;
        const int next = (call->place - round - 1 + 2 * size) % size;
        move_parts(call, 0, next, 1, (call->place + size - 1) % size);
        move_parts(call, 1, own, 1, (call->place + 1) % size);
        weir_mpi_await(call->c);
    }
}

static int do_Bcast(struct weir_mpi_collective* c, void* data, int count, MPI_Datatype type,
                    int root) {
    CHECK(weir_mpi_check_data(c->comm, data, count, type));
    CHECK(weir_mpi_check_rank(c->comm, root));
    const int size = c->comm->size;
    const uint32_t bytes = weir_mpi_bytes_of(count, type);
    struct call call = {c, NULL, bytes, root, (c->comm->rank - root + size) % size, 0};
    call.data = call.place == 0 ? (char*)weir_mpi_input(c, data, count, type)
                                : weir_mpi_output(c, data, count, type);
    int algorithm = weir_mpi_named_algorithm(c, algorithms);
    if (algorithm == DOUBLING && !weir_mpi_is_power_of_two(size)) {
        return weir_mpi_refuse_algorithm(c, algorithms[DOUBLING - 1], "a power of two of ranks");
    }
    if (algorithm == AUTO) {
        const int is_short = bytes < LEAST_SCATTERED_BYTES || size < LEAST_SCATTERED_RANKS;
        const int doubles = bytes < LEAST_RING_BYTES && weir_mpi_is_power_of_two(size);
        algorithm = is_short ? BINOMIAL : doubles ? DOUBLING : RING;
    }
    if (algorithm == BINOMIAL) {
        send_down_tree(&call);
    } else if (algorithm == LINEAR) {
        send_to_each(&call);
    } else {
        call.part = (bytes + (uint32_t)size - 1) / (uint32_t)size;
        call.part = (call.part + 7) & -8u; /* parts begin where bodies may */
        scatter_parts(&call);
        if (algorithm == DOUBLING) {
            double_parts(&call);
        } else {
            pass_parts_around(&call);
        }
    }
    if (call.place != 0) {
        weir_mpi_deliver(c, data, call.data, count, type);
    }
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Bcast, Ibcast, (void* data, int count, MPI_Datatype type, int root),
                    (data, count, type, root))
