/*
 * Atomic operations of a program whose nodes share no memory. A node runs only the program and its
 * handlers, which are held off during an operation; handlers may use these operations too.
 */
#include <stddef.h>

#include "firmware/sparcle/memory.h"
#include "firmware/sparcle/weir.h"

static inline uint32_t hold_handlers_off(void) {
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0" : "=r"(psr) : : "memory");
    const uint32_t level = psr & LEVEL_TRAP << PSR_LEVEL_SHIFT;
    if (level < LEVEL_HANDLER << PSR_LEVEL_SHIFT) {
        __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop"
                         :
                         : "r"(psr - level + (LEVEL_HANDLERS_OFF << PSR_LEVEL_SHIFT))
                         : "memory");
    }
    return psr;
}

static inline void let_handlers_come(uint32_t psr) {
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop" : : "r"(psr) : "memory");
}

#define BEGIN_PRIVATE(place) const uint32_t psr = hold_handlers_off()
#define END_PRIVATE let_handlers_come(psr)
#define SHARED(statement)
#define DEFINE_SHARED_CHANGE(bytes, type, given, after)
#define DEFINE_SHARED_COMPARE_AND_SWAP(bytes, type)
#define STORE(bytes, type, place, value) (void)atomic_EXCHANGE_##bytes(place, value, 0)
#define TAKES_PLACE(place) ((void)(place), 0)

static inline uint32_t hold_object(const void* place) {
    (void)place;
    return hold_handlers_off();
}
static inline void release_object(const void* place, uint32_t psr) {
    (void)place;
    let_handlers_come(psr);
}

#include "firmware/sparcle/atomics.inc"
