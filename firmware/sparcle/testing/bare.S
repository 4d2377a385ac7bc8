/*
 * A program without the firmware: ends with status 0, and takes no messages.
 */
#include "hw/controller/host_registers.h"

        .section .text
        .global start
start:
        sethi   %hi(WEIR_HOST_BASE), %g1
        or      %g1, %lo(WEIR_HOST_BASE), %g1
        st      %g0, [%g1 + WEIR_HOST_EXIT - WEIR_HOST_BASE]
1:      ba      1b
        ld      [%g1 + WEIR_HOST_IDLE - WEIR_HOST_BASE], %g0
