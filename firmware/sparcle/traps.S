/*
 * Trap table and trap routines: window overflow and underflow, interrupts of messages, DMA engines
 * and overflowing queues, and the report of any other trap.
 *
 * A trap runs in a window of its own, with the program's PC and nPC in %l1 and %l2 and its %o
 * registers in %i. The trap's window may be the one that WIM marks. The %o registers of a marked
 * window are the oldest frame's %i registers; only %l and %g may be used before that frame is
 * spilled.
 */
#include "firmware/sparcle/registers.h"
#include "firmware/sparcle/trap_frames.inc"

/* PSR of a handler; the window's number is added. */
#define HANDLER_PSR ((LEVEL_HANDLER << PSR_LEVEL_SHIFT) | PSR_SUPERVISOR | PSR_ENABLE_TRAPS)

        .macro default_trap
        rd      %psr, %l0
        rd      %tbr, %l3
        ba      default_trap
        rd      %wim, %l4
        .endm

        .macro trap entry
        rd      %psr, %l0
        rd      %wim, %l5
        ba      \entry
        srl     %l5, %l0, %l6           /* 1 if WIM marks this window (PSR's low 5 bits) */
        .endm

/*
 * The trap table begins with the section .reset. Debug information of dropped functions has its
 * address, 0, so debuggers ignore lines from there on (bytes_for_debuggers in elf_image.h). The
 * rest of the table is in another section, with lines of its own.
 */
        .section .reset, "ax"
        .align  16
        .global weir_trap_table
weir_trap_table:
        rd      %psr, %l0               /* 0x00: reset */
        sethi   %hi(boot), %l3
        jmp     %l3 + %lo(boot)
        nop

        .section .traps, "ax"
        .align  16
.Lother_traps:                          /* 16 bytes behind weir_trap_table */
        begin_trap_frame
        .rept   4                       /* 0x01-0x04 */
        default_trap
        .endr
#ifdef WEIR_CONTEXTS
        default_trap                    /* the program was not compiled with -mflat */
        default_trap
#else
        rd      %wim, %l3               /* 0x05: window overflow */
        srl     %l3, 1, %g3
        ba      window_overflow
        sll     %l3, SPARCLE_WINDOWS - 1, %l3
        rd      %wim, %l3               /* 0x06: window underflow */
        sll     %l3, 1, %g3
        ba      window_underflow
        srl     %l3, SPARCLE_WINDOWS - 1, %l3
#endif
        .rept   0x10 + SPARCLE_LEVEL_MESSAGE - 0x07
        default_trap
        .endr
#ifdef WEIR_CONTEXTS
        rd      %psr, %l0
        ld      [%g6 + WEIR_WORD_BYTES], %l7
        ba      message_interrupt
        ld      [DEVICES + WEIR_OFFSET(WEIR_COMPOSED_WORDS)], %l6
#else
        trap    message_interrupt
#endif
        .rept   SPARCLE_LEVEL_DMA - SPARCLE_LEVEL_MESSAGE - 1
        default_trap
        .endr
        rd      %psr, %l0
        ld      [DEVICES + WEIR_OFFSET(WEIR_DMA_STATUS)], %l3
        ba      dma_interrupt
        nop
        .rept   SPARCLE_LEVEL_COHERENCE - SPARCLE_LEVEL_DMA - 1
        default_trap
        .endr
        rd      %psr, %l0
        rd      %tbr, %l3
        ba      coherence_interrupt     /* coherence_trap.S, or default_trap */
        rd      %wim, %l4
        .rept   SPARCLE_LEVEL_OVERFLOW - SPARCLE_LEVEL_COHERENCE - 1
        default_trap
        .endr
#ifdef WEIR_CONTEXTS
        default_trap
#else
        trap    overflow_interrupt
#endif
        .rept   SPARCLE_TRAP_REMOTE_WAIT - 0x10 - SPARCLE_LEVEL_OVERFLOW - 1
        default_trap
        .endr
#ifdef WEIR_CONTEXTS
        rd      %psr, %l0
        .global weir_switch_branch
weir_switch_branch:
        ba      switch_context
        .word   SPARCLE_CPOP1(SPARCLE_NEXTF, 0)
        nop
        rd      %psr, %l0               /* 0x61 (full/empty): switch of contexts */
        .global weir_full_empty_branch
weir_full_empty_branch:
        ba      switch_context
        .word   SPARCLE_CPOP1(SPARCLE_NEXTF, 0)
        nop
#else
        default_trap
        rd      %psr, %l0
        rd      %tbr, %l3
        ba      full_empty_interrupt    /* full_empty_trap.S, or default_trap */
        rd      %wim, %l4
#endif
        .rept   0x80 + TRAP_NUMBER_FLUSH_WINDOWS - SPARCLE_TRAP_FULL_EMPTY - 1
        default_trap
        .endr
#ifdef WEIR_CONTEXTS
        default_trap
#else
        rd      %psr, %l0
        rd      %tbr, %l3
        ba      window_flush            /* library/unwinding.S, or default_trap */
        rd      %wim, %l4
#endif
        .rept   TRAP_NUMBER_YIELD - TRAP_NUMBER_FLUSH_WINDOWS - 1
        default_trap
        .endr
#ifdef WEIR_CONTEXTS
        rd      %psr, %l0               /* context_yield(): continue after the trap instruction */
        mov     %l2, %l1
        ba      weir_switch_branch
        add     %l2, 4, %l2
#else
        default_trap
#endif
        .rept   0x100 - 0x80 - TRAP_NUMBER_YIELD - 1
        default_trap
        .endr
        end_trap_frame

#ifndef WEIR_CONTEXTS
/*
 * SAVE found its window marked. The trap spills the oldest frame, in the window below it, marks
 * that window, and repeats SAVE. %g3 | %l3 is WIM rotated right.
 */
window_overflow:
        begin_trap_frame
        or      %g3, %l3, %g3
        save
        in_other_windows
        wr      %g3, %wim
        spill_window
        restore
        in_trap_window_again
        jmp     %l1
        rett    %l2
        end_trap_frame

/*
 * RESTORE found its window, two above this one, marked. The trap fills that window and marks the
 * one above it.
 */
window_underflow:
        begin_trap_frame
        or      %g3, %l3, %g3
        wr      %g3, %wim
        nop
        nop
        nop
        restore
        in_other_windows
        restore
        fill_window
        save
        save
        in_trap_window_again
        jmp     %l1
        rett    %l2
        end_trap_frame

/*
 * Message interrupt. The handler is called from this window, which holds the interrupted program's
 * %y, %g1 and PSR. A handler that needs a window of its own saves as any function does. Floating
 * point is off in handlers, so that its registers need no saving; a handler that uses it traps.
 *
 * Overflow traps may occur from the handler's call on. If they occur between message_return and
 * message_left, they return to message_return or message_disposed_again, from where the way of
 * return is decided again (overflow_interrupt).
 */
        .global message_interrupt, message_dispatch, message_return
        .global message_disposed, message_left, message_disposed_again, leave_interrupt
message_interrupt:
        begin_trap_frame
        cmp     %l6, 1
        be      message_spill
        mov     %g1, %l4
message_entry:
        ld      [DEVICES + WEIR_OFFSET(WEIR_COMPOSED_WORDS)], %l6
        rd      %y, %l3
        tst     %l6
        bne     message_save_descriptor
        sub     %fp, SMALLEST_FRAME, %sp
message_dispatch:
        ld      [%g6 + WEIR_WORD_BYTES], %l7
        and     %l0, SPARCLE_WINDOWS - 1, %l6
        wr      %l6, HANDLER_PSR, %psr
        call    %l7
        nop
message_return:
        tst     %g5
        bne     message_end_slowly
        rd      %wim, %l6
        st      %g0, [DEVICES + WEIR_OFFSET(WEIR_DISPOSE)]
message_disposed:
        cmp     %l6, %l5
        bne     check_window
        wr      %l0, %psr
message_left:
        mov     %l4, %g1
        wr      %l3, %y
        jmp     %l1
        rett    %l2

message_disposed_again:
        ba      message_disposed
        rd      %wim, %l6

message_spill:
        spill_oldest_frame
        ba,a    message_entry

/* Saves the %l6 words of the message that the program has partly composed. */
message_save_descriptor:
        sub     %fp, SMALLEST_FRAME + WEIR_DESCRIPTOR_WORDS * WEIR_WORD_BYTES, %sp
        st      %l6, [%sp + SMALLEST_FRAME - WEIR_WORD_BYTES]
        .set    .Lword, 0
        .rept   WEIR_DESCRIPTOR_WORDS
        ld      [DEVICES + WEIR_OFFSET(WEIR_OUTPUT_DESCRIPTOR) + 4 * .Lword], %o0
        cmp     %l6, .Lword + 1
        be      1f
        st      %o0, [%sp + SMALLEST_FRAME + 4 * .Lword]
        .set    .Lword, .Lword + 1
        .endr
1:      ld      [%g6 + WEIR_WORD_BYTES], %l7
        and     %l0, SPARCLE_WINDOWS - 1, %l6
        wr      %l6, HANDLER_PSR, %psr
        call    %l7
        nop
        ld      [%sp + SMALLEST_FRAME - WEIR_WORD_BYTES], %l6
        .set    .Lword, 0
        .rept   WEIR_DESCRIPTOR_WORDS
        ld      [%sp + SMALLEST_FRAME + 4 * .Lword], %o0
        cmp     %l6, .Lword + 1
        be      message_return
        st      %o0, [DEVICES + WEIR_OFFSET(WEIR_OUTPUT_DESCRIPTOR) + 4 * .Lword]
        .set    .Lword, .Lword + 1
        .endr

/* Long path: the handler has taken its message's body, or an overflow trap has saved messages. */
message_end_slowly:
        wr      %l0, %psr               /* traps off */
        nop
        srl     %g5, 1, %g5
        sll     %g5, 1, %g5
        tst     %g5
        bne,a   1f
        sub     %g5, 2, %g5
        st      %g0, [DEVICES + WEIR_OFFSET(WEIR_DISPOSE)]
        ba,a    leave_interrupt
1:      ld      [%g6 - SAVED_HEAD_BYTES + SAVED_NEXT], %g6
        tst     %g5
        be,a    2f
        add     DEVICES, WEIR_OFFSET(WEIR_INPUT_WINDOW), %g6
2:      srl     %g5, 1, %l6
        st      %l6, [DEVICES + WEIR_OFFSET(WEIR_SAVED_MESSAGES)]

/* Returns from an interrupt whose window holds %y, %g1 and PSR; %l5 is WIM at the interrupt's
 * entry. */
leave_interrupt:
        rd      %wim, %l6
        cmp     %l6, %l5
        bne     check_window
        wr      %l0, %psr
        mov     %l4, %g1
        wr      %l3, %y
        jmp     %l1
        rett    %l2

/* WIM has changed: frames were spilled meanwhile. RETT must not find the program's window marked,
 * so fill it. */
check_window:
        srl     %l6, %l0, %l7
        cmp     %l7, 2                  /* WIM marks the window above this one */
        be      1f
        and     %l0, SPARCLE_WINDOWS - 1, %l7
        cmp     %l7, SPARCLE_WINDOWS - 1
        bne     2f
        cmp     %l6, 1                  /* or window 0, if this window is the last */
        bne     2f
1:      sll     %l6, 1, %g3
        srl     %l6, SPARCLE_WINDOWS - 1, %l6
        or      %g3, %l6, %g3
        wr      %g3, %wim
        nop
        nop
        nop
        restore
        fill_window
        save
2:      wr      %l0, %psr
        mov     %l4, %g1
        wr      %l3, %y
        jmp     %l1
        rett    %l2
        end_trap_frame

/*
 * Overflow of the input queue: calls am_save_queue() without interrupts. The argument is 1 if the
 * head of the queue is the message of an interrupted handler, else 0.
 */
overflow_interrupt:
        begin_trap_frame
        cmp     %l6, 1
        be      overflow_spill
        mov     %g1, %l4
overflow_entry:
        rd      %y, %l3
        srl     %l0, PSR_LEVEL_SHIFT, %l6
        and     %l6, 15, %l6
        cmp     %l6, LEVEL_HANDLER
        bne     3f
        mov     0, %o0
        mov     1, %o0
        sethi   %hi(am_receive_undecided), %l6
        or      %l6, %lo(am_receive_undecided), %l6
        sub     %l1, %l6, %l7
        cmp     %l7, am_receive_started - am_receive_undecided
        bcs,a   2f
        mov     %l6, %l1
        cmp     %l7, am_receive_end - am_receive_undecided
        bcs,a   3f
        or      %g5, 1, %g5             /* record that the handler has taken the body */
        sethi   %hi(message_return), %l6
        or      %l6, %lo(message_return), %l6
        sub     %l1, %l6, %l7
        cmp     %l7, message_disposed - message_return
        bcs,a   2f
        mov     %l6, %l1                /* message not disposed of: resume at message_return */
        cmp     %l7, message_left - message_return
        bcc     3f
        add     %l6, message_disposed_again - message_return, %l6
        mov     0, %o0                  /* message disposed of: the head has no handler yet */
        mov     %l6, %l1
2:      add     %l1, 4, %l2
3:      call_and_leave_interrupt am_save_queue

overflow_spill:
        spill_oldest_frame
        ba,a    overflow_entry
        end_trap_frame

/*
 * void am_poll(void): passes waiting messages to their handlers, at the handlers' level, until none
 * waits. A program polls between its own messages, so it has composed no words.
 */
        .global am_poll
am_poll:
        .cfi_startproc
        ld      [DEVICES + WEIR_OFFSET(WEIR_MESSAGE_WAITING)], %o0
        orcc    %o0, %g5, %g0           /* a message waits, or messages are saved */
        bne     1f
        nop
        retl
        nop
1:      save    %sp, -SMALLEST_FRAME, %sp
        .cfi_def_cfa_register 30
        .cfi_window_save
        .cfi_register 15, 31
        rd      %psr, %l0
        andn    %l0, LEVEL_TRAP << PSR_LEVEL_SHIFT, %l1
        or      %l1, LEVEL_HANDLER << PSR_LEVEL_SHIFT, %l1
2:      wr      %l1, %psr
        ld      [%g6 + WEIR_WORD_BYTES], %l7
        nop
        call    %l7
        nop
        wr      %l1, PSR_ENABLE_TRAPS, %psr     /* exclusive or: turns traps off */
        srl     %g5, 1, %g5
        sll     %g5, 1, %g5
        tst     %g5
        bne,a   3f
        sub     %g5, 2, %g5
        ba      5f
        st      %g0, [DEVICES + WEIR_OFFSET(WEIR_DISPOSE)]
3:      ld      [%g6 - SAVED_HEAD_BYTES + SAVED_NEXT], %g6
        tst     %g5
        be,a    4f
        add     DEVICES, WEIR_OFFSET(WEIR_INPUT_WINDOW), %g6
4:      srl     %g5, 1, %l6
        st      %l6, [DEVICES + WEIR_OFFSET(WEIR_SAVED_MESSAGES)]
5:      wr      %l0, %psr
        ld      [DEVICES + WEIR_OFFSET(WEIR_MESSAGE_WAITING)], %l2
        orcc    %l2, %g5, %g0
        bne     2b
        nop
        ret
        restore
        .cfi_endproc

/*
 * void am_begin_receive(void *address, volatile uint32_t *stored, uint32_t offset of the register):
 * handler only; starts the receiving DMA engine by the register at this offset. *stored becomes 1
 * when the body is in memory. Overflow traps check how far this code has come.
 */
        .global am_begin_receive
am_begin_receive:
        tst     %g4
        mov     1, %o3
        bne,a   am_receive_undecided
        st      %o3, [%g4]              /* previous body in memory: its message has left the queue */
am_receive_undecided:
        tst     %g5
        bne,a   am_receive_saved        /* int am_receive_saved(address, stored), a C function */
        mov     0, %g4
        st      %o0, [DEVICES + %o2]
am_receive_started:
        mov     %o1, %g4
        retl
        or      %g5, 1, %g5
am_receive_end:

#else  /* WEIR_CONTEXTS */
#include "firmware/sparcle/contexts.inc"
#endif

/* End of a DMA transfer with interrupt; %l3 is the engines' status. */
dma_interrupt:
        begin_trap_frame
        st      %l3, [DEVICES + WEIR_OFFSET(WEIR_DMA_STATUS)]
        btst    WEIR_DMA_SENDING | WEIR_DMA_RECEIVING, %l3
        be,a    1f
        mov     0, %l4
        /* The end of a transfer still in progress interrupts too, unless it came before the store
         * above, which has acknowledged it. */
        ld      [DEVICES + WEIR_OFFSET(WEIR_DMA_STATUS)], %l4
1:      btst    WEIR_DMA_RECEIVED, %l3
        be      2f
        btst    WEIR_DMA_RECEIVING, %l4
        bne     2f
        tst     %g4
        be      2f
        mov     1, %l5
        st      %l5, [%g4]
        mov     0, %g4
2:      btst    WEIR_DMA_SENT, %l3
        be      3f
        btst    WEIR_DMA_SENDING, %l4
        bne     3f
        sethi   %hi(am_being_sent), %l6
        ld      [%l6 + %lo(am_being_sent)], %l7
        mov     1, %l5
        tst     %l7
        be      3f
        nop
        st      %l5, [%l7]
        st      %g0, [%l6 + %lo(am_being_sent)]
3:      wr      %l0, %psr
        nop
        nop
        jmp     %l1
        rett    %l2
        end_trap_frame

/*
 * Any other trap: stores its state in weir_trap_record (trap.h), then calls weir_report_trap() on a
 * stack of its own. Does not return.
 */
        /* Defaults for programs without shared memory, and without the C++ library. */
        .weak   coherence_interrupt, full_empty_interrupt, window_flush
coherence_interrupt:
full_empty_interrupt:
window_flush:
default_trap:
        sethi   %hi(weir_trap_record), %g3
        or      %g3, %lo(weir_trap_record), %g3
        srl     %l3, 4, %l3
        and     %l3, 0xff, %l3
        st      %l3, [%g3 + 0]
        st      %l1, [%g3 + 4]
        st      %l2, [%g3 + 8]
        st      %l0, [%g3 + 12]
        st      %l4, [%g3 + 16]
        rd      %y, %l3
        st      %l3, [%g3 + 20]
        std     %g0, [%g3 + 24]
        st      %g2, [%g3 + 32]
        st      %g0, [%g3 + 36]
        std     %g4, [%g3 + 40]
        std     %g6, [%g3 + 48]
        std     %i0, [%g3 + 56]
        std     %i2, [%g3 + 64]
        std     %i4, [%g3 + 72]
        std     %i6, [%g3 + 80]
        wr      %g0, %wim
        and     %l0, SPARCLE_WINDOWS - 1, %l6
        nop
        nop
        restore
        std     %l0, [%g3 + 88]
        std     %l2, [%g3 + 96]
        std     %l4, [%g3 + 104]
        std     %l6, [%g3 + 112]
        std     %i0, [%g3 + 120]
        std     %i2, [%g3 + 128]
        std     %i4, [%g3 + 136]
        std     %i6, [%g3 + 144]
        save
        sethi   %hi(weir_trap_stack_end - SMALLEST_FRAME), %sp
        or      %sp, %lo(weir_trap_stack_end - SMALLEST_FRAME), %sp
        mov     0, %fp
        wr      %l6, TRAP_PSR, %psr
        nop
        nop
        call    weir_report_trap
        nop

        .section .bss
        .align  8
        .skip   2048
weir_trap_stack_end:
