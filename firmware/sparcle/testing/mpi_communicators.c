/* Communicators, groups, topologies and attributes. */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/testing/mpi_expect.h"
#include "firmware/sparcle/weir.h"

/* Equal sources and tags in three communicators: no message is taken for another one. */
static void isolate(void) {
    MPI_Comm copy;
    MPI_Comm turned;
    int result = -1;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_split(WORLD, 3, -rank, &turned);
    MPI_Comm_compare(WORLD, copy, &result);
    EXPECT(result == MPI_CONGRUENT);
    MPI_Comm_compare(WORLD, turned, &result);
    EXPECT(result == (size == 1 ? MPI_CONGRUENT : MPI_SIMILAR));
    MPI_Comm_compare(WORLD, WORLD, &result);
    EXPECT(result == MPI_IDENT);
    MPI_Comm_compare(WORLD, MPI_COMM_SELF, &result);
    EXPECT(result == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
    int turned_rank;
    MPI_Comm_rank(turned, &turned_rank);
    EXPECT(turned_rank == size - 1 - rank);
    const MPI_Comm comms[] = {WORLD, copy, turned};
    int out[3];
    MPI_Request requests[3];
    for (int i = 0; i < 3; ++i) {
        int own;
        MPI_Comm_rank(comms[i], &own);
        out[i] = 100 * i + own;
        MPI_Isend(&out[i], 1, MPI_INT, (own + 1) % size, 7, comms[i], &requests[i]);
    }
    MPI_Barrier(WORLD);
    for (int i = 2; i >= 0; --i) {
        int own;
        int got = -1;
        MPI_Status status;
        MPI_Comm_rank(comms[i], &own);
        const int before = (own + size - 1) % size;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &status);
        EXPECT(status.MPI_SOURCE == before);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &status);
        EXPECT(got == 100 * i + before && status.MPI_SOURCE == before);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    /* Collectives of several communicators in different orders of completion */
    MPI_Request both[2];
    int sums[2] = {0, 0};
    MPI_Iallreduce(&rank, &sums[0], 1, MPI_INT, MPI_SUM, copy, &both[0]);
    MPI_Iallreduce(&rank, &sums[1], 1, MPI_INT, MPI_MAX, turned, &both[1]);
    MPI_Wait(&both[rank % 2], IGNORE);
    MPI_Wait(&both[1 - rank % 2], IGNORE);
    EXPECT(sums[0] == size * (size - 1) / 2 && sums[1] == size - 1);
    /* A communicator that is freed while a message is under way */
    int late = -1;
    MPI_Request request;
    MPI_Irecv(&late, 1, MPI_INT, rank, 1, copy, &request);
    MPI_Send(&rank, 1, MPI_INT, rank, 1, copy);
    MPI_Comm_free(&copy);
    EXPECT(copy == MPI_COMM_NULL);
    MPI_Wait(&request, IGNORE);
    EXPECT(late == rank);
    MPI_Comm_free(&turned);
}

static void split(void) {
    MPI_Comm half;
    int half_rank;
    int half_size;
    int sum = 0;
    MPI_Comm_split(WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &half_rank);
    MPI_Comm_size(half, &half_size);
    EXPECT(half_rank == rank / 2 && half_size == (size + 1 - rank % 2) / 2);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    int expected = 0;
    for (int i = rank % 2; i < size; i += 2) {
        expected += i;
    }
    EXPECT(sum == expected);
    MPI_Comm_free(&half);
    MPI_Comm_split(WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &half);
    EXPECT((half == MPI_COMM_NULL) == (rank == 0));
    if (half != MPI_COMM_NULL) {
        MPI_Comm_free(&half);
    }
    MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &half);
    MPI_Comm_size(half, &half_size);
    const int node = (int)weir_node();
    int on_node = 0;
    int* const nodes = malloc(size * sizeof *nodes);
    MPI_Allgather(&node, 1, MPI_INT, nodes, 1, MPI_INT, WORLD);
    for (int i = 0; i < size; ++i) {
        on_node += nodes[i] == node;
    }
    free(nodes);
    EXPECT(half_size == on_node);
    MPI_Comm_free(&half);
    /* Many communicators one after another; numbers are used again. */
    for (int i = 0; i < 300; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &half);
        MPI_Comm_free(&half);
    }
    int is_inter = -1;
    MPI_Comm_test_inter(WORLD, &is_inter);
    EXPECT(!is_inter);
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm_get_name(WORLD, name, &length);
    EXPECT(strcmp(name, "MPI_COMM_WORLD") == 0);
    MPI_Comm_dup(WORLD, &half);
    MPI_Comm_get_name(half, name, &length);
    EXPECT(length == 0);
    MPI_Comm_set_name(half, "mine");
    MPI_Comm_get_name(half, name, &length);
    EXPECT(strcmp(name, "mine") == 0 && length == 4);
    MPI_Comm_free(&half);
}

static void combine_groups(void) {
    MPI_Group world;
    MPI_Group even;
    MPI_Group odd;
    MPI_Group made;
    int ranks[64];
    int number = 0;
    int result = -1;
    for (int i = 0; i < size; i += 2) {
        ranks[number++] = i;
    }
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, number, ranks, &even);
    MPI_Group_excl(world, number, ranks, &odd);
    MPI_Group_size(even, &result);
    EXPECT(result == number);
    MPI_Group_rank(even, &result);
    EXPECT(result == (rank % 2 == 0 ? rank / 2 : MPI_UNDEFINED));
    MPI_Group_union(even, odd, &made);
    MPI_Group_compare(world, made, &result);
    EXPECT(result == (size <= 2 ? MPI_IDENT : MPI_SIMILAR));
    MPI_Group_free(&made);
    EXPECT(made == MPI_GROUP_NULL);
    MPI_Group_intersection(even, odd, &made);
    EXPECT(made == MPI_GROUP_EMPTY);
    MPI_Group_difference(world, odd, &made);
    MPI_Group_compare(even, made, &result);
    EXPECT(result == MPI_IDENT);
    MPI_Group_free(&made);
    int ranges[1][3] = {{size - 1, 0, -1}};
    MPI_Group_range_incl(world, 1, ranges, &made);
    int translated[2] = {-1, -1};
    const int asked[2] = {0, MPI_PROC_NULL};
    MPI_Group_translate_ranks(made, 2, asked, world, translated);
    EXPECT(translated[0] == size - 1 && translated[1] == MPI_PROC_NULL);
    MPI_Group_translate_ranks(world, 1, asked, odd, translated);
    EXPECT(translated[0] == MPI_UNDEFINED);
    MPI_Group_free(&made);
    MPI_Group_range_excl(world, 1, ranges, &made);
    EXPECT(made == MPI_GROUP_EMPTY);
    /* Communicators of groups */
    MPI_Comm comm;
    int value = -1;
    MPI_Comm_create(WORLD, even, &comm);
    EXPECT((comm == MPI_COMM_NULL) == (rank % 2 == 1));
    if (comm != MPI_COMM_NULL) {
        value = rank;
        MPI_Bcast(&value, 1, MPI_INT, number - 1, comm);
        EXPECT(value == 2 * (number - 1));
        MPI_Comm_free(&comm);
    }
    if (rank % 2 == 1) { /* the others do not call it */
        MPI_Comm_create_group(WORLD, odd, 5, &comm);
        MPI_Comm_rank(comm, &value);
        EXPECT(value == rank / 2);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&even);
    MPI_Group_free(&odd);
}

static void arrange(void) {
    int sizes[3] = {0, 0, 0};
    MPI_Dims_create(24, 3, sizes);
    EXPECT(sizes[0] == 4 && sizes[1] == 3 && sizes[2] == 2);
    int fixed[3] = {0, 5, 0};
    MPI_Dims_create(60, 3, fixed);
    EXPECT(fixed[0] == 4 && fixed[1] == 5 && fixed[2] == 3);
    int prime[2] = {0, 0};
    MPI_Dims_create(7, 2, prime);
    EXPECT(prime[0] == 7 && prime[1] == 1);
    int square[2] = {0, 0};
    MPI_Dims_create(36, 2, square);
    EXPECT(square[0] == 6 && square[1] == 6);

    MPI_Comm grid;
    int own[2] = {0, 0};
    const int are_periodic[2] = {1, 0};
    MPI_Dims_create(size, 2, own);
    MPI_Cart_create(WORLD, 2, own, are_periodic, 1, &grid);
    int result = -1;
    MPI_Topo_test(grid, &result);
    EXPECT(result == MPI_CART);
    MPI_Topo_test(WORLD, &result);
    EXPECT(result == MPI_UNDEFINED);
    MPI_Cartdim_get(grid, &result);
    EXPECT(result == 2);
    int place[2] = {-1, -1};
    int got_sizes[2];
    int got_periods[2];
    MPI_Cart_coords(grid, rank, 2, place);
    EXPECT(place[0] == rank / own[1] && place[1] == rank % own[1]);
    MPI_Cart_get(grid, 2, got_sizes, got_periods, place);
    EXPECT(got_sizes[0] == own[0] && got_periods[0] == 1 && got_periods[1] == 0);
    EXPECT(place[0] == rank / own[1] && place[1] == rank % own[1]);
    MPI_Cart_rank(grid, place, &result);
    EXPECT(result == rank);
    const int around[2] = {place[0] - own[0], place[1]};
    MPI_Cart_rank(grid, around, &result);
    EXPECT(result == rank);
    int source = -5;
    int destination = -5;
    MPI_Cart_shift(grid, 0, 1, &source, &destination);
    EXPECT(destination == (rank + own[1]) % size && source == (rank + size - own[1]) % size);
    MPI_Cart_shift(grid, 1, 1, &source, &destination);
    EXPECT(destination == (place[1] + 1 < own[1] ? rank + 1 : MPI_PROC_NULL));
    EXPECT(source == (place[1] > 0 ? rank - 1 : MPI_PROC_NULL));
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, destination, 0, &got, 1, MPI_INT, source, 0, grid, IGNORE);
    EXPECT(got == (source == MPI_PROC_NULL ? -1 : source));
    MPI_Comm row;
    const int are_kept[2] = {0, 1};
    MPI_Cart_sub(grid, are_kept, &row);
    MPI_Comm_size(row, &result);
    EXPECT(result == own[1]);
    MPI_Comm_rank(row, &result);
    EXPECT(result == place[1]);
    MPI_Cart_coords(row, result, 1, got_sizes);
    EXPECT(got_sizes[0] == place[1]);
    MPI_Cart_map(WORLD, 2, own, are_periodic, &result);
    EXPECT(result == rank);
    MPI_Comm copy;
    MPI_Comm_dup(grid, &copy);
    MPI_Topo_test(copy, &result);
    EXPECT(result == MPI_CART);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    /* A grid smaller than the communicator leaves ranks out. */
    const int one[1] = {1};
    MPI_Cart_create(WORLD, 1, one, are_periodic, 0, &grid);
    EXPECT((grid == MPI_COMM_NULL) == (rank != 0));
    if (grid != MPI_COMM_NULL) {
        MPI_Comm_free(&grid);
    }
}

static int copies, removals;
static int copy_number(MPI_Comm comm, int key, void* extra, void* value, void* copy, int* is) {
    (void)comm;
    (void)key;
    ++copies;
    *(void**)copy = (char*)value + *(int*)extra;
    *is = 1;
    return MPI_SUCCESS;
}
static int remove_number(MPI_Comm comm, int key, void* value, void* extra) {
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    ++removals;
    return MPI_SUCCESS;
}

static void keep_attributes(void) {
    static int extra = 5;
    int key;
    int other;
    int is_there = -1;
    int* bound = NULL;
    char* value = NULL;
    MPI_Comm copy;
    MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &bound, &is_there);
    EXPECT(is_there && *bound >= 32767);
    MPI_Attr_get(WORLD, MPI_WTIME_IS_GLOBAL, &bound, &is_there);
    EXPECT(is_there && *bound == 1);
    MPI_Comm_create_keyval(copy_number, remove_number, &key, &extra);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL);
    MPI_Comm_get_attr(WORLD, key, &value, &is_there);
    EXPECT(!is_there);
    MPI_Comm_set_attr(WORLD, key, (char*)0 + 100);
    MPI_Comm_set_attr(WORLD, other, (char*)0 + 200);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_get_attr(copy, key, &value, &is_there);
    EXPECT(is_there && value == (char*)0 + 105 && copies == 1);
    MPI_Comm_get_attr(copy, other, &value, &is_there);
    EXPECT(!is_there);
    MPI_Comm_free(&copy);
    EXPECT(removals == 1);
    MPI_Comm_delete_attr(WORLD, key);
    EXPECT(removals == 2);
    MPI_Comm_free_keyval(&key);
    EXPECT(key == MPI_KEYVAL_INVALID);
}

int main(int count, char** words) {
    begin(&count, &words);
    isolate();
    split();
    combine_groups();
    arrange();
    keep_attributes();
    return end();
}
