/*
 * What the compiler calls for __atomic_* and __sync_*: SPARC V7 has no such instructions. Besides
 * the program a node runs only its handlers, which are held off meanwhile; they may call these,
 * too.
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

/* As the compiler names them: its own declarations are of built-in functions. */
#define NAMED(name) __asm__(#name)

/* *place becomes `after`, which may use `before` and `value`. */
#define CHANGE(bytes, type, atomic_name, sync_name, given, after)                \
    type atomic_##given##_##bytes(volatile void* place, type value, int order)   \
        NAMED(__atomic_##atomic_name##_##bytes);                                 \
    type atomic_##given##_##bytes(volatile void* place, type value, int order) { \
        const uint32_t psr = hold_handlers_off();                                \
        const type before = *(volatile type*)place;                              \
        (void)order;                                                             \
        *(volatile type*)place = (type)(after);                                  \
        let_handlers_come(psr);                                                  \
        return given##_RESULT(before, (type)(after));                            \
    }                                                                            \
    type sync_##given##_##bytes(volatile void* place, type value)                \
        NAMED(__sync_##sync_name##_##bytes);                                     \
    type sync_##given##_##bytes(volatile void* place, type value) {              \
        return atomic_##given##_##bytes(place, value, 0);                        \
    }
#define CHANGES(bytes, type, name, after)                                     \
    CHANGE(bytes, type, fetch_##name, fetch_and_##name, BEFORE_##name, after) \
    CHANGE(bytes, type, name##_fetch, name##_and_fetch, AFTER_##name, after)

#define BEFORE_add_RESULT(before, after) before
#define AFTER_add_RESULT(before, after) after
#define BEFORE_sub_RESULT(before, after) before
#define AFTER_sub_RESULT(before, after) after
#define BEFORE_and_RESULT(before, after) before
#define AFTER_and_RESULT(before, after) after
#define BEFORE_or_RESULT(before, after) before
#define AFTER_or_RESULT(before, after) after
#define BEFORE_xor_RESULT(before, after) before
#define AFTER_xor_RESULT(before, after) after
#define BEFORE_nand_RESULT(before, after) before
#define AFTER_nand_RESULT(before, after) after
#define EXCHANGE_RESULT(before, after) before

#define ATOMICS(bytes, type)                                                                      \
    CHANGES(bytes, type, add, before + value)                                                     \
    CHANGES(bytes, type, sub, before - value)                                                     \
    CHANGES(bytes, type, and, before& value)                                                      \
    CHANGES(bytes, type, or, before | value)                                                      \
    CHANGES(bytes, type, xor, before ^ value)                                                     \
    CHANGES(bytes, type, nand, ~(before & value))                                                 \
    CHANGE(bytes, type, exchange, lock_test_and_set, EXCHANGE, value)                             \
    type atomic_load_##bytes(const volatile void* place, int order) NAMED(__atomic_load_##bytes); \
    type atomic_load_##bytes(const volatile void* place, int order) {                             \
        (void)order;                                                                              \
        return *(const volatile type*)place; /* one instruction, two words too */                 \
    }                                                                                             \
    void atomic_store_##bytes(volatile void* place, type value, int order)                        \
        NAMED(__atomic_store_##bytes);                                                            \
    void atomic_store_##bytes(volatile void* place, type value, int order) {                      \
        (void)atomic_EXCHANGE_##bytes(place, value, order);                                       \
    }                                                                                             \
    _Bool atomic_compare_exchange_##bytes(volatile void* place, void* expected, type desired,     \
                                          int success, int failure)                               \
        NAMED(__atomic_compare_exchange_##bytes);                                                 \
    _Bool atomic_compare_exchange_##bytes(volatile void* place, void* expected, type desired,     \
                                          int success, int failure) {                             \
        const uint32_t psr = hold_handlers_off();                                                 \
        const type before = *(volatile type*)place;                                               \
        const _Bool is_same = before == *(type*)expected;                                         \
        (void)success;                                                                            \
        (void)failure;                                                                            \
        if (is_same) {                                                                            \
            *(volatile type*)place = desired;                                                     \
        }                                                                                         \
        let_handlers_come(psr);                                                                   \
        if (!is_same) {                                                                           \
            *(type*)expected = before;                                                            \
        }                                                                                         \
        return is_same;                                                                           \
    }                                                                                             \
    type sync_compare_and_swap_##bytes(volatile void* place, type expected, type desired)         \
        NAMED(__sync_val_compare_and_swap_##bytes);                                               \
    type sync_compare_and_swap_##bytes(volatile void* place, type expected, type desired) {       \
        (void)atomic_compare_exchange_##bytes(place, &expected, desired, 0, 0);                   \
        return expected;                                                                          \
    }                                                                                             \
    _Bool sync_is_swapped_##bytes(volatile void* place, type expected, type desired)              \
        NAMED(__sync_bool_compare_and_swap_##bytes);                                              \
    _Bool sync_is_swapped_##bytes(volatile void* place, type expected, type desired) {            \
        return atomic_compare_exchange_##bytes(place, &expected, desired, 0, 0);                  \
    }

ATOMICS(1, uint8_t)
ATOMICS(2, uint16_t)
ATOMICS(4, uint32_t)
ATOMICS(8, uint64_t)

/* Of things of any size. */
void atomic_load(size_t bytes, const void* place, void* loaded, int order) NAMED(__atomic_load);
void atomic_load(size_t bytes, const void* place, void* loaded, int order) {
    const uint32_t psr = hold_handlers_off();
    (void)order;
    memcpy(loaded, place, bytes);
    let_handlers_come(psr);
}

void atomic_store(size_t bytes, void* place, const void* value, int order) NAMED(__atomic_store);
void atomic_store(size_t bytes, void* place, const void* value, int order) {
    atomic_load(bytes, value, place, order);
}

void atomic_exchange(size_t bytes, void* place, const void* value, void* before, int order)
    NAMED(__atomic_exchange);
void atomic_exchange(size_t bytes, void* place, const void* value, void* before, int order) {
    const uint32_t psr = hold_handlers_off();
    (void)order;
    memcpy(before, place, bytes);
    memcpy(place, value, bytes);
    let_handlers_come(psr);
}

_Bool atomic_compare_exchange(size_t bytes, void* place, void* expected, const void* desired,
                              int success, int failure) NAMED(__atomic_compare_exchange);
_Bool atomic_compare_exchange(size_t bytes, void* place, void* expected, const void* desired,
                              int success, int failure) {
    const uint32_t psr = hold_handlers_off();
    const _Bool is_same = memcmp(place, expected, bytes) == 0;
    (void)success;
    (void)failure;
    memcpy(is_same ? place : expected, is_same ? desired : place, bytes);
    let_handlers_come(psr);
    return is_same;
}

_Bool atomic_is_lock_free(size_t bytes, const volatile void* place) NAMED(__atomic_is_lock_free);
_Bool atomic_is_lock_free(size_t bytes, const volatile void* place) {
    (void)place;
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}
