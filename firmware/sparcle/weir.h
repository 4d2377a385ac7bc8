/*
 * Basic services for every program: node number, number of nodes, time, console, marks in the
 * trace, and work of a given number of cycles. Contains the interface to the host too. Programs
 * define int main(int count, const unsigned *words); its result is the node's status.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_WEIR_H
#define WEIR_FIRMWARE_SPARCLE_WEIR_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/sparcle/phases.h"
#include "firmware/sparcle/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Variable that the host writes before the run: in the image, and not zeroed by the program. */
#define WEIR_FROM_HOST __attribute__((section(".data"), aligned(8), used))

register uint32_t weir_node_register __asm__("g2");
register uint32_t am_receive_flag __asm__("g4");
#ifdef WEIR_THREADS
extern uint32_t am_slow_end; /* always zero */
register unsigned char* weir_thread_pointer __asm__("g7");
#else
register uint32_t am_slow_end __asm__("g5");
#endif
register const volatile uint32_t* am_window __asm__("g6");
register volatile unsigned char* weir_devices __asm__(WEIR_DEVICES_REGISTER);

#define WEIR_DEVICE(device_register) \
    (*(volatile uint32_t*)(weir_devices + WEIR_OFFSET(device_register)))

/* Settings that the host writes for every program. */
struct weir_boot {
    uint32_t polling;        /* 1: messages and DMA engines do not interrupt main() */
    uint32_t stack_bytes;    /* size of the stack, at the end of memory */
    uint32_t overflow_bytes; /* size of the overflow traps' buffer, below the stack */
    uint32_t argument_count; /* number of main()'s arguments */
    uint32_t arguments[60];
};
extern struct weir_boot weir_boot;

/* Memory from here to weir_data_end() is for the data of the host and the program. */
extern unsigned char weir_data[];

static inline uint32_t weir_node(void) { return weir_node_register; }
extern uint32_t weir_nodes; /* number of nodes */
static inline uint32_t weir_memory_bytes(void) { return WEIR_DEVICE(WEIR_HOST_MEMORY_BYTES); }
#ifdef WEIR_RANKS
/* Place of this copy of the program, for one rank of the node (library/ranks.h). Written by the
 * host: number of the copy, number of copies, distance between them, and end of this copy's memory.
 * The rank's stack begins at this end. */
struct weir_rank {
    uint32_t slot;
    uint32_t ranks;
    uint32_t stride;
    uint32_t memory_end;
};
extern struct weir_rank weir_rank;
static inline uint32_t weir_data_end(void) { return weir_rank.memory_end - weir_boot.stack_bytes; }
#else
static inline uint32_t weir_data_end(void) {
    return weir_memory_bytes() - weir_boot.stack_bytes - weir_boot.overflow_bytes;
}
#endif

/* Cycles since the machine's start: the lower 32 bits, or all 64. */
static inline uint32_t weir_cycle(void) { return WEIR_DEVICE(WEIR_HOST_CYCLE); }
static inline uint64_t weir_long_cycle(void) {
    uint32_t low = WEIR_DEVICE(WEIR_HOST_CYCLE);
    return (uint64_t)WEIR_DEVICE(WEIR_HOST_CYCLE_HIGH) << 32 | low;
}
/* Waits until the given cycle, which must be less than 2^31 cycles ahead. Messages are handled
 * during the wait. For the program only, not for handlers. */
void weir_wait_until(uint32_t cycle);
/* Takes `cycles` cycles in addition to the 7 of the call; one more if the number is odd. */
void weir_work(uint32_t cycles);

static inline void weir_mark(uint32_t name, uint32_t value) {
    WEIR_DEVICE(WEIR_HOST_MARK_NAME) = name;
    WEIR_DEVICE(WEIR_HOST_MARK) = value;
}

/* Phases of the program: weir_phase("exchange"). The node's cycles from here to the next phase,
 * weir_no_phase() or the program's end belong to this phase, including those of handlers. The
 * result lists phases by name; the name is a string literal. For the program only, not for
 * handlers; with several threads in contexts, for one thread only. */
#define weir_phase(name) weir_mark((uint32_t)(WEIR_PHASE_MARK name), 0)
#define weir_no_phase() weir_mark((uint32_t)(WEIR_NO_PHASE_MARK), 0)

/* Console output in the manner of printf: whole numbers, characters and texts. Any other conversion
 * stops the node with a message; printf() of <stdio.h> knows all conversions. */
void console_character(char character);
void console_text(const char* text);
int console_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
