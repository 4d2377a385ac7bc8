#include "firmware/sparcle/shared_memory.h"

#include "firmware/sparcle/trap.h"

/* Same mapping as AddressMap::address_at(): granules are assigned to the nodes in rounds. With
 * hashing, each round begins at a different node. */
static uint32_t first_of_round(uint32_t round) {
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    return weir_shared_memory.is_hashed ? (uint32_t)(round * golden >> 32) % weir_nodes : 0;
}

uint32_t shared_address(uint32_t home, uint32_t offset) {
    const uint32_t granule = weir_shared_memory.granule;
    const uint32_t round = offset / granule;
    const uint32_t number =
        round * weir_nodes + (home + weir_nodes - first_of_round(round)) % weir_nodes;
    return SHARED_BASE + number * granule + offset % granule;
}

static void refuse(uint32_t home, uint32_t bytes, const char* why, uint32_t most)
    __attribute__((noreturn));
static void refuse(uint32_t home, uint32_t bytes, const char* why, uint32_t most) {
    console_printf("node %u: shared_allocate(%u, %u): %s %u\n", weir_node(), home, bytes, why,
                   most);
    weir_stop(WEIR_STATUS_NO_SHARED_MEMORY);
}

void* shared_allocate(uint32_t home, uint32_t bytes) {
    const uint32_t granule = weir_shared_memory.granule;
    if (home >= weir_nodes) {
        refuse(home, bytes, "there is no such home; nodes:", weir_nodes);
    }
    if (bytes > granule) {
        refuse(home, bytes, "bytes that lie at one home (coherence.home):", granule);
    }
    uint32_t* const used = &weir_shared_memory.used[home];
    uint32_t offset = *used;
    if (offset % granule + bytes > granule) {
        offset += granule - offset % granule;
    }
    if (offset > weir_shared_memory.bytes || bytes > weir_shared_memory.bytes - offset) {
        refuse(home, bytes, "coherence.shared_bytes of a node:", weir_shared_memory.bytes);
    }
    *used = (offset + bytes + SHARED_LINE - 1) & -(uint32_t)SHARED_LINE;
    return (void*)shared_address(home, offset);
}

void shared_lock_make(struct shared_lock* lock, uint32_t kind, uint32_t home, uint32_t threads) {
    lock->kind = kind;
    lock->word = shared_line(home);
    if (kind != SHARED_LOCK_QUEUE) {
        return;
    }
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        for (uint32_t thread = 0; thread < threads; ++thread) {
            void* const place = shared_allocate(node, SHARED_LINE);
            if (node == weir_node()) {
                lock->places[thread] = place;
            }
        }
    }
}

void shared_lock_acquire(struct shared_lock* lock, uint32_t thread) {
    if (lock->kind == SHARED_LOCK_QUEUE) {
        shared_queue_join(lock->word, lock->places[thread]);
        return;
    }
    for (;;) {
        if (lock->kind == SHARED_LOCK_TEST_AND_TEST_AND_SET) {
            shared_spin_while(lock->word, 1);
        }
        if (shared_exchange(lock->word, 1) == 0) {
            return;
        }
        shared_look_again();
    }
}

void shared_lock_release(struct shared_lock* lock, uint32_t thread) {
    __asm__ volatile("" : : : "memory");
    if (lock->kind == SHARED_LOCK_QUEUE) {
        shared_queue_leave(lock->word, lock->places[thread]);
    } else {
        *lock->word = 0;
    }
}

void shared_barrier_make(struct shared_barrier* barrier) {
    const uint32_t self = weir_node();
    barrier->meetings = 0;
    barrier->children = 0;
    for (uint32_t node = 1; node < weir_nodes; ++node) {
        const uint32_t parent = (node - 1) / SHARED_BARRIER_CHILDREN;
        volatile uint32_t* const arrived = shared_line(parent);
        volatile uint32_t* const released = shared_line(node);
        if (node == self) {
            barrier->arrived = arrived;
            barrier->released = released;
        } else if (parent == self) {
            barrier->child_arrived[barrier->children] = arrived;
            barrier->child_released[barrier->children] = released;
            ++barrier->children;
        }
    }
}

void shared_barrier_meet(struct shared_barrier* barrier) {
    const uint32_t meeting = ++barrier->meetings;
    __asm__ volatile("" : : : "memory");
    for (uint32_t child = 0; child < barrier->children; ++child) {
        shared_spin_until(barrier->child_arrived[child], meeting);
    }
    if (weir_node() != 0) {
        *barrier->arrived = meeting;
        shared_spin_until(barrier->released, meeting);
    }
    for (uint32_t child = 0; child < barrier->children; ++child) {
        *barrier->child_released[child] = meeting;
    }
}
