/*
 * Loads and stores by the full/empty bit that each word of shared memory has, and structures made
 * of them. The C side of firmware/synchronizing_structures.h. For programs that are compiled for
 * shared memory.
 *
 * Bit and word are one access. All words are full at first. An access of a double uses the bit of
 * its first word. Ordinary loads and stores neither see nor change the bits.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_FULL_EMPTY_H
#define WEIR_FIRMWARE_SPARCLE_FULL_EMPTY_H

#include "firmware/sparcle/shared_memory.h"

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

/* These wait: in the other state the access traps, and is made again; a program's other contexts
 * run meanwhile. Loads of full words, the second makes the word empty; stores to empty words, the
 * second makes the word full. */
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

/* These take place in either state, and say whether the word was full: by the branches Bfull and
 * Bempty, whose names in the assembler are cb1 and cb0. */
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

/* The same of doubles. */
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
 * J-structures: each element is written once, and who reads it waits until it is. An element is a
 * word or a double of shared memory, wherever that lies. It is reset before its first use, and
 * before it is written again, by a node that knows that nobody reads it any more. A second write
 * ends the program.
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
 * L-structures: who takes an element's value locks it, and nobody else takes or looks at it until a
 * value is put back. An element is a word or a double of shared memory, unlocked at first. To put
 * without having taken ends the program.
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

#endif
