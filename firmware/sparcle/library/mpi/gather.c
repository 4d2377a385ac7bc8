/* Gathers and scatters of equal parts, and of uneven ones. */
#include "firmware/sparcle/library/mpi/collective.h"

static const char* const tree_algorithms[] = {"binomial", "linear", NULL};
enum { LINEAR = 2 };

/* Checks that the part that a rank sends to itself has the same length as the part that it
 * receives. */
static int check_own_part(const struct weir_mpi_collective* c, uint32_t sent, uint32_t received) {
    if (sent != received) {
        return ERROR(c->comm, MPI_ERR_TRUNCATE,
                     "this rank sends itself %d bytes and receives %d; accepted: the same",
                     (int)sent, (int)received);
    }
    return MPI_SUCCESS;
}

/* Place in the binomial tree: ranks are counted from the root. */
struct place {
    int size;
    int root;
    int number;
    int below; /* number of places in its subtree, itself included */
};
static struct place place_of(const struct weir_mpi_collective* c, int root) {
    const int size = c->comm->size;
    struct place place = {size, root, (c->comm->rank - root + size) % size, 1};
    while (place.below < size && (place.number & place.below) == 0) {
        place.below *= 2;
    }
    if (place.number + place.below > size) {
        place.below = size - place.number;
    }
    return place;
}
static int rank_at(const struct place* place, int number) {
    return (number + place->root) % place->size;
}
static int least(int one, int other) { return one < other ? one : other; }

/* Moves the parts between the root's order of ranks and the tree's order of places. */
static void turn(struct weir_mpi_collective* c, const struct place* place, char* by_rank,
                 char* by_place, uint32_t bytes, int to_ranks) {
    const uint32_t tail = (uint32_t)(place->size - place->root) * bytes;
    const uint32_t head = (uint32_t)place->root * bytes;
    if (to_ranks) {
        weir_mpi_copy(c, by_rank + head, by_place, tail);
        weir_mpi_copy(c, by_rank, by_place + tail, head);
    } else {
        weir_mpi_copy(c, by_place, by_rank + head, tail);
        weir_mpi_copy(c, by_place + tail, by_rank, head);
    }
}

/* ---- gather ---- */

/* all: at the root, the parts by rank; own is NULL at a root whose part is in place. */
static void gather_by_tree(struct weir_mpi_collective* c, const void* own, char* all,
                           uint32_t bytes, int root) {
    const struct place place = place_of(c, root);
    const int turns = place.number == 0 && root != 0;
    char* parts = all;
    if (place.number != 0 && place.below == 1) {
        parts = (char*)own; /* a leaf sends its part only */
    } else if (place.number != 0 || turns) {
        parts = weir_mpi_buffer(c, (uint32_t)place.below * bytes);
        weir_mpi_copy(c, parts, own != NULL ? own : all + (uint32_t)root * bytes, bytes);
    } else if (own != NULL) {
        weir_mpi_copy(c, parts, own, bytes);
    }
    int distance = 1;
    for (; distance < place.size && (place.number & distance) == 0; distance *= 2) {
        if (place.number + distance < place.size) {
            const int count = least(distance, place.size - place.number - distance);
            weir_mpi_receive(c, parts + (uint32_t)distance * bytes, (uint32_t)count * bytes,
                             rank_at(&place, place.number + distance));
            weir_mpi_await(c);
        }
    }
    if (place.number != 0) {
        weir_mpi_send(c, parts, (uint32_t)place.below * bytes,
                      rank_at(&place, place.number - distance));
        weir_mpi_await(c);
    } else if (turns) {
        turn(c, &place, all, parts, bytes, 1);
    }
}

static void gather_from_each(struct weir_mpi_collective* c, const void* own, char* all,
                             uint32_t bytes, int root) {
    if (c->comm->rank != root) {
        weir_mpi_send(c, own, bytes, root);
        weir_mpi_await(c);
        return;
    }
    for (int rank = 0; rank < c->comm->size; ++rank) {
        char* const at = all + (uint32_t)rank * bytes;
        if (rank != root) {
            weir_mpi_receive(c, at, bytes, rank);
            weir_mpi_await(c);
        } else if (own != NULL) {
            weir_mpi_copy(c, at, own, bytes);
        }
    }
}

static int do_Gather(struct weir_mpi_collective* c, const void* own, int count, MPI_Datatype type,
                     void* all, int all_count, MPI_Datatype all_type, int root) {
    const int size = c->comm->size;
    const int is_root = c->comm->rank == root;
    CHECK(weir_mpi_check_rank(c->comm, root));
    const void* part = NULL;
    uint32_t bytes = 0;
    char* parts = NULL;
    if (!is_root || own != MPI_IN_PLACE) {
        CHECK(weir_mpi_check_data(c->comm, own, count, type));
        part = weir_mpi_input(c, own, count, type);
        bytes = weir_mpi_bytes_of(count, type);
    }
    if (is_root) {
        CHECK(weir_mpi_check_data(c->comm, all, all_count, all_type));
        if (part != NULL) {
            CHECK(check_own_part(c, bytes, weir_mpi_bytes_of(all_count, all_type)));
        }
        bytes = weir_mpi_bytes_of(all_count, all_type);
        parts = weir_mpi_output(c, all, size * all_count, all_type);
        if (part == NULL && parts != all) {
            weir_mpi_pack(parts + (uint32_t)root * bytes,
                          (char*)all + root * all_count * weir_mpi_extent_of(all_type), all_count,
                          all_type);
        }
    }
    if (weir_mpi_named_algorithm(c, tree_algorithms) == LINEAR) {
        gather_from_each(c, part, parts, bytes, root);
    } else {
        gather_by_tree(c, part, parts, bytes, root);
    }
    if (is_root) {
        weir_mpi_deliver(c, all, parts, size * all_count, all_type);
    }
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Gather, Igather,
                    (const void* own, int count, MPI_Datatype type, void* all, int all_count,
                     MPI_Datatype all_type, int root),
                    (own, count, type, all, all_count, all_type, root))

/* Values of one rank in an uneven array. */
struct uneven {
    char* data;
    const int* counts;
    const int* places;
    MPI_Datatype type;
};
static char* values_at(const struct uneven* all, int rank) {
    return all->data + all->places[rank] * weir_mpi_extent_of(all->type);
}
static int check_uneven(const struct weir_mpi_collective* c, const struct uneven* all) {
    CHECK(weir_mpi_check_result(c->comm, all->counts));
    CHECK(weir_mpi_check_result(c->comm, all->places));
    for (int rank = 0; rank < c->comm->size; ++rank) {
        CHECK(weir_mpi_check_data(c->comm, all->data, all->counts[rank], all->type));
    }
    return MPI_SUCCESS;
}

/* Each rank sends its part to the root: no other knows the lengths. */
static int do_Gatherv(struct weir_mpi_collective* c, const void* own, int count, MPI_Datatype type,
                      void* all, const int* all_counts, const int* places, MPI_Datatype all_type,
                      int root) {
    CHECK(weir_mpi_check_rank(c->comm, root));
    if (c->comm->rank != root) {
        CHECK(weir_mpi_check_data(c->comm, own, count, type));
        weir_mpi_send(c, weir_mpi_input(c, own, count, type), weir_mpi_bytes_of(count, type), root);
        weir_mpi_await(c);
        return MPI_SUCCESS;
    }
    const struct uneven to = {all, all_counts, places, all_type};
    CHECK(check_uneven(c, &to));
    for (int rank = 0; rank < c->comm->size; ++rank) {
        char* const at = values_at(&to, rank);
        const uint32_t bytes = weir_mpi_bytes_of(all_counts[rank], all_type);
        if (rank != root) {
            char* const part = weir_mpi_output(c, at, all_counts[rank], all_type);
            weir_mpi_receive(c, part, bytes, rank);
            weir_mpi_await(c);
            weir_mpi_deliver(c, at, part, all_counts[rank], all_type);
        } else if (own != MPI_IN_PLACE) {
            CHECK(weir_mpi_check_data(c->comm, own, count, type));
            CHECK(check_own_part(c, weir_mpi_bytes_of(count, type), bytes));
            weir_mpi_unpack_step(c, at, weir_mpi_input(c, own, count, type), bytes, all_type);
        }
    }
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Gatherv, Igatherv,
                    (const void* own, int count, MPI_Datatype type, void* all,
                     const int* all_counts, const int* places, MPI_Datatype all_type, int root),
                    (own, count, type, all, all_counts, places, all_type, root))

/* ---- scatter ---- */

/* own is NULL at a root whose part stays in place. */
static void scatter_by_tree(struct weir_mpi_collective* c, char* all, void* own, uint32_t bytes,
                            int root) {
    const struct place place = place_of(c, root);
    char* parts = all;
    if (place.number != 0) {
        parts = place.below == 1 ? own : weir_mpi_buffer(c, (uint32_t)place.below * bytes);
    } else if (root != 0) {
        parts = weir_mpi_buffer(c, (uint32_t)place.size * bytes);
        turn(c, &place, all, parts, bytes, 0);
    }
    int distance = 1;
    while (distance < place.size && (place.number & distance) == 0) {
        distance *= 2;
    }
    if (place.number != 0) {
        weir_mpi_receive(c, parts, (uint32_t)place.below * bytes,
                         rank_at(&place, place.number - distance));
        weir_mpi_await(c);
    }
    for (distance /= 2; distance > 0; distance /= 2) {
        if (place.number + distance < place.size) {
            const int count = least(distance, place.size - place.number - distance);
            weir_mpi_send(c, parts + (uint32_t)distance * bytes, (uint32_t)count * bytes,
                          rank_at(&place, place.number + distance));
            weir_mpi_await(c);
        }
    }
    if (own != NULL) {
        weir_mpi_copy(c, own, parts, bytes);
    }
}

static void scatter_to_each(struct weir_mpi_collective* c, char* all, void* own, uint32_t bytes,
                            int root) {
    if (c->comm->rank != root) {
        weir_mpi_receive(c, own, bytes, root);
        weir_mpi_await(c);
        return;
    }
    for (int rank = 0; rank < c->comm->size; ++rank) {
        if (rank != root) {
            weir_mpi_send(c, all + (uint32_t)rank * bytes, bytes, rank);
            weir_mpi_await(c);
        } else if (own != NULL) {
            weir_mpi_copy(c, own, all + (uint32_t)rank * bytes, bytes);
        }
    }
}

static int do_Scatter(struct weir_mpi_collective* c, const void* all, int count, MPI_Datatype type,
                      void* own, int own_count, MPI_Datatype own_type, int root) {
    const int is_root = c->comm->rank == root;
    CHECK(weir_mpi_check_rank(c->comm, root));
    void* part = NULL;
    char* parts = NULL;
    uint32_t bytes = 0;
    if (!is_root || own != MPI_IN_PLACE) {
        CHECK(weir_mpi_check_data(c->comm, own, own_count, own_type));
        part = weir_mpi_output(c, own, own_count, own_type);
        bytes = weir_mpi_bytes_of(own_count, own_type);
    }
    if (is_root) {
        CHECK(weir_mpi_check_data(c->comm, all, count, type));
        if (part != NULL) {
            CHECK(check_own_part(c, weir_mpi_bytes_of(count, type), bytes));
        }
        bytes = weir_mpi_bytes_of(count, type);
        parts = (char*)weir_mpi_input(c, all, c->comm->size * count, type);
    }
    if (weir_mpi_named_algorithm(c, tree_algorithms) == LINEAR) {
        scatter_to_each(c, parts, part, bytes, root);
    } else {
        scatter_by_tree(c, parts, part, bytes, root);
    }
    if (part != NULL) {
        weir_mpi_deliver(c, own, part, own_count, own_type);
    }
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Scatter, Iscatter,
                    (const void* all, int count, MPI_Datatype type, void* own, int own_count,
                     MPI_Datatype own_type, int root),
                    (all, count, type, own, own_count, own_type, root))

static int do_Scatterv(struct weir_mpi_collective* c, const void* all, const int* counts,
                       const int* places, MPI_Datatype type, void* own, int own_count,
                       MPI_Datatype own_type, int root) {
    const int is_root = c->comm->rank == root;
    CHECK(weir_mpi_check_rank(c->comm, root));
    const uint32_t own_bytes =
        is_root && own == MPI_IN_PLACE ? 0 : weir_mpi_bytes_of(own_count, own_type);
    if (!is_root || own != MPI_IN_PLACE) {
        CHECK(weir_mpi_check_data(c->comm, own, own_count, own_type));
    }
    if (!is_root) {
        void* const part = weir_mpi_output(c, own, own_count, own_type);
        weir_mpi_receive(c, part, own_bytes, root);
        weir_mpi_await(c);
        weir_mpi_deliver(c, own, part, own_count, own_type);
        return MPI_SUCCESS;
    }
    const struct uneven from = {(char*)all, counts, places, type};
    CHECK(check_uneven(c, &from));
    for (int rank = 0; rank < c->comm->size; ++rank) {
        const void* const part = weir_mpi_input(c, values_at(&from, rank), counts[rank], type);
        const uint32_t bytes = weir_mpi_bytes_of(counts[rank], type);
        if (rank != root) {
            weir_mpi_send(c, part, bytes, rank);
            weir_mpi_await(c);
        } else if (own != MPI_IN_PLACE) {
            CHECK(check_own_part(c, bytes, own_bytes));
            weir_mpi_unpack_step(c, own, part, bytes, own_type);
        }
    }
    return MPI_SUCCESS;
}
WEIR_MPI_BOTH_FORMS(Scatterv, Iscatterv,
                    (const void* all, const int* counts, const int* places, MPI_Datatype type,
                     void* own, int own_count, MPI_Datatype own_type, int root),
                    (all, counts, places, type, own, own_count, own_type, root))
