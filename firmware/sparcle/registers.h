/*
 * What the firmware keeps in global registers, in all of its C and assembly; programs are compiled
 * with -mno-app-regs -ffixed-g5 -ffixed-g6 -ffixed-g7, and use only %g1 of the globals.
 *
 * %g2  this node's number
 * %g3  scratch of traps, while traps are off
 * %g4  address of the word that becomes 1 when the body that is being received is in memory, or 0
 * %g5  twice the number of messages that overflow traps have saved; bit 0: the handler has taken
 *      the body of its message. Zero when the short way out of a message's handler is right
 * %g6  address of the words of the message that is handled, or comes next: WEIR_INPUT_WINDOW, or
 *      of the oldest that overflow traps have saved
 * %g7  WEIR_CONTROLLER_BASE: every device register is an immediate offset away
 */
#ifndef WEIR_FIRMWARE_SPARCLE_REGISTERS_H
#define WEIR_FIRMWARE_SPARCLE_REGISTERS_H

#include "hw/controller/controller_registers.h"
#include "hw/controller/host_registers.h"
#include "nodes/sparcle/architecture.h"

/* Offset of a device register from %g7. */
#define WEIR_OFFSET(device_register) ((device_register)-WEIR_CONTROLLER_BASE)

/* Fields of the processor state register. */
#define PSR_ENABLE_FLOATING_POINT 0x1000
#define PSR_SUPERVISOR 0x80
#define PSR_PREVIOUS_SUPERVISOR 0x40
#define PSR_ENABLE_TRAPS 0x20
#define PSR_LEVEL_SHIFT 8
/* Interrupts are taken that are above the level in PSR. A program runs at 0, or, if it polls, at
 * the messages' level. A message's handler is at 11, by which an overflow trap knows that it has
 * interrupted one: messages and DMA engines wait until it is over. Traps for packets of the
 * coherence protocol and for the input queue's overflow do not wait. */
#define LEVEL_HANDLER 11
#define LEVEL_POLLING SPARCLE_LEVEL_MESSAGE
#define LEVEL_HANDLERS_OFF 12
#define LEVEL_TRAP 15

/* Of the trap instruction that leaves a context's turn to the next one. */
#define TRAP_NUMBER_YIELD 0x10

/* Windows spill to 64 bytes at their stack pointer; the ABI has 96 in the smallest frame. */
#define SMALLEST_FRAME 96

/* What precedes the words of a message that an overflow trap has saved. */
#define SAVED_NEXT 0
#define SAVED_BODY 4
#define SAVED_BODY_BYTES 8
#define SAVED_END 12
#define SAVED_HEAD_BYTES 16

#endif
