/* Program for a debugger: two nodes change variables, an array and a structure in shared memory, in
 * which a stack lies, too. */
#include "firmware/sparcle/shared_memory.h"

#define APART __attribute__((noinline, noclone))

struct record {
    uint32_t number;
    char text[8];
    uint16_t halves[2];
    struct record* next;
};

static struct shared_barrier barrier;
static struct record* record;
static volatile uint32_t* words;

static APART void look(void) { __asm__ volatile("" : : : "memory"); }

#ifdef WEIR_CONTEXTS /* without register windows, which are not spilled to shared memory */
static APART uint32_t descend(uint32_t depth) {
    volatile uint32_t here = depth;
    if (depth == 0) {
        look();
        return here;
    }
    return descend(depth - 1) + here;
}

/* Calls descend() on another stack. */
static APART uint32_t descend_on(uint32_t stack, uint32_t depth) {
    register uint32_t result __asm__("o0") = depth;
    __asm__ volatile(
        "mov %%sp, %%l6\n\t"
        "mov %1, %%sp\n\t"
        "call %2\n\t"
        "nop\n\t"
        "mov %%l6, %%sp"
        : "+r"(result)
        : "r"(stack), "r"(descend)
        : "l6", "o1", "o2", "o3", "o4", "o5", "o7", "g1", "g2", "g3", "g4", "memory", "cc");
    return result;
}
#endif

static void change(void) {
    record->number = 4711;
    record->text[0] = 'a';
    record->text[1] = 'b';
    record->halves[1] = 77;
    record->next = record + 1;
    record->next->number = 4712;
    for (uint32_t i = 0; i < 8; ++i) {
        words[i] = i * i;
    }
}

int main(void) {
    shared_barrier_make(&barrier);
    record = (struct record*)shared_allocate(0, 2 * sizeof *record);
    words = (volatile uint32_t*)shared_allocate(0, 8 * sizeof *words);
    shared_barrier_meet(&barrier);
    if (weir_node() == 1) {
        change();
    }
    shared_barrier_meet(&barrier);
    look(); /* node 1 has the only copies */
    shared_barrier_meet(&barrier);
    const uint32_t seen = words[3];
    if (weir_node() == 1) {
        shared_prefetch(words + 5);
        words[5] += 1;
        words[6] = words[7] + 1;
    }
    shared_barrier_meet(&barrier);
#ifdef WEIR_CONTEXTS
    if (weir_node() == 0) {
        const uint32_t stack = (uint32_t)shared_allocate(1, 4096);
        console_printf("descended %d\n", descend_on(stack + 4096 - 128, 20));
    }
#endif
    console_printf("seen %d %d %d\n", seen, words[6], record->number);
    return 0;
}
