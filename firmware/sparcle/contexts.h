/*
 * Threads in a node's hardware contexts (block multithreading): a load of a word that is empty is a
 * trap that switches to the next context, which takes 14 cycles; where its turn comes again the
 * load is done again. main() is context 0.
 *
 * For programs compiled with -DWEIR_CONTEXTS -mflat -msoft-float -ffixed-g1, all of them: a context
 * has one window. Handlers are assembly in that context's trap window (contexts.inc says what they
 * may use); the two there are read remote memory. No overflow traps, no polling, no am_barrier().
 */
#ifndef WEIR_FIRMWARE_SPARCLE_CONTEXTS_H
#define WEIR_FIRMWARE_SPARCLE_CONTEXTS_H

#include "firmware/sparcle/active_messages.h"

#define CONTEXT_TEXT_OF(number) #number
#define CONTEXT_TEXT(number) CONTEXT_TEXT_OF(number)

/* Empty at first. */
extern volatile uint32_t context_words[SPARCLE_CONTEXTS];
extern volatile uint32_t context_ends[SPARCLE_WINDOWS];

/* Runs thread(argument) in context 1, 2 or 3, on a stack that ends at `stack_end`. Contexts that
 * run no thread are those with the highest numbers. */
void context_start(uint32_t context, void (*thread)(uint32_t), uint32_t argument, void* stack_end);

/* Waits until the word is full; the second leaves it empty. */
static inline uint32_t context_wait(const volatile uint32_t* word) {
    uint32_t value;
    __asm__ volatile("lda [%1] " CONTEXT_TEXT(SPARCLE_ASI_LOAD_FULL) ", %0"
                     : "=r"(value)
                     : "r"(word)
                     : "memory", "cc");
    return value;
}
static inline uint32_t context_take(volatile uint32_t* word) {
    uint32_t value;
    __asm__ volatile("lda [%1] " CONTEXT_TEXT(SPARCLE_ASI_TAKE_FULL) ", %0"
                     : "=r"(value)
                     : "r"(word)
                     : "memory", "cc");
    return value;
}
/* Waits until a context's thread has returned. */
static inline void context_join(uint32_t context) {
    (void)context_wait(&context_ends[SPARCLE_WINDOWS_PER_CONTEXT * context - 1]);
}

/* Handlers. */
void context_serve(void);
void context_fill(void);

/* Thread of `context`: the word at an address of another node's memory. */
static inline uint32_t context_read(uint32_t context, uint32_t node,
                                    const volatile uint32_t* address) {
    am_send_2(node, context_serve, weir_node() << 8 | context, (uint32_t)address);
    return context_take(&context_words[context]);
}

#endif
