/*
 * What is left of a node that has come to a trap it has no handler for.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_TRAP_H
#define WEIR_FIRMWARE_SPARCLE_TRAP_H

/* Statuses of nodes whose program has not ended: this and the trap type; the buffer of messages
 * that overflow traps save is full; a handler has called what is not reentrant;
 * console_printf() does not know a conversion; a directory's software has no memory left; there is
 * no such shared memory as the program allocates; an element was full already; the C library has
 * found a fault. */
#define WEIR_STATUS_TRAP 0x100u
#define WEIR_STATUS_OVERFLOW_BUFFER_FULL 0x200u
#define WEIR_STATUS_NOT_REENTRANT 0x201u
#define WEIR_STATUS_NO_CONVERSION 0x202u
#define WEIR_STATUS_DIRECTORY_FULL 0x203u
#define WEIR_STATUS_NO_SHARED_MEMORY 0x204u
#define WEIR_STATUS_WRONG_STATE 0x205u
#define WEIR_STATUS_FAULT 0x206u

#ifndef __cplusplus /* what follows is the programs' */

/* traps.S writes it, word by word. */
struct weir_trap_record {
    unsigned type;
    unsigned pc;
    unsigned next_pc;
    unsigned psr;
    unsigned wim;
    unsigned y;
    unsigned globals[8]; /* but %g3 */
    unsigned outs[8];
    unsigned locals[8];
    unsigned ins[8];
};

extern struct weir_trap_record weir_trap_record;

/* Ends the node: its program, and, since it takes no interrupts then, its handlers. */
void weir_stop(unsigned status) __attribute__((noreturn));

#endif

#endif
