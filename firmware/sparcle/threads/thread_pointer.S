/*
 * Functions for the flat register model (-mflat) of a program with threads:
 * - the C library's state of a thread
 * - the size of the thread-local variables
 * - setjmp() and longjmp()
 */
#include "firmware/sparcle/registers.h"
#include "firmware/sparcle/threads/thread_state.h"

        .section .text
/* struct _reent *__getreent(void): the thread's state of the C library. Handlers, which run with
 * traps off, have none. */
        .global __getreent
__getreent:
        rd      %psr, %o0
        btst    PSR_ENABLE_TRAPS, %o0
        be      1f
        nop
        retl
        ld      [%g7 + WEIR_THREAD_REENT], %o0
1:      ba      weir_refuse_in_handler  /* does not return */
        mov     %o7, %o0

/* uint32_t weir_tls_bytes(void): bytes from the first thread-local variable to the thread
 * pointer. */
        .global weir_tls_bytes
weir_tls_bytes:
        sethi   %tle_hix22(weir_first_tls), %o0
        xor     %o0, %tle_lox10(weir_first_tls), %o0
        retl
        neg     %o0

        .section .tdata.weir_first, "awT", @progbits
        .align  16
        .type   weir_first_tls, @object
weir_first_tls:
        .skip   16
        .size   weir_first_tls, 16

        .section .text
/* A function called with -mflat keeps %l and %i, but no other registers of its caller. */
        .global setjmp, longjmp
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
