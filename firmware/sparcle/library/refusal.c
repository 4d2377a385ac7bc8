/* End of a run after a program fault: a fault that the library finds, or a handler's call of a
 * non-reentrant function (handlers.S). */
#include "firmware/sparcle/host_call.h"
#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/trap.h"

void weir_refuse_in_handler(uint32_t caller) __attribute__((noreturn));
void weir_refuse_in_handler(uint32_t caller) {
    const volatile uint32_t call[WEIR_CALL_WORDS] = {WEIR_CALL_REFUSE, caller};
    WEIR_DEVICE(WEIR_HOST_CALL) = (uint32_t)call;
    weir_stop(WEIR_STATUS_NOT_REENTRANT); /* without a host; a host ends the run at the call */
}

void weir_fault(const char* text, const int32_t* values) {
    const volatile uint32_t call[WEIR_CALL_WORDS] = {WEIR_CALL_FAULT, (uint32_t)text,
                                                     (uint32_t)values};
    WEIR_DEVICE(WEIR_HOST_CALL) = (uint32_t)call;
    weir_stop(WEIR_STATUS_FAULT); /* without a host; a host ends the run at the call */
}
