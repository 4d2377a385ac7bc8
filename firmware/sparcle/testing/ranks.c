/*
 * Own statics, heap, state of the C library, files and console of each rank of a node (weir compile
 * --contexts). main(MODE): without a mode it checks all; each mode ends the run.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "firmware/sparcle/testing/mpi_expect.h"
#include "firmware/sparcle/weir.h"

static int first = 7;
static int* const to_first = &first;
static int zeros[3000];
static int at_exit_of = -1;
static const char* const names[] = {"zero", "one", "two", "three"};

static int twice(int value) { return 2 * value; }
static int (*function)(int) = twice;

static void tell_end(void) { printf("rank %d leaves\n", at_exit_of); }

/* Gives every rank a turn between two steps. */
static void meet(void) { MPI_Barrier(WORLD); }

static void statics(void) {
    first += rank;
    meet();
    EXPECT(first == 7 + rank && *to_first == first);
    zeros[2999] = rank;
    meet();
    EXPECT(zeros[2999] == rank && zeros[0] == 0);
    EXPECT(strcmp(names[2], "two") == 0);
    EXPECT(function(rank) == 2 * rank);
}

static void library(void) {
    char text[] = "a-b-c";
    int* const memory = malloc(1000 * sizeof *memory);
    for (int i = 0; i < 1000; ++i) {
        memory[i] = rank + i;
    }
    srand(1);
    const int random = rand();
    errno = rank + 1;
    (void)strtok(text, "-");
    meet();
    EXPECT(errno == rank + 1);
    EXPECT(strcmp(strtok(NULL, "-"), "b") == 0);
    srand(1);
    EXPECT(rand() == random);
    int sum = 0;
    for (int i = 0; i < 1000; ++i) {
        sum += memory[i] == rank + i;
    }
    EXPECT(sum == 1000);
    free(memory);
    EXPECT(getpid() == rank + 1);
    char value[20];
    snprintf(value, sizeof value, "%d", rank);
    EXPECT(strcmp(getenv("RANKS"), "many") == 0);
    setenv("RANKS", value, 1);
    meet();
    EXPECT(strcmp(getenv("RANKS"), value) == 0);
}

static void files(void) {
    char line[40] = "";
    FILE* const file = fopen("own.txt", "w");
    fprintf(file, "of rank %d\n", rank);
    meet();
    fclose(file);
    EXPECT(fgets(line, sizeof line, stdin) != NULL && strcmp(line, "first line\n") == 0);
    meet();
    EXPECT(fgets(line, sizeof line, stdin) != NULL && strcmp(line, "second line\n") == 0);
}

static void jumps(void) {
    static jmp_buf place;
    volatile int count = 0;
    const int jumped = setjmp(place);
    if (jumped < 3) {
        count += 1;
        meet();
        longjmp(place, jumped + 1);
    }
    EXPECT(count == 3);
}

/* A rank that tests in a loop lets the others run. */
static void tests(void) {
    const int before = (rank + size - 1) % size;
    const int after = (rank + 1) % size;
    int got = -1;
    int is_complete = 0;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, before, 1, WORLD, &request);
    if (rank != 0) {
        while (!is_complete) {
            MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
        }
    }
    MPI_Send(&rank, 1, MPI_INT, after, 1, WORLD);
    while (!is_complete) {
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    }
    EXPECT(got == before);
}

/* Long messages to all ranks at a time: on the node and beyond, aligned and not. */
static void long_messages(void) {
    enum { BYTES = 3001 };
    char* const out = malloc((size_t)size * BYTES);
    char* const in = malloc((size_t)size * BYTES);
    for (int to = 0; to < size; ++to) {
        memset(out + to * BYTES, 16 * rank + to, BYTES);
    }
    MPI_Alltoall(out, BYTES, MPI_CHAR, in, BYTES, MPI_CHAR, WORLD);
    int wrong = 0;
    for (int from = 0; from < size; ++from) {
        for (int i = 0; i < BYTES; ++i) {
            wrong += in[from * BYTES + i] != (char)(16 * from + rank);
        }
    }
    EXPECT(wrong == 0);
    free(out);
    free(in);
}

static int overflow(int depth) {
    volatile int frame[200];
    frame[0] = depth;
    return depth == 0 ? 0 : overflow(depth - 1) + frame[0];
}

int main(int count, char** words) {
    const char* const mode = count > 1 ? words[1] : "";
    begin(&count, &words);
    if (strcmp(mode, "status") == 0) {
        MPI_Finalize();
        return rank == size - 1 ? 3 : 0;
    }
    if (strcmp(mode, "stack") == 0 && rank == size - 1) {
        return overflow(1000);
    }
    if (strcmp(mode, "text") == 0 && rank == size - 1) {
        *(volatile int*)(void*)main = 0; /* text */
    }
    at_exit_of = rank;
    atexit(tell_end);
    statics();
    library();
    files();
    jumps();
    tests();
    long_messages();
    printf("rank %d ", rank);
    meet();
    printf("on node %u\n", (unsigned)weir_node());
    return end();
}
