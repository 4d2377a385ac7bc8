/* End of a run after a program fault: a fault that the library finds, or a handler's call of a
 * non-reentrant function (handlers.S). */
#include "firmware/sparcle/host_call.h"
#include "firmware/sparcle/library/library.h"
#include "firmware/sparcle/trap.h"

void weir_refuse_in_handler(uint32_t caller) __attribute__((noreturn));
void weir_refuse_in_handler(uint32_t caller) {
    static volatile uint32_t call[WEIR_CALL_WORDS];
    call[WEIR_CALL_OPERATION] = WEIR_CALL_REFUSE;
    call[WEIR_CALL_ARGUMENT] = caller;
    WEIR_DEVICE(WEIR_HOST_CALL) = (uint32_t)call;
    weir_stop(WEIR_STATUS_NOT_REENTRANT); /* without a host; a host ends the run at the call */
}

#ifdef WEIR_SHARED_MEMORY
#define MOST_VALUES 16
#define MOST_TEXT_BYTES 256

/* Copies the values, and the texts that lie in shared memory, to the node's own memory, where the
 * host reads them. A thread's stack is in shared memory, for example. Returns the copies. */
static const int32_t* own_copies(const char* text, const int32_t* values) {
    static int32_t copies[MOST_VALUES];
    static char texts[MOST_TEXT_BYTES];
    size_t used = 0;
    size_t count = 0;
    for (const char* at = text; *at != 0 && count < MOST_VALUES; ++at) {
        if (*at != '%' || (at[1] != 'd' && at[1] != 's')) {
            continue;
        }
        copies[count] = values[count];
        if (at[1] == 's' && weir_is_shared((const void*)values[count])) {
            const char* from = (const char*)values[count];
            copies[count] = (int32_t)&texts[used];
            while (*from != 0 && used < MOST_TEXT_BYTES - 1) {
                texts[used++] = *from++;
            }
            used += used < MOST_TEXT_BYTES - 1 ? 1 : 0; /* a zero, which is there already */
        }
        ++count;
    }
    return copies;
}
#else
static const int32_t* own_copies(const char* text, const int32_t* values) {
    (void)text;
    return values;
}
#endif

void weir_fault(const char* text, const int32_t* values) {
    static volatile uint32_t call[WEIR_CALL_WORDS];
    const int32_t* const own = own_copies(text, values);
    call[WEIR_CALL_OPERATION] = WEIR_CALL_FAULT;
    call[WEIR_CALL_ARGUMENT] = (uint32_t)text;
    call[WEIR_CALL_ARGUMENT + 1] = (uint32_t)own;
    __asm__ volatile("" : : : "memory"); /* the host reads the values */
    WEIR_DEVICE(WEIR_HOST_CALL) = (uint32_t)call;
    weir_stop(WEIR_STATUS_FAULT); /* without a host; a host ends the run at the call */
}
