/*
 * setjmp and longjmp. newlib's own for SPARC keep values in %g2 and %g3, which are the firmware's.
 *
 * setjmp keeps the caller's stack pointer and where it goes on. longjmp has all windows but its own
 * spilled, and returns into that frame as if it had been called from there: the restore finds no
 * window, and fills it from the stack pointer.
 */
#include "firmware/sparcle/registers.h"

        .section .text
        .global setjmp, longjmp
setjmp:
        st      %sp, [%o0]
        st      %o7, [%o0 + 4]
        retl
        mov     0, %o0

longjmp:
        save    %sp, -SMALLEST_FRAME, %sp
        .rept   SPARCLE_WINDOWS - 2
        save    %sp, -SMALLEST_FRAME, %sp
        .endr
        .rept   SPARCLE_WINDOWS - 2
        restore
        .endr
        tst     %i1
        be,a    1f
        mov     1, %i1
1:      ld      [%i0], %fp
        ld      [%i0 + 4], %i7
        ret
        restore %g0, %i1, %o0
