/*
 * A subset of MPI on active messages (mpi.c): one process on each node, MPI_COMM_WORLD only,
 * blocking and nonblocking sends and receives, and collectives. Names, constants' meanings and
 * orders of arguments follow the standard (MPI: A Message-Passing Interface Standard, 3.1).
 *
 * Functions return MPI_SUCCESS only: an error ends the run; its message has rank, call and line.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_H

#ifdef __cplusplus
extern "C" {
#endif

typedef int MPI_Comm;
typedef int MPI_Datatype; /* bytes of a value; upper half: number of the type */
typedef int MPI_Op;
typedef int MPI_Request; /* MPI_REQUEST_NULL, or a request's number */
typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int weir_bytes; /* bytes received; see MPI_Get_count() */
} MPI_Status;

#define MPI_COMM_WORLD 1
#define MPI_SUCCESS 0
#define MPI_ERR_TYPE 3
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_UNDEFINED (-32766)
#define MPI_REQUEST_NULL (-1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_IN_PLACE ((void*)-1)
#define MPI_MAX_PROCESSOR_NAME 32

#define MPI_BYTE 0x00001
#define MPI_CHAR 0x10001
#define MPI_SIGNED_CHAR 0x10001
#define MPI_UNSIGNED_CHAR 0x20001
#define MPI_SHORT 0x30002
#define MPI_UNSIGNED_SHORT 0x40002
#define MPI_INT 0x50004
#define MPI_LONG 0x50004
#define MPI_INT32_T 0x50004
#define MPI_UNSIGNED 0x60004
#define MPI_UNSIGNED_LONG 0x60004
#define MPI_UINT32_T 0x60004
#define MPI_LONG_LONG 0x70008
#define MPI_LONG_LONG_INT 0x70008
#define MPI_INT64_T 0x70008
#define MPI_UNSIGNED_LONG_LONG 0x80008
#define MPI_UINT64_T 0x80008
#define MPI_FLOAT 0x90004
#define MPI_DOUBLE 0xa0008

#define MPI_SUM 1
#define MPI_PROD 2
#define MPI_MAX 3
#define MPI_MIN 4
#define MPI_LAND 5
#define MPI_LOR 6
#define MPI_BAND 7
#define MPI_BOR 8
#define MPI_BXOR 9

int MPI_Init(int* count, char*** words);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int status);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Get_processor_name(char* name, int* length);
double MPI_Wtime(void); /* seconds since the machine's start */
double MPI_Wtick(void);

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status);
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request);
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request);
int MPI_Sendrecv(const void* sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* received, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status);
int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses);
int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Type_size(MPI_Datatype type, int* size);

int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm);
int MPI_Allreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm);
int MPI_Gather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
               MPI_Datatype all_type, int root, MPI_Comm comm);
int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
                  MPI_Datatype all_type, MPI_Comm comm);
int MPI_Scatter(const void* all, int count, MPI_Datatype type, void* own, int own_count,
                MPI_Datatype own_type, int root, MPI_Comm comm);
int MPI_Alltoall(const void* out, int count, MPI_Datatype type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm);
int MPI_Alltoallv(const void* out, const int* counts, const int* places, MPI_Datatype type,
                  void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type,
                  MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
