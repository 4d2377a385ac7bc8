/* Weir's part of the C library: functions that its files share, and constants for the host. C. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H

/* Greatest size of the arguments of main(), in bytes with their terminating zeros, and greatest
 * number of arguments, with the program's name. */
#define WEIR_ARGUMENT_BYTES 2048
#define WEIR_MOST_ARGUMENT_WORDS 128

#ifndef __cplusplus /* the rest is for the library only */

#include <stddef.h>

#include "firmware/sparcle/weir.h"

/* Ends the run at once with a program fault; may be called in handlers too. The host reports it
 * with the calls that led here (WEIR_CALL_FAULT). In the text, %d stands for the next value as a
 * number, and %s for the text at the next value. */
void weir_fault(const char* text, const int32_t* values) __attribute__((noreturn));
/* Text of the fault to report if the program ends with a nonzero exit status, with the status as
 * its only value. NULL: no fault. */
extern const char* weir_fault_of_exit;

/* Takes memory from the end of the heap, at a multiple of 8; NULL if the heap leaves no room. The
 * memory is never returned. For handlers, or while handlers are held off. */
void* weir_take_from_heaps_end(size_t bytes);
/* Bytes between the heap and the memory taken from its end. */
size_t weir_rest_of_heap(void);

/* Holds handlers off while the program changes data that it shares with them; not for handlers. */
static inline uint32_t hold_handlers_off(void) {
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0" : "=r"(psr) : : "memory");
    const uint32_t level = psr & LEVEL_TRAP << PSR_LEVEL_SHIFT;
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop"
                     :
                     : "r"(psr - level + (LEVEL_HANDLERS_OFF << PSR_LEVEL_SHIFT))
                     : "memory");
    return psr;
}
static inline void let_handlers_come(uint32_t psr) {
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop" : : "r"(psr) : "memory");
}

#endif

#endif
