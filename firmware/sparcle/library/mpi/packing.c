/* Values of datatypes as contiguous bytes, in messages and in MPI_Pack. */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/mpi/internals.h"

/* Copies of small blocks, which are common, are loops of words where both are aligned. */
static inline void copy_block(void* to, const void* from, uint32_t bytes) {
    if (bytes == 8 && (((uint32_t)to | (uint32_t)from) & 3) == 0) {
        ((uint32_t*)to)[0] = ((const uint32_t*)from)[0];
        ((uint32_t*)to)[1] = ((const uint32_t*)from)[1];
    } else {
        memcpy(to, from, bytes);
    }
}

void weir_mpi_pack(void* out, const void* data, int count, MPI_Datatype type) {
    const struct weir_mpi_type* const made = weir_mpi_type_of(type);
    if (weir_mpi_is_basic(type) || made->is_dense) {
        memcpy(out, data, weir_mpi_bytes_of(count, type));
        return;
    }
    char* at = out;
    const char* from = data;
    for (int i = 0; i < count; ++i, from += made->extent) {
        for (uint32_t b = 0; b < made->block_count; ++b) {
            copy_block(at, from + made->blocks[b].offset, made->blocks[b].bytes);
            at += made->blocks[b].bytes;
        }
    }
}

void weir_mpi_unpack(void* data, const void* in, uint32_t bytes, MPI_Datatype type) {
    const struct weir_mpi_type* const made = weir_mpi_type_of(type);
    if (weir_mpi_is_basic(type) || made->is_dense) {
        memcpy(data, in, bytes);
        return;
    }
    const char* at = in;
    char* to = data;
    while (bytes != 0) {
        for (uint32_t b = 0; b < made->block_count && bytes != 0; ++b) {
            const uint32_t part = made->blocks[b].bytes < bytes ? made->blocks[b].bytes : bytes;
            copy_block(to + made->blocks[b].offset, at, part);
            at += part;
            bytes -= part;
        }
        to += made->extent;
    }
}

void weir_mpi_copy_values(void* to, const void* from, int count, MPI_Datatype type) {
    const struct weir_mpi_type* const made = weir_mpi_type_of(type);
    if (weir_mpi_is_basic(type) || made->is_dense) {
        memmove(to, from, weir_mpi_bytes_of(count, type));
        return;
    }
    for (int i = 0; i < count; ++i) {
        for (uint32_t b = 0; b < made->block_count; ++b) {
            const MPI_Aint offset = i * made->extent + made->blocks[b].offset;
            memmove((char*)to + offset, (const char*)from + offset, made->blocks[b].bytes);
        }
    }
}

struct weir_mpi_view weir_mpi_derived_view(const void* data, int count, MPI_Datatype type,
                                           int packs) {
    const struct weir_mpi_type* const made = weir_mpi_type_of(type);
    const uint32_t bytes = (uint32_t)count * made->size;
    if (made->is_dense) {
        return (struct weir_mpi_view){(void*)data, bytes, NULL};
    }
    if (made->block_count == 1 && count == 1) {
        return (struct weir_mpi_view){(char*)data + made->blocks[0].offset, bytes, NULL};
    }
    void* const buffer = weir_mpi_memory(bytes);
    if (packs) {
        weir_mpi_pack(buffer, data, count, type);
    }
    return (struct weir_mpi_view){buffer, bytes, buffer};
}

/* Number of basic values in the status's message. */
int MPI_Get_elements(const MPI_Status* status, MPI_Datatype type, int* count) {
    CHECK(weir_mpi_check_type(NULL, type));
    CHECK(weir_mpi_check_result(NULL, status));
    CHECK(weir_mpi_check_result(NULL, count));
    const struct weir_mpi_type* const made = weir_mpi_type_of(type);
    uint32_t left = (uint32_t)status->weir_bytes;
    *count = 0;
    if (made->size == 0) {
        *count = left == 0 ? 0 : MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    uint32_t values = 0; /* in one value of the type */
    for (uint32_t b = 0; b < made->block_count; ++b) {
        values += made->blocks[b].bytes >> (made->blocks[b].kind & 0xff);
    }
    *count = (int)(left / made->size * values);
    left %= made->size;
    for (uint32_t b = 0; left != 0; ++b) {
        const uint32_t part = made->blocks[b].bytes < left ? made->blocks[b].bytes : left;
        const uint32_t each = 1u << (made->blocks[b].kind & 0xff);
        if (part % each != 0) {
            *count = MPI_UNDEFINED;
            return MPI_SUCCESS;
        }
        *count += (int)(part / each);
        left -= part;
    }
    return MPI_SUCCESS;
}
int MPI_Status_set_elements(MPI_Status* status, MPI_Datatype type, int count) {
    CHECK(weir_mpi_check_type(NULL, type));
    CHECK(weir_mpi_check_result(NULL, status));
    status->weir_bytes = (int)weir_mpi_bytes_of(count, type);
    return MPI_SUCCESS;
}

static int check_place(const struct weir_mpi_communicator* comm, const void* buffer, int bytes,
                       const int* at, uint32_t needed) {
    CHECK(weir_mpi_check_result(comm, at));
    if (bytes < 0 || *at < 0 || *at > bytes || needed > (uint32_t)(bytes - *at)) {
        return ERROR(comm, MPI_ERR_TRUNCATE,
                     "from position %d its buffer of %d bytes has no room for %d bytes", *at, bytes,
                     (int)needed);
    }
    return needed == 0 ? MPI_SUCCESS : weir_mpi_check_result(comm, buffer);
}

int MPI_Pack(const void* data, int count, MPI_Datatype type, void* out, int out_bytes, int* at,
             MPI_Comm handle) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_data(comm, data, count, type));
    const uint32_t bytes = weir_mpi_bytes_of(count, type);
    CHECK(check_place(comm, out, out_bytes, at, bytes));
    weir_mpi_pack((char*)out + *at, data, count, type);
    *at += (int)bytes;
    return MPI_SUCCESS;
}
int MPI_Unpack(const void* in, int in_bytes, int* at, void* data, int count, MPI_Datatype type,
               MPI_Comm handle) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_data(comm, data, count, type));
    const uint32_t bytes = weir_mpi_bytes_of(count, type);
    CHECK(check_place(comm, in, in_bytes, at, bytes));
    weir_mpi_unpack(data, (const char*)in + *at, bytes, type);
    *at += (int)bytes;
    return MPI_SUCCESS;
}
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm handle, int* bytes) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_data(comm, bytes, count, type));
    CHECK(weir_mpi_check_result(comm, bytes));
    *bytes = (int)weir_mpi_bytes_of(count, type);
    return MPI_SUCCESS;
}
