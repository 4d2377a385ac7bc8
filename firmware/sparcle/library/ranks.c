/* Start and end of a program whose ranks run in the contexts of a node (ranks.h). */
#include "firmware/sparcle/library/ranks.h"

#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/library/ranks_state.h"

WEIR_FROM_HOST struct weir_rank weir_rank = {0, 1, 0, 0};
struct weir_rank_place* weir_rank_places;
uint32_t weir_own_rank;
uint32_t weir_rank_count;
/* State of the node, used in the first rank's copy. */
volatile uint32_t weir_rank_ends[SPARCLE_CONTEXTS]; /* the host reads it (ranks_state.h) */
static volatile uint32_t ended;
static volatile uint32_t arrived, meetings;

extern uint64_t weir_bss_begin[], weir_bss_end[];
void start_in_context(uint32_t context, void (*thread)(uint32_t), uint32_t argument,
                      void* stack_end) __asm__("context_start");
void am_init(void);
int weir_run_program(int count, const uint32_t* words); /* start.c */

static void run_rank(uint32_t slot) {
    if (slot != 0) { /* boot.S has cleared the first rank's */
        for (volatile uint64_t* next = weir_bss_begin; next != weir_bss_end; ++next) {
            *next = 0;
        }
        am_init();
    }
    WEIR_DEVICE(WEIR_HOST_STACK_BEGIN) = weir_rank.memory_end - weir_boot.stack_bytes;
    WEIR_DEVICE(WEIR_HOST_STACK_BYTES) = weir_boot.stack_bytes;
    weir_rank_count = weir_nodes * weir_rank.ranks;
    weir_own_rank = weir_node() * weir_rank.ranks + slot;
    weir_run_program((int)weir_boot.argument_count, NULL);
}

int __wrap_main(int count, const uint32_t* words);
int __wrap_main(int count, const uint32_t* words) {
    (void)count;
    (void)words;
    for (uint32_t slot = 1; slot < weir_rank.ranks; ++slot) {
        const uint32_t distance = slot * weir_rank.stride;
        start_in_context(slot, (void (*)(uint32_t))((uint32_t)run_rank + distance), slot,
                         (void*)(weir_rank.memory_end + distance));
    }
    run_rank(0);
    return 0;
}

int weir_start_places(void) {
    struct weir_rank_place* const places =
        weir_take_from_heaps_end(weir_rank_count * sizeof *places);
    if (places == NULL) {
        return 0;
    }
    uint32_t rank = 0;
    for (uint32_t node = 0; node < weir_nodes; ++node) {
        uint32_t distance = 0 - weir_rank.slot * weir_rank.stride;
        for (uint32_t slot = 0; slot < weir_rank.ranks; ++slot) {
            places[rank++] = (struct weir_rank_place){node, distance};
            distance += weir_rank.stride;
        }
    }
    weir_rank_places = places;
    return 1;
}

/* The first rank of each node meets the other nodes' first ranks. */
void weir_ranks_meet(void) {
    volatile uint32_t* const come = WEIR_OF_FIRST(&arrived);
    volatile uint32_t* const met = WEIR_OF_FIRST(&meetings);
    const uint32_t before = *met;
    *come += 1;
    if (weir_rank.slot != 0) {
        while (*met == before) {
            context_yield();
        }
        return;
    }
    while (*come != weir_rank.ranks) {
        context_yield();
    }
    *come = 0;
    am_barrier();
    *met = before + 1;
}

void weir_end_rank(int status) {
    volatile uint32_t* const ends = WEIR_OF_FIRST(weir_rank_ends);
    volatile uint32_t* const count = WEIR_OF_FIRST(&ended);
    ends[weir_rank.slot] = WEIR_RANK_HAS_ENDED | (uint32_t)status;
    *count += 1;
    while (*count != weir_rank.ranks || weir_rank.slot != 0) {
        context_yield();
    }
    uint32_t first = 0;
    for (uint32_t slot = 0; slot < weir_rank.ranks && first == 0; ++slot) {
        first = ends[slot] & WEIR_RANK_STATUS;
    }
    WEIR_DEVICE(WEIR_HOST_EXIT) = first;
    am_interrupts(1);
    for (;;) {
        (void)WEIR_DEVICE(WEIR_HOST_IDLE);
    }
}
