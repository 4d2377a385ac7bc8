/*
 * Datatypes. A type is a list of blocks of basic values, in the order of its signature; neighbours
 * of one kind are one block. A type made of others has copies of their blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/mpi/internals.h"

const unsigned char weir_mpi_shifts[WEIR_MPI_KINDS] = {
    0xff, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 2, 3, 3, 2, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 3, 4};

#define BASIC(kind, bytes)                 \
    {                                      \
        0, bytes,                          \
            kind << 8 | (bytes == 1   ? 0  \
                         : bytes == 2 ? 1  \
                         : bytes == 4 ? 2  \
                         : bytes == 8 ? 3  \
                                      : 4) \
    }
static const struct weir_mpi_block basic_blocks[WEIR_MPI_KINDS] = {
    BASIC(0, 1),  BASIC(1, 1),  BASIC(2, 1),  BASIC(3, 1),  BASIC(4, 1),  BASIC(5, 2),
    BASIC(6, 2),  BASIC(7, 4),  BASIC(8, 4),  BASIC(9, 4),  BASIC(10, 4), BASIC(11, 8),
    BASIC(12, 8), BASIC(13, 4), BASIC(14, 8), BASIC(15, 8), BASIC(16, 4), BASIC(17, 1),
    BASIC(18, 1), BASIC(19, 2), BASIC(20, 4), BASIC(21, 8), BASIC(22, 1), BASIC(23, 2),
    BASIC(24, 4), BASIC(25, 8), BASIC(26, 1), BASIC(27, 8), BASIC(28, 16)};
static struct weir_mpi_type basic_types[WEIR_MPI_KINDS];

/* Pairs of mpi.h, in the order of their handles */
struct pair {
    MPI_Datatype first;
    uint32_t offset; /* offset of the int */
    uint32_t extent;
};
static const struct pair pairs[] = {{MPI_INT, 4, 8},  {MPI_FLOAT, 4, 8}, {MPI_DOUBLE, 8, 16},
                                    {MPI_LONG, 4, 8}, {MPI_SHORT, 4, 8}, {MPI_LONG_DOUBLE, 8, 16}};
#define PAIRS ((int)(sizeof pairs / sizeof *pairs))
static struct weir_mpi_block pair_blocks[PAIRS][2];
static struct weir_mpi_type pair_types[PAIRS];

struct weir_mpi_type** weir_mpi_types; /* made types, by handle - WEIR_MPI_FIRST_DERIVED - PAIRS */
int weir_mpi_type_count;

static const struct weir_mpi_type* pair_type(int at) {
    struct weir_mpi_type* const type = &pair_types[at];
    if (type->size == 0) {
        const uint32_t first = 1u << (pairs[at].first & 0xff);
        pair_blocks[at][0] = (struct weir_mpi_block){0, first, pairs[at].first};
        pair_blocks[at][1] = (struct weir_mpi_block){(int32_t)pairs[at].offset, 4, MPI_INT};
        *type = (struct weir_mpi_type){.size = first + 4,
                                       .extent = (MPI_Aint)pairs[at].extent,
                                       .true_extent = (MPI_Aint)pairs[at].offset + 4,
                                       .block_count = 2,
                                       .blocks = pair_blocks[at],
                                       .users = 1,
                                       .is_committed = 1,
                                       .is_dense = first + 4 == pairs[at].extent};
    }
    return type;
}

const struct weir_mpi_type* weir_mpi_type_of(MPI_Datatype type) {
    const int at = type - WEIR_MPI_FIRST_DERIVED;
    if (at >= PAIRS) {
        return at - PAIRS < weir_mpi_type_count ? weir_mpi_types[at - PAIRS] : NULL;
    }
    if (at >= 0) {
        return pair_type(at);
    }
    const uint32_t kind = (uint32_t)type >> 8;
    if (kind - 1 >= WEIR_MPI_KINDS - 1 || weir_mpi_shifts[kind] != (type & 0xff)) {
        return NULL;
    }
    struct weir_mpi_type* const basic = &basic_types[kind];
    if (basic->size == 0) {
        const uint32_t bytes = basic_blocks[kind].bytes;
        *basic = (struct weir_mpi_type){.size = bytes,
                                        .extent = (MPI_Aint)bytes,
                                        .true_extent = (MPI_Aint)bytes,
                                        .block_count = 1,
                                        .blocks = &basic_blocks[kind],
                                        .users = 1,
                                        .is_committed = 1,
                                        .is_dense = 1};
    }
    return basic;
}

int weir_mpi_check_derived(const struct weir_mpi_communicator* comm, MPI_Datatype type) {
    const struct weir_mpi_type* const made = weir_mpi_type_of(type);
    if (made == NULL) {
        return weir_mpi_refuse_type(comm, type);
    }
    if (!made->is_committed) {
        return ERROR(comm, MPI_ERR_TYPE,
                     "datatype %d is not committed; accepted: a type after MPI_Type_commit", type);
    }
    return MPI_SUCCESS;
}

void weir_mpi_hold_type(MPI_Datatype type) {
    if (type >= WEIR_MPI_FIRST_DERIVED + PAIRS) {
        ((struct weir_mpi_type*)weir_mpi_type_of(type))->users += 1;
    }
}
void weir_mpi_let_type_go(MPI_Datatype type) {
    if (type < WEIR_MPI_FIRST_DERIVED + PAIRS) {
        return;
    }
    struct weir_mpi_type** const place = &weir_mpi_types[type - WEIR_MPI_FIRST_DERIVED - PAIRS];
    if (--(*place)->users == 0) {
        free((void*)(*place)->blocks);
        free((*place)->name);
        free(*place);
        *place = NULL;
    }
}

/* ---- making of types ---- */

/* A type that grows by copies of other types. */
struct draft {
    struct weir_mpi_type type;
    struct weir_mpi_block* blocks;
    uint32_t capacity;
    int has_bounds; /* whether lower and extent have a meaning yet */
    MPI_Aint upper;
    int error;
};

static void add_block(struct draft* draft, MPI_Aint offset, uint32_t bytes, MPI_Datatype kind) {
    if (bytes == 0) {
        return;
    }
    struct weir_mpi_block* const last =
        draft->type.block_count == 0 ? NULL : &draft->blocks[draft->type.block_count - 1];
    draft->type.size += bytes;
    if (last != NULL && last->kind == kind && last->offset + (MPI_Aint)last->bytes == offset) {
        last->bytes += bytes;
        return;
    }
    if (draft->type.block_count == draft->capacity) {
        draft->capacity = draft->capacity == 0 ? 4 : 2 * draft->capacity;
        struct weir_mpi_block* const more = realloc(draft->blocks, draft->capacity * sizeof *more);
        if (more == NULL) {
            FAIL("the heap has no room for a datatype of %d blocks (memory.bytes)",
                 (int)draft->capacity);
        }
        draft->blocks = more;
    }
    draft->blocks[draft->type.block_count++] =
        (struct weir_mpi_block){(int32_t)offset, bytes, kind};
}

/* Adds `count` values of the type, each at its extent after the one before. */
static void add(struct draft* draft, MPI_Aint offset, int count, const struct weir_mpi_type* type) {
    if (count == 0) {
        return;
    }
    if (type->is_dense && type->block_count == 1) {
        add_block(draft, offset + type->blocks[0].offset, (uint32_t)count * type->size,
                  type->blocks[0].kind);
    } else {
        for (int i = 0; i < count; ++i) {
            for (uint32_t b = 0; b < type->block_count; ++b) {
                add_block(draft, offset + i * type->extent + type->blocks[b].offset,
                          type->blocks[b].bytes, type->blocks[b].kind);
            }
        }
    }
    const MPI_Aint last = offset + (count - 1) * type->extent;
    const MPI_Aint lower = (offset < last ? offset : last) + type->lower;
    const MPI_Aint upper = (offset < last ? last : offset) + type->lower + type->extent;
    if (!draft->has_bounds || lower < draft->type.lower) {
        draft->type.lower = lower;
    }
    if (!draft->has_bounds || upper > draft->upper) {
        draft->upper = upper;
    }
    draft->has_bounds = 1;
}

/* Gives the draft a handle. */
static int give(struct draft* draft, MPI_Datatype* made) {
    struct weir_mpi_type* const type = weir_mpi_memory(sizeof *type);
    *type = draft->type;
    type->extent = draft->has_bounds ? draft->upper - draft->type.lower : 0;
    type->blocks = draft->blocks;
    type->users = 1;
    for (uint32_t b = 0; b < type->block_count; ++b) {
        const MPI_Aint begin = type->blocks[b].offset;
        const MPI_Aint end = begin + (MPI_Aint)type->blocks[b].bytes;
        if (b == 0 || begin < type->true_lower) {
            type->true_extent += b == 0 ? 0 : type->true_lower - begin;
            type->true_lower = begin;
        }
        if (b == 0 || end > type->true_lower + type->true_extent) {
            type->true_extent = end - type->true_lower;
        }
    }
    /* Dense: the values are neighbours in the order of the signature. */
    MPI_Aint next = 0;
    type->is_dense = type->lower == 0 && type->extent == (MPI_Aint)type->size;
    for (uint32_t b = 0; b < type->block_count; ++b) {
        type->is_dense = type->is_dense && type->blocks[b].offset == next;
        next += (MPI_Aint)type->blocks[b].bytes;
    }
    int at = 0;
    while (at < weir_mpi_type_count && weir_mpi_types[at] != NULL) {
        ++at;
    }
    if (at == weir_mpi_type_count) {
        struct weir_mpi_type** const more =
            realloc(weir_mpi_types, (size_t)(at + 16) * sizeof *more);
        if (more == NULL) {
            FAIL("the heap has no room for %d datatypes (memory.bytes)", at + 16);
        }
        weir_mpi_types = more;
        memset(more + at, 0, 16 * sizeof *more);
        weir_mpi_type_count += 16;
    }
    weir_mpi_types[at] = type;
    *made = WEIR_MPI_FIRST_DERIVED + PAIRS + at;
    return MPI_SUCCESS;
}

/* Type that another one is made of; it need not be committed. */
static int check_old(MPI_Datatype type, const struct weir_mpi_type** found,
                     const MPI_Datatype* made) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, made));
    *found = weir_mpi_type_of(type);
    return *found == NULL ? weir_mpi_refuse_type(NULL, type) : MPI_SUCCESS;
}
static int check_count(int count) {
    return count < 0 ? ERROR(NULL, MPI_ERR_COUNT, "its count is %d; accepted: 0 or more", count)
                     : MPI_SUCCESS;
}
static int check_length(int length) {
    return length < 0
               ? ERROR(NULL, MPI_ERR_ARG, "a block has %d values; accepted: 0 or more", length)
               : MPI_SUCCESS;
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    struct draft draft = {0};
    CHECK(check_old(type, &old, made));
    CHECK(check_count(count));
    add(&draft, 0, count, old);
    CHECK(give(&draft, made));
    return MPI_SUCCESS;
}

static int make_vector(int count, int length, MPI_Aint stride, const struct weir_mpi_type* old,
                       MPI_Datatype* made) {
    struct draft draft = {0};
    CHECK(check_count(count));
    CHECK(check_length(length));
    for (int i = 0; i < count; ++i) {
        add(&draft, i * stride, length, old);
    }
    return give(&draft, made);
}
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    CHECK(check_old(type, &old, made));
    CHECK(make_vector(count, length, stride * old->extent, old, made));
    return MPI_SUCCESS;
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                            MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    CHECK(check_old(type, &old, made));
    CHECK(make_vector(count, length, stride, old, made));
    return MPI_SUCCESS;
}

/* Blocks at places in units of `unit` bytes; lengths NULL: all have the first length. */
static int make_indexed(int count, const int* lengths, int length, const int* places,
                        const MPI_Aint* byte_places, const struct weir_mpi_type* old,
                        MPI_Datatype* made) {
    struct draft draft = {0};
    CHECK(check_count(count));
    for (int i = 0; i < count; ++i) {
        const int values = lengths == NULL ? length : lengths[i];
        CHECK(check_length(values));
        add(&draft, places != NULL ? places[i] * old->extent : byte_places[i], values, old);
    }
    return give(&draft, made);
}
static int check_arrays(int count, const void* one, const void* other) {
    if (count > 0) {
        CHECK(weir_mpi_check_result(NULL, one));
        CHECK(weir_mpi_check_result(NULL, other));
    }
    return MPI_SUCCESS;
}
int MPI_Type_indexed(int count, const int* lengths, const int* places, MPI_Datatype type,
                     MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    CHECK(check_old(type, &old, made));
    CHECK(check_arrays(count, lengths, places));
    CHECK(make_indexed(count, lengths, 0, places, NULL, old, made));
    return MPI_SUCCESS;
}
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* places,
                             MPI_Datatype type, MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    CHECK(check_old(type, &old, made));
    CHECK(check_arrays(count, lengths, places));
    CHECK(make_indexed(count, lengths, 0, NULL, places, old, made));
    return MPI_SUCCESS;
}
int MPI_Type_create_indexed_block(int count, int length, const int* places, MPI_Datatype type,
                                  MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    CHECK(check_old(type, &old, made));
    CHECK(check_arrays(count, places, places));
    CHECK(make_indexed(count, NULL, length, places, NULL, old, made));
    return MPI_SUCCESS;
}
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint* places, MPI_Datatype type,
                                   MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    CHECK(check_old(type, &old, made));
    CHECK(check_arrays(count, places, places));
    CHECK(make_indexed(count, NULL, length, NULL, places, old, made));
    return MPI_SUCCESS;
}

/* The extent is a multiple of the strictest alignment of the types, as in C. */
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* places,
                           const MPI_Datatype* types, MPI_Datatype* made) {
    struct draft draft = {0};
    MPI_Aint alignment = 1;
    weir_mpi_check_running();
    CHECK(check_count(count));
    CHECK(weir_mpi_check_result(NULL, made));
    CHECK(check_arrays(count, lengths, places));
    CHECK(check_arrays(count, types, types));
    for (int i = 0; i < count; ++i) {
        const struct weir_mpi_type* old;
        CHECK(check_old(types[i], &old, made));
        CHECK(check_length(lengths[i]));
        add(&draft, places[i], lengths[i], old);
        for (uint32_t b = 0; b < old->block_count; ++b) {
            MPI_Aint own = 1 << (old->blocks[b].kind & 0xff);
            own = own > 8 ? 8 : own;
            alignment = own > alignment ? own : alignment;
        }
    }
    if (draft.has_bounds) {
        const MPI_Aint extent = draft.upper - draft.type.lower;
        draft.upper += (extent + alignment - 1) / alignment * alignment - extent;
    }
    CHECK(give(&draft, made));
    return MPI_SUCCESS;
}

/* Adds the part of the array in the dimensions from `dimension` on. */
static void add_part(struct draft* draft, int dimensions, int dimension, const int* order,
                     const int* sizes, const int* parts, const int* starts, MPI_Aint offset,
                     const struct weir_mpi_type* old) {
    MPI_Aint each = old->extent; /* bytes between neighbours in this dimension */
    for (int d = dimension + 1; d < dimensions; ++d) {
        each *= sizes[order[d]];
    }
    const int at = order[dimension];
    if (dimension == dimensions - 1) {
        add(draft, offset + starts[at] * each, parts[at], old);
        return;
    }
    for (int i = 0; i < parts[at]; ++i) {
        add_part(draft, dimensions, dimension + 1, order, sizes, parts, starts,
                 offset + (starts[at] + i) * each, old);
    }
}
int MPI_Type_create_subarray(int dimensions, const int* sizes, const int* parts, const int* starts,
                             int order, MPI_Datatype type, MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    struct draft draft = {0};
    CHECK(check_old(type, &old, made));
    CHECK(check_arrays(1, sizes, parts));
    CHECK(weir_mpi_check_result(NULL, starts));
    if (dimensions < 1 || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)) {
        return ERROR(NULL, MPI_ERR_ARG,
                     "it has %d dimensions in order %d; accepted: 1 or more, in MPI_ORDER_C or "
                     "MPI_ORDER_FORTRAN",
                     dimensions, order);
    }
    MPI_Aint whole = old->extent;
    int* const slowest_first = weir_mpi_memory((uint32_t)dimensions * sizeof(int));
    for (int d = 0; d < dimensions; ++d) {
        if (sizes[d] < 1 || parts[d] < 1 || starts[d] < 0 || parts[d] > sizes[d] - starts[d]) {
            free(slowest_first);
            return ERROR(NULL, MPI_ERR_ARG,
                         "in dimension %d it has %d of %d values from %d on; accepted: a part of "
                         "the array",
                         d, parts[d], sizes[d], starts[d]);
        }
        slowest_first[d] = order == MPI_ORDER_C ? d : dimensions - 1 - d;
        whole *= sizes[d];
    }
    add_part(&draft, dimensions, 0, slowest_first, sizes, parts, starts, 0, old);
    free(slowest_first);
    draft.type.lower = 0;
    draft.upper = whole;
    CHECK(give(&draft, made));
    return MPI_SUCCESS;
}

int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent,
                            MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    struct draft draft = {0};
    CHECK(check_old(type, &old, made));
    add(&draft, 0, 1, old);
    draft.type.lower = lower;
    draft.upper = lower + extent;
    draft.has_bounds = 1;
    CHECK(give(&draft, made));
    return MPI_SUCCESS;
}
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made) {
    const struct weir_mpi_type* old;
    struct draft draft = {0};
    CHECK(check_old(type, &old, made));
    add(&draft, 0, 1, old);
    draft.type.is_committed = old->is_committed;
    CHECK(give(&draft, made));
    return MPI_SUCCESS;
}

int MPI_Type_commit(MPI_Datatype* type) {
    const struct weir_mpi_type* found;
    CHECK(weir_mpi_check_result(NULL, type));
    CHECK(check_old(*type, &found, type));
    ((struct weir_mpi_type*)found)->is_committed = 1;
    return MPI_SUCCESS;
}
int MPI_Type_free(MPI_Datatype* type) {
    const struct weir_mpi_type* found;
    CHECK(weir_mpi_check_result(NULL, type));
    CHECK(check_old(*type, &found, type));
    if (*type < WEIR_MPI_FIRST_DERIVED + PAIRS) {
        return ERROR(NULL, MPI_ERR_TYPE,
                     "datatype %d belongs to MPI; accepted: a type that a call has made", *type);
    }
    weir_mpi_let_type_go(*type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int MPI_Type_size(MPI_Datatype type, int* size) {
    const struct weir_mpi_type* found;
    CHECK(check_old(type, &found, size));
    *size = (int)found->size;
    return MPI_SUCCESS;
}
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
    const struct weir_mpi_type* found;
    CHECK(weir_mpi_check_result(NULL, lower));
    CHECK(weir_mpi_check_result(NULL, extent));
    CHECK(check_old(type, &found, &type));
    *lower = found->lower;
    *extent = found->extent;
    return MPI_SUCCESS;
}
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
    const struct weir_mpi_type* found;
    CHECK(weir_mpi_check_result(NULL, lower));
    CHECK(weir_mpi_check_result(NULL, extent));
    CHECK(check_old(type, &found, &type));
    *lower = found->true_lower;
    *extent = found->true_extent;
    return MPI_SUCCESS;
}

int MPI_Type_set_name(MPI_Datatype type, const char* name) {
    const struct weir_mpi_type* found;
    CHECK(weir_mpi_check_result(NULL, name));
    CHECK(check_old(type, &found, &type));
    struct weir_mpi_type* const made = (struct weir_mpi_type*)found;
    free(made->name);
    made->name = weir_mpi_memory(MPI_MAX_OBJECT_NAME);
    strncpy(made->name, name, MPI_MAX_OBJECT_NAME - 1);
    made->name[MPI_MAX_OBJECT_NAME - 1] = '\0';
    return MPI_SUCCESS;
}
int MPI_Type_get_name(MPI_Datatype type, char* name, int* length) {
    static const char basic_names[WEIR_MPI_KINDS][28] = {"",
                                                         "BYTE",
                                                         "CHAR",
                                                         "SIGNED_CHAR",
                                                         "UNSIGNED_CHAR",
                                                         "SHORT",
                                                         "UNSIGNED_SHORT",
                                                         "INT",
                                                         "UNSIGNED",
                                                         "LONG",
                                                         "UNSIGNED_LONG",
                                                         "LONG_LONG_INT",
                                                         "UNSIGNED_LONG_LONG",
                                                         "FLOAT",
                                                         "DOUBLE",
                                                         "LONG_DOUBLE",
                                                         "WCHAR",
                                                         "C_BOOL",
                                                         "INT8_T",
                                                         "INT16_T",
                                                         "INT32_T",
                                                         "INT64_T",
                                                         "UINT8_T",
                                                         "UINT16_T",
                                                         "UINT32_T",
                                                         "UINT64_T",
                                                         "PACKED",
                                                         "C_FLOAT_COMPLEX",
                                                         "C_DOUBLE_COMPLEX"};
    static const char pair_names[PAIRS][16] = {"2INT",     "FLOAT_INT", "DOUBLE_INT",
                                               "LONG_INT", "SHORT_INT", "LONG_DOUBLE_INT"};
    const struct weir_mpi_type* found;
    CHECK(weir_mpi_check_result(NULL, name));
    CHECK(weir_mpi_check_result(NULL, length));
    CHECK(check_old(type, &found, &type));
    if (found->name != NULL) {
        strcpy(name, found->name);
    } else if (type >= WEIR_MPI_FIRST_DERIVED + PAIRS) {
        name[0] = '\0';
    } else {
        strcpy(name, "MPI_");
        strcat(name, type >= WEIR_MPI_FIRST_DERIVED ? pair_names[type - WEIR_MPI_FIRST_DERIVED]
                                                    : basic_names[type >> 8]);
    }
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

int MPI_Get_address(const void* place, MPI_Aint* address) {
    CHECK(weir_mpi_check_result(NULL, address));
    *address = (MPI_Aint)place;
    return MPI_SUCCESS;
}
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint distance) { return base + distance; }
MPI_Aint MPI_Aint_diff(MPI_Aint address, MPI_Aint other) { return address - other; }

/* ---- names of MPI-1 ---- */

int MPI_Address(void* place, MPI_Aint* address) {
    CHECK(MPI_Get_address(place, address));
    return MPI_SUCCESS;
}
int MPI_Type_extent(MPI_Datatype type, MPI_Aint* extent) {
    MPI_Aint lower;
    CHECK(MPI_Type_get_extent(type, &lower, extent));
    return MPI_SUCCESS;
}
int MPI_Type_lb(MPI_Datatype type, MPI_Aint* lower) {
    MPI_Aint extent;
    CHECK(MPI_Type_get_extent(type, lower, &extent));
    return MPI_SUCCESS;
}
int MPI_Type_ub(MPI_Datatype type, MPI_Aint* upper) {
    MPI_Aint lower;
    CHECK(MPI_Type_get_extent(type, &lower, upper));
    *upper += lower;
    return MPI_SUCCESS;
}
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                     MPI_Datatype* made) {
    CHECK(MPI_Type_create_hvector(count, length, stride, type, made));
    return MPI_SUCCESS;
}
int MPI_Type_hindexed(int count, int* lengths, MPI_Aint* places, MPI_Datatype type,
                      MPI_Datatype* made) {
    CHECK(MPI_Type_create_hindexed(count, lengths, places, type, made));
    return MPI_SUCCESS;
}
int MPI_Type_struct(int count, int* lengths, MPI_Aint* places, MPI_Datatype* types,
                    MPI_Datatype* made) {
    CHECK(MPI_Type_create_struct(count, lengths, places, types, made));
    return MPI_SUCCESS;
}
