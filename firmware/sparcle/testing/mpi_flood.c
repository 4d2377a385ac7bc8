/*
 * Node 0 receives messages in another order than they arrive in. All other nodes send as fast as
 * they can. main(ORDER, send or isend, messages of each node); ORDER is:
 *   last   the last tag of each rank first, after all others have arrived; all are short
 *   ranks  the last rank's messages in order, then those of the rank before it
 *   tags   from any rank, the highest of four tags first
 *   any    in the order of arrival
 *   own    each rank sends to itself, and receives the highest of four tags first; the heap is full
 *
 * Messages of a rank that match one receive arrive in order. Checks data; prints the values' sum.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EACH 250
#define MOST_RANKS 64
#define MOST_WORDS 12
#define SHORT_WORDS 10 /* longest eager message; MPI_Send of more words waits for the receive */
#define TAGS 4

static int rank, size, each;
static int most_words;
static int next_of[MOST_RANKS][TAGS];
static long long sum;

static int words_of(int number) { return 1 + number % most_words; }
static int value_of(int from, int number) { return from * MOST_EACH + number; }

/* `step` is the distance between the numbers of messages with this tag. */
static void receive(int from, int tag, int number, int step) {
    int data[MOST_WORDS + 1];
    int count = -1;
    MPI_Status status;
    MPI_Recv(data, MOST_WORDS, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    from = status.MPI_SOURCE;
    if (number < 0) {
        int* const next = &next_of[from][step == 1 ? 0 : status.MPI_TAG];
        number = *next + (step == 1 ? 0 : status.MPI_TAG);
        *next += step;
    }
    if (count != words_of(number) || data[0] != value_of(from, number) ||
        data[count - 1] != value_of(from, number) + count - 1) {
        printf("from %d with tag %d: %d values, the first %d; message %d was to come\n", from,
               status.MPI_TAG, count, data[0], number);
        exit(1);
    }
    sum += data[0];
}

static void receive_all(const char* order) {
    if (strcmp(order, "last") == 0) {
        for (int number = each - 1; number >= 0; --number) {
            for (int from = 1; from < size; ++from) {
                receive(from, number, number, 1);
            }
        }
    } else if (strcmp(order, "ranks") == 0) {
        for (int from = size - 1; from > 0; --from) {
            for (int number = 0; number < each; ++number) {
                receive(from, MPI_ANY_TAG, number, 1);
            }
        }
    } else if (strcmp(order, "tags") == 0) {
        for (int tag = TAGS - 1; tag >= 0; --tag) {
            for (int i = 0; i < each / TAGS * (size - 1); ++i) {
                receive(MPI_ANY_SOURCE, tag, -1, TAGS);
            }
        }
    } else {
        for (int i = 0; i < each * (size - 1); ++i) {
            receive(MPI_ANY_SOURCE, MPI_ANY_TAG, -1, 1);
        }
    }
}

static void send_all(int is_by_four, int is_blocking) {
    static int data[MOST_EACH][MOST_WORDS];
    static MPI_Request requests[MOST_EACH];
    for (int number = 0; number < each; ++number) {
        const int tag = is_by_four ? number % TAGS : number;
        for (int i = 0; i < words_of(number); ++i) {
            data[number][i] = value_of(rank, number) + i;
        }
        if (is_blocking) {
            MPI_Send(data[number], words_of(number), MPI_INT, 0, tag, MPI_COMM_WORLD);
        } else {
            MPI_Isend(data[number], words_of(number), MPI_INT, 0, tag, MPI_COMM_WORLD,
                      &requests[number]);
        }
    }
    if (!is_blocking) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(each, requests, MPI_STATUSES_IGNORE);
    }
}

static void send_to_itself(void) {
    static int data[MOST_EACH];
    static MPI_Request requests[MOST_EACH];
    for (int bytes = 1 << 16; bytes >= 64; bytes /= 2) {
        while (malloc((size_t)bytes) != NULL) {
        }
    }
    for (int number = 0; number < each; ++number) {
        data[number] = value_of(rank, number);
        MPI_Isend(&data[number], 1, MPI_INT, rank, number % TAGS, MPI_COMM_WORLD,
                  &requests[number]);
    }
    most_words = 1;
    for (int tag = TAGS - 1; tag >= 0; --tag) {
        for (int i = 0; i < each / TAGS; ++i) {
            receive(rank, tag, -1, TAGS);
        }
    }
    MPI_Waitall(each, requests, MPI_STATUSES_IGNORE);
}

int main(int count, char** words) {
    const int is_blocking = count > 2 && strcmp(words[2], "send") == 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    each = count > 3 ? atoi(words[3]) : 0;
    most_words = strcmp(words[1], "last") == 0 ? SHORT_WORDS : MOST_WORDS;
    if (strcmp(words[1], "own") == 0) {
        send_to_itself();
        printf("sum %lld\n", sum);
    } else if (rank != 0) {
        send_all(strcmp(words[1], "tags") == 0, is_blocking);
    } else {
        if (!is_blocking) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
        receive_all(words[1]);
        printf("sum %lld\n", sum);
    }
    MPI_Finalize();
    return 0;
}
