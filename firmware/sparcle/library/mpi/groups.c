/* Groups: ordered sets of ranks, without messages. */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/mpi/internals.h"

static struct weir_mpi_group** groups; /* by handle - MPI_GROUP_EMPTY; NULL: freed */
static int group_count;

static int find_node(const struct weir_mpi_group* group, int node) {
    for (int rank = 0; rank < group->size; ++rank) {
        if (group->nodes[rank] == node) {
            return rank;
        }
    }
    return MPI_UNDEFINED;
}

static void make_room(void) {
    struct weir_mpi_group** const more = realloc(groups, (size_t)(group_count + 16) * sizeof *more);
    if (more == NULL) {
        FAIL("the heap has no room for %d groups (memory.bytes)", group_count + 16);
    }
    groups = more;
    memset(groups + group_count, 0, 16 * sizeof *groups);
    if (group_count == 0) {
        groups[0] = weir_mpi_memory(sizeof **groups);
        *groups[0] = (struct weir_mpi_group){0, MPI_UNDEFINED, NULL};
    }
    group_count += 16;
}

MPI_Group weir_mpi_new_group(int* nodes, int size) {
    if (size == 0) {
        free(nodes);
        return MPI_GROUP_EMPTY;
    }
    int at = 1;
    while (at < group_count && groups[at] != NULL) {
        ++at;
    }
    if (at >= group_count) {
        make_room();
    }
    groups[at] = weir_mpi_memory(sizeof **groups);
    *groups[at] = (struct weir_mpi_group){size, MPI_UNDEFINED, nodes};
    groups[at]->rank = find_node(groups[at], (int)weir_rank_number());
    return MPI_GROUP_EMPTY + at;
}

int weir_mpi_check_group(MPI_Group group, struct weir_mpi_group** found) {
    weir_mpi_check_running();
    *found = NULL;
    if (group_count == 0) {
        make_room();
    }
    const int at = group - MPI_GROUP_EMPTY;
    if (at < 0 || at >= group_count || groups[at] == NULL) {
        return ERROR(NULL, MPI_ERR_GROUP,
                     "there is no group %d; accepted: MPI_GROUP_EMPTY, or one that a call has made "
                     "and none has freed",
                     group);
    }
    *found = groups[at];
    return MPI_SUCCESS;
}

int MPI_Group_size(MPI_Group group, int* size) {
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(weir_mpi_check_result(NULL, size));
    *size = found->size;
    return MPI_SUCCESS;
}
int MPI_Group_rank(MPI_Group group, int* rank) {
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(weir_mpi_check_result(NULL, rank));
    *rank = found->rank;
    return MPI_SUCCESS;
}

static int check_rank(const struct weir_mpi_group* group, int rank) {
    return rank >= 0 && rank < group->size
               ? MPI_SUCCESS
               : ERROR(NULL, MPI_ERR_RANK, "there is no rank %d in the group; accepted: 0 to %d",
                       rank, group->size - 1);
}

int MPI_Group_translate_ranks(MPI_Group from, int count, const int* ranks, MPI_Group to,
                              int* translated) {
    struct weir_mpi_group* one;
    struct weir_mpi_group* other;
    CHECK(weir_mpi_check_group(from, &one));
    CHECK(weir_mpi_check_group(to, &other));
    for (int i = 0; i < count; ++i) {
        if (ranks[i] == MPI_PROC_NULL) {
            translated[i] = MPI_PROC_NULL;
            continue;
        }
        CHECK(check_rank(one, ranks[i]));
        translated[i] = find_node(other, one->nodes[ranks[i]]);
    }
    return MPI_SUCCESS;
}

int MPI_Group_compare(MPI_Group one, MPI_Group other, int* result) {
    struct weir_mpi_group* a;
    struct weir_mpi_group* b;
    CHECK(weir_mpi_check_group(one, &a));
    CHECK(weir_mpi_check_group(other, &b));
    CHECK(weir_mpi_check_result(NULL, result));
    *result = a->size == b->size ? MPI_IDENT : MPI_UNEQUAL;
    for (int rank = 0; rank < a->size && *result != MPI_UNEQUAL; ++rank) {
        const int there = find_node(b, a->nodes[rank]);
        if (there == MPI_UNDEFINED) {
            *result = MPI_UNEQUAL;
        } else if (there != rank) {
            *result = MPI_SIMILAR;
        }
    }
    return MPI_SUCCESS;
}

/* Makes a group of members of `one`, followed by members of `other`. The flags choose them:
 * takes_common: members of both; takes_own: of `one` only; takes_others: of `other` only. */
static int merge(MPI_Group one, MPI_Group other, int takes_common, int takes_own, int takes_others,
                 MPI_Group* made) {
    struct weir_mpi_group* a;
    struct weir_mpi_group* b;
    CHECK(weir_mpi_check_group(one, &a));
    CHECK(weir_mpi_check_group(other, &b));
    CHECK(weir_mpi_check_result(NULL, made));
    int* const nodes = weir_mpi_memory((uint32_t)(a->size + b->size) * sizeof *nodes);
    int size = 0;
    for (int i = 0; i < a->size; ++i) {
        if (find_node(b, a->nodes[i]) != MPI_UNDEFINED ? takes_common : takes_own) {
            nodes[size++] = a->nodes[i];
        }
    }
    for (int i = 0; i < b->size && takes_others; ++i) {
        if (find_node(a, b->nodes[i]) == MPI_UNDEFINED) {
            nodes[size++] = b->nodes[i];
        }
    }
    *made = weir_mpi_new_group(nodes, size);
    return MPI_SUCCESS;
}
int MPI_Group_union(MPI_Group one, MPI_Group other, MPI_Group* made) {
    CHECK(merge(one, other, 1, 1, 1, made));
    return MPI_SUCCESS;
}
int MPI_Group_intersection(MPI_Group one, MPI_Group other, MPI_Group* made) {
    CHECK(merge(one, other, 1, 0, 0, made));
    return MPI_SUCCESS;
}
int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group* made) {
    CHECK(merge(one, other, 0, 1, 0, made));
    return MPI_SUCCESS;
}

static int check_list(const struct weir_mpi_group* group, int count, const int* ranks) {
    if (count < 0 || count > group->size) {
        return ERROR(NULL, MPI_ERR_ARG, "its count is %d; accepted: 0 to %d", count, group->size);
    }
    for (int i = 0; i < count; ++i) {
        CHECK(check_rank(group, ranks[i]));
        for (int j = 0; j < i; ++j) {
            if (ranks[i] == ranks[j]) {
                return ERROR(NULL, MPI_ERR_RANK, "rank %d is listed twice", ranks[i]);
            }
        }
    }
    return MPI_SUCCESS;
}

static int include(const struct weir_mpi_group* group, int count, const int* ranks,
                   MPI_Group* made) {
    CHECK(check_list(group, count, ranks));
    CHECK(weir_mpi_check_result(NULL, made));
    int* const nodes = weir_mpi_memory((uint32_t)count * sizeof *nodes);
    for (int i = 0; i < count; ++i) {
        nodes[i] = group->nodes[ranks[i]];
    }
    *made = weir_mpi_new_group(nodes, count);
    return MPI_SUCCESS;
}
static int exclude(const struct weir_mpi_group* group, int count, const int* ranks,
                   MPI_Group* made) {
    CHECK(check_list(group, count, ranks));
    CHECK(weir_mpi_check_result(NULL, made));
    int* const nodes = weir_mpi_memory((uint32_t)group->size * sizeof *nodes);
    int size = 0;
    for (int rank = 0; rank < group->size; ++rank) {
        int is_listed = 0;
        for (int i = 0; i < count; ++i) {
            is_listed |= ranks[i] == rank;
        }
        if (!is_listed) {
            nodes[size++] = group->nodes[rank];
        }
    }
    *made = weir_mpi_new_group(nodes, size);
    return MPI_SUCCESS;
}
int MPI_Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made) {
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(include(found, count, ranks, made));
    return MPI_SUCCESS;
}
int MPI_Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made) {
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(exclude(found, count, ranks, made));
    return MPI_SUCCESS;
}

/* Ranks of the triples (first, last, stride). */
static int list_ranges(const struct weir_mpi_group* group, int count, int ranges[][3], int** ranks,
                       int* number) {
    *ranks = weir_mpi_memory((uint32_t)group->size * sizeof **ranks);
    *number = 0;
    for (int i = 0; i < count; ++i) {
        const int first = ranges[i][0];
        const int last = ranges[i][1];
        const int stride = ranges[i][2];
        if (stride == 0) {
            free(*ranks);
            return ERROR(NULL, MPI_ERR_ARG, "the stride of range %d is 0", i);
        }
        for (int rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
            if (*number == group->size) {
                free(*ranks);
                return ERROR(NULL, MPI_ERR_RANK,
                             "its ranges have more than the %d ranks of the group", group->size);
            }
            (*ranks)[(*number)++] = rank;
        }
    }
    return MPI_SUCCESS;
}
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
    struct weir_mpi_group* found;
    int* ranks;
    int number;
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(list_ranges(found, count, ranges, &ranks, &number));
    const int error = include(found, number, ranks, made);
    free(ranks);
    return error;
}
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
    struct weir_mpi_group* found;
    int* ranks;
    int number;
    CHECK(weir_mpi_check_group(group, &found));
    CHECK(list_ranges(found, count, ranges, &ranks, &number));
    const int error = exclude(found, number, ranks, made);
    free(ranks);
    return error;
}

int MPI_Group_free(MPI_Group* group) {
    struct weir_mpi_group* found;
    CHECK(weir_mpi_check_result(NULL, group));
    CHECK(weir_mpi_check_group(*group, &found));
    if (*group != MPI_GROUP_EMPTY) {
        free(found->nodes);
        free(found);
        groups[*group - MPI_GROUP_EMPTY] = NULL;
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
