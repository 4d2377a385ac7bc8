/* Modes of sends, completions of requests, persistent requests, probes and null handles. */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/testing/mpi_expect.h"
#include "firmware/sparcle/weir.h"

#define COUNT 100

static int before, after;

static void fill(int* data, int count, int first) {
    for (int i = 0; i < count; ++i) {
        data[i] = first + i;
    }
}
static int is_filled(const int* data, int count, int first) {
    for (int i = 0; i < count; ++i) {
        if (data[i] != first + i) {
            return 0;
        }
    }
    return 1;
}

/* A synchronous send of a short message ends after its receive has begun. */
static void send_synchronously(void) {
    int value = rank;
    int got = -1;
    int is_complete = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Issend(&value, 1, MPI_INT, after, 1, WORLD, &request);
    MPI_Barrier(WORLD);
    for (int i = 0; i < 5; ++i) {
        MPI_Test(&request, &is_complete, IGNORE);
        EXPECT(!is_complete);
    }
    MPI_Barrier(WORLD);
    MPI_Recv(&got, 1, MPI_INT, before, 1, WORLD, &status);
    EXPECT(got == before && status.MPI_SOURCE == before);
    MPI_Wait(&request, IGNORE);
    if (rank % 2 == 0 && rank + 1 < size) {
        MPI_Ssend(&value, 1, MPI_INT, rank + 1, 2, WORLD);
    } else if (rank % 2 == 1) {
        MPI_Recv(&got, 1, MPI_INT, rank - 1, 2, WORLD, IGNORE);
        EXPECT(got == rank - 1);
    }
}

static void send_with_buffer(void) {
    int data[COUNT];
    int got[COUNT];
    int bytes = 0;
    char* buffer = malloc(10 * (sizeof data + MPI_BSEND_OVERHEAD));
    char* same = NULL;
    MPI_Request request;
    MPI_Buffer_attach(buffer, 10 * (sizeof data + MPI_BSEND_OVERHEAD));
    for (int i = 0; i < 8; ++i) {
        fill(data, COUNT, 1000 * rank + i);
        MPI_Bsend(data, COUNT, MPI_INT, after, i, WORLD);
    }
    fill(data, COUNT, 1000 * rank + 8);
    MPI_Ibsend(data, COUNT, MPI_INT, after, 8, WORLD, &request);
    MPI_Wait(&request, IGNORE);
    memset(data, 0, sizeof data);
    for (int i = 8; i >= 0; --i) {
        MPI_Recv(got, COUNT, MPI_INT, before, i, WORLD, IGNORE);
        EXPECT(is_filled(got, COUNT, 1000 * before + i));
    }
    MPI_Buffer_detach(&same, &bytes);
    EXPECT(same == buffer && bytes == (int)(10 * (sizeof data + MPI_BSEND_OVERHEAD)));
    free(buffer);
}

static void replace(void) {
    int data[COUNT];
    MPI_Status status;
    fill(data, COUNT, 10 * rank);
    MPI_Sendrecv_replace(data, COUNT, MPI_INT, after, 3, before, 3, WORLD, &status);
    EXPECT(is_filled(data, COUNT, 10 * before) && status.MPI_SOURCE == before);
}

static void complete_in_any_order(void) {
    int got[4] = {-1, -1, -1, -1};
    int order[4] = {2, 0, 3, 1};
    int index = -1;
    int is_complete = -1;
    int number = -1;
    int indices[4];
    MPI_Status statuses[4];
    MPI_Request requests[4];
    for (int i = 0; i < 4; ++i) {
        MPI_Irecv(&got[i], 1, MPI_INT, before, 10 + i, WORLD, &requests[i]);
    }
    MPI_Testany(4, requests, &index, &is_complete, IGNORE);
    EXPECT(!is_complete && index == MPI_UNDEFINED);
    MPI_Testall(4, requests, &is_complete, MPI_STATUSES_IGNORE);
    EXPECT(!is_complete);
    MPI_Testsome(4, requests, &number, indices, statuses);
    EXPECT(number == 0);
    MPI_Barrier(WORLD);
    for (int i = 0; i < 4; ++i) {
        const int value = 100 * rank + order[i];
        MPI_Send(&value, 1, MPI_INT, after, 10 + order[i], WORLD);
        if (i < 2) {
            MPI_Waitany(4, requests, &index, &statuses[0]);
            EXPECT(index == order[i] && requests[index] == MPI_REQUEST_NULL);
            EXPECT(statuses[0].MPI_TAG == 10 + index && got[index] == 100 * before + index);
            MPI_Barrier(WORLD); /* no rank sends its next message before */
        }
    }
    int left = 2;
    while (left > 0) {
        MPI_Waitsome(4, requests, &number, indices, statuses);
        EXPECT(number >= 1 && number <= left);
        for (int i = 0; i < number; ++i) {
            EXPECT(got[indices[i]] == 100 * before + indices[i]);
            EXPECT(statuses[i].MPI_TAG == 10 + indices[i]);
        }
        left -= number;
    }
    /* All are null now. */
    MPI_Waitany(4, requests, &index, &statuses[0]);
    EXPECT(index == MPI_UNDEFINED && statuses[0].MPI_SOURCE == MPI_ANY_SOURCE);
    MPI_Waitsome(4, requests, &number, indices, statuses);
    EXPECT(number == MPI_UNDEFINED);
    MPI_Testsome(4, requests, &number, indices, statuses);
    EXPECT(number == MPI_UNDEFINED);
    MPI_Testany(4, requests, &index, &is_complete, IGNORE);
    EXPECT(is_complete && index == MPI_UNDEFINED);
    MPI_Testall(4, requests, &is_complete, MPI_STATUSES_IGNORE);
    EXPECT(is_complete);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitany(0, NULL, &index, IGNORE);
    EXPECT(index == MPI_UNDEFINED);
}

/* The standard's empty status */
static void look_at_nothing(void) {
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Status status = {5, 5, 5, 5, 5};
    int is_complete = 0;
    int count = -1;
    MPI_Wait(&none, &status);
    EXPECT(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Get_count(&status, MPI_INT, &count);
    EXPECT(count == 0);
    MPI_Test_cancelled(&status, &is_complete);
    EXPECT(!is_complete);
    MPI_Test(&none, &is_complete, &status);
    EXPECT(is_complete);
    MPI_Request_get_status(none, &is_complete, &status);
    EXPECT(is_complete);
    /* MPI_PROC_NULL takes and gives nothing. */
    MPI_Send(&count, 1, MPI_INT, MPI_PROC_NULL, 1, WORLD);
    count = 7;
    MPI_Recv(&count, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, WORLD, &status);
    EXPECT(count == 7 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Get_count(&status, MPI_INT, &count);
    EXPECT(count == 0);
    MPI_Iprobe(MPI_PROC_NULL, 3, WORLD, &is_complete, &status);
    EXPECT(is_complete && status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Sendrecv(&count, 1, MPI_INT, MPI_PROC_NULL, 0, &count, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD,
                 IGNORE);
    /* An empty message is a message. */
    MPI_Request request;
    MPI_Isend(NULL, 0, MPI_INT, after, 4, WORLD, &request);
    MPI_Recv(NULL, 0, MPI_INT, before, 4, WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    EXPECT(count == 0 && status.MPI_SOURCE == before);
    MPI_Wait(&request, IGNORE);
}

/* A blocking send to itself ends before the receive. */
static void send_to_itself(void) {
    int data[COUNT];
    int got[COUNT];
    fill(data, COUNT, 3 * rank);
    MPI_Send(data, COUNT, MPI_INT, rank, 30, WORLD);
    memset(data, 0, sizeof data);
    MPI_Recv(got, COUNT, MPI_INT, rank, 30, WORLD, IGNORE);
    EXPECT(is_filled(got, COUNT, 3 * rank));
}

static void repeat(void) {
    int out = 0;
    int in[COUNT];
    int long_out[COUNT];
    MPI_Request requests[4];
    MPI_Status status;
    MPI_Send_init(&out, 1, MPI_INT, after, 5, WORLD, &requests[0]);
    MPI_Recv_init(in, 1, MPI_INT, before, 5, WORLD, &requests[1]);
    MPI_Ssend_init(long_out, COUNT, MPI_INT, after, 6, WORLD, &requests[2]);
    MPI_Recv_init(in, COUNT, MPI_INT, before, 6, WORLD, &requests[3]);
    MPI_Wait(&requests[0], &status); /* not active */
    EXPECT(status.MPI_SOURCE == MPI_ANY_SOURCE && requests[0] != MPI_REQUEST_NULL);
    for (int round = 0; round < 3; ++round) {
        out = 10 * rank + round;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        EXPECT(in[0] == 10 * before + round && requests[1] != MPI_REQUEST_NULL);
        fill(long_out, COUNT, rank + round);
        MPI_Start(&requests[3]);
        MPI_Start(&requests[2]);
        MPI_Waitall(2, requests + 2, MPI_STATUSES_IGNORE);
        EXPECT(is_filled(in, COUNT, before + round));
    }
    for (int i = 0; i < 4; ++i) {
        MPI_Request_free(&requests[i]);
        EXPECT(requests[i] == MPI_REQUEST_NULL);
    }
}

static void probe_and_cancel(void) {
    int got = -1;
    int is_there = -1;
    MPI_Request request;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 20, WORLD, &is_there, &status);
    EXPECT(!is_there);
    MPI_Barrier(WORLD);
    MPI_Send(&rank, 1, MPI_INT, after, 20, WORLD);
    while (!is_there) {
        MPI_Iprobe(MPI_ANY_SOURCE, 20, WORLD, &is_there, &status);
    }
    EXPECT(status.MPI_SOURCE == before && status.MPI_TAG == 20);
    MPI_Probe(before, MPI_ANY_TAG, WORLD, &status);
    EXPECT(status.MPI_TAG == 20);
    MPI_Rsend(&rank, 1, MPI_INT, MPI_PROC_NULL, 20, WORLD);
    MPI_Recv(&got, 1, MPI_INT, before, 20, WORLD, IGNORE);
    EXPECT(got == before);
    MPI_Irecv(&got, 1, MPI_INT, before, 21, WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &is_there);
    EXPECT(is_there);
    /* A freed request completes by itself. */
    static int kept;
    kept = rank + 5;
    MPI_Isend(&kept, 1, MPI_INT, after, 22, WORLD, &request);
    MPI_Request_free(&request);
    EXPECT(request == MPI_REQUEST_NULL);
    MPI_Recv(&got, 1, MPI_INT, before, 22, WORLD, IGNORE);
    EXPECT(got == before + 5);
}

static void ask_about_mpi(void) {
    int flag = -1;
    int version = 0;
    int subversion = 0;
    int length = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Initialized(&flag);
    EXPECT(flag == 1);
    MPI_Finalized(&flag);
    EXPECT(flag == 0);
    MPI_Query_thread(&flag);
    EXPECT(flag == MPI_THREAD_SINGLE);
    MPI_Is_thread_main(&flag);
    EXPECT(flag == 1);
    MPI_Get_version(&version, &subversion);
    EXPECT(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    MPI_Get_library_version(text, &length);
    EXPECT(length == (int)strlen(text) && length > 0);
    MPI_Get_processor_name(name, &length);
    EXPECT(length == (int)strlen(name) && atoi(name + 5) == (int)weir_node());
    EXPECT(MPI_Wtick() > 0 && MPI_Wtick() < 1e-5);
    const double begin_time = MPI_Wtime();
    EXPECT(MPI_Wtime() > begin_time);
    double* memory = NULL;
    MPI_Alloc_mem(80, MPI_INFO_NULL, &memory);
    memory[9] = 1;
    MPI_Free_mem(memory);
    EXPECT(MPI_Pcontrol(1) == MPI_SUCCESS);
}

int main(int count, char** words) {
    int flag = -1;
    MPI_Initialized(&flag);
    begin(&count, &words);
    EXPECT(flag == 0);
    before = (rank + size - 1) % size;
    after = (rank + 1) % size;
    send_synchronously();
    send_with_buffer();
    replace();
    complete_in_any_order();
    look_at_nothing();
    send_to_itself();
    repeat();
    probe_and_cancel();
    ask_about_mpi();
    const int status = end();
    MPI_Finalized(&flag);
    return flag == 1 ? status : 1;
}
