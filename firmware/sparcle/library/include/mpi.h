/*
 * MPI on active messages (library/mpi), one process on each node. Names, constants' meanings and
 * orders of arguments follow the standard (MPI: A Message-Passing Interface Standard, 3.1). Missing
 * are files, processes that are made during the run, intercommunicators, graphs and Fortran.
 *
 * By default an error ends the run; its message has rank, call and line. With MPI_ERRORS_RETURN
 * functions return an error class.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

/* Handles */
typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype; /* basic types: number of the type, and logarithm of its bytes */
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Win;
typedef int MPI_Message;

typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int weir_bytes; /* bytes received; see MPI_Get_count() */
    int weir_is_cancelled;
} MPI_Status;

typedef void MPI_User_function(void* in, void* inout, int* count, MPI_Datatype* type);
typedef void MPI_Comm_errhandler_function(MPI_Comm* comm, int* error, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef int MPI_Comm_copy_attr_function(MPI_Comm from, int key, void* extra, void* value,
                                        void* copy, int* is_copied);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int key, void* value, void* extra);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;

#define MPI_COMM_NULL 0
#define MPI_COMM_WORLD 1
#define MPI_COMM_SELF 2
#define MPI_GROUP_NULL 0
#define MPI_GROUP_EMPTY 1
#define MPI_DATATYPE_NULL 0
#define MPI_OP_NULL 0
#define MPI_REQUEST_NULL (-1)
#define MPI_INFO_NULL 0
#define MPI_WIN_NULL 0
#define MPI_MESSAGE_NULL (-1)
#define MPI_MESSAGE_NO_PROC (-2)
#define MPI_ERRHANDLER_NULL 0
#define MPI_ERRORS_ARE_FATAL 1
#define MPI_ERRORS_RETURN 2

#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-3)
#define MPI_UNDEFINED (-32766)
#define MPI_KEYVAL_INVALID (-1)
#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)-1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_ERRCODES_IGNORE ((int*)0)
#define MPI_UNWEIGHTED ((int*)0)
#define MPI_BSEND_OVERHEAD 64

#define MPI_MAX_PROCESSOR_NAME 32
#define MPI_MAX_ERROR_STRING 128
#define MPI_MAX_OBJECT_NAME 64
#define MPI_MAX_LIBRARY_VERSION_STRING 64
#define MPI_MAX_INFO_KEY 36
#define MPI_MAX_INFO_VAL 256

/* Results of MPI_Comm_compare, MPI_Group_compare and MPI_Topo_test */
#define MPI_IDENT 0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR 2
#define MPI_UNEQUAL 3
#define MPI_GRAPH 1
#define MPI_CART 2
#define MPI_DIST_GRAPH 3

#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

#define MPI_COMM_TYPE_SHARED 1
#define MPI_ORDER_C 56
#define MPI_ORDER_FORTRAN 57

/* Attributes of every communicator and window */
#define MPI_TAG_UB 1
#define MPI_HOST 2
#define MPI_IO 3
#define MPI_WTIME_IS_GLOBAL 4
#define MPI_UNIVERSE_SIZE 5
#define MPI_LASTUSEDCODE 6
#define MPI_APPNUM 7
#define MPI_WIN_BASE 8
#define MPI_WIN_SIZE 9
#define MPI_WIN_DISP_UNIT 10
#define MPI_WIN_CREATE_FLAVOR 11
#define MPI_WIN_MODEL 12
#define MPI_WIN_FLAVOR_CREATE 1
#define MPI_WIN_FLAVOR_ALLOCATE 2
#define MPI_WIN_FLAVOR_DYNAMIC 3
#define MPI_WIN_UNIFIED 1

/* Modes of windows */
#define MPI_MODE_NOCHECK 1024
#define MPI_MODE_NOSTORE 2048
#define MPI_MODE_NOPUT 4096
#define MPI_MODE_NOPRECEDE 8192
#define MPI_MODE_NOSUCCEED 16384
#define MPI_LOCK_EXCLUSIVE 234
#define MPI_LOCK_SHARED 235

/* Error classes, which are also the error codes */
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_ROOT 7
#define MPI_ERR_GROUP 8
#define MPI_ERR_OP 9
#define MPI_ERR_TOPOLOGY 10
#define MPI_ERR_DIMS 11
#define MPI_ERR_ARG 12
#define MPI_ERR_UNKNOWN 13
#define MPI_ERR_TRUNCATE 14
#define MPI_ERR_OTHER 15
#define MPI_ERR_INTERN 16
#define MPI_ERR_IN_STATUS 17
#define MPI_ERR_PENDING 18
#define MPI_ERR_REQUEST 19
#define MPI_ERR_KEYVAL 20
#define MPI_ERR_NO_MEM 21
#define MPI_ERR_INFO 22
#define MPI_ERR_INFO_KEY 23
#define MPI_ERR_INFO_VALUE 24
#define MPI_ERR_INFO_NOKEY 25
#define MPI_ERR_WIN 26
#define MPI_ERR_BASE 27
#define MPI_ERR_SIZE 28
#define MPI_ERR_DISP 29
#define MPI_ERR_LOCKTYPE 30
#define MPI_ERR_ASSERT 31
#define MPI_ERR_RMA_CONFLICT 32
#define MPI_ERR_RMA_SYNC 33
#define MPI_ERR_RMA_RANGE 34
#define MPI_ERR_LASTCODE 34

/* Basic types: bits 8 to 15 number them, and bits 0 to 7 are the logarithm of the bytes */
#define MPI_BYTE 0x100
#define MPI_CHAR 0x200
#define MPI_SIGNED_CHAR 0x300
#define MPI_UNSIGNED_CHAR 0x400
#define MPI_SHORT 0x501
#define MPI_UNSIGNED_SHORT 0x601
#define MPI_INT 0x702
#define MPI_UNSIGNED 0x802
#define MPI_LONG 0x902
#define MPI_UNSIGNED_LONG 0xa02
#define MPI_LONG_LONG 0xb03
#define MPI_LONG_LONG_INT 0xb03
#define MPI_UNSIGNED_LONG_LONG 0xc03
#define MPI_FLOAT 0xd02
#define MPI_DOUBLE 0xe03
#define MPI_LONG_DOUBLE 0xf03 /* a double */
#define MPI_WCHAR 0x1002
#define MPI_C_BOOL 0x1100
#define MPI_INT8_T 0x1200
#define MPI_INT16_T 0x1301
#define MPI_INT32_T 0x1402
#define MPI_INT64_T 0x1503
#define MPI_UINT8_T 0x1600
#define MPI_UINT16_T 0x1701
#define MPI_UINT32_T 0x1802
#define MPI_UINT64_T 0x1903
#define MPI_PACKED 0x1a00
#define MPI_C_COMPLEX 0x1b03
#define MPI_C_FLOAT_COMPLEX 0x1b03
#define MPI_C_DOUBLE_COMPLEX 0x1c04
#define MPI_C_LONG_DOUBLE_COMPLEX 0x1c04
#define MPI_AINT 0x902
#define MPI_OFFSET 0xb03
#define MPI_COUNT 0xb03
/* Pairs for MPI_MINLOC and MPI_MAXLOC */
#define MPI_2INT 0x10000
#define MPI_FLOAT_INT 0x10001
#define MPI_DOUBLE_INT 0x10002
#define MPI_LONG_INT 0x10003
#define MPI_SHORT_INT 0x10004
#define MPI_LONG_DOUBLE_INT 0x10005

#define MPI_SUM 1
#define MPI_PROD 2
#define MPI_MAX 3
#define MPI_MIN 4
#define MPI_LAND 5
#define MPI_LOR 6
#define MPI_LXOR 7
#define MPI_BAND 8
#define MPI_BOR 9
#define MPI_BXOR 10
#define MPI_MINLOC 11
#define MPI_MAXLOC 12
#define MPI_REPLACE 13
#define MPI_NO_OP 14

/* ---- environment ---- */

int MPI_Init(int* count, char*** words);
int MPI_Init_thread(int* count, char*** words, int required, int* provided);
int MPI_Initialized(int* is_initialized);
int MPI_Finalize(void);
int MPI_Finalized(int* is_finalized);
int MPI_Query_thread(int* provided);
int MPI_Is_thread_main(int* is_main);
int MPI_Abort(MPI_Comm comm, int status);
int MPI_Get_version(int* version, int* subversion);
int MPI_Get_library_version(char* version, int* length);
int MPI_Get_processor_name(char* name, int* length);
double MPI_Wtime(void); /* seconds since the machine's start; all nodes have the same clock */
double MPI_Wtick(void);
int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base);
int MPI_Free_mem(void* base);
int MPI_Pcontrol(const int level, ...);

/* ---- errors ---- */

int MPI_Error_class(int error, int* error_class);
int MPI_Error_string(int error, char* text, int* length);
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler);
int MPI_Comm_call_errhandler(MPI_Comm comm, int error);
int MPI_Errhandler_free(MPI_Errhandler* handler);
/* Names of MPI-1 */
int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler);

/* ---- point-to-point ---- */

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Rsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Bsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Buffer_attach(void* buffer, int bytes);
int MPI_Buffer_detach(void* buffer, int* bytes);
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status);
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request);
int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request);
int MPI_Irsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request);
int MPI_Ibsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request);
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request);
int MPI_Sendrecv(const void* sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* received, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status);
int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* is_there, MPI_Status* status);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count);
int MPI_Status_set_cancelled(MPI_Status* status, int is_cancelled);

int MPI_Wait(MPI_Request* request, MPI_Status* status);
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses);
int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status);
int MPI_Waitsome(int count, MPI_Request* requests, int* complete, int* indices,
                 MPI_Status* statuses);
int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status);
int MPI_Testall(int count, MPI_Request* requests, int* are_complete, MPI_Status* statuses);
int MPI_Testany(int count, MPI_Request* requests, int* index, int* is_complete, MPI_Status* status);
int MPI_Testsome(int count, MPI_Request* requests, int* complete, int* indices,
                 MPI_Status* statuses);
int MPI_Request_free(MPI_Request* request);
int MPI_Request_get_status(MPI_Request request, int* is_complete, MPI_Status* status);
int MPI_Cancel(MPI_Request* request);
int MPI_Test_cancelled(const MPI_Status* status, int* is_cancelled);
int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request);
int MPI_Ssend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request);
int MPI_Start(MPI_Request* request);
int MPI_Startall(int count, MPI_Request* requests);

/* ---- datatypes ---- */

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                            MPI_Datatype* made);
int MPI_Type_indexed(int count, const int* lengths, const int* places, MPI_Datatype type,
                     MPI_Datatype* made);
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places,
                             MPI_Datatype type, MPI_Datatype* made);
int MPI_Type_create_indexed_block(int count, int length, const int* places, MPI_Datatype type,
                                  MPI_Datatype* made);
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint* places, MPI_Datatype type,
                                   MPI_Datatype* made);
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places,
                           const MPI_Datatype* types, MPI_Datatype* made);
int MPI_Type_create_subarray(int dimensions, const int* sizes, const int* parts, const int* starts,
                             int order, MPI_Datatype type, MPI_Datatype* made);
int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made);
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made);
int MPI_Type_commit(MPI_Datatype* type);
int MPI_Type_free(MPI_Datatype* type);
int MPI_Type_size(MPI_Datatype type, int* size);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent);
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent);
int MPI_Type_set_name(MPI_Datatype type, const char* name);
int MPI_Type_get_name(MPI_Datatype type, char* name, int* length);
int MPI_Get_address(const void* place, MPI_Aint* address);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint distance);
MPI_Aint MPI_Aint_diff(MPI_Aint address, MPI_Aint other);
int MPI_Pack(const void* data, int count, MPI_Datatype type, void* out, int out_bytes, int* at,
             MPI_Comm comm);
int MPI_Unpack(const void* in, int in_bytes, int* at, void* data, int count, MPI_Datatype type,
               MPI_Comm comm);
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int* bytes);
/* Names of MPI-1 */
int MPI_Address(void* place, MPI_Aint* address);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lower);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint* upper);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made);
int MPI_Type_hindexed(int count, int* lengths, MPI_Aint* places, MPI_Datatype type,
                      MPI_Datatype* made);
int MPI_Type_struct(int count, int* lengths, MPI_Aint* places, MPI_Datatype* types,
                    MPI_Datatype* made);

/* ---- communicators and groups ---- */

int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int* result);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made);
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* made);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group);
int MPI_Comm_test_inter(MPI_Comm comm, int* is_inter);
int MPI_Comm_set_name(MPI_Comm comm, const char* name);
int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length);
int MPI_Group_size(MPI_Group group, int* size);
int MPI_Group_rank(MPI_Group group, int* rank);
int MPI_Group_translate_ranks(MPI_Group from, int count, const int* ranks, MPI_Group to,
                              int* translated);
int MPI_Group_compare(MPI_Group one, MPI_Group other, int* result);
int MPI_Group_union(MPI_Group one, MPI_Group other, MPI_Group* made);
int MPI_Group_intersection(MPI_Group one, MPI_Group other, MPI_Group* made);
int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group* made);
int MPI_Group_incl(MPI_Group group, int count, const int* ranks, MPI_Group* made);
int MPI_Group_excl(MPI_Group group, int count, const int* ranks, MPI_Group* made);
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made);
int MPI_Group_free(MPI_Group* group);

#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function*)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function*)0)
#define MPI_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN
#define MPI_COMM_DUP_FN weir_mpi_duplicate_attribute
#define MPI_DUP_FN weir_mpi_duplicate_attribute
MPI_Comm_copy_attr_function weir_mpi_duplicate_attribute;
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove,
                           int* key, void* extra);
int MPI_Comm_free_keyval(int* key);
int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value);
int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* is_there);
int MPI_Comm_delete_attr(MPI_Comm comm, int key);
int MPI_Attr_get(MPI_Comm comm, int key, void* value, int* is_there);

/* ---- topologies ---- */

int MPI_Dims_create(int nodes, int dimensions, int* sizes);
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int* sizes, const int* are_periodic,
                    int may_reorder, MPI_Comm* made);
int MPI_Cartdim_get(MPI_Comm comm, int* dimensions);
int MPI_Cart_get(MPI_Comm comm, int most, int* sizes, int* are_periodic, int* place);
int MPI_Cart_rank(MPI_Comm comm, const int* place, int* rank);
int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int* place);
int MPI_Cart_shift(MPI_Comm comm, int direction, int distance, int* source, int* destination);
int MPI_Cart_sub(MPI_Comm comm, const int* are_kept, MPI_Comm* made);
int MPI_Cart_map(MPI_Comm comm, int dimensions, const int* sizes, const int* are_periodic,
                 int* rank);
int MPI_Topo_test(MPI_Comm comm, int* kind);

/* ---- collectives ---- */

int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm);
int MPI_Allreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm);
int MPI_Reduce_scatter(const void* own, void* result, const int* counts, MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter_block(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm);
int MPI_Scan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm);
int MPI_Gather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
               MPI_Datatype all_type, int root, MPI_Comm comm);
int MPI_Gatherv(const void* own, int count, MPI_Datatype type, void* all, const int* all_counts,
                const int* places, MPI_Datatype all_type, int root, MPI_Comm comm);
int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
                  MPI_Datatype all_type, MPI_Comm comm);
int MPI_Allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int* all_counts,
                   const int* places, MPI_Datatype all_type, MPI_Comm comm);
int MPI_Scatter(const void* all, int count, MPI_Datatype type, void* own, int own_count,
                MPI_Datatype own_type, int root, MPI_Comm comm);
int MPI_Scatterv(const void* all, const int* counts, const int* places, MPI_Datatype type,
                 void* own, int own_count, MPI_Datatype own_type, int root, MPI_Comm comm);
int MPI_Alltoall(const void* out, int count, MPI_Datatype type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm);
int MPI_Alltoallv(const void* out, const int* counts, const int* places, MPI_Datatype type,
                  void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type,
                  MPI_Comm comm);
int MPI_Alltoallw(const void* out, const int* counts, const int* places, const MPI_Datatype* types,
                  void* in, const int* in_counts, const int* in_places,
                  const MPI_Datatype* in_types, MPI_Comm comm);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request);
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request);
int MPI_Ireduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request);
int MPI_Iallreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request);
int MPI_Ireduce_scatter(const void* own, void* result, const int* counts, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm, MPI_Request* request);
int MPI_Ireduce_scatter_block(const void* own, void* result, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm, MPI_Request* request);
int MPI_Iscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request);
int MPI_Iexscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, MPI_Request* request);
int MPI_Igather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
                MPI_Datatype all_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Igatherv(const void* own, int count, MPI_Datatype type, void* all, const int* all_counts,
                 const int* places, MPI_Datatype all_type, int root, MPI_Comm comm,
                 MPI_Request* request);
int MPI_Iallgather(const void* own, int count, MPI_Datatype type, void* all, int all_count,
                   MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request);
int MPI_Iallgatherv(const void* own, int count, MPI_Datatype type, void* all, const int* all_counts,
                    const int* places, MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request);
int MPI_Iscatter(const void* all, int count, MPI_Datatype type, void* own, int own_count,
                 MPI_Datatype own_type, int root, MPI_Comm comm, MPI_Request* request);
int MPI_Iscatterv(const void* all, const int* counts, const int* places, MPI_Datatype type,
                  void* own, int own_count, MPI_Datatype own_type, int root, MPI_Comm comm,
                  MPI_Request* request);
int MPI_Ialltoall(const void* out, int count, MPI_Datatype type, void* in, int in_count,
                  MPI_Datatype in_type, MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoallv(const void* out, const int* counts, const int* places, MPI_Datatype type,
                   void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type,
                   MPI_Comm comm, MPI_Request* request);
int MPI_Ialltoallw(const void* out, const int* counts, const int* places, const MPI_Datatype* types,
                   void* in, const int* in_counts, const int* in_places,
                   const MPI_Datatype* in_types, MPI_Comm comm, MPI_Request* request);
int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op);
int MPI_Op_create(MPI_User_function* function, int is_commutative, MPI_Op* op);
int MPI_Op_free(MPI_Op* op);
int MPI_Op_commutative(MPI_Op op, int* is_commutative);

/* ---- one-sided communication ---- */

int MPI_Win_create(void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* win);
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* win);
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win);
int MPI_Win_attach(MPI_Win win, void* base, MPI_Aint bytes);
int MPI_Win_detach(MPI_Win win, const void* base);
int MPI_Win_free(MPI_Win* win);
int MPI_Win_get_group(MPI_Win win, MPI_Group* group);
int MPI_Win_get_attr(MPI_Win win, int key, void* value, int* is_there);
int MPI_Win_fence(int modes, MPI_Win win);
int MPI_Win_post(MPI_Group group, int modes, MPI_Win win);
int MPI_Win_start(MPI_Group group, int modes, MPI_Win win);
int MPI_Win_complete(MPI_Win win);
int MPI_Win_wait(MPI_Win win);
int MPI_Win_test(MPI_Win win, int* is_complete);
int MPI_Win_lock(int kind, int rank, int modes, MPI_Win win);
int MPI_Win_unlock(int rank, MPI_Win win);
int MPI_Win_lock_all(int modes, MPI_Win win);
int MPI_Win_unlock_all(MPI_Win win);
int MPI_Win_flush(int rank, MPI_Win win);
int MPI_Win_flush_all(MPI_Win win);
int MPI_Win_flush_local(int rank, MPI_Win win);
int MPI_Win_flush_local_all(MPI_Win win);
int MPI_Win_sync(MPI_Win win);
int MPI_Put(const void* own, int count, MPI_Datatype type, int rank, MPI_Aint place,
            int there_count, MPI_Datatype there_type, MPI_Win win);
int MPI_Get(void* own, int count, MPI_Datatype type, int rank, MPI_Aint place, int there_count,
            MPI_Datatype there_type, MPI_Win win);
int MPI_Accumulate(const void* own, int count, MPI_Datatype type, int rank, MPI_Aint place,
                   int there_count, MPI_Datatype there_type, MPI_Op op, MPI_Win win);
int MPI_Get_accumulate(const void* own, int count, MPI_Datatype type, void* result,
                       int result_count, MPI_Datatype result_type, int rank, MPI_Aint place,
                       int there_count, MPI_Datatype there_type, MPI_Op op, MPI_Win win);
int MPI_Fetch_and_op(const void* own, void* result, MPI_Datatype type, int rank, MPI_Aint place,
                     MPI_Op op, MPI_Win win);
int MPI_Compare_and_swap(const void* own, const void* compared, void* result, MPI_Datatype type,
                         int rank, MPI_Aint place, MPI_Win win);

#ifdef __cplusplus
}
#endif

#endif
