/*
 * Errors: classes, their texts, and error handlers. By default an error ends the run by one call of
 * the host (weir_fault). The call needs neither stack nor memory; it names rank, call and line.
 */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/mpi/internals.h"

#define FIRST_OWN_HANDLER 3
#define MOST_OWN_HANDLERS 16

static MPI_Comm_errhandler_function* own_handlers[MOST_OWN_HANDLERS];

int weir_mpi_error(const struct weir_mpi_communicator* comm, int error_class, const char* text,
                   const int32_t* values) {
    if (comm == NULL) {
        comm = &weir_mpi_world;
    }
    if (comm->handler == MPI_ERRORS_ARE_FATAL) {
        weir_fault(text, values);
    }
    if (comm->handler >= FIRST_OWN_HANDLER) {
        MPI_Comm handle = weir_mpi_handle_of(comm);
        int error = error_class;
        own_handlers[comm->handler - FIRST_OWN_HANDLER](&handle, &error);
    }
    return error_class;
}

/* ---- refused arguments (internals.h) ---- */

void weir_mpi_refuse_state(void) {
    if (weir_mpi_state.told_to_host[WEIR_MPI_IS_RUNNING] == WEIR_MPI_FINALIZED) {
        FAIL("it is called after MPI_Finalize");
    }
    FAIL("it is called before MPI_Init");
}
int weir_mpi_refuse_communicator(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) {
        return ERROR(NULL, MPI_ERR_COMM,
                     "its communicator is MPI_COMM_NULL; accepted: MPI_COMM_WORLD, MPI_COMM_SELF, "
                     "or one that a call has made");
    }
    return ERROR(NULL, MPI_ERR_COMM,
                 "there is no communicator %d; accepted: MPI_COMM_WORLD, MPI_COMM_SELF, or one "
                 "that a call has made and none has freed",
                 comm);
}
int weir_mpi_refuse_count(const struct weir_mpi_communicator* comm, int count) {
    return ERROR(comm, MPI_ERR_COUNT, "its count is %d; accepted: 0 to %d", count, INT_MAX / 8);
}
int weir_mpi_refuse_type(const struct weir_mpi_communicator* comm, MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) {
        return ERROR(comm, MPI_ERR_TYPE,
                     "its datatype is MPI_DATATYPE_NULL; accepted: a type of mpi.h, as MPI_INT, or "
                     "one that a call has made");
    }
    return ERROR(comm, MPI_ERR_TYPE,
                 "there is no datatype %d; accepted: those of mpi.h, as MPI_INT, and those that a "
                 "call has made and none has freed",
                 type);
}
int weir_mpi_refuse_data(const struct weir_mpi_communicator* comm, int count) {
    return ERROR(comm, MPI_ERR_BUFFER,
                 "its data are a null pointer; accepted: the address of %d values", count);
}
int weir_mpi_refuse_rank(const struct weir_mpi_communicator* comm, int rank) {
    return ERROR(comm, MPI_ERR_RANK, "there is no rank %d; accepted: 0 to %d", rank,
                 comm->size - 1);
}
int weir_mpi_refuse_tag(const struct weir_mpi_communicator* comm, int tag, int is_receive) {
    return ERROR(comm, MPI_ERR_TAG,
                 is_receive ? "its tag is %d; accepted: 0 or more, or MPI_ANY_TAG"
                            : "its tag is %d; accepted: 0 or more",
                 tag);
}
int weir_mpi_refuse_null(const struct weir_mpi_communicator* comm) {
    return ERROR(comm, MPI_ERR_ARG, "the address of its result is a null pointer");
}

/* ---- MPI's functions ---- */

int MPI_Error_class(int error, int* error_class) {
    CHECK(weir_mpi_check_result(NULL, error_class));
    *error_class = error < 0 || error > MPI_ERR_LASTCODE ? MPI_ERR_UNKNOWN : error;
    return MPI_SUCCESS;
}

int MPI_Error_string(int error, char* text, int* length) {
    static const char* const texts[MPI_ERR_LASTCODE + 1] = {
        [MPI_SUCCESS] = "MPI_SUCCESS: no error",
        [MPI_ERR_BUFFER] = "MPI_ERR_BUFFER: invalid buffer pointer",
        [MPI_ERR_COUNT] = "MPI_ERR_COUNT: invalid count argument",
        [MPI_ERR_TYPE] = "MPI_ERR_TYPE: invalid datatype",
        [MPI_ERR_TAG] = "MPI_ERR_TAG: invalid tag",
        [MPI_ERR_COMM] = "MPI_ERR_COMM: invalid communicator",
        [MPI_ERR_RANK] = "MPI_ERR_RANK: invalid rank",
        [MPI_ERR_ROOT] = "MPI_ERR_ROOT: invalid root",
        [MPI_ERR_GROUP] = "MPI_ERR_GROUP: invalid group",
        [MPI_ERR_OP] = "MPI_ERR_OP: invalid reduce operation",
        [MPI_ERR_TOPOLOGY] = "MPI_ERR_TOPOLOGY: invalid topology",
        [MPI_ERR_DIMS] = "MPI_ERR_DIMS: invalid dimensions",
        [MPI_ERR_ARG] = "MPI_ERR_ARG: invalid argument",
        [MPI_ERR_UNKNOWN] = "MPI_ERR_UNKNOWN: unknown error",
        [MPI_ERR_TRUNCATE] = "MPI_ERR_TRUNCATE: message truncated on receive",
        [MPI_ERR_OTHER] = "MPI_ERR_OTHER: other error",
        [MPI_ERR_INTERN] = "MPI_ERR_INTERN: internal error",
        [MPI_ERR_IN_STATUS] = "MPI_ERR_IN_STATUS: error code is in the status",
        [MPI_ERR_PENDING] = "MPI_ERR_PENDING: pending request",
        [MPI_ERR_REQUEST] = "MPI_ERR_REQUEST: invalid request",
        [MPI_ERR_KEYVAL] = "MPI_ERR_KEYVAL: invalid attribute key",
        [MPI_ERR_NO_MEM] = "MPI_ERR_NO_MEM: memory is exhausted",
        [MPI_ERR_INFO] = "MPI_ERR_INFO: invalid info argument",
        [MPI_ERR_INFO_KEY] = "MPI_ERR_INFO_KEY: key longer than MPI_MAX_INFO_KEY",
        [MPI_ERR_INFO_VALUE] = "MPI_ERR_INFO_VALUE: value longer than MPI_MAX_INFO_VAL",
        [MPI_ERR_INFO_NOKEY] = "MPI_ERR_INFO_NOKEY: invalid key",
        [MPI_ERR_WIN] = "MPI_ERR_WIN: invalid window",
        [MPI_ERR_BASE] = "MPI_ERR_BASE: invalid base address",
        [MPI_ERR_SIZE] = "MPI_ERR_SIZE: invalid size",
        [MPI_ERR_DISP] = "MPI_ERR_DISP: invalid displacement",
        [MPI_ERR_LOCKTYPE] = "MPI_ERR_LOCKTYPE: invalid lock type",
        [MPI_ERR_ASSERT] = "MPI_ERR_ASSERT: invalid mode",
        [MPI_ERR_RMA_CONFLICT] = "MPI_ERR_RMA_CONFLICT: conflicting accesses to a window",
        [MPI_ERR_RMA_SYNC] = "MPI_ERR_RMA_SYNC: wrong synchronization of a window",
        [MPI_ERR_RMA_RANGE] = "MPI_ERR_RMA_RANGE: the data are outside of the window",
    };
    CHECK(weir_mpi_check_result(NULL, text));
    CHECK(weir_mpi_check_result(NULL, length));
    if (error < 0 || error > MPI_ERR_LASTCODE) {
        return ERROR(NULL, MPI_ERR_ARG, "there is no error code %d; accepted: 0 to %d", error,
                     MPI_ERR_LASTCODE);
    }
    strcpy(text, texts[error]);
    *length = (int)strlen(text);
    return MPI_SUCCESS;
}

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
    CHECK(weir_mpi_check_result(NULL, (const void*)function));
    CHECK(weir_mpi_check_result(NULL, handler));
    for (int i = 0; i < MOST_OWN_HANDLERS; ++i) {
        if (own_handlers[i] == NULL) {
            own_handlers[i] = function;
            *handler = FIRST_OWN_HANDLER + i;
            return MPI_SUCCESS;
        }
    }
    return ERROR(NULL, MPI_ERR_OTHER, "there are %d error handlers; accepted: at most %d",
                 MOST_OWN_HANDLERS, MOST_OWN_HANDLERS);
}

static int check_handler(const struct weir_mpi_communicator* comm, MPI_Errhandler handler) {
    if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN ||
        (handler >= FIRST_OWN_HANDLER && handler < FIRST_OWN_HANDLER + MOST_OWN_HANDLERS &&
         own_handlers[handler - FIRST_OWN_HANDLER] != NULL)) {
        return MPI_SUCCESS;
    }
    return ERROR(comm, MPI_ERR_ARG,
                 "there is no error handler %d; accepted: MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN, "
                 "or one that a call has made",
                 handler);
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    struct weir_mpi_communicator* found;
    CHECK(weir_mpi_check_comm(comm, &found));
    CHECK(check_handler(found, handler));
    found->handler = handler;
    return MPI_SUCCESS;
}
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
    struct weir_mpi_communicator* found;
    CHECK(weir_mpi_check_comm(comm, &found));
    CHECK(weir_mpi_check_result(found, handler));
    *handler = found->handler;
    return MPI_SUCCESS;
}
int MPI_Comm_call_errhandler(MPI_Comm comm, int error) {
    struct weir_mpi_communicator* found;
    CHECK(weir_mpi_check_comm(comm, &found));
    (void)ERROR(found, error, "the program reports error %d", error);
    return MPI_SUCCESS;
}
/* The function stays: communicators may still have the handler. */
int MPI_Errhandler_free(MPI_Errhandler* handler) {
    CHECK(weir_mpi_check_result(NULL, handler));
    CHECK(check_handler(NULL, *handler));
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler) {
    CHECK(MPI_Comm_create_errhandler(function, handler));
    return MPI_SUCCESS;
}
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
    CHECK(MPI_Comm_set_errhandler(comm, handler));
    return MPI_SUCCESS;
}
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler) {
    CHECK(MPI_Comm_get_errhandler(comm, handler));
    return MPI_SUCCESS;
}
