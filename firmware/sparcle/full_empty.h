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

/* These wait: in the other state the access traps, and is made again; a program's other contexts
 * run meanwhile. Loads of full words, the second makes the word empty; stores to empty words, the
 * second makes the word full. */
static inline uint32_t shared_load_full(const volatile uint32_t* word) {
    uint32_t value;
    __asm__ volatile("lda [%1] " SHARED_TEXT(SPARCLE_ASI_LOAD_FULL) ", %0"
                     : "=r"(value)
                     : "r"(word)
                     : "memory");
    return value;
}
static inline uint32_t shared_take_full(volatile uint32_t* word) {
    uint32_t value;
    __asm__ volatile("lda [%1] " SHARED_TEXT(SPARCLE_ASI_TAKE_FULL) ", %0"
                     : "=r"(value)
                     : "r"(word)
                     : "memory");
    return value;
}
static inline void shared_store_empty(volatile uint32_t* word, uint32_t value) {
    __asm__ volatile("sta %1, [%0] " SHARED_TEXT(SPARCLE_ASI_STORE_IF_EMPTY)
                     :
                     : "r"(word), "r"(value)
                     : "memory");
}
static inline void shared_fill_empty(volatile uint32_t* word, uint32_t value) {
    __asm__ volatile("sta %1, [%0] " SHARED_TEXT(SPARCLE_ASI_FILL_IF_EMPTY)
                     :
                     : "r"(word), "r"(value)
                     : "memory");
}

/* These take place in either state, and say whether the word was full: by the branches Bfull and
 * Bempty, whose names in the assembler are cb1 and cb0. */
#define SHARED_WAS_FULL "cb1 1f\n\tmov 1, %0\n\tmov 0, %0\n1:"
static inline uint32_t shared_load_found(const volatile uint32_t* word, uint32_t* value) {
    uint32_t was_full;
    __asm__ volatile("lda [%2] " SHARED_TEXT(SPARCLE_ASI_LOAD_FOUND) ", %1\n\t" SHARED_WAS_FULL
                     : "=&r"(was_full), "=&r"(*value)
                     : "r"(word)
                     : "memory");
    return was_full;
}
static inline uint32_t shared_take_found(volatile uint32_t* word, uint32_t* value) {
    uint32_t was_full;
    __asm__ volatile("lda [%2] " SHARED_TEXT(SPARCLE_ASI_TAKE_FOUND) ", %1\n\t" SHARED_WAS_FULL
                     : "=&r"(was_full), "=&r"(*value)
                     : "r"(word)
                     : "memory");
    return was_full;
}
static inline uint32_t shared_store_found(volatile uint32_t* word, uint32_t value) {
    uint32_t was_full;
    __asm__ volatile("sta %2, [%1] " SHARED_TEXT(SPARCLE_ASI_STORE_FOUND) "\n\t" SHARED_WAS_FULL
                     : "=&r"(was_full)
                     : "r"(word), "r"(value)
                     : "memory");
    return was_full;
}
static inline uint32_t shared_fill(volatile uint32_t* word, uint32_t value) {
    uint32_t was_full;
    __asm__ volatile("sta %2, [%1] " SHARED_TEXT(SPARCLE_ASI_STORE_FULL) "\n\t" SHARED_WAS_FULL
                     : "=&r"(was_full)
                     : "r"(word), "r"(value)
                     : "memory");
    return was_full;
}
static inline uint32_t shared_empty(volatile uint32_t* word, uint32_t value) {
    uint32_t was_full;
    __asm__ volatile("sta %2, [%1] " SHARED_TEXT(SPARCLE_ASI_STORE_EMPTY) "\n\t" SHARED_WAS_FULL
                     : "=&r"(was_full)
                     : "r"(word), "r"(value)
                     : "memory");
    return was_full;
}

/* Of doubles. */
union shared_double {
    double real;
    uint64_t words;
};
static inline double shared_load_full_double(const volatile double* place) {
    union shared_double value;
    __asm__ volatile("ldda [%1] " SHARED_TEXT(SPARCLE_ASI_LOAD_FULL) ", %0"
                     : "=r"(value.words)
                     : "r"(place)
                     : "memory");
    return value.real;
}
static inline uint32_t shared_fill_double(volatile double* place, double real) {
    const union shared_double value = {real};
    uint32_t was_full;
    __asm__ volatile("stda %2, [%1] " SHARED_TEXT(SPARCLE_ASI_STORE_FULL) "\n\t" SHARED_WAS_FULL
                     : "=&r"(was_full)
                     : "r"(place), "r"(value.words)
                     : "memory");
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
 * value is put back. An element is a word of shared memory, unlocked at first. To put without
 * having taken ends the program.
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

#endif
