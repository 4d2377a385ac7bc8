/*
 * One instruction of every class with a time of its own (nodes/sparcle/timing.h), without the
 * firmware, in a loop with the first argument as its length. Instructions of missing units trap and
 * are skipped.
 */
#include "hw/controller/host_registers.h"

        .macro  trap_entry type
        .org    \type * 16
        jmp     %l2
        rett    %l2 + 4
        .endm

        .section .text
        .global start
start:
        ba      classes
        nop
        trap_entry 0x02                     /* illegal instruction */
        trap_entry 0x04                     /* no floating-point unit */
        trap_entry 0x80                     /* trap instruction ta 0 */

classes:
        sethi   %hi(0x10a0), %g2            /* PSR: floating point, supervisor, traps */
        or      %g2, %lo(0x10a0), %g2
        wr      %g2, 0, %psr
        nop
        nop
        nop
        sethi   %hi(WEIR_HOST_BASE), %g1
        or      %g1, %lo(WEIR_HOST_BASE), %g1
        sethi   %hi(word), %g2
        or      %g2, %lo(word), %g2

        ta      0
        ld      [%g2], %g3
        add     %g3, 1, %g3                 /* uses the load's result */
        ldstub  [%g2 + 4], %g4
        ld      [%g1 + WEIR_HOST_CYCLE - WEIR_HOST_BASE], %g4
        umul    %g3, %g3, %g4
        wr      %g0, 0, %y
        nop
        nop
        nop
        udiv    %g4, %g3, %g5

        fmovs   %f0, %f1
        fitos   %f0, %f2
        fadds   %f2, %f2, %f3
        fmuls   %f2, %f2, %f3
        fmuld   %f4, %f4, %f6
        fdivs   %f2, %f2, %f3
        fdivd   %f4, %f4, %f6
        fsqrts  %f2, %f3
        fsqrtd  %f4, %f6
        st      %f3, [%g2]                  /* waits for all operations above */
        st      %f6, [%g2]

        sethi   %hi(weir_boot + 16), %g2
        ld      [%g2 + %lo(weir_boot + 16)], %g3
1:      subcc   %g3, 1, %g3
        bge     1b
        nop

        st      %g0, [%g1 + WEIR_HOST_EXIT - WEIR_HOST_BASE]
1:      ba      1b
        ld      [%g1 + WEIR_HOST_IDLE - WEIR_HOST_BASE], %g0

        .align  8
word:   .word   6, 0

/* Settings that the host writes (weir.h): four words, and the arguments. */
        .global weir_boot
weir_boot:
        .space  4 * 64
