/*
 * setjmp and longjmp. newlib's own versions for SPARC keep values in %g2 and %g3, which are
 * reserved for the firmware.
 *
 * setjmp saves the caller's stack pointer and return address. longjmp spills all windows but its
 * own and returns into the saved frame as if called from it. The restore then finds no window, and
 * fills one from the stack pointer.
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
