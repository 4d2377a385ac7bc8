#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/contexts.h"

void weir_wait_until(uint32_t cycle) {
#ifdef WEIR_RANKS
    while ((int32_t)(weir_cycle() - cycle) < 0) {
        context_yield();
    }
    return;
#endif
    if (am_polls()) {
        while ((int32_t)(weir_cycle() - cycle) < 0) {
            am_poll();
        }
        return;
    }
    WEIR_DEVICE(WEIR_HOST_ALARM) = cycle;
    (void)WEIR_DEVICE(WEIR_HOST_ALARM);
}
