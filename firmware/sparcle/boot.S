/*
 * Start of a node after reset: calls main(count, words) with the arguments in weir_boot. The result
 * of main is the node's exit status; after it, the node runs handlers only.
 */
#include "firmware/sparcle/registers.h"

#ifdef WEIR_CONTEXTS
#define FIRST_WIM 0             /* initial WIM marks no window: contexts never spill */
#else
#define FIRST_WIM 1             /* initial WIM marks window 0: seven frames before a spill */
#endif

#ifdef _SOFT_FLOAT              /* also for contexts, which would share the unit's registers */
#define FLOATING_POINT 0
#else
#define FLOATING_POINT PSR_ENABLE_FLOATING_POINT
        /* Marker, not an address: loaders refuse such a program on a node without the unit. */
        .global weir_floating_point_unit
        .set    weir_floating_point_unit, -1
#if defined(WEIR_CONTEXTS) && !defined(WEIR_THREADS)
#error "contexts are compiled with -msoft-float"
#endif
#endif

#define FIRST_WINDOW 7
#define PROGRAM_PSR (FLOATING_POINT | PSR_SUPERVISOR | FIRST_WINDOW)

        .section .text
        .global boot, weir_idle
boot:
        .cfi_sections .debug_frame
        .cfi_startproc
        .cfi_undefined 15               /* outermost frame: no caller */
        set     PROGRAM_PSR | (LEVEL_TRAP << PSR_LEVEL_SHIFT), %g1
        wr      %g1, %psr
        wr      %g0, FIRST_WIM, %wim
        wr      %g0, %tbr
        sethi   %hi(WEIR_CONTROLLER_BASE), DEVICES
        add     DEVICES, WEIR_OFFSET(WEIR_INPUT_WINDOW), %g6
#ifndef WEIR_THREADS
        mov     0, %g5
#endif
        mov     0, %g4
        ld      [DEVICES + WEIR_OFFSET(WEIR_HOST_NODE)], %g2
        wr      %g1, PSR_ENABLE_TRAPS, %psr
#ifdef WEIR_RANKS
        sethi   %hi(weir_rank), %sp
        or      %sp, %lo(weir_rank), %sp
        ld      [%sp + 12], %sp         /* memory_end */
#else
        ld      [DEVICES + WEIR_OFFSET(WEIR_HOST_MEMORY_BYTES)], %sp
#endif
        sub     %sp, SMALLEST_FRAME, %sp
        and     %sp, -8, %sp
        mov     0, %fp

        sethi   %hi(weir_bss_begin), %o0
        or      %o0, %lo(weir_bss_begin), %o0
        sethi   %hi(weir_bss_end), %o1
        or      %o1, %lo(weir_bss_end), %o1
        mov     0, %g1
        ba      2f
        cmp     %o0, %o1
1:      std     %g0, [%o0]
        add     %o0, 8, %o0
        cmp     %o0, %o1
2:      bcs     1b
        nop
#ifdef WEIR_CONTEXTS
        call    contexts_init
        nop
#endif
#ifndef _SOFT_FLOAT
        sethi   %hi(weir_zero_fsr), %o0
        ld      [%o0 + %lo(weir_zero_fsr)], %fsr
#endif

        call    am_init
        nop
        sethi   %hi(weir_boot), %l0
        or      %l0, %lo(weir_boot), %l0
        ld      [%l0 + 0], %l1          /* polling */
        set     PROGRAM_PSR | PSR_ENABLE_TRAPS, %l2
        tst     %l1
        bne,a   3f
        or      %l2, LEVEL_POLLING << PSR_LEVEL_SHIFT, %l2
3:      ld      [%l0 + 12], %o0         /* argument_count */
        wr      %l2, %psr
        add     %l0, 16, %o1            /* arguments */
        nop
        call    main
        nop
        st      %o0, [DEVICES + WEIR_OFFSET(WEIR_HOST_EXIT)]
        set     PROGRAM_PSR | PSR_ENABLE_TRAPS, %l2
        wr      %l2, %psr
weir_idle:
        ba      weir_idle
        ld      [DEVICES + WEIR_OFFSET(WEIR_HOST_IDLE)], %g0
        .cfi_endproc

        .section .rodata
        .align  4
weir_zero_fsr:
        .word   0
