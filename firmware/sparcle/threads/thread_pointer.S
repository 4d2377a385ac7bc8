/*
 * Functions for the flat register model (-mflat) of a program with threads:
 * - the C library's state of a thread
 * - the size of the thread-local variables
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
