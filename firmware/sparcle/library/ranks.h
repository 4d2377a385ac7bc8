/*
 * Ranks of a program with MPI. Without WEIR_RANKS a node runs one rank, and a rank's number is its
 * node's.
 *
 * With WEIR_RANKS (weir compile --contexts) each context of a node runs a rank. The host loads a
 * copy of the program for each rank of the node. The copies lie at equal distances; the first one
 * is where the program was linked. Each copy has its own variables, heap and stack. The trap table
 * exists once, and the traps use the variables of the first copy.
 *
 * Ranks of a node reach each other's memory: they call functions of the other copy, and copy data.
 * A message between nodes names the handler in its receiver's copy.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_RANKS_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_RANKS_H

#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/contexts.h"

#ifdef WEIR_RANKS

/* Node of a rank, and the distance from this rank's copy of the program to a copy for its slot. */
struct weir_rank_place {
    uint32_t node;
    uint32_t distance;
};
extern struct weir_rank_place* weir_rank_places; /* by rank; since weir_start_places() */
extern uint32_t weir_own_rank;
extern uint32_t weir_rank_count;

/* Makes the table of places; returns 0 if memory has no room. */
int weir_start_places(void);
/* Waits until all ranks have called it. */
void weir_ranks_meet(void);
/* Ends this rank; the last one ends the node's program. */
void weir_end_rank(int status) __attribute__((noreturn));

static inline uint32_t weir_rank_number(void) { return weir_own_rank; }
static inline uint32_t weir_ranks(void) { return weir_rank_count; }
static inline uint32_t weir_node_of_rank(uint32_t rank) { return weir_rank_places[rank].node; }
static inline int weir_is_on_node(int rank) {
    return weir_node_of_rank((uint32_t)rank) == weir_node();
}
/* The same function or variable in the copy of another rank. */
#define WEIR_OF_RANK(address, rank) \
    ((__typeof__(&*(address)))((uint32_t)(address) + weir_rank_places[rank].distance))
/* The same variable in the copy of the node's first rank. */
#define WEIR_OF_FIRST(address) \
    ((__typeof__(&*(address)))((uint32_t)(address)-weir_rank.slot * weir_rank.stride))
/* Lets the node's other ranks run. */
static inline void weir_let_ranks_run(void) {
    if (weir_rank.ranks != 1) {
        context_yield();
    } else {
        am_poll_if_polling();
    }
}

#else

static inline uint32_t weir_rank_number(void) { return weir_node(); }
static inline uint32_t weir_ranks(void) { return weir_nodes; }
static inline uint32_t weir_node_of_rank(uint32_t rank) { return rank; }
#define weir_is_on_node(rank) ((rank) == (__typeof__(rank))weir_node())
#define WEIR_OF_RANK(address, rank) (address)
static inline void weir_ranks_meet(void) { am_barrier(); }

#endif

#endif
