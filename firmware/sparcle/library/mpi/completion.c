/*
 * Completion of requests. A persistent request has a number from FIRST_PERSISTENT on, and while it
 * is active, a request of messages.c.
 */
#include <stdlib.h>

#include "firmware/sparcle/library/mpi/internals.h"

#define FIRST_PERSISTENT 0x10000

/* Call that MPI_Start repeats. */
struct persistent {
    int (*start)(const struct persistent* call, MPI_Request* request);
    void* data;
    int count;
    MPI_Datatype type;
    int other;
    int tag;
    MPI_Comm comm;
    MPI_Request active; /* MPI_REQUEST_NULL while it is not */
    int is_used;
};

static struct persistent* persistents;
static int persistent_count;

static struct persistent* persistent_of(MPI_Request request) {
    const int at = request - FIRST_PERSISTENT;
    return request >= FIRST_PERSISTENT && at < persistent_count && persistents[at].is_used
               ? &persistents[at]
               : NULL;
}

/* Fills the status of a receive without a message. */
static void give_empty(MPI_Status* status) {
    if (status != MPI_STATUS_IGNORE) {
        *status = (MPI_Status){MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
    }
}

/* Finds the request of a handle: NULL for MPI_REQUEST_NULL and an inactive persistent request. */
static int find(const MPI_Request* request, struct weir_mpi_request** found) {
    *found = NULL;
    if (request == NULL) {
        return ERROR(NULL, MPI_ERR_REQUEST, "the address of its request is a null pointer");
    }
    if (*request == MPI_REQUEST_NULL) {
        return MPI_SUCCESS;
    }
    const struct persistent* const persistent = persistent_of(*request);
    if (persistent != NULL && persistent->active == MPI_REQUEST_NULL) {
        return MPI_SUCCESS;
    }
    *found =
        weir_mpi_active_request((uint32_t)(persistent != NULL ? persistent->active : *request));
    if (*found == NULL) {
        return ERROR(NULL, MPI_ERR_REQUEST,
                     "request %d is not active; accepted: one that a call, as MPI_Isend or "
                     "MPI_Irecv, has given and no call has completed, or MPI_REQUEST_NULL",
                     *request);
    }
    return MPI_SUCCESS;
}

static int check_all(int count, const MPI_Request* requests) {
    weir_mpi_check_running();
    if (count < 0) {
        return ERROR(NULL, MPI_ERR_COUNT, "its count is %d; accepted: 0 or more", count);
    }
    for (int i = 0; i < count; ++i) {
        struct weir_mpi_request* found;
        CHECK(find(requests == NULL ? NULL : &requests[i], &found));
    }
    return MPI_SUCCESS;
}

/* Whether the handle's request is active; *is_complete: whether a call would complete it. */
static int is_active(const MPI_Request* request, int* is_complete) {
    struct weir_mpi_request* found;
    (void)find(request, &found);
    *is_complete = found != NULL && found->state == COMPLETE;
    return found != NULL;
}

/* Waits for the request, and ends its handle. */
static int complete(MPI_Request* request, MPI_Status* status) {
    struct weir_mpi_request* found;
    CHECK(find(request, &found));
    if (found == NULL) {
        give_empty(status);
        return MPI_SUCCESS;
    }
    const int error = weir_mpi_finish(found, status);
    struct persistent* const persistent = persistent_of(*request);
    if (persistent != NULL) {
        persistent->active = MPI_REQUEST_NULL;
    } else {
        *request = MPI_REQUEST_NULL;
    }
    return error;
}

static MPI_Status* status_at(MPI_Status* statuses, int index) {
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[index];
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    weir_mpi_check_running();
    CHECK(complete(request, status));
    return MPI_SUCCESS;
}
int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status) {
    struct weir_mpi_request* found;
    weir_mpi_check_running();
    CHECK(find(request, &found));
    CHECK(weir_mpi_check_result(NULL, is_complete));
    weir_mpi_go_on();
    *is_complete = found == NULL || found->state == COMPLETE;
    if (*is_complete) {
        CHECK(complete(request, status));
    }
    return MPI_SUCCESS;
}

static int complete_all(int count, MPI_Request* requests, MPI_Status* statuses) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < count; ++i) {
        if (complete(&requests[i], status_at(statuses, i)) != MPI_SUCCESS) {
            error = MPI_ERR_IN_STATUS;
        }
    }
    return error;
}
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    CHECK(check_all(count, requests));
    CHECK(complete_all(count, requests, statuses));
    return MPI_SUCCESS;
}
int MPI_Testall(int count, MPI_Request* requests, int* are_complete, MPI_Status* statuses) {
    CHECK(check_all(count, requests));
    CHECK(weir_mpi_check_result(NULL, are_complete));
    weir_mpi_go_on();
    *are_complete = 1;
    for (int i = 0; i < count; ++i) {
        int is_complete;
        if (is_active(&requests[i], &is_complete) && !is_complete) {
            *are_complete = 0;
        }
    }
    if (*are_complete) {
        CHECK(complete_all(count, requests, statuses));
    }
    return MPI_SUCCESS;
}

/* Index of a complete request; MPI_UNDEFINED: none; *are_active: whether one is active. */
static int first_complete(int count, const MPI_Request* requests, int* are_active) {
    *are_active = 0;
    for (int i = 0; i < count; ++i) {
        int is_complete;
        *are_active |= is_active(&requests[i], &is_complete);
        if (is_complete) {
            return i;
        }
    }
    return MPI_UNDEFINED;
}
int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    int are_active;
    CHECK(check_all(count, requests));
    CHECK(weir_mpi_check_result(NULL, index));
    *index = first_complete(count, requests, &are_active);
    while (*index == MPI_UNDEFINED && are_active) {
        weir_mpi_wait();
        *index = first_complete(count, requests, &are_active);
    }
    if (*index == MPI_UNDEFINED) {
        give_empty(status);
        return MPI_SUCCESS;
    }
    CHECK(complete(&requests[*index], status));
    return MPI_SUCCESS;
}
int MPI_Testany(int count, MPI_Request* requests, int* index, int* is_complete,
                MPI_Status* status) {
    int are_active;
    CHECK(check_all(count, requests));
    CHECK(weir_mpi_check_result(NULL, index));
    CHECK(weir_mpi_check_result(NULL, is_complete));
    weir_mpi_go_on();
    *index = first_complete(count, requests, &are_active);
    *is_complete = *index != MPI_UNDEFINED || !are_active;
    if (*index == MPI_UNDEFINED) {
        if (*is_complete) {
            give_empty(status);
        }
        return MPI_SUCCESS;
    }
    CHECK(complete(&requests[*index], status));
    return MPI_SUCCESS;
}

static int complete_some(int count, MPI_Request* requests, int* number, int* indices,
                         MPI_Status* statuses) {
    int error = MPI_SUCCESS;
    *number = 0;
    for (int i = 0; i < count; ++i) {
        int is_complete;
        if (is_active(&requests[i], &is_complete) && is_complete) {
            indices[*number] = i;
            if (complete(&requests[i], status_at(statuses, *number)) != MPI_SUCCESS) {
                error = MPI_ERR_IN_STATUS;
            }
            *number += 1;
        }
    }
    return error;
}
static int check_some(int count, const MPI_Request* requests, const int* number,
                      const int* indices) {
    CHECK(check_all(count, requests));
    CHECK(weir_mpi_check_result(NULL, number));
    return count == 0 ? MPI_SUCCESS : weir_mpi_check_result(NULL, indices);
}
int MPI_Waitsome(int count, MPI_Request* requests, int* number, int* indices,
                 MPI_Status* statuses) {
    int are_active;
    CHECK(check_some(count, requests, number, indices));
    while (first_complete(count, requests, &are_active) == MPI_UNDEFINED && are_active) {
        weir_mpi_wait();
    }
    CHECK(complete_some(count, requests, number, indices, statuses));
    if (!are_active) {
        *number = MPI_UNDEFINED;
    }
    return MPI_SUCCESS;
}
int MPI_Testsome(int count, MPI_Request* requests, int* number, int* indices,
                 MPI_Status* statuses) {
    int are_active;
    CHECK(check_some(count, requests, number, indices));
    weir_mpi_go_on();
    (void)first_complete(count, requests, &are_active);
    CHECK(complete_some(count, requests, number, indices, statuses));
    if (!are_active) {
        *number = MPI_UNDEFINED;
    }
    return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
    struct weir_mpi_request* found;
    weir_mpi_check_running();
    CHECK(find(request, &found));
    struct persistent* const persistent = persistent_of(*request);
    if (*request == MPI_REQUEST_NULL) {
        return ERROR(NULL, MPI_ERR_REQUEST,
                     "its request is MPI_REQUEST_NULL; accepted: one that a call has given");
    }
    if (found != NULL) {
        weir_mpi_detach(found);
    }
    if (persistent != NULL) {
        persistent->is_used = 0;
    }
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
/* The request stays, so that another call completes it. */
int MPI_Request_get_status(MPI_Request request, int* is_complete, MPI_Status* status) {
    struct weir_mpi_request* found;
    weir_mpi_check_running();
    CHECK(find(&request, &found));
    CHECK(weir_mpi_check_result(NULL, is_complete));
    weir_mpi_go_on();
    *is_complete = found == NULL || found->state == COMPLETE;
    if (found == NULL) {
        give_empty(status);
    } else if (*is_complete && status != MPI_STATUS_IGNORE) {
        *status =
            (MPI_Status){weir_mpi_rank_of(weir_mpi_communicators[found->context / 2], found->other),
                         found->tag, MPI_SUCCESS, (int)found->came, 0};
    }
    return MPI_SUCCESS;
}

/* Only a receive without a message can be withdrawn. */
int MPI_Cancel(MPI_Request* request) {
    struct weir_mpi_request* found;
    weir_mpi_check_running();
    CHECK(find(request, &found));
    if (found != NULL && weir_mpi_withdraw(found)) {
        weir_mpi_extra_of(found)->is_cancelled = 1;
    }
    return MPI_SUCCESS;
}
int MPI_Test_cancelled(const MPI_Status* status, int* is_cancelled) {
    CHECK(weir_mpi_check_result(NULL, status));
    CHECK(weir_mpi_check_result(NULL, is_cancelled));
    *is_cancelled = status->weir_is_cancelled;
    return MPI_SUCCESS;
}
int MPI_Status_set_cancelled(MPI_Status* status, int is_cancelled) {
    CHECK(weir_mpi_check_result(NULL, status));
    status->weir_is_cancelled = is_cancelled;
    return MPI_SUCCESS;
}

/* ---- persistent requests ---- */

static int start_send(const struct persistent* call, MPI_Request* request) {
    return MPI_Isend(call->data, call->count, call->type, call->other, call->tag, call->comm,
                     request);
}
static int start_synchronous_send(const struct persistent* call, MPI_Request* request) {
    return MPI_Issend(call->data, call->count, call->type, call->other, call->tag, call->comm,
                      request);
}
static int start_receive(const struct persistent* call, MPI_Request* request) {
    return MPI_Irecv(call->data, call->count, call->type, call->other, call->tag, call->comm,
                     request);
}

static int new_persistent(const struct persistent* call, MPI_Request* request) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(call->comm, &comm));
    CHECK(weir_mpi_check_data(comm, call->data, call->count, call->type));
    CHECK(call->start == start_receive ? weir_mpi_check_source(comm, call->other, call->tag)
                                       : weir_mpi_check_destination(comm, call->other, call->tag));
    CHECK(weir_mpi_check_result(comm, request));
    int at = 0;
    while (at < persistent_count && persistents[at].is_used) {
        ++at;
    }
    if (at == persistent_count) {
        struct persistent* const more =
            realloc(persistents, (size_t)(persistent_count + 16) * sizeof *more);
        if (more == NULL) {
            FAIL("the heap has no room for %d persistent requests (memory.bytes)",
                 persistent_count + 16);
        }
        persistents = more;
        for (int i = 0; i < 16; ++i) {
            persistents[persistent_count++].is_used = 0;
        }
    }
    persistents[at] = *call;
    *request = FIRST_PERSISTENT + at;
    return MPI_SUCCESS;
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    const struct persistent call = {start_send, (void*)data,      count, type, to, tag,
                                    comm,       MPI_REQUEST_NULL, 1};
    CHECK(new_persistent(&call, request));
    return MPI_SUCCESS;
}
int MPI_Ssend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
    const struct persistent call = {
        start_synchronous_send, (void*)data, count, type, to, tag, comm, MPI_REQUEST_NULL, 1};
    CHECK(new_persistent(&call, request));
    return MPI_SUCCESS;
}
int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    const struct persistent call = {start_receive,    data, count, type, from, tag, comm,
                                    MPI_REQUEST_NULL, 1};
    CHECK(new_persistent(&call, request));
    return MPI_SUCCESS;
}

int MPI_Start(MPI_Request* request) {
    CHECK(weir_mpi_check_result(NULL, request));
    struct persistent* const persistent = persistent_of(*request);
    if (persistent == NULL || persistent->active != MPI_REQUEST_NULL) {
        return ERROR(NULL, MPI_ERR_REQUEST,
                     "request %d cannot start; accepted: one of MPI_Send_init, MPI_Ssend_init or "
                     "MPI_Recv_init that is not active",
                     *request);
    }
    CHECK(persistent->start(persistent, &persistent->active));
    return MPI_SUCCESS;
}
int MPI_Startall(int count, MPI_Request* requests) {
    for (int i = 0; i < count; ++i) {
        CHECK(MPI_Start(&requests[i]));
    }
    return MPI_SUCCESS;
}
