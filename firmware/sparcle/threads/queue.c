/*
 * Queues in which threads wait: the lock of Mellor-Crummey and Scott (TOCS 1991), and lists of
 * waiting threads under such a lock. The entries are lines at the waiting threads' nodes. A waiting
 * thread loads a line that its cache holds; a single store or exchange of another thread wakes it.
 */
#include <sys/time.h>

#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/threads/thread.h"

extern uint32_t weir_processor_khz;

static inline struct weir_waiter* exchange(struct weir_waiter* volatile* place,
                                           struct weir_waiter* value) {
    return (struct weir_waiter*)shared_exchange((volatile uint32_t*)place, (uint32_t)value);
}

void weir_lock(struct weir_waiter* volatile* last, struct weir_waiter* entry) {
    entry->next = NULL;
    entry->state = WAITER_WAITS;
    struct weir_waiter* const before = exchange(last, entry);
    if (before != NULL) {
        before->next = entry;
        shared_spin_until(&entry->state, WAITER_GO);
    }
}

/* A lock that is free when looked at, and taken when exchanged, is left again. */
int weir_try_lock(struct weir_waiter* volatile* last, struct weir_waiter* entry) {
    if (*last != NULL) {
        weir_return_entry(entry);
        return 0;
    }
    entry->next = NULL;
    entry->state = WAITER_WAITS;
    struct weir_waiter* const before = exchange(last, entry);
    if (before == NULL) {
        return 1;
    }
    before->next = entry;
    if (shared_exchange(&entry->state, WAITER_LEFT) == WAITER_GO) {
        return 1;
    }
    weir_return_left_entry(entry);
    return 0;
}

/* Without compare-and-swap: a holder without a successor exchanges the end of the queue for NULL.
 * If a thread has joined meanwhile, the end is restored, and threads that joined in between go
 * first. */
void weir_unlock(struct weir_waiter* volatile* last, struct weir_waiter* entry) {
    __asm__ volatile("" : : : "memory");
    struct weir_waiter* const own = entry;
    for (;;) {
        struct weir_waiter* next = entry->next;
        if (next == NULL) {
            struct weir_waiter* const end = exchange(last, NULL);
            struct weir_waiter* const came_meanwhile = end == entry ? NULL : exchange(last, end);
            if (end != entry) {
                while ((next = entry->next) == NULL) {
                    shared_look_again();
                }
            }
            if (end == entry || came_meanwhile != NULL) {
                if (came_meanwhile != NULL) {
                    came_meanwhile->next = next;
                }
                if (entry != own) {
                    entry->state = WAITER_PASSED;
                }
                return;
            }
        }
        const int has_left = shared_exchange(&next->state, WAITER_GO) == WAITER_LEFT;
        if (entry != own) {
            entry->state = WAITER_PASSED;
        }
        if (!has_left) {
            return;
        }
        entry = next;
    }
}

struct weir_waiter* weir_take_entry(void) {
    struct weir_thread* const self = weir_self();
    struct weir_waiter* volatile* at = (struct weir_waiter* volatile*)&self->left;
    while (*at != NULL) { /* entries that have left their queue are free again */
        struct weir_waiter* const entry = *at;
        if (entry->state == WAITER_PASSED) {
            *at = (struct weir_waiter*)entry->kind;
            entry->thread = self;
            return entry;
        }
        at = (struct weir_waiter* volatile*)&entry->kind;
    }
    struct weir_waiter* entry = self->entries;
    if (entry != NULL) {
        self->entries = entry->next;
    } else if ((entry = weir_heap_take(sizeof *entry, self->node)) == NULL) {
        weir_fault("no shared memory is left for a thread's wait", NULL);
    }
    entry->thread = self;
    return entry;
}

void weir_return_entry(struct weir_waiter* entry) {
    struct weir_thread* const self = weir_self();
    entry->next = self->entries;
    self->entries = entry;
}

void weir_return_left_entry(struct weir_waiter* entry) {
    struct weir_thread* const self = weir_self();
    entry->kind = (uint32_t)self->left;
    self->left = entry;
}

void weir_enqueue(struct weir_queue* queue, struct weir_waiter* entry) {
    entry->next = NULL;
    entry->state = WAITER_WAITS;
    if (queue->first == NULL) {
        queue->first = entry;
    } else {
        queue->last->next = entry;
    }
    queue->last = entry;
}

struct weir_waiter* weir_dequeue(struct weir_queue* queue) {
    struct weir_waiter* const first = queue->first;
    if (first != NULL) {
        queue->first = first->next;
    }
    return first;
}

void weir_remove(struct weir_queue* queue, const struct weir_waiter* entry) {
    struct weir_waiter* before = NULL;
    for (struct weir_waiter* at = queue->first; at != NULL; before = at, at = at->next) {
        if (at != entry) {
            continue;
        }
        if (before == NULL) {
            queue->first = at->next;
        } else {
            before->next = at->next;
        }
        if (queue->last == at) {
            queue->last = before;
        }
        return;
    }
}

int weir_wait(const struct weir_waiter* entry, const uint64_t* until) {
    if (until == NULL) {
        shared_spin_while(&entry->state, WAITER_WAITS);
        return 1;
    }
    while (entry->state == WAITER_WAITS) {
        if (weir_long_cycle() >= *until) {
            return 0;
        }
        shared_look_again();
    }
    __asm__ volatile("" : : : "memory");
    return 1;
}

uint64_t weir_cycle_of(const struct timespec* time) {
    const uint64_t microseconds =
        (uint64_t)time->tv_sec * 1000000 + (uint64_t)(time->tv_nsec + 999) / 1000;
    return microseconds * weir_processor_khz / 1000;
}
