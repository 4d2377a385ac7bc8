/* Attributes of communicators: those of MPI, and those of programs. */
#include <stdlib.h>

#include "firmware/sparcle/library/mpi/internals.h"

#define FIRST_KEY 0x100
#define MOST_KEYS 64

static struct key {
    int is_used;
    MPI_Comm_copy_attr_function* copy;
    MPI_Comm_delete_attr_function* remove;
    void* extra;
} keys[MOST_KEYS];

static int check_key(const struct weir_mpi_communicator* comm, int key) {
    return key >= FIRST_KEY && key < FIRST_KEY + MOST_KEYS && keys[key - FIRST_KEY].is_used
               ? MPI_SUCCESS
               : ERROR(comm, MPI_ERR_KEYVAL,
                       "there is no attribute key %d; accepted: one of MPI_Comm_create_keyval",
                       key);
}

static struct weir_mpi_attribute** find(struct weir_mpi_communicator* comm, int key) {
    struct weir_mpi_attribute** at = &comm->attributes;
    while (*at != NULL && (*at)->key != key) {
        at = &(*at)->next;
    }
    return at;
}

static int remove_at(struct weir_mpi_communicator* comm, struct weir_mpi_attribute** at) {
    struct weir_mpi_attribute* const attribute = *at;
    const struct key* const key = &keys[attribute->key - FIRST_KEY];
    if (key->remove != NULL) {
        CHECK(key->remove(weir_mpi_handle_of(comm), attribute->key, attribute->value, key->extra));
    }
    *at = attribute->next;
    free(attribute);
    return MPI_SUCCESS;
}

static void add(struct weir_mpi_communicator* comm, int key, void* value) {
    struct weir_mpi_attribute* const made = weir_mpi_memory(sizeof *made);
    *made = (struct weir_mpi_attribute){key, value, comm->attributes};
    comm->attributes = made;
}

static int copy_all(struct weir_mpi_communicator* from, struct weir_mpi_communicator* to) {
    for (const struct weir_mpi_attribute* next = from->attributes; next != NULL;
         next = next->next) {
        const struct key* const key = &keys[next->key - FIRST_KEY];
        void* value = NULL;
        int is_copied = 0;
        if (key->copy != NULL) {
            CHECK(key->copy(weir_mpi_handle_of(from), next->key, key->extra, next->value, &value,
                            &is_copied));
        }
        if (is_copied) {
            add(to, next->key, value);
        }
    }
    return MPI_SUCCESS;
}
static int delete_all(struct weir_mpi_communicator* comm) {
    while (comm->attributes != NULL) {
        CHECK(remove_at(comm, &comm->attributes));
    }
    return MPI_SUCCESS;
}

int weir_mpi_duplicate_attribute(MPI_Comm from, int key, void* extra, void* value, void* copy,
                                 int* is_copied) {
    (void)from;
    (void)key;
    (void)extra;
    *(void**)copy = value;
    *is_copied = 1;
    return MPI_SUCCESS;
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove,
                           int* key, void* extra) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, key));
    for (int i = 0; i < MOST_KEYS; ++i) {
        if (!keys[i].is_used) {
            keys[i] = (struct key){1, copy, remove, extra};
            *key = FIRST_KEY + i;
            weir_mpi_copy_attributes = copy_all;
            weir_mpi_delete_attributes = delete_all;
            return MPI_SUCCESS;
        }
    }
    return ERROR(NULL, MPI_ERR_OTHER, "there are %d attribute keys; accepted: at most %d",
                 MOST_KEYS, MOST_KEYS);
}
/* The number is not used again, since communicators may still have the attribute. */
int MPI_Comm_free_keyval(int* key) {
    weir_mpi_check_running();
    CHECK(weir_mpi_check_result(NULL, key));
    CHECK(check_key(NULL, *key));
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}
int MPI_Comm_set_attr(MPI_Comm handle, int key, void* value) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(check_key(comm, key));
    struct weir_mpi_attribute** const at = find(comm, key);
    if (*at != NULL) {
        CHECK(remove_at(comm, at));
    }
    add(comm, key, value);
    return MPI_SUCCESS;
}
int MPI_Comm_get_attr(MPI_Comm handle, int key, void* value, int* is_there) {
    static int tag_bound = INT_MAX;
    static int host = MPI_PROC_NULL;
    static int io = MPI_ANY_SOURCE;
    static int is_global = 1;
    static int universe;
    static int last_code = MPI_ERR_LASTCODE;
    static int* const values[] = {[MPI_TAG_UB] = &tag_bound,
                                  [MPI_HOST] = &host,
                                  [MPI_IO] = &io,
                                  [MPI_WTIME_IS_GLOBAL] = &is_global,
                                  [MPI_UNIVERSE_SIZE] = &universe,
                                  [MPI_LASTUSEDCODE] = &last_code};
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(weir_mpi_check_result(comm, value));
    CHECK(weir_mpi_check_result(comm, is_there));
    *is_there = 0;
    if (key == MPI_APPNUM) {
        return MPI_SUCCESS;
    }
    if (key >= MPI_TAG_UB && key <= MPI_LASTUSEDCODE) {
        universe = weir_mpi_world.size;
        *(int**)value = values[key];
        *is_there = 1;
        return MPI_SUCCESS;
    }
    CHECK(check_key(comm, key));
    const struct weir_mpi_attribute* const found = *find(comm, key);
    if (found != NULL) {
        *(void**)value = found->value;
        *is_there = 1;
    }
    return MPI_SUCCESS;
}
int MPI_Attr_get(MPI_Comm comm, int key, void* value, int* is_there) {
    CHECK(MPI_Comm_get_attr(comm, key, value, is_there));
    return MPI_SUCCESS;
}
int MPI_Comm_delete_attr(MPI_Comm handle, int key) {
    struct weir_mpi_communicator* comm;
    CHECK(weir_mpi_check_comm(handle, &comm));
    CHECK(check_key(comm, key));
    struct weir_mpi_attribute** const at = find(comm, key);
    if (*at != NULL) {
        CHECK(remove_at(comm, at));
    }
    return MPI_SUCCESS;
}
