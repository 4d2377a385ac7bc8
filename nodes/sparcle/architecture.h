/*
 * What Sparcle has beyond the SPARC V7 architecture, as Weir encodes it: interrupt levels, address
 * space identifiers, coprocessor operations and trap types. Plain C; the core and every firmware
 * include the same header.
 *
 * That Sparcle had these operations is known; how they were encoded is not. The encodings are
 * Weir's own, in the places SPARC leaves to the implementation.
 */
#ifndef WEIR_NODES_SPARCLE_ARCHITECTURE_H
#define WEIR_NODES_SPARCLE_ARCHITECTURE_H

/* Register windows; SAVE goes to the one with the next lower number. A hardware context has two of
 * them, the thread's and the one that its traps use. */
#define SPARCLE_WINDOWS 8
#define SPARCLE_CONTEXTS 4
#define SPARCLE_WINDOWS_PER_CONTEXT 2

/* Interrupt levels: a message waits, in the input queue or saved by a trap; a DMA engine that was
 * to interrupt has ended; packets of the coherence protocol wait for software; the input queue has
 * stopped the network for too long. Level n is trap type 0x10 + n. */
#define SPARCLE_LEVEL_MESSAGE 8
#define SPARCLE_LEVEL_DMA 9
#define SPARCLE_LEVEL_COHERENCE 13
#define SPARCLE_LEVEL_OVERFLOW 14

/* Address space identifiers of LDA, STA and their kin. 0x8 to 0xb are SPARC's: user and supervisor
 * instructions and data, here one space. The others may be used in user mode too. */
#define SPARCLE_ASI_USER_INSTRUCTION 0x08
#define SPARCLE_ASI_SUPERVISOR_INSTRUCTION 0x09
#define SPARCLE_ASI_USER_DATA 0x0a
#define SPARCLE_ASI_SUPERVISOR_DATA 0x0b
/* LDIO and STIO: the registers of the message controller, whatever the caches do. Such an address
 * reaches them with any data space too. */
#define SPARCLE_ASI_IO 0x70
/* Every word of memory, also of shared memory, has a full/empty bit beside it, at first full, which
 * other accesses do not see. An access of two words uses the first one's bit, one of less than a
 * word that of its word. These need a state of the word, and trap as SPARCLE_TRAP_FULL_EMPTY in the
 * other one, in which they do nothing. Loads of full words: the second makes the word empty. Stores
 * to empty words: the second makes the word full. */
#define SPARCLE_ASI_LOAD_FULL 0x74
#define SPARCLE_ASI_TAKE_FULL 0x75
#define SPARCLE_ASI_STORE_IF_EMPTY 0x7c
#define SPARCLE_ASI_FILL_IF_EMPTY 0x7d
/* These take place in either state, and report in SPARCLE_PSR_FULL which it was. Loads: the second
 * makes the word empty. Stores: the first makes the word full, the second empty, the third leaves
 * the bit. */
#define SPARCLE_ASI_LOAD_FOUND 0x7a
#define SPARCLE_ASI_TAKE_FOUND 0x7b
#define SPARCLE_ASI_STORE_FULL 0x76
#define SPARCLE_ASI_STORE_EMPTY 0x77
#define SPARCLE_ASI_STORE_FOUND 0x7e
/* SWAPA alone, and of shared memory: its home makes of the word what the operation makes of it and
 * the register, which gets the word as it was. Only with coherence.fetch_and_op, a study option. */
#define SPARCLE_ASI_FETCH_AND_ADD 0x6c
#define SPARCLE_ASI_FETCH_AND_AND 0x6d
#define SPARCLE_ASI_FETCH_AND_OR 0x6e
#define SPARCLE_ASI_EXCHANGE_AT_HOME 0x6f
/* Loads that move nothing: the line of shared memory is to come, to be read or to be stored to. The
 * register becomes 0. A load takes what one that hits takes. */
#define SPARCLE_ASI_PREFETCH 0x78
#define SPARCLE_ASI_PREFETCH_TO_WRITE 0x79

/* The bit of PSR that says whether the last access that reports has found its word full. CB1
 * (Bfull) branches if it has, CB0 (Bempty) if it has not. WRPSR clears the bit if the one above it
 * is set, as in an immediate with its sign: SPARC has no meaning for either. */
#define SPARCLE_PSR_FULL 0x4000
#define SPARCLE_PSR_ABOVE_FULL 0x8000

/* Operations of CPop1 (op = 2, op3 = 0x36), in its opc field. rs1 is an operand, rd and rs2 are 0.
 * NEXTF, PREVF: the current window pointer two up or down, modulo the windows; privileged.
 * IPILAUNCH: a store of rs1 to WEIR_LAUNCH.
 * IPICST: a store of rs1 to WEIR_STORE_BODY or, the second, WEIR_STORE_BODY_AND_INTERRUPT; the
 * third one's is to WEIR_DISPOSE. Each takes what the store to the controller takes. */
#define SPARCLE_NEXTF 0x001
#define SPARCLE_PREVF 0x002
#define SPARCLE_IPILAUNCH 0x010
#define SPARCLE_IPICST_STORE 0x011
#define SPARCLE_IPICST_STORE_AND_INTERRUPT 0x012
#define SPARCLE_IPICST_DISCARD 0x013
/* The instruction word; `rs1` is the number of a register, 0 to 31. */
#define SPARCLE_CPOP1(operation, rs1) (0x81b00000u | ((rs1) << 14) | ((operation) << 5))

/* Trap types beyond SPARC V7's: the line of an access comes from another node, and another context
 * may go on; an access by a full/empty bit has found the wrong state. */
#define SPARCLE_TRAP_DIVISION_BY_ZERO 0x2a
#define SPARCLE_TRAP_REMOTE_WAIT 0x60
#define SPARCLE_TRAP_FULL_EMPTY 0x61

#endif
