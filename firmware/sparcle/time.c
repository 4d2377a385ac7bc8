#include "firmware/sparcle/active_messages.h"

void weir_wait_until(uint32_t cycle) {
    if (am_polls()) {
        while ((int32_t)(weir_cycle() - cycle) < 0) {
            am_poll();
        }
        return;
    }
    WEIR_DEVICE(WEIR_HOST_ALARM) = cycle;
    (void)WEIR_DEVICE(WEIR_HOST_ALARM);
}
