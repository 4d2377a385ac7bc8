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
#ifdef WEIR_CONTEXTS
/* A function called with -mflat keeps %l and %i, but no other registers of its caller. */
setjmp:
        st      %sp, [%o0]
        st      %o7, [%o0 + 4]
        st      %l0, [%o0 + 8]
        st      %l1, [%o0 + 12]
        st      %l2, [%o0 + 16]
        st      %l3, [%o0 + 20]
        st      %l4, [%o0 + 24]
        st      %l5, [%o0 + 28]
        st      %l6, [%o0 + 32]
        st      %l7, [%o0 + 36]
        st      %i0, [%o0 + 40]
        st      %i1, [%o0 + 44]
        st      %i2, [%o0 + 48]
        st      %i3, [%o0 + 52]
        st      %i4, [%o0 + 56]
        st      %i5, [%o0 + 60]
        st      %i6, [%o0 + 64]
        st      %i7, [%o0 + 68]
        retl
        mov     0, %o0

longjmp:
        tst     %o1
        be,a    1f
        mov     1, %o1
1:      ld      [%o0], %sp
        ld      [%o0 + 4], %o7
        ld      [%o0 + 8], %l0
        ld      [%o0 + 12], %l1
        ld      [%o0 + 16], %l2
        ld      [%o0 + 20], %l3
        ld      [%o0 + 24], %l4
        ld      [%o0 + 28], %l5
        ld      [%o0 + 32], %l6
        ld      [%o0 + 36], %l7
        ld      [%o0 + 40], %i0
        ld      [%o0 + 44], %i1
        ld      [%o0 + 48], %i2
        ld      [%o0 + 52], %i3
        ld      [%o0 + 56], %i4
        ld      [%o0 + 60], %i5
        ld      [%o0 + 64], %i6
        ld      [%o0 + 68], %i7
        retl
        mov     %o1, %o0
#else
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
#endif
