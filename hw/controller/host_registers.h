/*
 * Registers by which a node's program reaches the host that has loaded it: memory-mapped, of 32
 * bits, beside those of the message controller. Only nodes with a Sparcle core have them. This
 * header is plain C; the hardware model and every firmware include it.
 *
 * A program ends by a single store to WEIR_HOST_EXIT. The node's handlers still run: the program
 * then loads from WEIR_HOST_IDLE, which is never answered, and leaves the core to interrupts.
 */
#ifndef WEIR_HW_HOST_REGISTERS_H
#define WEIR_HW_HOST_REGISTERS_H

/* Byte addresses. */
#define WEIR_HOST_BASE 0xffff0200u
#define WEIR_HOST_BYTES 0x40u
/* read only: number of this node, number of nodes, bytes of the node's memory */
#define WEIR_HOST_NODE (WEIR_HOST_BASE + 0x00u)
#define WEIR_HOST_NODES (WEIR_HOST_BASE + 0x04u)
#define WEIR_HOST_MEMORY_BYTES (WEIR_HOST_BASE + 0x08u)
/* read only: cycles since the start of the machine. The upper 32 bits are those at the last load of
 * the lower 32 bits. */
#define WEIR_HOST_CYCLE (WEIR_HOST_BASE + 0x0cu)
#define WEIR_HOST_CYCLE_HIGH (WEIR_HOST_BASE + 0x10u)
/* write: the character in the low byte goes to the host's console */
#define WEIR_HOST_CONSOLE (WEIR_HOST_BASE + 0x14u)
/* write: exit status of the node's program; 0 is success */
#define WEIR_HOST_EXIT (WEIR_HOST_BASE + 0x18u)
/* read only: a load from it is never answered */
#define WEIR_HOST_IDLE (WEIR_HOST_BASE + 0x1cu)
/* write: the lower 32 bits of a cycle less than 2^31 ahead. A load is answered in that cycle, or at
 * once if it has passed. */
#define WEIR_HOST_ALARM (WEIR_HOST_BASE + 0x20u)
/* write: a mark in the trace, named by the number that was stored to WEIR_HOST_MARK_NAME last */
#define WEIR_HOST_MARK_NAME (WEIR_HOST_BASE + 0x24u)
#define WEIR_HOST_MARK (WEIR_HOST_BASE + 0x28u)
/* write: the address of a request to the host, which is executed within the store
 * (firmware/sparcle/host_call.h) */
#define WEIR_HOST_CALL (WEIR_HOST_BASE + 0x2cu)
/* write: lowest address of the stack that the running context uses from now on, and then its number
 * of bytes. The emulator checks that no frame ends below the stack. */
#define WEIR_HOST_STACK_BEGIN (WEIR_HOST_BASE + 0x30u)
#define WEIR_HOST_STACK_BYTES (WEIR_HOST_BASE + 0x34u)

#define WEIR_IS_HOST_REGISTER(address) ((address)-WEIR_HOST_BASE < WEIR_HOST_BYTES)

#endif
