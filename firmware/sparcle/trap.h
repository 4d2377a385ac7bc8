/*
 * Record of a trap that ended a node, and the statuses of ended nodes.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_TRAP_H
#define WEIR_FIRMWARE_SPARCLE_TRAP_H

/* Statuses of nodes that ended abnormally, in the order below:
 * - trap without a handler (this value plus the trap type)
 * - buffer for saved messages is full
 * - a handler called a function that is not reentrant
 * - console_printf() does not know a conversion
 * - directory's software has no memory left
 * - shared memory is too small for an allocation
 * - element was full already, or not taken
 * - C library found a fault */
#define WEIR_STATUS_TRAP 0x100u
#define WEIR_STATUS_OVERFLOW_BUFFER_FULL 0x200u
#define WEIR_STATUS_NOT_REENTRANT 0x201u
#define WEIR_STATUS_NO_CONVERSION 0x202u
#define WEIR_STATUS_DIRECTORY_FULL 0x203u
#define WEIR_STATUS_NO_SHARED_MEMORY 0x204u
#define WEIR_STATUS_WRONG_STATE 0x205u
#define WEIR_STATUS_FAULT 0x206u

#ifndef __cplusplus /* the rest is for programs only */

/* Written by traps.S, word by word. */
struct weir_trap_record {
    unsigned type;
    unsigned pc;
    unsigned next_pc;
    unsigned psr;
    unsigned wim;
    unsigned y;
    unsigned globals[8]; /* all except %g3 */
    unsigned outs[8];
    unsigned locals[8];
    unsigned ins[8];
};

extern struct weir_trap_record weir_trap_record;

/* Ends the node: its program and, because no more interrupts are taken, its handlers. */
void weir_stop(unsigned status) __attribute__((noreturn));

#endif

#endif
