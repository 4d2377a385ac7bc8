/*
 * Threads in a node's hardware contexts (block multithreading): a load of a word that is empty is a
 * trap that switches to the next context, which takes 14 cycles; where its turn comes again the
 * load is done again. So is an access to shared memory whose line comes from another node
 * (core.contexts). main() is context 0.
 *
 * For programs compiled with -DWEIR_CONTEXTS -mflat -msoft-float -ffixed-g1, all of them: a context
 * has one window. Handlers run in the trap window of the context that they interrupt, with all
 * traps off: those in C on a stack of their own, 4 KB; the two below, which read remote memory, are
 * in assembly. A handler wakes a thread by context_give(). Where the program polls, messages are
 * handled in am_poll(), and before each switch. am_wait() and am_barrier() do not switch: a thread
 * that calls them keeps the core. No overflow traps.
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
/* Makes the word full: whoever waits for it goes on when its turn comes. The second makes it empty,
 * before anybody waits. */
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
/* Leaves the turn to the next context, whatever it waits for. */
static inline void context_yield(void) {
    __asm__ volatile("ta " CONTEXT_TEXT(TRAP_NUMBER_YIELD) : : : "memory");
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
