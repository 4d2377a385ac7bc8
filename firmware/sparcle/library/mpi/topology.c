/* Cartesian topologies: ranks in row-major order, as the standard says. */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/mpi/internals.h"

static struct weir_mpi_topology* new_topology(int dimensions) {
    struct weir_mpi_topology* const made = weir_mpi_memory(sizeof *made);
    made->dimensions = dimensions;
    made->sizes = weir_mpi_memory(3 * (uint32_t)dimensions * sizeof(int));
    made->are_periodic = made->sizes + dimensions;
    made->place = made->are_periodic + dimensions;
    return made;
}

struct weir_mpi_topology* weir_mpi_copy_of_topology(const struct weir_mpi_topology* topology) {
    struct weir_mpi_topology* const copy = new_topology(topology->dimensions);
    memcpy(copy->sizes, topology->sizes, 3 * (uint32_t)topology->dimensions * sizeof(int));
    return copy;
}

static void find_place(const struct weir_mpi_topology* topology, int rank, int most, int* place) {
    for (int d = topology->dimensions - 1; d >= 0; --d) {
        if (d < most) {
            place[d] = rank % topology->sizes[d];
        }
        rank /= topology->sizes[d];
    }
}

/* Rank at the coordinates; MPI_PROC_NULL outside of a dimension that is not periodic. */
static int find_rank(const struct weir_mpi_topology* topology, const int* place) {
    int rank = 0;
    for (int d = 0; d < topology->dimensions; ++d) {
        const int size = topology->sizes[d];
        int at = place[d];
        if (at < 0 || at >= size) {
            if (!topology->are_periodic[d]) {
                return MPI_PROC_NULL;
            }
            at %= size;
            at += at < 0 ? size : 0;
        }
        rank = rank * size + at;
    }
    return rank;
}

static int check_topology(MPI_Comm handle, struct weir_mpi_communicator** comm) {
    CHECK(weir_mpi_check_comm(handle, comm));
    return (*comm)->topology != NULL
               ? MPI_SUCCESS
               : ERROR(*comm, MPI_ERR_TOPOLOGY,
                       "communicator %d has no topology; accepted: one of MPI_Cart_create", handle);
}

/* Divides `rest` into sizes of at most `most`, in falling order and as equal as possible. The first
 * size is the smallest possible one, then the second, and so on. Returns 0 if there are none. */
static int divide(int rest, int dimensions, int most, int* sizes) {
    if (dimensions == 1) {
        sizes[0] = rest;
        return rest <= most;
    }
    for (int first = 1; first <= rest && first <= most; ++first) {
        if (rest % first != 0) {
            continue;
        }
        /* The others are not larger than the first, so that they cannot exceed its powers. */
        long long reached = 1;
        for (int d = 0; d < dimensions && reached < rest; ++d) {
            reached *= first;
        }
        sizes[0] = first;
        if (reached >= rest && divide(rest / first, dimensions - 1, first, sizes + 1)) {
            return 1;
        }
    }
    return 0;
}

int MPI_Dims_create(int nodes, int dimensions, int* sizes) {
    weir_mpi_check_running();
    int given = 1;
    int open = 0;
    if (nodes < 1 || dimensions < 0 || (dimensions > 0 && sizes == NULL)) {
        return ERROR(NULL, MPI_ERR_DIMS,
                     "it divides %d nodes among %d dimensions; accepted: 1 or "
                     "more nodes, and an array of sizes",
                     nodes, dimensions);
    }
    for (int d = 0; d < dimensions; ++d) {
        if (sizes[d] < 0) {
            return ERROR(NULL, MPI_ERR_DIMS, "size %d is %d; accepted: 0 or more", d, sizes[d]);
        }
        open += sizes[d] == 0;
        given *= sizes[d] == 0 ? 1 : sizes[d];
    }
    if (nodes % given != 0 || (open == 0 && given != nodes && dimensions > 0)) {
        return ERROR(NULL, MPI_ERR_DIMS,
                     "the given sizes have %d nodes together; accepted: a divisor of %d", given,
                     nodes);
    }
    if (open == 0) {
        return MPI_SUCCESS;
    }
    int* const found = weir_mpi_memory((uint32_t)open * sizeof *found);
    (void)divide(nodes / given, open, nodes, found);
    int next = 0;
    for (int d = 0; d < dimensions; ++d) {
        if (sizes[d] == 0) {
            sizes[d] = found[next++];
        }
    }
    free(found);
    return MPI_SUCCESS;
}

static int check_shape(const struct weir_mpi_communicator* comm, int dimensions, const int* sizes,
                       const int* are_periodic, int* count) {
    *count = 1;
    if (dimensions < 0) {
        return ERROR(comm, MPI_ERR_DIMS, "it has %d dimensions; accepted: 0 or more", dimensions);
    }
    if (dimensions > 0) {
        CHECK(weir_mpi_check_result(comm, sizes));
        CHECK(weir_mpi_check_result(comm, are_periodic));
    }
    for (int d = 0; d < dimensions; ++d) {
        if (sizes[d] < 1 || *count > comm->size / sizes[d]) {
            return ERROR(comm, sizes[d] < 1 ? MPI_ERR_DIMS : MPI_ERR_TOPOLOGY,
                         "size %d is %d, and the communicator has %d ranks; accepted: sizes from 1 "
                         "on, together at most its ranks",
                         d, sizes[d], comm->size);
        }
        *count *= sizes[d];
    }
    return MPI_SUCCESS;
}

/* The ranks stay in their order, whatever may_reorder is. */
int MPI_Cart_create(MPI_Comm handle, int dimensions, const int* sizes, const int* are_periodic,
                    int may_reorder, MPI_Comm* made) {
    struct weir_mpi_communicator* comm;
    int count;
    (void)may_reorder;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, made));
    CHECK(check_shape(comm, dimensions, sizes, are_periodic, &count));
    int* const nodes = weir_mpi_memory((uint32_t)count * sizeof *nodes);
    for (int rank = 0; rank < count; ++rank) {
        nodes[rank] = weir_mpi_node_of(comm, rank);
    }
    CHECK(weir_mpi_make_communicator(comm, nodes, comm->rank < count ? count : 0, made));
    if (*made == MPI_COMM_NULL) {
        return MPI_SUCCESS;
    }
    struct weir_mpi_topology* const topology = new_topology(dimensions);
    for (int d = 0; d < dimensions; ++d) {
        topology->sizes[d] = sizes[d];
        topology->are_periodic[d] = are_periodic[d] != 0;
    }
    find_place(topology, comm->rank, dimensions, topology->place);
    weir_mpi_communicators[*made - 1]->topology = topology;
    return MPI_SUCCESS;
}
int MPI_Cart_map(MPI_Comm handle, int dimensions, const int* sizes, const int* are_periodic,
                 int* rank) {
    struct weir_mpi_communicator* comm;
    int count;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, rank));
    CHECK(check_shape(comm, dimensions, sizes, are_periodic, &count));
    *rank = comm->rank < count ? comm->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int MPI_Topo_test(MPI_Comm handle, int* kind) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, kind));
    *kind = comm->topology != NULL ? MPI_CART : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
int MPI_Cartdim_get(MPI_Comm handle, int* dimensions) {
    struct weir_mpi_communicator* comm;
    CHECK(check_topology(handle, &comm));
    CHECK(weir_mpi_check_result(comm, dimensions));
    *dimensions = comm->topology->dimensions;
    return MPI_SUCCESS;
}
int MPI_Cart_get(MPI_Comm handle, int most, int* sizes, int* are_periodic, int* place) {
    struct weir_mpi_communicator* comm;
    CHECK(check_topology(handle, &comm));
    for (int d = 0; d < comm->topology->dimensions && d < most; ++d) {
        sizes[d] = comm->topology->sizes[d];
        are_periodic[d] = comm->topology->are_periodic[d];
        place[d] = comm->topology->place[d];
    }
    return MPI_SUCCESS;
}
int MPI_Cart_rank(MPI_Comm handle, const int* place, int* rank) {
    struct weir_mpi_communicator* comm;
    CHECK(check_topology(handle, &comm));
    CHECK(weir_mpi_check_result(comm, rank));
    if (comm->topology->dimensions > 0) {
        CHECK(weir_mpi_check_result(comm, place));
    }
    *rank = find_rank(comm->topology, place);
    if (*rank == MPI_PROC_NULL) {
        return ERROR(comm, MPI_ERR_ARG,
                     "its coordinates are outside of a dimension that is not periodic");
    }
    return MPI_SUCCESS;
}
int MPI_Cart_coords(MPI_Comm handle, int rank, int most, int* place) {
    struct weir_mpi_communicator* comm;
    CHECK(check_topology(handle, &comm));
    CHECK(weir_mpi_check_rank(comm, rank));
    if (most > 0 && comm->topology->dimensions > 0) {
        CHECK(weir_mpi_check_result(comm, place));
    }
    find_place(comm->topology, rank, most, place);
    return MPI_SUCCESS;
}
int MPI_Cart_shift(MPI_Comm handle, int direction, int distance, int* source, int* destination) {
    struct weir_mpi_communicator* comm;
    CHECK(check_topology(handle, &comm));
    CHECK(weir_mpi_check_result(comm, source));
    CHECK(weir_mpi_check_result(comm, destination));
    struct weir_mpi_topology* const topology = comm->topology;
    if (direction < 0 || direction >= topology->dimensions) {
        return ERROR(comm, MPI_ERR_ARG, "there is no dimension %d; accepted: 0 to %d", direction,
                     topology->dimensions - 1);
    }
    const int own = topology->place[direction];
    topology->place[direction] = own - distance;
    *source = find_rank(topology, topology->place);
    topology->place[direction] = own + distance;
    *destination = find_rank(topology, topology->place);
    topology->place[direction] = own;
    return MPI_SUCCESS;
}

int MPI_Cart_sub(MPI_Comm handle, const int* are_kept, MPI_Comm* made) {
    struct weir_mpi_communicator* comm;
    CHECK(check_topology(handle, &comm));
    CHECK(weir_mpi_check_result(comm, made));
    const struct weir_mpi_topology* const topology = comm->topology;
    if (topology->dimensions > 0) {
        CHECK(weir_mpi_check_result(comm, are_kept));
    }
    int color = 0;
    int key = 0;
    int dimensions = 0;
    for (int d = 0; d < topology->dimensions; ++d) {
        int* const number = are_kept[d] ? &key : &color;
        *number = *number * topology->sizes[d] + topology->place[d];
        dimensions += are_kept[d] != 0;
    }
    CHECK(MPI_Comm_split(handle, color, key, made));
    struct weir_mpi_topology* const part = new_topology(dimensions);
    int at = 0;
    for (int d = 0; d < topology->dimensions; ++d) {
        if (are_kept[d]) {
            part->sizes[at] = topology->sizes[d];
            part->are_periodic[at] = topology->are_periodic[d];
            part->place[at] = topology->place[d];
            ++at;
        }
    }
    weir_mpi_communicators[*made - 1]->topology = part;
    return MPI_SUCCESS;
}
