/*
 * Atomic operations that are single loads and stores on private memory. Included before each source
 * of a program that shares memory (weir compile --shared-memory), so that these operations exclude
 * all others (shared_atomics.c). If the compiler sees that the place is a variable, the cost does
 * not change, because variables are in private memory. For other places a branch tests the address.
 * Loads exclude no other operation. Operations on _Atomic objects by name, and those of
 * <stdatomic.h>, are function calls.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_SHARED_ATOMICS_H
#define WEIR_FIRMWARE_SPARCLE_SHARED_ATOMICS_H
#ifndef __ASSEMBLER__

/* Shared memory is the upper half of all addresses. */
#ifdef WEIR_THREADS /* variables are in shared memory too */
#define WEIR_IS_PRIVATE(place) ((int)(unsigned long)(place) >= 0)
#else
#define WEIR_IS_PRIVATE(place) \
    (__builtin_object_size((const void*)(place), 0) != -1UL || (int)(unsigned long)(place) >= 0)
#endif
#define WEIR_COMPILER_BARRIER() __asm__ volatile("" : : : "memory")

#define __atomic_load_n(place, order)                                                      \
    __extension__({                                                                        \
        __typeof__(&*(place)) const weir_loaded = (place);                                 \
        WEIR_COMPILER_BARRIER();                                                           \
        const __typeof__(__atomic_load_n(weir_loaded, order)) weir_value =                 \
            *(const volatile __typeof__(__atomic_load_n(weir_loaded, order))*)weir_loaded; \
        WEIR_COMPILER_BARRIER();                                                           \
        weir_value;                                                                        \
    })

#define __atomic_store_n(place, value, order)                                                     \
    __extension__({                                                                               \
        __typeof__(&*(place)) const weir_stored = (place);                                        \
        const __typeof__(__atomic_load_n(weir_stored, 0)) weir_value = (value);                   \
        WEIR_COMPILER_BARRIER();                                                                  \
        if (WEIR_IS_PRIVATE(weir_stored)) {                                                       \
            *(volatile __typeof__(__atomic_exchange_n(weir_stored, weir_value, 0))*)weir_stored = \
                weir_value;                                                                       \
        } else {                                                                                  \
            __atomic_store_n(weir_stored, weir_value, order);                                     \
        }                                                                                         \
        WEIR_COMPILER_BARRIER();                                                                  \
        (void)0;                                                                                  \
    })

/* A byte that is already set is not stored again. */
#define __atomic_test_and_set(place, order)                                    \
    __extension__({                                                            \
        volatile void* const weir_place = (place);                             \
        WEIR_IS_PRIVATE(weir_place)                                            \
        ? __atomic_test_and_set(weir_place, order)                             \
        : __sync_val_compare_and_swap((volatile unsigned char*)weir_place, 0,  \
                                      __GCC_ATOMIC_TEST_AND_SET_TRUEVAL) != 0; \
    })

#define __atomic_clear(place, order) \
    __atomic_store_n((volatile unsigned char*)(volatile void*)(place), 0, order)

#define __sync_lock_test_and_set(place, value, ...)                 \
    __extension__({                                                 \
        __typeof__(&*(place)) const weir_place = (place);           \
        WEIR_IS_PRIVATE(weir_place)                                 \
        ? __sync_lock_test_and_set(weir_place, value)               \
        : __atomic_exchange_n(weir_place, value, __ATOMIC_ACQUIRE); \
    })

#define __sync_lock_release(place, ...) __atomic_store_n(place, 0, __ATOMIC_RELEASE)

#endif
#endif
