/*
 * What keeps handlers out of what is not reentrant. Whatever of newlib has a state of its own asks
 * here where it is (__DYNAMIC_REENT__): memory, files, errno, the functions that go on from call to
 * call. In a handler, which may have interrupted such a function, the node stops.
 */
#include "firmware/sparcle/registers.h"

        .section .text
        .global __getreent
__getreent:
        rd      %psr, %o0
        srl     %o0, PSR_LEVEL_SHIFT, %o0
        and     %o0, LEVEL_TRAP, %o0
        cmp     %o0, LEVEL_HANDLER
        bcc     1f
        sethi   %hi(_impure_ptr), %o0
        retl
        ld      [%o0 + %lo(_impure_ptr)], %o0
1:      ba      weir_refuse_in_handler  /* does not return */
        mov     %o7, %o0
