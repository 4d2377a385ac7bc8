/*
 * Protection of functions that are not reentrant from calls by handlers. All of newlib's stateful
 * functions (memory, files, errno, functions that continue from call to call) get the address of
 * their state here (__DYNAMIC_REENT__). A handler may have interrupted such a function, so its call
 * stops the node.
 */
#include "firmware/sparcle/registers.h"

        .section .text
        .global __getreent
__getreent:
        rd      %psr, %o0
#ifdef WEIR_CONTEXTS                    /* handlers run with traps off */
        btst    PSR_ENABLE_TRAPS, %o0
        be      1f
#else
        srl     %o0, PSR_LEVEL_SHIFT, %o0
        and     %o0, LEVEL_TRAP, %o0
        cmp     %o0, LEVEL_HANDLER
        bcc     1f
#endif
        sethi   %hi(_impure_ptr), %o0
        retl
        ld      [%o0 + %lo(_impure_ptr)], %o0
1:      ba      weir_refuse_in_handler  /* does not return */
        mov     %o7, %o0
