/*
 * Threads in a node's hardware contexts (block multithreading). A load of an empty word traps and
 * switches to the next context in 14 cycles; the load is repeated at the context's next turn. An
 * access to shared memory whose line comes from another node switches contexts too (core.contexts).
 * main() is context 0.
 *
 * All files of a program must be compiled with -DWEIR_CONTEXTS -mflat -msoft-float -ffixed-g1,
 * since a context has one window. Handlers run in the trap window of the interrupted context, with
 * all traps off. Handlers in C have a stack of their own of 4 KB; the two handlers below, which
 * read remote memory, are in assembly. A handler wakes a thread by context_give(). If the program
 * polls, messages are handled in am_poll() and before each switch. am_wait() and am_barrier() do
 * not switch: a thread in them keeps the core. Overflow traps are not supported.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_CONTEXTS_H
#define WEIR_FIRMWARE_SPARCLE_CONTEXTS_H

#include "firmware/sparcle/active_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CONTEXT_TEXT_OF(number) #number
#define CONTEXT_TEXT(number) CONTEXT_TEXT_OF(number)

/* Words for context_read(), one for each context, and words that become full when threads end. All
 * are empty at first. */
extern volatile uint32_t context_words[SPARCLE_CONTEXTS];
extern volatile uint32_t context_ends[SPARCLE_WINDOWS];

/* Runs thread(argument) in context 1, 2 or 3, on a stack that ends at `stack_end`. Use the lowest
 * free context: unused contexts must have the highest numbers. */
void context_start(uint32_t context, void (*thread)(uint32_t), uint32_t argument, void* stack_end)
#ifdef WEIR_RANKS
    __attribute__((error("a program with the C library runs once in each context")))
#endif
    ;

/* Wait until the word is full, and return it; context_take() leaves it empty. */
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
/* context_give() makes the word full; a waiting thread continues at its next turn. context_empty()
 * makes the word empty; call it before any thread waits for the word. */
static inline void context_give(volatile uint32_t* word, uint32_t value) {
    __asm__ volatile("sta %1, [%0] " CONTEXT_TEXT(SPARCLE_ASI_STORE_FULL)
                     :
                     : "r"(word), "r"(value)
                     : "memory");
}
static inline void context_empty(volatile uint32_t* word) {
    __asm__ volatile("sta %%g0, [%0] " CONTEXT_TEXT(SPARCLE_ASI_STORE_EMPTY)
                     :
                     : "r"(word)
                     : "memory");
}
/* Switches to the next context; the thread continues at its next turn. */
static inline void context_yield(void) {
    __asm__ volatile("ta " CONTEXT_TEXT(TRAP_NUMBER_YIELD) : : : "memory");
}
/* Waits until the context's thread has returned. */
static inline void context_join(uint32_t context) {
    (void)context_wait(&context_ends[SPARCLE_WINDOWS_PER_CONTEXT * context - 1]);
}

/* Handlers of the request and the reply of context_read(). */
void context_serve(void);
void context_fill(void);

/* Reads a word of another node's memory; called by the thread of `context`. */
static inline uint32_t context_read(uint32_t context, uint32_t node,
                                    const volatile uint32_t* address) {
    am_send_2(node, context_serve, weir_node() << 8 | context, (uint32_t)address);
    return context_take(&context_words[context]);
}

#ifdef __cplusplus
}
#endif

#endif
