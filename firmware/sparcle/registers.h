/*
 * Global registers of the firmware, in all of its C and assembly. Programs are compiled with
 * -mno-app-regs -ffixed-g5 -ffixed-g6 -ffixed-g7, and use only %g1 of the global registers.
 *
 * %g2   number of this node
 * %g3   scratch register of traps, while traps are off
 * %g4   address of the word that becomes 1 when the body being received is in memory; 0 if none
 * %g5   twice the number of messages saved by overflow traps; bit 0: the handler has taken the body
 *       of its message. If %g5 is zero, a message's interrupt may return by the short path
 * %g6   address of the words of the message that is handled or comes next: WEIR_INPUT_WINDOW, or
 *       the oldest message saved by overflow traps
 * %g7   WEIR_CONTROLLER_BASE, from which immediate offsets reach every device register
 *
 * In a program with POSIX threads (threads/) %g7 is the thread pointer, as the SPARC ABI has it for
 * thread-local storage. %g5 then holds WEIR_CONTROLLER_BASE: such a program has no overflow traps.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_REGISTERS_H
#define WEIR_FIRMWARE_SPARCLE_REGISTERS_H

#include "hw/controller/controller_registers.h"
#include "hw/controller/host_registers.h"
#include "nodes/sparcle/architecture.h"

#ifdef WEIR_THREADS
#define DEVICES % g5
#define WEIR_DEVICES_REGISTER "g5"
#else
#define DEVICES % g7
#define WEIR_DEVICES_REGISTER "g7"
#endif

/* Offset of a device register from WEIR_CONTROLLER_BASE. */
#define WEIR_OFFSET(device_register) ((device_register)-WEIR_CONTROLLER_BASE)

/* Fields of the processor state register. */
#define PSR_ENABLE_FLOATING_POINT 0x1000
#define PSR_SUPERVISOR 0x80
#define PSR_PREVIOUS_SUPERVISOR 0x40
#define PSR_ENABLE_TRAPS 0x20
#define PSR_LEVEL_SHIFT 8
/* Interrupts above the level in PSR are taken. A program runs at level 0, or at the messages' level
 * if it polls. A message's handler runs at level 11, by which an overflow trap recognises an
 * interrupted handler. Messages and DMA engines wait until the handler is over. Traps for coherence
 * packets and for overflow of the input queue do not wait. */
#define LEVEL_HANDLER 11
#define LEVEL_POLLING SPARCLE_LEVEL_MESSAGE
#define LEVEL_HANDLERS_OFF 12
#define LEVEL_TRAP 15

/* Number of the trap instruction by which the compiler requests that all windows but the current
 * one are in memory (SPARC's ABI). */
#define TRAP_NUMBER_FLUSH_WINDOWS 3

/* Number of the trap instruction that switches to the next context. */
#define TRAP_NUMBER_YIELD 0x10

/* Windows spill to 64 bytes at their stack pointer; the smallest frame in the ABI has 96 bytes. */
#define SMALLEST_FRAME 96

/* Fields before the words of a message that an overflow trap has saved. */
#define SAVED_NEXT 0
#define SAVED_BODY 4
#define SAVED_BODY_BYTES 8
#define SAVED_END 12
#define SAVED_HEAD_BYTES 16

#endif
