/*
 * Communicators. Each has a pair of contexts of its own, so that its messages match no others. Its
 * members agree on the number of the pair. Each has a set of free numbers; a reduction among the
 * members of the old communicator finds the common ones.
 */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/mpi/collective.h"
#include "firmware/sparcle/library/mpi/internals.h"

#define WORDS (WEIR_MPI_MOST_COMMUNICATORS / 32)

struct weir_mpi_communicator* weir_mpi_communicators[WEIR_MPI_MOST_COMMUNICATORS];
struct weir_mpi_communicator weir_mpi_world = {.handler = MPI_ERRORS_ARE_FATAL};
static struct weir_mpi_communicator self = {.handler = MPI_ERRORS_ARE_FATAL};
static int node_of_self;
int (*weir_mpi_copy_attributes)(struct weir_mpi_communicator* from,
                                struct weir_mpi_communicator* to);
int (*weir_mpi_delete_attributes)(struct weir_mpi_communicator* comm);

void weir_mpi_start_communicators(void) {
    weir_mpi_world.context = 0;
    weir_mpi_world.size = (int)weir_ranks();
    weir_mpi_world.rank = (int)weir_rank_number();
    node_of_self = (int)weir_rank_number();
    self.context = 2;
    self.size = 1;
    self.nodes = &node_of_self;
    self.ranks = weir_mpi_memory(weir_ranks() * sizeof(int));
    for (uint32_t node = 0; node < weir_ranks(); ++node) {
        self.ranks[node] = node == weir_rank_number() ? 0 : MPI_UNDEFINED;
    }
    weir_mpi_communicators[MPI_COMM_WORLD - 1] = &weir_mpi_world;
    weir_mpi_communicators[MPI_COMM_SELF - 1] = &self;
}

static void free_memory(struct weir_mpi_communicator* comm) {
    free(comm->nodes);
    free(comm->ranks);
    free(comm->name);
    if (comm->topology != NULL) {
        free(comm->topology->sizes);
        free(comm->topology);
    }
    weir_mpi_communicators[comm->context / 2] = NULL;
    free(comm);
}

/* Ends freed communicators whose messages have arrived. */
static void end_freed(void) {
    for (int i = 0; i < WEIR_MPI_MOST_COMMUNICATORS; ++i) {
        struct weir_mpi_communicator* const comm = weir_mpi_communicators[i];
        if (comm != NULL && comm->is_freed && !weir_mpi_uses_context(comm->context) &&
            !weir_mpi_uses_context(comm->context + 1)) {
            free_memory(comm);
        }
    }
}

static void find_free(uint32_t* words) {
    end_freed();
    for (int i = 0; i < WORDS; ++i) {
        words[i] = 0;
        for (int bit = 0; bit < 32; ++bit) {
            words[i] |= (uint32_t)(weir_mpi_communicators[32 * i + bit] == NULL) << bit;
        }
    }
}

int weir_mpi_make_communicator(struct weir_mpi_communicator* parent, int* nodes, int size,
                               MPI_Comm* made) {
    uint32_t words[WORDS];
    find_free(words);
    struct weir_mpi_collective collective;
    weir_mpi_begin(&collective, parent, OPERATION_Comm_create);
    weir_mpi_allreduce(&collective, words, WORDS, MPI_UNSIGNED, MPI_BAND);
    CHECK(weir_mpi_end(&collective));
    int number = 0;
    while (number < WEIR_MPI_MOST_COMMUNICATORS && (words[number / 32] >> number % 32 & 1) == 0) {
        ++number;
    }
    *made = MPI_COMM_NULL;
    if (number == WEIR_MPI_MOST_COMMUNICATORS) {
        free(nodes);
        return ERROR(parent, MPI_ERR_OTHER,
                     "its ranks have no common number for a communicator; accepted: at most %d "
                     "communicators and windows at a time",
                     WEIR_MPI_MOST_COMMUNICATORS);
    }
    if (size == 0) {
        free(nodes);
        return MPI_SUCCESS;
    }
    struct weir_mpi_communicator* const comm = weir_mpi_memory(sizeof *comm);
    *comm = (struct weir_mpi_communicator){
        .context = 2 * (uint32_t)number, .size = size, .nodes = nodes, .handler = parent->handler};
    comm->ranks = weir_mpi_memory(weir_ranks() * sizeof(int));
    for (uint32_t node = 0; node < weir_ranks(); ++node) {
        comm->ranks[node] = MPI_UNDEFINED;
    }
    for (int rank = 0; rank < size; ++rank) {
        comm->ranks[nodes[rank]] = rank;
    }
    comm->rank = comm->ranks[weir_rank_number()];
    weir_mpi_communicators[number] = comm;
    *made = weir_mpi_handle_of(comm);
    return MPI_SUCCESS;
}

static int* nodes_of(const struct weir_mpi_communicator* comm) {
    int* const nodes = weir_mpi_memory((uint32_t)comm->size * sizeof(int));
    for (int rank = 0; rank < comm->size; ++rank) {
        nodes[rank] = weir_mpi_node_of(comm, rank);
    }
    return nodes;
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
    struct weir_mpi_communicator* found;
    CHECK(weir_mpi_check_comm(comm, &found));
    CHECK(weir_mpi_check_result(found, size));
    *size = found->size;
    return MPI_SUCCESS;
}
int MPI_Comm_rank(MPI_Comm comm, int* rank) {
    struct weir_mpi_communicator* found;
    CHECK(weir_mpi_check_comm(comm, &found));
    CHECK(weir_mpi_check_result(found, rank));
    *rank = found->rank;
    return MPI_SUCCESS;
}
int MPI_Comm_test_inter(MPI_Comm comm, int* is_inter) {
    struct weir_mpi_communicator* found;
    CHECK(weir_mpi_check_comm(comm, &found));
    CHECK(weir_mpi_check_result(found, is_inter));
    *is_inter = 0;
    return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm handle, MPI_Comm* made) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, made));
    CHECK(weir_mpi_make_communicator(comm, nodes_of(comm), comm->size, made));
    struct weir_mpi_communicator* const copy = weir_mpi_communicators[*made - 1];
    if (comm->topology != NULL) {
        copy->topology = weir_mpi_copy_of_topology(comm->topology);
    }
    if (weir_mpi_copy_attributes != NULL) {
        CHECK(weir_mpi_copy_attributes(comm, copy));
    }
    return MPI_SUCCESS;
}

/* Data that each rank gives to the others in MPI_Comm_split. */
struct part {
    int color;
    int key;
};

static int split(struct weir_mpi_communicator* comm, int color, int key, MPI_Comm* made) {
    const uint32_t count = (uint32_t)comm->size;
    const struct part own = {color, key};
    struct part* const parts = weir_mpi_memory(count * sizeof *parts);
    int* const nodes = weir_mpi_memory(count * sizeof *nodes);
    int size = 0;
    struct weir_mpi_collective collective;
    weir_mpi_begin(&collective, comm, OPERATION_Comm_create);
    parts[comm->rank] = own;
    weir_mpi_allgather(&collective, parts, sizeof *parts);
    CHECK(weir_mpi_end(&collective));
    if (color != MPI_UNDEFINED) {
        /* Insertion keeps ranks with equal keys in their order. */
        int* const ranks = weir_mpi_memory(count * sizeof *ranks);
        for (int rank = 0; rank < comm->size; ++rank) {
            if (parts[rank].color == color) {
                int at = size++;
                for (; at > 0 && parts[ranks[at - 1]].key > parts[rank].key; --at) {
                    ranks[at] = ranks[at - 1];
                }
                ranks[at] = rank;
            }
        }
        for (int i = 0; i < size; ++i) {
            nodes[i] = weir_mpi_node_of(comm, ranks[i]);
        }
        free(ranks);
    }
    free(parts);
    return weir_mpi_make_communicator(comm, nodes, size, made);
}

int MPI_Comm_split(MPI_Comm handle, int color, int key, MPI_Comm* made) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, made));
    if (color < 0 && color != MPI_UNDEFINED) {
        return ERROR(comm, MPI_ERR_ARG, "its color is %d; accepted: 0 or more, or MPI_UNDEFINED",
                     color);
    }
    CHECK(split(comm, color, key, made));
    return MPI_SUCCESS;
}
/* No ranks share memory: each has a communicator of its own. */
/* Lowest rank whose memory this rank can reach. */
static int color_of_node(const struct weir_mpi_communicator* comm) {
    int rank = 0;
    while (!weir_is_on_node(weir_mpi_node_of(comm, rank))) {
        ++rank;
    }
    return rank;
}

int MPI_Comm_split_type(MPI_Comm handle, int split_type, int key, MPI_Info info, MPI_Comm* made) {
    struct weir_mpi_communicator* comm;
    (void)info;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, made));
    if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED) {
        return ERROR(comm, MPI_ERR_ARG,
                     "its type of split is %d; accepted: MPI_COMM_TYPE_SHARED, or MPI_UNDEFINED",
                     split_type);
    }
    CHECK(
        split(comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : color_of_node(comm), key, made));
    return MPI_SUCCESS;
}

static int* members(const struct weir_mpi_group* group) {
    int* const nodes = weir_mpi_memory((uint32_t)group->size * sizeof(int));
    memcpy(nodes, group->nodes, (uint32_t)group->size * sizeof(int));
    return nodes;
}

static int check_members(const struct weir_mpi_communicator* comm,
                         const struct weir_mpi_group* group) {
    for (int i = 0; i < group->size; ++i) {
        if (weir_mpi_rank_of(comm, group->nodes[i]) == MPI_UNDEFINED) {
            return ERROR(comm, MPI_ERR_GROUP,
                         "member %d of the group is not in the communicator; accepted: a part of "
                         "its group",
                         i);
        }
    }
    return MPI_SUCCESS;
}

int MPI_Comm_create(MPI_Comm handle, MPI_Group group, MPI_Comm* made) {
    struct weir_mpi_communicator* comm;
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(weir_mpi_check_result(comm, made));
    CHECK(check_members(comm, found));
    const int size = found->rank == MPI_UNDEFINED ? 0 : found->size;
    CHECK(weir_mpi_make_communicator(comm, members(found), size, made));
    return MPI_SUCCESS;
}

/* Collective among the group's members only: they use the communicator's context of collectives,
 * with tags of their own. */
int MPI_Comm_create_group(MPI_Comm handle, MPI_Group group, int tag, MPI_Comm* made) {
    struct weir_mpi_communicator* comm;
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(weir_mpi_check_result(comm, made));
    CHECK(check_members(comm, found));
    *made = MPI_COMM_NULL;
    if (found->rank == MPI_UNDEFINED) {
        return MPI_SUCCESS;
    }
    struct weir_mpi_communicator part = {
        .context = comm->context,
        .size = found->size,
        .rank = found->rank,
        .nodes = found->nodes,
        .collectives =
            WEIR_MPI_FIRST_GROUP_CALL + ((uint32_t)tag & (WEIR_MPI_FIRST_GROUP_CALL - 1)),
        .handler = comm->handler};
    CHECK(weir_mpi_make_communicator(&part, members(found), found->size, made));
    return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm* handle) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_result(NULL, handle));
    CHECK(weir_mpi_check_comm(*handle, &comm));
    if (*handle == MPI_COMM_WORLD || *handle == MPI_COMM_SELF) {
        return ERROR(comm, MPI_ERR_COMM,
                     "communicator %d cannot be freed; accepted: one that a call has made",
                     *handle);
    }
    if (weir_mpi_delete_attributes != NULL) {
        CHECK(weir_mpi_delete_attributes(comm));
    }
    comm->is_freed = 1;
    *handle = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int MPI_Comm_group(MPI_Comm handle, MPI_Group* group) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, group));
    *group = weir_mpi_new_group(nodes_of(comm), comm->size);
    return MPI_SUCCESS;
}

int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int* result) {
    struct weir_mpi_communicator* a;
    struct weir_mpi_communicator* b;
    CHECK(weir_mpi_check_comm(one, &a));
    CHECK(weir_mpi_check_comm(other, &b));
    CHECK(weir_mpi_check_result(a, result));
    if (a == b) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    *result = a->size == b->size ? MPI_CONGRUENT : MPI_UNEQUAL;
    for (int rank = 0; rank < a->size && *result != MPI_UNEQUAL; ++rank) {
        const int there = weir_mpi_rank_of(b, weir_mpi_node_of(a, rank));
        if (there == MPI_UNDEFINED) {
            *result = MPI_UNEQUAL;
        } else if (there != rank) {
            *result = MPI_SIMILAR;
        }
    }
    return MPI_SUCCESS;
}

int MPI_Comm_set_name(MPI_Comm handle, const char* name) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, name));
    free(comm->name);
    comm->name = weir_mpi_memory(MPI_MAX_OBJECT_NAME);
    strncpy(comm->name, name, MPI_MAX_OBJECT_NAME - 1);
    comm->name[MPI_MAX_OBJECT_NAME - 1] = '\0';
    return MPI_SUCCESS;
}
int MPI_Comm_get_name(MPI_Comm handle, char* name, int* length) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, name));
    CHECK(weir_mpi_check_result(comm, length));
    strcpy(name, comm->name != NULL        ? comm->name
                 : comm == &weir_mpi_world ? "MPI_COMM_WORLD"
                 : comm == &self           ? "MPI_COMM_SELF"
                                           : "");
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}
