/* Faulty uses of shared memory, selected by the first argument. */
#include "firmware/sparcle/shared_memory.h"
#include "firmware/sparcle/trap.h"

static void fetch(const volatile void* where) { ((void (*)(void))where)(); }

static void access_with_traps_off(volatile uint32_t* word) {
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0\n\twr %0, %1, %%psr\n\tnop\n\tnop\n\tnop"
                     : "=&r"(psr)
                     : "i"(PSR_ENABLE_TRAPS)
                     : "memory");
    *word = 1;
}

static volatile uint32_t* handlers_word;
static void store_in_handler(void) { *handlers_word = 1; }

int main(int count, const unsigned* words) {
    volatile uint32_t* const word =
        count > 0 && words[0] == 0 ? (volatile uint32_t*)SHARED_BASE : shared_line(1);
    switch (count > 0 ? words[0] : 0) {
        case 0: /* a store on nodes without shared memory */
        case 1:
            *word = 1;
            break;
        case 2:
            fetch(word);
            break;
        case 3:
            __asm__ volatile("lda [%0] " SHARED_TEXT(SPARCLE_ASI_IO) ", %%g0" : : "r"(word));
            break;
        case 4:
            access_with_traps_off(word);
            break;
        case 5:
            shared_prefetch(&words);
            break;
        case 6:
            (void)*(volatile uint32_t*)(SHARED_BASE + weir_nodes * weir_shared_memory.bytes);
            break;
        case 7:
            (void)*(volatile uint32_t*)((uint32_t)word + 2);
            break;
        case 8:
            (void)shared_allocate(0, weir_shared_memory.bytes + 1);
            break;
        case 9:
            handlers_word = word;
            am_send_0(weir_node(), store_in_handler);
            weir_work(1000);
            break;
        case 10: /* a fetch-and-op without coherence.fetch_and_op */
            (void)shared_fetch_and_add(word, 1);
            break;
        case 11: /* a fetch-and-op on the node's own memory */
            (void)shared_fetch_and_add((volatile uint32_t*)&words, 1);
            break;
        default:
            break;
    }
    return 0;
}
