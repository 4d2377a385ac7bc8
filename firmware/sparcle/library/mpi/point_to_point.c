/* Messages between two ranks: sends, receives and probes. */
#include <string.h>

#include "firmware/sparcle/library/mpi/internals.h"

/* How a send waits for its receive. */
enum mode { MODE_STANDARD, MODE_SYNCHRONOUS };

static inline struct weir_mpi_request* begin_bytes(const struct weir_mpi_communicator* comm,
                                                   const void* data, uint32_t bytes, int to,
                                                   int tag, enum mode mode) {
    const int node = weir_mpi_node_of(comm, to);
    return mode == MODE_SYNCHRONOUS
               ? weir_mpi_begin_synchronous_send(data, bytes, node, tag, comm->context)
               : weir_mpi_begin_send(data, bytes, node, tag, comm->context);
}

/* Values of derived types may need a buffer, which the request frees when it completes. */
static __attribute__((noinline)) struct weir_mpi_request* begin_derived_send(
    const struct weir_mpi_communicator* comm, const void* data, int count, MPI_Datatype type,
    int to, int tag, enum mode mode) {
    const struct weir_mpi_view view = weir_mpi_derived_view(data, count, type, 1);
    struct weir_mpi_request* const send = begin_bytes(comm, view.data, view.bytes, to, tag, mode);
    if (view.owned != NULL) {
        weir_mpi_extra_of(send)->owned = view.owned;
    }
    return send;
}
static __attribute__((noinline)) struct weir_mpi_request* begin_derived_receive(
    const struct weir_mpi_communicator* comm, void* data, int count, MPI_Datatype type, int node,
    int tag) {
    const struct weir_mpi_view view = weir_mpi_derived_view(data, count, type, 0);
    struct weir_mpi_request* const receive =
        weir_mpi_begin_receive(view.data, view.bytes, node, tag, comm->context);
    if (view.owned != NULL) {
        struct weir_mpi_extra* const extra = weir_mpi_extra_of(receive);
        extra->owned = view.owned;
        extra->place = data;
        extra->type = type;
        weir_mpi_hold_type(type);
    }
    return receive;
}

/* Inlined, because a call takes a register window, and most programs use one kind of send. */
static inline __attribute__((always_inline)) int begin_send(const void* data, int count,
                                                            MPI_Datatype type, int to, int tag,
                                                            MPI_Comm handle, enum mode mode,
                                                            struct weir_mpi_request** begun) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_data(comm, data, count, type));
    CHECK(weir_mpi_check_destination(comm, to, tag));
    *begun = weir_mpi_is_basic(type)
                 ? begin_bytes(comm, data, (uint32_t)count << (type & 0xff), to, tag, mode)
                 : begin_derived_send(comm, data, count, type, to, tag, mode);
    return MPI_SUCCESS;
}

static inline __attribute__((always_inline)) int begin_receive(void* data, int count,
                                                               MPI_Datatype type, int from, int tag,
                                                               MPI_Comm handle,
                                                               struct weir_mpi_request** begun) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_data(comm, data, count, type));
    CHECK(weir_mpi_check_source(comm, from, tag));
    const int node = weir_mpi_node_of(comm, from);
    *begun = weir_mpi_is_basic(type)
                 ? weir_mpi_begin_receive(data, (uint32_t)count << (type & 0xff), node, tag,
                                          comm->context)
                 : begin_derived_receive(comm, data, count, type, node, tag);
    return MPI_SUCCESS;
}

/* Send of a long message to this node itself, without a posted receive. The rank can post one only
 * after its send, so the send ends with a copy of the data. Returns 1 if the send has ended. */
static __attribute__((noinline)) int copy_for_itself(struct weir_mpi_request* send) {
    if (send->other != (int)weir_rank_number()) {
        return 0;
    }
    weir_mpi_go_on();
    if (send->state == COMPLETE) {
        return 0;
    }
    struct weir_mpi_extra* const extra = weir_mpi_extra_of(send);
    if (extra->owned == NULL) {
        extra->owned = weir_mpi_memory(send->bytes);
        memcpy(extra->owned, send->data, send->bytes);
        send->data = extra->owned;
    }
    weir_mpi_detach(send);
    return 1;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    struct weir_mpi_request* request;
    CHECK(begin_send(data, count, type, to, tag, comm, MODE_STANDARD, &request));
    if (request->state != COMPLETE && copy_for_itself(request)) {
        return MPI_SUCCESS;
    }
    return weir_mpi_finish(request, MPI_STATUS_IGNORE);
}
int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    struct weir_mpi_request* request;
    CHECK(begin_send(data, count, type, to, tag, comm, MODE_SYNCHRONOUS, &request));
    return weir_mpi_finish(request, MPI_STATUS_IGNORE);
}
/* The receive is posted already, so that a standard send does not wait. */
int MPI_Rsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    struct weir_mpi_request* request;
    CHECK(begin_send(data, count, type, to, tag, comm, MODE_STANDARD, &request));
    return weir_mpi_finish(request, MPI_STATUS_IGNORE);
}
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    struct weir_mpi_request* request;
    CHECK(begin_receive(data, count, type, from, tag, comm, &request));
    return weir_mpi_finish(request, status);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    struct weir_mpi_request* begun;
    CHECK(weir_mpi_check_result(NULL, request));
    CHECK(begin_send(data, count, type, to, tag, comm, MODE_STANDARD, &begun));
    *request = (int)weir_mpi_number_of(begun);
    return MPI_SUCCESS;
}
int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    struct weir_mpi_request* begun;
    CHECK(weir_mpi_check_result(NULL, request));
    CHECK(begin_send(data, count, type, to, tag, comm, MODE_SYNCHRONOUS, &begun));
    *request = (int)weir_mpi_number_of(begun);
    return MPI_SUCCESS;
}
int MPI_Irsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    struct weir_mpi_request* begun;
    CHECK(weir_mpi_check_result(NULL, request));
    CHECK(begin_send(data, count, type, to, tag, comm, MODE_STANDARD, &begun));
    *request = (int)weir_mpi_number_of(begun);
    return MPI_SUCCESS;
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    struct weir_mpi_request* begun;
    CHECK(weir_mpi_check_result(NULL, request));
    CHECK(begin_receive(data, count, type, from, tag, comm, &begun));
    *request = (int)weir_mpi_number_of(begun);
    return MPI_SUCCESS;
}

int MPI_Sendrecv(const void* sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* received, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
    struct weir_mpi_communicator* found;
    struct weir_mpi_request* receive;
    struct weir_mpi_request* send;
    CHECK(weir_mpi_check_comm(comm, &found));
    CHECK(weir_mpi_check_data(found, sent, send_count, send_type));
    CHECK(weir_mpi_check_destination(found, to, send_tag));
    CHECK(begin_receive(received, count, type, from, tag, comm, &receive));
    CHECK(begin_send(sent, send_count, send_type, to, send_tag, comm, MODE_STANDARD, &send));
    const int error = weir_mpi_finish(receive, status);
    const int send_error = weir_mpi_finish(send, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS ? error : send_error;
}

/* Sends a copy of the data. */
int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int tag, MPI_Comm handle, MPI_Status* status) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_data(comm, data, count, type));
    CHECK(weir_mpi_check_destination(comm, to, send_tag));
    CHECK(weir_mpi_check_source(comm, from, tag));
    const uint32_t bytes = weir_mpi_bytes_of(count, type);
    void* const copy = weir_mpi_memory(bytes);
    weir_mpi_pack(copy, data, count, type);
    struct weir_mpi_request* const send =
        weir_mpi_begin_send(copy, bytes, weir_mpi_node_of(comm, to), send_tag, comm->context);
    weir_mpi_extra_of(send)->owned = copy;
    struct weir_mpi_request* receive;
    CHECK(begin_receive(data, count, type, from, tag, handle, &receive));
    const int error = weir_mpi_finish(receive, status);
    const int send_error = weir_mpi_finish(send, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS ? error : send_error;
}

/* Fills the status of a matching message that has arrived; returns 0 if there is none. */
static int find(const struct weir_mpi_communicator* comm, int from, int tag, MPI_Status* status) {
    int node;
    int its_tag;
    uint32_t bytes;
    if (!weir_mpi_find_kept(comm->context, weir_mpi_node_of(comm, from), tag, &node, &its_tag,
                            &bytes)) {
        return 0;
    }
    if (status != MPI_STATUS_IGNORE) {
        *status = (MPI_Status){weir_mpi_rank_of(comm, node), its_tag, MPI_SUCCESS, (int)bytes, 0};
    }
    return 1;
}

static int check_probe(int from, int tag, MPI_Comm handle, MPI_Status* status,
                       struct weir_mpi_communicator** comm) {
    CHECK(weir_mpi_check_comm(handle, comm));
    CHECK(weir_mpi_check_source(*comm, from, tag));
    if (from == MPI_PROC_NULL && status != MPI_STATUS_IGNORE) {
        *status = (MPI_Status){MPI_PROC_NULL, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
    }
    return MPI_SUCCESS;
}

/* Waits until a matching message has arrived, which stays unreceived. */
int MPI_Probe(int from, int tag, MPI_Comm handle, MPI_Status* status) {
    struct weir_mpi_communicator* comm;
    CHECK(check_probe(from, tag, handle, status, &comm));
    if (from == MPI_PROC_NULL || find(comm, from, tag, status)) {
        return MPI_SUCCESS;
    }
    weir_mpi_tell_probe(1, weir_mpi_node_of(comm, from), tag);
    while (!find(comm, from, tag, status)) {
        weir_mpi_wait();
    }
    weir_mpi_tell_probe(0, 0, 0);
    return MPI_SUCCESS;
}
int MPI_Iprobe(int from, int tag, MPI_Comm handle, int* is_there, MPI_Status* status) {
    struct weir_mpi_communicator* comm;
    CHECK(check_probe(from, tag, handle, status, &comm));
    CHECK(weir_mpi_check_result(comm, is_there));
    weir_mpi_go_on();
    *is_there = from == MPI_PROC_NULL || find(comm, from, tag, status);
    return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
    CHECK(weir_mpi_check_type(NULL, type));
    CHECK(weir_mpi_check_result(NULL, status));
    CHECK(weir_mpi_check_result(NULL, count));
    const int bytes = (int)weir_mpi_bytes_of(1, type);
    if (bytes == 0) {
        *count = status->weir_bytes == 0 ? 0 : MPI_UNDEFINED;
    } else {
        *count = status->weir_bytes % bytes == 0 ? status->weir_bytes / bytes : MPI_UNDEFINED;
    }
    return MPI_SUCCESS;
}
