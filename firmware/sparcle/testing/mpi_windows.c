/* One-sided communication: fences, locks, and epochs between groups. */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/testing/mpi_expect.h"

#define COUNT 300

static int before, after;

static void put_and_get(void) {
    static int memory[COUNT];
    int own[COUNT];
    int got[COUNT];
    MPI_Win win;
    int is_right = 1;
    for (int i = 0; i < COUNT; ++i) {
        memory[i] = -1;
        own[i] = 1000 * rank + i;
    }
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &win);
    MPI_Win_fence(0, win);
    for (int length = 1, at = 0; length < 130; at += length, length *= 2) {
        MPI_Put(own + at, length, MPI_INT, after, at, length, MPI_INT, win);
    }
    MPI_Put(own, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < COUNT; ++i) {
        is_right &= memory[i] == (i < 255 ? 1000 * before + i : -1);
    }
    EXPECT(is_right);
    memset(got, 0, sizeof got);
    for (int length = 1, at = 0; length < 130; at += length, length *= 2) {
        MPI_Get(got + at, length, MPI_INT, after, at, length, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < 255; ++i) {
        is_right &= got[i] == 1000 * rank + i;
    }
    EXPECT(is_right);
    /* Every second value of the target from every third one here, and back */
    MPI_Datatype second;
    MPI_Datatype third;
    MPI_Type_vector(50, 1, 2, MPI_INT, &second);
    MPI_Type_vector(50, 1, 3, MPI_INT, &third);
    MPI_Type_commit(&second);
    MPI_Type_commit(&third);
    for (int i = 0; i < COUNT; ++i) {
        memory[i] = -1;
        got[i] = -1;
    }
    MPI_Win_fence(0, win);
    MPI_Put(own, 1, third, after, 1, 1, second, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 100; ++i) {
        is_right &= memory[1 + i] == (i % 2 == 0 && i < 99 ? 1000 * before + 3 * i / 2 : -1);
    }
    MPI_Get(got, 1, third, after, 1, 1, second, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < 150; ++i) {
        is_right &= got[i] == (i % 3 == 0 && i < 148 ? own[i] : -1);
    }
    EXPECT(is_right);
    MPI_Type_free(&second);
    MPI_Type_free(&third);
    MPI_Win_free(&win);
    EXPECT(win == MPI_WIN_NULL);
}

static void accumulate(void) {
    double* memory = NULL;
    double own[COUNT];
    double old[3] = {-1, -1, -1};
    MPI_Win win;
    int is_right = 1;
    MPI_Win_allocate(COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &win);
    for (int i = 0; i < COUNT; ++i) {
        memory[i] = i;
        own[i] = rank + 1;
    }
    MPI_Win_fence(0, win);
    for (int to = 0; to < size; ++to) {
        MPI_Accumulate(own, COUNT, MPI_DOUBLE, to, 0, COUNT, MPI_DOUBLE, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < COUNT; ++i) {
        is_right &= memory[i] == i + size * (size + 1) / 2;
    }
    EXPECT(is_right);
    MPI_Barrier(WORLD); /* no rank changes the values before */
    own[0] = 5;
    MPI_Get_accumulate(own, 1, MPI_DOUBLE, old, 1, MPI_DOUBLE, after, 2, 1, MPI_DOUBLE, MPI_PROD,
                       win);
    MPI_Get_accumulate(NULL, 0, MPI_DOUBLE, old + 1, 2, MPI_DOUBLE, after, 3, 2, MPI_DOUBLE,
                       MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    const double sum = size * (size + 1) / 2;
    EXPECT(old[0] == 2 + sum && memory[2] == 5 * (2 + sum));
    EXPECT(old[1] == 3 + sum && old[2] == 4 + sum);
    MPI_Accumulate(own, 1, MPI_DOUBLE, after, 0, 1, MPI_DOUBLE, MPI_REPLACE, win);
    MPI_Win_fence(0, win);
    EXPECT(memory[0] == 5);
    int is_there = 0;
    void* base = NULL;
    MPI_Aint* bytes = NULL;
    int* unit = NULL;
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &is_there);
    EXPECT(is_there && base == memory);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &is_there);
    EXPECT(*bytes == COUNT * (MPI_Aint)sizeof *memory);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &is_there);
    EXPECT(*unit == (int)sizeof *memory);
    MPI_Win_free(&win);
}

/* A counter of all ranks, and a lock that orders read-change-write */
static void lock(void) {
    static int counters[4];
    MPI_Win win;
    int old = -1;
    int one = 1;
    MPI_Win_create(counters, rank == 0 ? sizeof counters : 0, sizeof(int), MPI_INFO_NULL, WORLD,
                   &win);
    for (int i = 0; i < 5; ++i) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_unlock(0, win);
        EXPECT(old >= 0 && old < 5 * size);
        int value = -1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value += 1;
        MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    /* Exactly one rank replaces the zero. */
    const int zero = 0;
    const int own = rank + 1;
    MPI_Win_lock_all(0, win);
    MPI_Compare_and_swap(&own, &zero, &old, MPI_INT, 0, 2, win);
    MPI_Win_flush_all(win);
    MPI_Win_flush_local(0, win);
    MPI_Win_flush_local_all(win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    const int is_first = old == 0;
    int firsts = 0;
    MPI_Allreduce(&is_first, &firsts, 1, MPI_INT, MPI_SUM, WORLD);
    EXPECT(firsts == 1);
    EXPECT(is_first || (old >= 1 && old <= size));
    if (rank == 0) {
        EXPECT(counters[0] == 5 * size && counters[1] == 5 * size);
        EXPECT(counters[2] >= 1 && counters[2] <= size);
    }
    MPI_Win_free(&win);
}

/* Each rank lets the one before it store, and stores into the one after it. */
static void expose(void) {
    static int memory[8];
    MPI_Win win;
    MPI_Group world;
    MPI_Group sources;
    MPI_Group targets;
    int is_complete = 0;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &win);
    MPI_Win_get_group(win, &world);
    MPI_Group_incl(world, 1, &before, &sources);
    MPI_Group_incl(world, 1, &after, &targets);
    for (int round = 0; round < 3; ++round) {
        int own[8];
        for (int i = 0; i < 8; ++i) {
            own[i] = 100 * rank + 10 * round + i;
        }
        MPI_Win_post(sources, 0, win);
        MPI_Win_start(targets, 0, win);
        MPI_Put(own, 8, MPI_INT, after, 0, 8, MPI_INT, win);
        MPI_Win_complete(win);
        if (round == 1) {
            while (!is_complete) {
                MPI_Win_test(win, &is_complete);
            }
        } else {
            MPI_Win_wait(win);
        }
        EXPECT(memory[0] == 100 * before + 10 * round && memory[7] == memory[0] + 7);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&sources);
    MPI_Group_free(&targets);
    MPI_Win_free(&win);
}

/* A window without memory, to which each rank attaches some; places are addresses. */
static void attach(void) {
    static int memory[8];
    MPI_Win win;
    MPI_Aint own_place;
    MPI_Aint place;
    MPI_Get_address(memory, &own_place);
    MPI_Sendrecv(&own_place, 1, MPI_AINT, before, 1, &place, 1, MPI_AINT, after, 1, WORLD, IGNORE);
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, after, MPI_Aint_add(place, 3 * sizeof(int)), 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    EXPECT(memory[3] == before && memory[2] == 0);
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
}

int main(int count, char** words) {
    begin(&count, &words);
    before = (rank + size - 1) % size;
    after = (rank + 1) % size;
    put_and_get();
    accumulate();
    lock();
    expose();
    attach();
    return end();
}
