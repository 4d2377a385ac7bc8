/*
 * Sparcle's additions to the SPARC V7 architecture, as Weir encodes them: interrupt levels, address
 * space identifiers, coprocessor operations and trap types. Plain C, since the core and all
 * firmware include this header.
 *
 * Sparcle's operations are published, their encodings are not. The encodings here are Weir's own,
 * within the ranges that SPARC leaves to the implementation.
 */
#ifndef WEIR_NODES_SPARCLE_ARCHITECTURE_H
#define WEIR_NODES_SPARCLE_ARCHITECTURE_H

/* Register windows; SAVE switches to the window with the next lower number. A hardware context has
 * two windows, one for the thread and one for its traps. */
#define SPARCLE_WINDOWS 8
#define SPARCLE_CONTEXTS 4
#define SPARCLE_WINDOWS_PER_CONTEXT 2

/* Interrupt levels, in this order:
 * - a message waits, in the input queue or saved by a trap;
 * - a DMA engine with an end interrupt has finished;
 * - packets of the coherence protocol wait for software;
 * - the full input queue has stopped the network for too long.
 * Level n is trap type 0x10 + n. */
#define SPARCLE_LEVEL_MESSAGE 8
#define SPARCLE_LEVEL_DMA 9
#define SPARCLE_LEVEL_COHERENCE 13
#define SPARCLE_LEVEL_OVERFLOW 14

/* Address space identifiers of LDA, STA and other alternate accesses. 0x8 to 0xb are SPARC's: user
 * and supervisor instructions and data, here one space. All others may be used in user mode too. */
#define SPARCLE_ASI_USER_INSTRUCTION 0x08
#define SPARCLE_ASI_SUPERVISOR_INSTRUCTION 0x09
#define SPARCLE_ASI_USER_DATA 0x0a
#define SPARCLE_ASI_SUPERVISOR_DATA 0x0b
/* LDIO and STIO: registers of the message controller, never cached. The data spaces reach the
 * registers by their addresses, too. */
#define SPARCLE_ASI_IO 0x70
/* Full/empty bits: every word of private and shared memory has a bit, full at first. Ordinary
 * accesses ignore the bit. An access of two words uses the bit of the first word; an access of a
 * byte or halfword uses the bit of its word. LOAD_FULL and TAKE_FULL load a full word; TAKE_FULL
 * empties it. STORE_IF_EMPTY and FILL_IF_EMPTY store to an empty word; FILL_IF_EMPTY fills it. In
 * the other state these four trap as SPARCLE_TRAP_FULL_EMPTY, without any effect. */
#define SPARCLE_ASI_LOAD_FULL 0x74
#define SPARCLE_ASI_TAKE_FULL 0x75
#define SPARCLE_ASI_STORE_IF_EMPTY 0x7c
#define SPARCLE_ASI_FILL_IF_EMPTY 0x7d
/* LOAD_FOUND to STORE_FOUND take place in either state, and report the state before the access in
 * SPARCLE_PSR_FULL. TAKE_FOUND and STORE_EMPTY empty the word, STORE_FULL fills it, and LOAD_FOUND
 * and STORE_FOUND keep its bit. */
#define SPARCLE_ASI_LOAD_FOUND 0x7a
#define SPARCLE_ASI_TAKE_FOUND 0x7b
#define SPARCLE_ASI_STORE_FULL 0x76
#define SPARCLE_ASI_STORE_EMPTY 0x77
#define SPARCLE_ASI_STORE_FOUND 0x7e
/* Fetch-and-op, by SWAPA on shared memory. The home replaces the word by the result of the
 * operation on word and register; the register gets the old word. Requires coherence.fetch_and_op,
 * a study option. */
#define SPARCLE_ASI_FETCH_AND_ADD 0x6c
#define SPARCLE_ASI_FETCH_AND_AND 0x6d
#define SPARCLE_ASI_FETCH_AND_OR 0x6e
#define SPARCLE_ASI_EXCHANGE_AT_HOME 0x6f
/* Prefetches of a line of shared memory, for loads or for stores, by load instructions. The
 * destination register becomes 0. Prefetches take the cycles of a load that hits. */
#define SPARCLE_ASI_PREFETCH 0x78
#define SPARCLE_ASI_PREFETCH_TO_WRITE 0x79

/* Bit of PSR: the last reporting access has found its word full. CB1 (Bfull) branches if the bit is
 * 1, CB0 (Bempty) if it is 0. WRPSR clears the bit if the next higher bit is set, as in a
 * sign-extended immediate. SPARC does not use either bit. */
#define SPARCLE_PSR_FULL 0x4000
#define SPARCLE_PSR_ABOVE_FULL 0x8000

/* Operations of CPop1 (op = 2, op3 = 0x36), in its opc field. rs1 is an operand, rd and rs2 are 0.
 * NEXTF, PREVF: adds 2 to, or subtracts 2 from, the current window pointer, modulo the number of
 * windows; privileged.
 * IPILAUNCH: stores rs1 to WEIR_LAUNCH.
 * IPICST: stores rs1 to WEIR_STORE_BODY, WEIR_STORE_BODY_AND_INTERRUPT or WEIR_DISPOSE. IPILAUNCH
 * and IPICST take the cycles of the store to the controller. */
#define SPARCLE_NEXTF 0x001
#define SPARCLE_PREVF 0x002
#define SPARCLE_IPILAUNCH 0x010
#define SPARCLE_IPICST_STORE 0x011
#define SPARCLE_IPICST_STORE_AND_INTERRUPT 0x012
#define SPARCLE_IPICST_DISCARD 0x013
/* The instruction word; `rs1` is the number of a register, 0 to 31. */
#define SPARCLE_CPOP1(operation, rs1) (0x81b00000u | ((rs1) << 14) | ((operation) << 5))

/* Notes of a program for the accounting of its cycles. A note is SETHI of %g0 with one of these
 * immediates: it takes the cycle of a NOP and changes nothing. Between the two notes, the running
 * thread waits for another thread (a lock, a barrier or a signal). These cycles count as
 * synchronization.
 */
#define SPARCLE_WAIT_BEGINS 0x3e0001
#define SPARCLE_WAIT_ENDS 0x3e0002
/* The instruction word. */
#define SPARCLE_NOTE(immediate) (0x01000000u | (immediate))

/* Additional trap types. REMOTE_WAIT: the line of an access comes from another node, so that
 * another context can run. FULL_EMPTY: a full/empty access has found the wrong state. */
#define SPARCLE_TRAP_DIVISION_BY_ZERO 0x2a
#define SPARCLE_TRAP_REMOTE_WAIT 0x60
#define SPARCLE_TRAP_FULL_EMPTY 0x61

#endif
