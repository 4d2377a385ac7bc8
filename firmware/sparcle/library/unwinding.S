/*
 * Flush of the register windows: the trap by which the unwinder of C++ exceptions, and
 * __builtin_frame_address(1), request that the callers' frames are in memory. The trap's code saves
 * until every other window is spilled, with traps on, and then restores.
 */
#include "firmware/sparcle/registers.h"
#include "firmware/sparcle/trap_frames.inc"

        .section .text
        .global window_flush
window_flush:                           /* %l0 is PSR, %l4 is WIM */
        begin_trap_frame
        mov     %l4, %l5
        srl     %l5, %l0, %l6
        mov     %g1, %l4
        mov     %l2, %l1                /* continue after the trap instruction */
        cmp     %l6, 1
        be      spill_first
        add     %l2, 4, %l2
flush:
        rd      %y, %l3
        sub     %fp, SMALLEST_FRAME, %sp
        wr      %l0, PSR_ENABLE_TRAPS, %psr
        nop
        nop
        nop
        in_other_windows
        .rept   SPARCLE_WINDOWS - 2
        save    %sp, -SMALLEST_FRAME, %sp
        .endr
        .rept   SPARCLE_WINDOWS - 2
        restore
        .endr
        in_trap_window_again
        wr      %l0, %psr               /* traps off */
        nop
        nop
        ba      leave_interrupt
        nop

spill_first:
        spill_oldest_frame
        ba,a    flush
        end_trap_frame
