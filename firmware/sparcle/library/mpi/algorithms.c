/*
 * Choice of a collective's algorithm by the run's environment (workload.environment). Variables and
 * algorithms have MPICH's names: MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/sparcle/library/mpi/collective.h"

#define NAME(name) #name,
static const char* const operation_names[] = {WEIR_MPI_OPERATIONS(NAME)};

/* By operation: 1 + the answer; 0: not asked yet */
static unsigned char answers[WEIR_MPI_OPERATION_COUNT];
static char variable[64];
static char accepted[160];

static const char* variable_of(enum weir_mpi_operation operation) {
    strcpy(variable, "MPIR_CVAR_");
    char* at = variable + strlen(variable);
    for (const char* from = operation_names[operation]; *from != '\0'; ++from) {
        *at++ = (char)toupper((unsigned char)*from);
    }
    strcpy(at, "_INTRA_ALGORITHM");
    return variable;
}

static void refuse(const char* value, const char* const* names) __attribute__((noreturn));
static void refuse(const char* value, const char* const* names) {
    strcpy(accepted, "auto");
    for (; *names != NULL; ++names) {
        strcat(accepted, ", ");
        strcat(accepted, *names);
    }
    FAIL("%s is \"%s\" in workload.environment; accepted: %s", (int)variable, (int)value,
         (int)accepted);
}

int weir_mpi_named_algorithm(const struct weir_mpi_collective* collective,
                             const char* const* names) {
    unsigned char* const answer = &answers[collective->operation];
    if (*answer == 0) {
        const char* const value = getenv(variable_of(collective->operation));
        int at = 0;
        if (value != NULL && strcmp(value, "auto") != 0) {
            while (names[at] != NULL && strcmp(names[at], value) != 0) {
                ++at;
            }
            if (names[at] == NULL) {
                refuse(value, names);
            }
            ++at;
        }
        *answer = (unsigned char)(at + 1);
    }
    return *answer - 1;
}

int weir_mpi_refuse_algorithm(const struct weir_mpi_collective* collective, const char* name,
                              const char* reason) {
    return ERROR(collective->comm, MPI_ERR_OTHER,
                 "%s is \"%s\" in workload.environment, which is for %s; this communicator has %d "
                 "ranks",
                 (int)variable_of(collective->operation), (int)name, (int)reason,
                 collective->comm->size);
}
