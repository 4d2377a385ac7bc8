/*
 * Coherence trap of a program that shares memory: calls limitless_trap() with interrupts off. Other
 * programs have default_trap in its place. %l0 is PSR, %l4 is WIM. If lines have no pointers, the
 * host redirects the call to software_directory_trap (weir_directory_call).
 */
#include "firmware/sparcle/registers.h"
#include "firmware/sparcle/trap_frames.inc"

        .section .text
        .reloc  ., R_SPARC_NONE, software_directory_trap /* the host may redirect the call */
        .global coherence_interrupt
#ifndef WEIR_CONTEXTS
/*
 * Runs on the stack of the interrupted code, as an overflow trap does, and returns as a message's
 * interrupt does. The interrupted code may itself be a message's interrupt on its way out that has
 * already read WIM, which the C code changes. Such an interrupt is resumed at a place before it
 * reads WIM.
 */
coherence_interrupt:
        begin_trap_frame
        mov     %l4, %l5
        srl     %l5, %l0, %l6           /* 1 if WIM marks this window (PSR's low 5 bits) */
        cmp     %l6, 1
        be      coherence_spill
        mov     %g1, %l4
coherence_entry:
        rd      %y, %l3
        srl     %l0, PSR_LEVEL_SHIFT, %l6
        and     %l6, 15, %l6
        cmp     %l6, LEVEL_HANDLER
        bne     2f
        sethi   %hi(message_return), %l6
        or      %l6, %lo(message_return), %l6
        cmp     %l1, %l6
        bcs     2f
        sethi   %hi(message_left), %l7
        or      %l7, %lo(message_left), %l7
        cmp     %l1, %l7
        bcc     2f
        sethi   %hi(message_disposed), %l7
        or      %l7, %lo(message_disposed), %l7
        cmp     %l1, %l7
        bcs     1f
        mov     %l6, %l1                /* message not disposed of: resume at message_return */
        sethi   %hi(message_disposed_again), %l1
        or      %l1, %lo(message_disposed_again), %l1
1:      add     %l1, 4, %l2
2:      call_and_leave_interrupt limitless_trap, weir_directory_call

coherence_spill:
        spill_oldest_frame
        ba,a    coherence_entry
        end_trap_frame

#else  /* WEIR_CONTEXTS */
/*
 * Coherence trap with contexts: runs with traps off, on a stack of its own, in the current
 * context's trap window. The window's %o registers belong to another thread.
 */
#define STACK_BYTES 1024
coherence_interrupt:
        begin_trap_frame
        sethi   %hi(limitless_registers), %l3
        or      %l3, %lo(limitless_registers), %l3
        std     %o0, [%l3 + 0]
        std     %o2, [%l3 + 8]
        std     %o4, [%l3 + 16]
        std     %o6, [%l3 + 24]
        rd      %y, %l4
        mov     %g1, %l5
        sethi   %hi(limitless_stack_end - SMALLEST_FRAME), %sp
        .global weir_directory_call
weir_directory_call:
        call    limitless_trap
        or      %sp, %lo(limitless_stack_end - SMALLEST_FRAME), %sp
        ldd     [%l3 + 0], %o0
        ldd     [%l3 + 8], %o2
        ldd     [%l3 + 16], %o4
        ldd     [%l3 + 24], %o6
        wr      %l4, %y
        mov     %l5, %g1
        wr      %l0, %psr
        nop
        jmp     %l1
        rett    %l2
        end_trap_frame

        .section .bss
        .align  8
limitless_registers:
        .skip   8 * WEIR_WORD_BYTES
        .skip   STACK_BYTES
limitless_stack_end:
#endif
