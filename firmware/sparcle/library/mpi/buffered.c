/*
 * Buffered sends. The library copies the data to its heap. The buffer that the program attaches
 * holds no data: its size limits the bytes of the messages in flight, as the standard says.
 */
#include <string.h>

#include "firmware/sparcle/library/mpi/internals.h"

static void* attached; /* NULL: none */
static int attached_bytes;
static uint32_t bytes_in_use;

int MPI_Buffer_attach(void* buffer, int bytes) {
    weir_mpi_check_running();
    if (bytes < 0 || (buffer == NULL && bytes != 0)) {
        return ERROR(NULL, MPI_ERR_BUFFER, "its buffer has %d bytes; accepted: 0 or more", bytes);
    }
    if (attached != NULL) {
        return ERROR(NULL, MPI_ERR_BUFFER, "a buffer of %d bytes is attached already",
                     attached_bytes);
    }
    attached = buffer;
    attached_bytes = bytes;
    return MPI_SUCCESS;
}

/* Waits until the messages in the buffer have left. */
int MPI_Buffer_detach(void* buffer, int* bytes) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, buffer));
    CHECK(weir_mpi_check_result(NULL, bytes));
    weir_mpi_end_messages();
    *(void**)buffer = attached;
    *bytes = attached_bytes;
    attached = NULL;
    attached_bytes = 0;
    return MPI_SUCCESS;
}

static int begin(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm handle,
                 struct weir_mpi_request** begun) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_data(comm, data, count, type));
    CHECK(weir_mpi_check_destination(comm, to, tag));
    const uint32_t bytes = weir_mpi_bytes_of(count, type);
    if (bytes_in_use + bytes > (uint32_t)attached_bytes) {
        weir_mpi_go_on(); /* frees the memory of messages that have left */
        if (bytes_in_use + bytes > (uint32_t)attached_bytes) {
            return ERROR(comm, MPI_ERR_BUFFER,
                         "%d bytes find no room in the attached buffer of %d bytes, of which %d "
                         "are in use",
                         (int)bytes, attached_bytes, (int)bytes_in_use);
        }
    }
    void* const copy = weir_mpi_memory(bytes);
    weir_mpi_pack(copy, data, count, type);
    *begun = weir_mpi_begin_send(copy, bytes, weir_mpi_node_of(comm, to), tag, comm->context);
    struct weir_mpi_extra* const extra = weir_mpi_extra_of(*begun);
    extra->owned = copy;
    extra->in_use = &bytes_in_use;
    extra->used = bytes;
    bytes_in_use += bytes;
    return MPI_SUCCESS;
}

int MPI_Bsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    struct weir_mpi_request* request;
    CHECK(begin(data, count, type, to, tag, comm, &request));
    weir_mpi_detach(request);
    return MPI_SUCCESS;
}

/* A request that is complete at once, since the data are copied. */
int MPI_Ibsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    struct weir_mpi_request* begun;
    CHECK(weir_mpi_check_result(NULL, request));
    CHECK(begin(data, count, type, to, tag, comm, &begun));
    weir_mpi_detach(begun);
    *request = (int)weir_mpi_number_of(weir_mpi_new_request(COMPLETE));
    return MPI_SUCCESS;
}
