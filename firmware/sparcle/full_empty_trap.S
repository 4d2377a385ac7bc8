/*
 * The trap of an access that finds its word full, or empty, and needs the other, in a program that
 * shares memory and has one context: it comes back to the access. What interrupts does so before
 * that. With contexts the trap leaves the turn to the next one (contexts.inc).
 */
#include "firmware/sparcle/registers.h"
#include "firmware/sparcle/trap_frames.inc"

#ifndef WEIR_CONTEXTS
        .section .text
        .global full_empty_interrupt
full_empty_interrupt:
        begin_trap_frame
        jmp     %l1
        rett    %l2
        end_trap_frame
#endif
