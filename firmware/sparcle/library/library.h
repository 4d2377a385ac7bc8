/* What the parts of the C library's lower end tell each other, and the host. Plain C. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H

/* Of the words of main(), each with a zero behind it; and how many words there are at most, the
 * program's name among them. */
#define WEIR_ARGUMENT_BYTES 2048
#define WEIR_MOST_ARGUMENT_WORDS 128

#ifndef __cplusplus /* the rest is the library's */

#include <stddef.h>

#include "firmware/sparcle/weir.h"

/* Ends the run at once as a fault of the program, which the host tells with the calls that led here
 * (WEIR_CALL_FAULT); also in a handler. In the text, %d stands for the next of the values as a
 * number, %s for the text at that address. */
void weir_fault(const char* text, const int32_t* values) __attribute__((noreturn));
/* The fault that the program's end is where its status, the only value, is not 0; NULL: none. */
extern const char* weir_fault_of_exit;

/* Memory from the end of the heap, which never goes back there, at a multiple of 8; NULL where the
 * heap has grown there. For handlers, or while they are held off. */
void* weir_take_from_heaps_end(size_t bytes);
/* Bytes between the heap and what was taken from its end. */
size_t weir_rest_of_heap(void);

/* Data that handlers share with the program are changed while no handler runs. Program only. */
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
