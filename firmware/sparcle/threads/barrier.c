/*
 * Barriers: the tree of Mellor-Crummey and Scott (TOCS 1991), with four children a place. A thread
 * waits for its children's arrivals, then announces its own to its parent. The root lets its
 * children go, and so on down the tree.
 *
 * POSIX says how many threads meet, and not which. A thread takes a free place when it first comes
 * and keeps it. If a thread comes and no place is free, other threads than before meet. The
 * newcomer waits until all others of this meeting have arrived. It then takes a place that has
 * stayed empty.
 */
#include <errno.h>
#include <stdlib.h>

#include "firmware/sparcle/threads/thread.h"

#define CHILDREN 4

/* A place in the tree: two lines, of which the second is written by the parent. */
struct place {
    volatile uint32_t here;    /* last meeting at which the place's thread has come */
    volatile uint32_t arrived; /* last meeting at which all below it have come too */
    struct weir_thread* volatile thread;
    uint32_t unused;
    volatile uint32_t released WEIR_OF_A_LINE; /* last meeting that is over */
};

struct weir_tree_barrier {
    uint32_t generation; /* distinguishes barriers that lie at the same address in turn */
    uint32_t count;
    struct weir_waiter* volatile lock; /* protects what follows */
    volatile uint32_t taken;           /* number of places that have a thread */
    struct weir_waiter* newcomers;     /* threads without a place, linked by `next` */
    volatile uint32_t newcomer_count;
    struct place* places;
};

WEIR_SHARED static volatile uint32_t generations;

int pthread_barrierattr_init(pthread_barrierattr_t* attributes) {
    attributes->pshared = PTHREAD_PROCESS_PRIVATE;
    return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t* attributes) {
    (void)attributes;
    return 0;
}
int pthread_barrierattr_setpshared(pthread_barrierattr_t* attributes, int shared) {
    attributes->pshared = shared;
    return 0;
}
int pthread_barrierattr_getpshared(const pthread_barrierattr_t* attributes, int* shared) {
    *shared = attributes->pshared;
    return 0;
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                         unsigned count) {
    (void)attributes;
    if (count == 0) {
        return EINVAL;
    }
    struct weir_tree_barrier* const tree = calloc(1, sizeof *tree);
    struct place* const places = calloc(count, sizeof *places);
    if (tree == NULL || places == NULL) {
        free(tree);
        free(places);
        return ENOMEM;
    }
    tree->generation = __atomic_add_fetch(&generations, 1, __ATOMIC_SEQ_CST);
    tree->count = count;
    tree->places = places;
    barrier->tree = tree;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) {
    if (barrier->tree == NULL) {
        return EINVAL;
    }
    free(barrier->tree->places);
    free(barrier->tree);
    barrier->tree = NULL;
    return 0;
}

/* Gives the newcomers the places that have stayed empty, if all others have come. The caller holds
 * the lock. */
static void place_newcomers(struct weir_tree_barrier* tree) {
    const uint32_t meeting = tree->places[0].released + 1;
    uint32_t come = 0;
    for (uint32_t i = 0; i < tree->count; ++i) {
        come += tree->places[i].here == meeting;
    }
    if (come + tree->newcomer_count != tree->count) {
        return;
    }
    for (uint32_t i = 0; tree->newcomers != NULL; ++i) {
        if (tree->places[i].here != meeting) {
            struct weir_waiter* const entry = tree->newcomers;
            tree->newcomers = entry->next;
            tree->places[i].thread = entry->thread;
            entry->kind = i;
            weir_let_go(entry);
        }
    }
    tree->newcomer_count = 0;
}

static uint32_t find_place(struct weir_tree_barrier* tree) {
    struct weir_thread* const self = weir_self();
    struct weir_waiter* const lock = weir_take_entry();
    weir_lock(&tree->lock, lock);
    uint32_t number = 0;
    while (number < tree->taken && tree->places[number].thread != self) {
        ++number;
    }
    struct weir_waiter* newcomer = NULL;
    if (number == tree->count) {
        newcomer = weir_take_entry();
        newcomer->state = WAITER_WAITS;
        newcomer->next = tree->newcomers;
        tree->newcomers = newcomer;
        ++tree->newcomer_count;
    } else if (number == tree->taken) {
        tree->places[number].thread = self;
        ++tree->taken;
    }
    weir_unlock(&tree->lock, lock);
    if (newcomer != NULL) {
        while (newcomer->state == WAITER_WAITS) {
            weir_lock(&tree->lock, lock);
            if (newcomer->state == WAITER_WAITS) {
                place_newcomers(tree);
            }
            weir_unlock(&tree->lock, lock);
            shared_look_again();
        }
        number = newcomer->kind;
        weir_return_entry(newcomer);
    }
    weir_return_entry(lock);
    return number;
}

/* The thread's place, remembered from its last meeting if no other thread has taken it since. */
static struct place* own_place(struct weir_tree_barrier* tree) {
    struct weir_thread* const self = weir_self();
    for (uint32_t i = 0; i < REMEMBERED_BARRIERS; ++i) {
        if (self->barriers[i].barrier == tree && self->barriers[i].generation == tree->generation) {
            struct place* const place = &tree->places[self->barriers[i].place];
            if (place->thread == self) {
                return place;
            }
        }
    }
    const uint32_t number = find_place(tree);
    const uint32_t i = self->next_barrier;
    self->next_barrier = (i + 1) % REMEMBERED_BARRIERS;
    self->barriers[i].barrier = tree;
    self->barriers[i].generation = tree->generation;
    self->barriers[i].place = number;
    return &tree->places[number];
}

int pthread_barrier_wait(pthread_barrier_t* barrier) {
    struct weir_tree_barrier* const tree = barrier->tree;
    if (tree == NULL) {
        return EINVAL;
    }
    weir_begin_wait(WEIR_WAIT_BARRIER, barrier, __builtin_return_address(0));
    struct place* const own = own_place(tree);
    const uint32_t number = (uint32_t)(own - tree->places);
    const uint32_t first_child = CHILDREN * number + 1;
    const uint32_t end =
        first_child + CHILDREN < tree->count ? first_child + CHILDREN : tree->count;
    const uint32_t meeting = own->released + 1;
    __asm__ volatile("" : : : "memory");
    own->here = meeting;
    for (uint32_t child = first_child; child < end; ++child) {
        shared_spin_until(&tree->places[child].arrived, meeting);
    }
    if (number != 0) {
        own->arrived = meeting;
        shared_spin_until(&own->released, meeting);
    } else {
        own->released = meeting;
    }
    for (uint32_t child = first_child; child < end; ++child) {
        tree->places[child].released = meeting;
    }
    weir_end_wait();
    return number == 0 ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
