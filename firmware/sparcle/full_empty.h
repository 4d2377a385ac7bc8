/*
 * Loads and stores that use the full/empty bit of each word of shared memory, and structures built
 * from them. C side of firmware/synchronizing_structures.h. For programs compiled for shared
 * memory.
 *
 * An access handles bit and word atomically. All words are full at first. An access to a double
 * uses the bit of its first word. Ordinary loads and stores neither read nor change the bits.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_FULL_EMPTY_H
#define WEIR_FIRMWARE_SPARCLE_FULL_EMPTY_H

#include "firmware/sparcle/shared_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A load or a store in the address space of one kind of access. */
#define SHARED_LOAD_BY_BIT(instruction, space, place, value)        \
    __asm__ volatile(instruction " [%1] " SHARED_TEXT(space) ", %0" \
                     : "=r"(value)                                  \
                     : "r"(place)                                   \
                     : "memory")
#define SHARED_STORE_BY_BIT(instruction, space, place, value)    \
    __asm__ volatile(instruction " %1, [%0] " SHARED_TEXT(space) \
                     :                                           \
                     : "r"(place), "r"(value)                    \
                     : "memory")

/* Waiting accesses: in the other state the access traps and is repeated; the program's other
 * contexts run meanwhile. Both loads wait for a full word, and the second makes it empty. Both
 * stores wait for an empty word, and the second makes it full. */
static inline uint32_t shared_load_full(const volatile uint32_t* word) {
    uint32_t value;
    SHARED_LOAD_BY_BIT("lda", SPARCLE_ASI_LOAD_FULL, word, value);
    return value;
}
static inline uint32_t shared_take_full(volatile uint32_t* word) {
    uint32_t value;
    SHARED_LOAD_BY_BIT("lda", SPARCLE_ASI_TAKE_FULL, word, value);
    return value;
}
static inline void shared_store_empty(volatile uint32_t* word, uint32_t value) {
    SHARED_STORE_BY_BIT("sta", SPARCLE_ASI_STORE_IF_EMPTY, word, value);
}
static inline void shared_fill_empty(volatile uint32_t* word, uint32_t value) {
    SHARED_STORE_BY_BIT("sta", SPARCLE_ASI_FILL_IF_EMPTY, word, value);
}

/* Non-waiting accesses: succeed in both states, and report whether the word was full. These
 * functions use the branches Bfull and Bempty, which the assembler calls cb1 and cb0. */
#define SHARED_WAS_FULL "cb1 1f\n\tmov 1, %0\n\tmov 0, %0\n1:"
#define SHARED_LOAD_FINDING(space, word, value, was_full)                      \
    __asm__ volatile("lda [%2] " SHARED_TEXT(space) ", %1\n\t" SHARED_WAS_FULL \
                     : "=&r"(was_full), "=&r"(value)                           \
                     : "r"(word)                                               \
                     : "memory")
#define SHARED_STORE_FINDING(instruction, space, place, value, was_full)                \
    __asm__ volatile(instruction " %2, [%1] " SHARED_TEXT(space) "\n\t" SHARED_WAS_FULL \
                     : "=&r"(was_full)                                                  \
                     : "r"(place), "r"(value)                                           \
                     : "memory")
static inline uint32_t shared_load_found(const volatile uint32_t* word, uint32_t* value) {
    uint32_t was_full;
    SHARED_LOAD_FINDING(SPARCLE_ASI_LOAD_FOUND, word, *value, was_full);
    return was_full;
}
static inline uint32_t shared_take_found(volatile uint32_t* word, uint32_t* value) {
    uint32_t was_full;
    SHARED_LOAD_FINDING(SPARCLE_ASI_TAKE_FOUND, word, *value, was_full);
    return was_full;
}
static inline uint32_t shared_store_found(volatile uint32_t* word, uint32_t value) {
    uint32_t was_full;
    SHARED_STORE_FINDING("sta", SPARCLE_ASI_STORE_FOUND, word, value, was_full);
    return was_full;
}
static inline uint32_t shared_fill(volatile uint32_t* word, uint32_t value) {
    uint32_t was_full;
    SHARED_STORE_FINDING("sta", SPARCLE_ASI_STORE_FULL, word, value, was_full);
    return was_full;
}
static inline uint32_t shared_empty(volatile uint32_t* word, uint32_t value) {
    uint32_t was_full;
    SHARED_STORE_FINDING("sta", SPARCLE_ASI_STORE_EMPTY, word, value, was_full);
    return was_full;
}

/* Non-waiting accesses to doubles. */
union shared_double {
    double real;
    uint64_t words;
};
static inline double shared_load_full_double(const volatile double* place) {
    union shared_double value;
    SHARED_LOAD_BY_BIT("ldda", SPARCLE_ASI_LOAD_FULL, place, value.words);
    return value.real;
}
static inline double shared_take_full_double(volatile double* place) {
    union shared_double value;
    SHARED_LOAD_BY_BIT("ldda", SPARCLE_ASI_TAKE_FULL, place, value.words);
    return value.real;
}
static inline void shared_fill_empty_double(volatile double* place, double real) {
    const union shared_double value = {real};
    SHARED_STORE_BY_BIT("stda", SPARCLE_ASI_FILL_IF_EMPTY, place, value.words);
}
static inline uint32_t shared_fill_double(volatile double* place, double real) {
    const union shared_double value = {real};
    uint32_t was_full;
    SHARED_STORE_FINDING("stda", SPARCLE_ASI_STORE_FULL, place, value.words, was_full);
    return was_full;
}

/*
 * J-structures: each element is written once, and a read waits for the write. An element is a word
 * or a double anywhere in shared memory. Reset an element before its first use. Before a second
 * write, reset it at a node that knows that no reads are outstanding. Writing a full element ends
 * the program.
 */
void j_structure_is_full(const volatile void* element) __attribute__((noreturn));

static inline void j_reset(volatile uint32_t* element) { (void)shared_empty(element, 0); }
static inline uint32_t j_read(const volatile uint32_t* element) {
    return shared_load_full(element);
}
static inline void j_write(volatile uint32_t* element, uint32_t value) {
    if (shared_fill(element, value)) {
        j_structure_is_full(element);
    }
}
static inline void j_reset_double(volatile double* element) {
    (void)shared_empty((volatile uint32_t*)element, 0);
}
static inline double j_read_double(const volatile double* element) {
    return shared_load_full_double(element);
}
static inline void j_write_double(volatile double* element, double value) {
    if (shared_fill_double(element, value)) {
        j_structure_is_full(element);
    }
}

/*
 * L-structures: taking an element's value locks the element; other threads wait until a value is
 * put back. An element is a word or a double of shared memory, unlocked at first. Putting a value
 * into an unlocked element ends the program.
 */
void l_structure_is_unlocked(const volatile void* element) __attribute__((noreturn));

static inline uint32_t l_take(volatile uint32_t* element) { return shared_take_full(element); }
static inline uint32_t l_look(const volatile uint32_t* element) {
    return shared_load_full(element);
}
static inline void l_put(volatile uint32_t* element, uint32_t value) {
    if (shared_fill(element, value)) {
        l_structure_is_unlocked(element);
    }
}
static inline double l_take_double(volatile double* element) {
    return shared_take_full_double(element);
}
static inline double l_look_double(const volatile double* element) {
    return shared_load_full_double(element);
}
static inline void l_put_double(volatile double* element, double value) {
    if (shared_fill_double(element, value)) {
        l_structure_is_unlocked(element);
    }
}

#ifdef __cplusplus
}
#endif

#endif
