/* The end of a run in which a handler has called what is not reentrant (handlers.S). */
#include "firmware/sparcle/host_call.h"
#include "firmware/sparcle/trap.h"
#include "firmware/sparcle/weir.h"

void weir_refuse_in_handler(uint32_t caller) __attribute__((noreturn));
void weir_refuse_in_handler(uint32_t caller) {
    const volatile uint32_t call[WEIR_CALL_WORDS] = {WEIR_CALL_REFUSE, caller};
    WEIR_DEVICE(WEIR_HOST_CALL) = (uint32_t)call;
    weir_stop(WEIR_STATUS_NOT_REENTRANT); /* where nobody listens */
}
