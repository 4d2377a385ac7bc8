/*
 * Trap of an access that needs a full word and finds it empty, or the reverse: repeats the access.
 * For programs with shared memory and one context. Pending interrupts are taken before the access.
 * In programs with contexts, the trap switches to the next context (contexts.inc).
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
