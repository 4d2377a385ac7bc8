/*
 * Record of a trap that ended a node, and the statuses of ended nodes.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_TRAP_H
#define WEIR_FIRMWARE_SPARCLE_TRAP_H

/* Statuses of nodes that ended abnormally, in the order below:
 * - trap without a handler (this value plus the trap type)
 * - buffer of overflow traps is full
 * - a handler called a function that is not reentrant
 * - console_printf() met a conversion that it lacks
 * - directory's software has no memory left
 * - shared memory is too small for an allocation
 * - write of a full J-structure element, or put of an L-structure element that is not taken
 * - C library found a fault
 * - thread that has no context left */
#define WEIR_STATUS_TRAP 0x100u
#define WEIR_STATUS_OVERFLOW_BUFFER_FULL 0x200u
#define WEIR_STATUS_NOT_REENTRANT 0x201u
#define WEIR_STATUS_NO_CONVERSION 0x202u
#define WEIR_STATUS_DIRECTORY_FULL 0x203u
#define WEIR_STATUS_NO_SHARED_MEMORY 0x204u
#define WEIR_STATUS_WRONG_STATE 0x205u
#define WEIR_STATUS_FAULT 0x206u
#define WEIR_STATUS_TOO_MANY_THREADS 0x207u

#ifndef __cplusplus /* the rest is for programs only */

/* Processor state at the trap, stored by traps.S; the order of words is fixed. */
struct weir_trap_record {
    unsigned type;
    unsigned pc;
    unsigned next_pc;
    unsigned psr;
    unsigned wim;
    unsigned y;
    unsigned globals[8]; /* all global registers except %g3 */
    unsigned outs[8];
    unsigned locals[8];
    unsigned ins[8];
};

extern struct weir_trap_record weir_trap_record;

/* Ends the node's program with this status. The node's handlers end too: no more interrupts are
 * taken. */
void weir_stop(unsigned status) __attribute__((noreturn));

#endif

#endif
