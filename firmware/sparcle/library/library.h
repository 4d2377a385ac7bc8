/* Weir's part of the C library: functions that its files share, and constants for the host. C. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_LIBRARY_H

/* Greatest size of the arguments of main(), in bytes with their terminating zeros, and greatest
 * number of arguments, with the program's name. */
#define WEIR_ARGUMENT_BYTES 2048
#define WEIR_MOST_ARGUMENT_WORDS 128

/* Greatest size of the environment's variables, in bytes with their terminating zeros, and their
 * greatest number. */
#define WEIR_ENVIRONMENT_BYTES 2048
#define WEIR_MOST_VARIABLES 64

#ifndef __cplusplus /* the rest is for the library only */

#include <stddef.h>

#include "firmware/sparcle/weir.h"
#ifdef WEIR_SHARED_MEMORY
#include "firmware/sparcle/shared_memory.h"
#endif

/* Ends the run at once with a program fault; may be called in handlers too. The host reports it
 * with the calls that led here (WEIR_CALL_FAULT). In the text, %d stands for the next value as a
 * number, and %s for the text at the next value. */
void weir_fault(const char* text, const int32_t* values) __attribute__((noreturn));
/* Text of the fault to report if the program ends with a nonzero exit status, with the status as
 * its only value. NULL: no fault. */
extern const char* weir_fault_of_exit;

/* True for an address in shared memory. The host reads and writes a node's own memory only, so data
 * there pass through a buffer. */
static inline int weir_is_shared(const void* address) {
#ifdef WEIR_SHARED_MEMORY
    return (uint32_t)address >= SHARED_BASE;
#else
    (void)address;
    return 0;
#endif
}

/* Takes memory from the end of the heap, at a multiple of 8; NULL if the heap leaves no room. The
 * memory is never returned. For handlers, or while handlers are held off. */
void* weir_take_from_heaps_end(size_t bytes);
/* End of the heap's used part. */
const void* weir_end_of_heap(void);
/* Time since the machine's start: in microseconds, or as seconds and nanoseconds, which takes fewer
 * cycles. */
uint64_t weir_microseconds(void);
void weir_time(uint32_t* seconds, uint32_t* nanoseconds);
/* Executes a call of the host (host_call.h), whose addresses must be of the node's own memory.
 * Returns its result, or -1 with errno. */
int weir_call_host(uint32_t operation, uint32_t one, uint32_t two, uint32_t three);
/* The same with a file's name, which may lie in shared memory. */
int weir_call_host_by_name(uint32_t operation, const char* name, uint32_t flags);

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
