/* Operations of reductions: those of mpi.h for basic types and pairs, and those of programs. */
#include <complex.h>
#include <stdlib.h>

#include "firmware/sparcle/library/mpi/internals.h"

#define FIRST_OWN 0x100
#define MOST_OWN 64

static struct own_operation {
    MPI_User_function* function; /* NULL: not used */
    int is_commutative;
} own_operations[MOST_OWN];

/* Classes of basic types, by which operations are accepted */
enum { LOGICAL = 1, BITS = 2, NUMBER = 4, ORDERED = 8 };
static const unsigned char classes[WEIR_MPI_KINDS] = {0,
                                                      BITS,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      NUMBER | ORDERED | LOGICAL,
                                                      NUMBER | ORDERED | LOGICAL,
                                                      NUMBER | ORDERED | LOGICAL,
                                                      0,
                                                      LOGICAL | BITS,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      15,
                                                      0,
                                                      NUMBER,
                                                      NUMBER};

static int needed_class(MPI_Op op) {
    switch (op) {
        case MPI_SUM:
        case MPI_PROD:
            return NUMBER;
        case MPI_MAX:
        case MPI_MIN:
            return ORDERED;
        case MPI_LAND:
        case MPI_LOR:
        case MPI_LXOR:
            return LOGICAL;
        default:
            return BITS;
    }
}

static const struct own_operation* own_operation_of(MPI_Op op) {
    return op >= FIRST_OWN && op < FIRST_OWN + MOST_OWN &&
                   own_operations[op - FIRST_OWN].function != NULL
               ? &own_operations[op - FIRST_OWN]
               : NULL;
}

int weir_mpi_check_operation(const struct weir_mpi_communicator* comm, MPI_Op op,
                             MPI_Datatype type) {
    if (own_operation_of(op) != NULL || op == MPI_REPLACE || op == MPI_NO_OP) {
        return MPI_SUCCESS;
    }
    if (op < MPI_SUM || op > MPI_MAXLOC) {
        return ERROR(comm, MPI_ERR_OP,
                     "there is no operation %d; accepted: those of mpi.h, as MPI_SUM, and those "
                     "that a call has made and none has freed",
                     op);
    }
    if (op == MPI_MINLOC || op == MPI_MAXLOC) {
        return type >= MPI_2INT && type <= MPI_LONG_DOUBLE_INT
                   ? MPI_SUCCESS
                   : ERROR(comm, MPI_ERR_OP,
                           "operation %d is for pairs, not for datatype %d; accepted: MPI_2INT, "
                           "MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT, "
                           "MPI_LONG_DOUBLE_INT",
                           op, type);
    }
    if (!weir_mpi_is_basic(type)) {
        return ERROR(comm, MPI_ERR_OP,
                     "operation %d is for basic types, not for datatype %d; accepted for it: an "
                     "operation of MPI_Op_create",
                     op, type);
    }
    if ((classes[type >> 8] & needed_class(op)) == 0) {
        return ERROR(comm, MPI_ERR_OP,
                     op >= MPI_BAND
                         ? "operation %d is for bits, and datatype %d is not; accepted for "
                           "floating-point types: MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, "
                           "MPI_LOR, MPI_LXOR"
                         : "operation %d is not for datatype %d; accepted: for MPI_BYTE those of "
                           "bits, for complex types MPI_SUM and MPI_PROD",
                     op, type);
    }
    return MPI_SUCCESS;
}

int weir_mpi_is_commutative(MPI_Op op) {
    const struct own_operation* const own = own_operation_of(op);
    return own == NULL ? op != MPI_REPLACE && op != MPI_NO_OP : own->is_commutative;
}

/* a is the value of lower ranks. */
#define COMBINE_ALL(type, bits)                                           \
    for (int i = 0; i < count; ++i) {                                     \
        const type a = ((const type*)in)[i], b = ((const type*)inout)[i]; \
        type c = a;                                                       \
        switch (op) {                                                     \
            case MPI_SUM:                                                 \
                c = a + b;                                                \
                break;                                                    \
            case MPI_PROD:                                                \
                c = a * b;                                                \
                break;                                                    \
            case MPI_MAX:                                                 \
                c = a < b ? b : a;                                        \
                break;                                                    \
            case MPI_MIN:                                                 \
                c = b < a ? b : a;                                        \
                break;                                                    \
            case MPI_LAND:                                                \
                c = a != 0 && b != 0;                                     \
                break;                                                    \
            case MPI_LOR:                                                 \
                c = a != 0 || b != 0;                                     \
                break;                                                    \
            case MPI_LXOR:                                                \
                c = (a != 0) != (b != 0);                                 \
                break;                                                    \
            default:                                                      \
                c = (type)COMBINE_BITS_##bits(a, b);                      \
        }                                                                 \
        ((type*)inout)[i] = c;                                            \
    }                                                                     \
    return
#define COMBINE_BITS_1(a, b) (op == MPI_BAND ? (a & b) : op == MPI_BOR ? (a | b) : (a ^ b))
#define COMBINE_BITS_0(a, b) (a) /* excluded by weir_mpi_check_operation() */

#define COMBINE_COMPLEX(type)                                                              \
    for (int i = 0; i < count; ++i) {                                                      \
        const type a = ((const type*)in)[i];                                               \
        ((type*)inout)[i] = op == MPI_SUM ? a + ((type*)inout)[i] : a * ((type*)inout)[i]; \
    }                                                                                      \
    return

/* If values are equal, the smaller index is kept. */
#define COMBINE_PAIRS(type)                                                     \
    {                                                                           \
        struct pair {                                                           \
            type value;                                                         \
            int index;                                                          \
        };                                                                      \
        const struct pair* const a = in;                                        \
        struct pair* const b = inout;                                           \
        for (int i = 0; i < count; ++i) {                                       \
            if (a[i].value == b[i].value) {                                     \
                b[i].index = a[i].index < b[i].index ? a[i].index : b[i].index; \
            } else if ((op == MPI_MINLOC) == (a[i].value < b[i].value)) {       \
                b[i] = a[i];                                                    \
            }                                                                   \
        }                                                                       \
        return;                                                                 \
    }

void weir_mpi_combine(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
    const struct own_operation* const own = own_operation_of(op);
    if (own != NULL) {
        MPI_Datatype its_type = type;
        int its_count = count;
        own->function((void*)in, inout, &its_count, &its_type);
        return;
    }
    if (op == MPI_REPLACE) {
        weir_mpi_copy_values(inout, in, count, type);
        return;
    }
    if (op == MPI_NO_OP) {
        return;
    }
    switch (type) {
        case MPI_CHAR:
        case MPI_SIGNED_CHAR:
        case MPI_INT8_T:
            COMBINE_ALL(signed char, 1);
        case MPI_BYTE:
        case MPI_UNSIGNED_CHAR:
        case MPI_UINT8_T:
        case MPI_C_BOOL:
            COMBINE_ALL(unsigned char, 1);
        case MPI_SHORT:
        case MPI_INT16_T:
            COMBINE_ALL(short, 1);
        case MPI_UNSIGNED_SHORT:
        case MPI_UINT16_T:
            COMBINE_ALL(unsigned short, 1);
        case MPI_INT:
        case MPI_LONG:
        case MPI_INT32_T:
            COMBINE_ALL(int, 1);
        case MPI_UNSIGNED:
        case MPI_UNSIGNED_LONG:
        case MPI_UINT32_T:
            COMBINE_ALL(unsigned, 1);
        case MPI_LONG_LONG:
        case MPI_INT64_T:
            COMBINE_ALL(long long, 1);
        case MPI_UNSIGNED_LONG_LONG:
        case MPI_UINT64_T:
            COMBINE_ALL(unsigned long long, 1);
        case MPI_FLOAT:
            COMBINE_ALL(float, 0);
        case MPI_DOUBLE:
        case MPI_LONG_DOUBLE:
            COMBINE_ALL(double, 0);
        case MPI_C_COMPLEX:
            COMBINE_COMPLEX(float complex);
        case MPI_C_DOUBLE_COMPLEX:
            COMBINE_COMPLEX(double complex);
        case MPI_2INT:
        case MPI_LONG_INT:
            COMBINE_PAIRS(int);
        case MPI_FLOAT_INT:
            COMBINE_PAIRS(float);
        case MPI_DOUBLE_INT:
        case MPI_LONG_DOUBLE_INT:
            COMBINE_PAIRS(double);
        case MPI_SHORT_INT:
            COMBINE_PAIRS(short);
        default: /* excluded by weir_mpi_check_operation() */
            return;
    }
}

int MPI_Op_create(MPI_User_function* function, int is_commutative, MPI_Op* op) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, (const void*)function));
    CHECK(weir_mpi_check_result(NULL, op));
    for (int i = 0; i < MOST_OWN; ++i) {
        if (own_operations[i].function == NULL) {
            own_operations[i] = (struct own_operation){function, is_commutative};
            *op = FIRST_OWN + i;
            return MPI_SUCCESS;
        }
    }
    return ERROR(NULL, MPI_ERR_OTHER, "there are %d own operations; accepted: at most %d", MOST_OWN,
                 MOST_OWN);
}

static int check_own(const MPI_Op* op) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, op));
    return own_operation_of(*op) != NULL
               ? MPI_SUCCESS
               : ERROR(NULL, MPI_ERR_OP, "operation %d is not one of MPI_Op_create, or it is freed",
                       *op);
}
int MPI_Op_free(MPI_Op* op) {
    CHECK(check_own(op));
    own_operations[*op - FIRST_OWN].function = NULL;
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
int MPI_Op_commutative(MPI_Op op, int* is_commutative) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, is_commutative));
    if (op < MPI_SUM || op > MPI_NO_OP) {
        CHECK(check_own(&op));
    }
    *is_commutative = weir_mpi_is_commutative(op);
    return MPI_SUCCESS;
}

int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_data(NULL, in, count, type));
    CHECK(weir_mpi_check_data(NULL, inout, count, type));
    CHECK(weir_mpi_check_operation(NULL, op, type));
    weir_mpi_combine(in, inout, count, type, op);
    return MPI_SUCCESS;
}
