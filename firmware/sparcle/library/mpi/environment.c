/* Start and end of MPI, and questions about the machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/library/mpi/internals.h"

#define is_running weir_mpi_state.told_to_host[WEIR_MPI_IS_RUNNING]

extern uint32_t weir_processor_khz;

/* Level that MPI_Init or MPI_Init_thread has given. */
static int thread_level = MPI_THREAD_SINGLE;

static void start(void) {
    if (is_running != 0) {
        FAIL(is_running == 1 ? "it is called a second time" : "it is called after MPI_Finalize");
    }
    weir_mpi_start_messages();
    weir_mpi_start_communicators();
    is_running = 1;
    weir_fault_of_exit = "the program ends with status %d between MPI_Init and MPI_Finalize";
    weir_ranks_meet(); /* waits until all ranks are ready to receive */
}

int MPI_Init(int* count, char*** words) {
    (void)count;
    (void)words;
    start();
    return MPI_SUCCESS;
}

/* A node has one thread, so every call comes from the main thread. */
int MPI_Init_thread(int* count, char*** words, int required, int* provided) {
    (void)count;
    (void)words;
    if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE) {
        FAIL("there is no thread level %d; accepted: MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE",
             required);
    }
    CHECK(weir_mpi_check_result(NULL, provided));
    start();
    thread_level = required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED;
    *provided = thread_level;
    return MPI_SUCCESS;
}
int MPI_Query_thread(int* provided) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, provided));
    *provided = thread_level;
    return MPI_SUCCESS;
}
int MPI_Is_thread_main(int* is_main) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, is_main));
    *is_main = 1;
    return MPI_SUCCESS;
}

int MPI_Initialized(int* is_initialized) {
    CHECK(weir_mpi_check_result(NULL, is_initialized));
    *is_initialized = is_running != 0;
    return MPI_SUCCESS;
}
int MPI_Finalized(int* is_finalized) {
    CHECK(weir_mpi_check_result(NULL, is_finalized));
    *is_finalized = is_running == WEIR_MPI_FINALIZED;
    return MPI_SUCCESS;
}

int MPI_Finalize(void) {
    weir_mpi_check_running();
    if (weir_mpi_delete_attributes != NULL) {
        CHECK(weir_mpi_delete_attributes(weir_mpi_communicators[MPI_COMM_SELF - 1]));
    }
    weir_mpi_end_messages();
    CHECK(MPI_Barrier(MPI_COMM_WORLD));
    is_running = WEIR_MPI_FINALIZED;
    weir_fault_of_exit = NULL;
    return MPI_SUCCESS;
}

/* Ends all ranks. */
int MPI_Abort(MPI_Comm comm, int status) {
    (void)comm;
    FAIL("the program ends all ranks with code %d", status);
}

int MPI_Get_version(int* version, int* subversion) {
    CHECK(weir_mpi_check_result(NULL, version));
    CHECK(weir_mpi_check_result(NULL, subversion));
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}
int MPI_Get_library_version(char* version, int* length) {
    CHECK(weir_mpi_check_result(NULL, version));
    CHECK(weir_mpi_check_result(NULL, length));
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Weir, on active messages");
    return MPI_SUCCESS;
}
int MPI_Get_processor_name(char* name, int* length) {
    CHECK(weir_mpi_check_result(NULL, name));
    CHECK(weir_mpi_check_result(NULL, length));
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node %u", (unsigned)weir_node());
    return MPI_SUCCESS;
}
double MPI_Wtime(void) { return (double)weir_long_cycle() / (1e3 * weir_processor_khz); }
double MPI_Wtick(void) { return 1 / (1e3 * weir_processor_khz); }

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base) {
    (void)info;
    CHECK(weir_mpi_check_result(NULL, base));
    if (bytes < 0) {
        return ERROR(NULL, MPI_ERR_ARG, "its size is %d bytes; accepted: 0 or more", (int)bytes);
    }
    void* const memory = malloc(bytes == 0 ? 1 : (size_t)bytes);
    if (memory == NULL) {
        return ERROR(NULL, MPI_ERR_NO_MEM, "the heap has no room for %d bytes (memory.bytes)",
                     (int)bytes);
    }
    *(void**)base = memory;
    return MPI_SUCCESS;
}
int MPI_Free_mem(void* base) {
    free(base);
    return MPI_SUCCESS;
}

/* No profiler listens. */
int MPI_Pcontrol(const int level, ...) {
    (void)level;
    return MPI_SUCCESS;
}
