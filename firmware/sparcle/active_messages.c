#include "firmware/sparcle/active_messages.h"

#include "firmware/sparcle/contexts.h"
#include "firmware/sparcle/memory.h"
#include "firmware/sparcle/trap.h"

#define MOST_BARRIER_ROUNDS 16

uint32_t weir_nodes;
#ifdef WEIR_THREADS
uint32_t am_slow_end;
#endif
/* Flag that becomes 1 when the body being sent has left memory; NULL: none. */
volatile uint32_t* volatile am_being_sent;
WEIR_FROM_HOST struct weir_boot weir_boot = {0, 64 * 1024, 64 * 1024, 0, {0}};

/* PSR of a program that holds off messages and DMA engines. The level in this PSR must differ from
 * a handler's, by which an overflow trap recognises an interrupted handler. */
#define HANDLERS_OFF_PSR                                             \
    (PSR_ENABLE_FLOATING_POINT | PSR_SUPERVISOR | PSR_ENABLE_TRAPS | \
     (LEVEL_HANDLERS_OFF << PSR_LEVEL_SHIFT))

static inline uint32_t weir_window(void) {
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0" : "=r"(psr));
    return psr & (SPARCLE_WINDOWS - 1);
}

static uint32_t overflow_begin;
static uint32_t overflow_end;
static uint32_t newest_saved;
static volatile uint32_t barrier_arrivals[MOST_BARRIER_ROUNDS];
static uint32_t barriers;

void am_init(void) {
    weir_nodes = WEIR_DEVICE(WEIR_HOST_NODES);
    overflow_begin = weir_data_end() & -(uint32_t)WEIR_DMA_ALIGNMENT;
    overflow_end = (weir_memory_bytes() - weir_boot.stack_bytes) & -(uint32_t)WEIR_DMA_ALIGNMENT;
}

void am_send(uint32_t destination, am_handler handler, uint32_t count, const uint32_t* arguments) {
    uint32_t i;
    WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR) = am_header(AM_SHORT, 2 + count, destination);
    WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR + 4) = (uint32_t)handler;
    for (i = 0; i < count; ++i) {
        (&WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR + 8))[i] = arguments[i];
    }
    WEIR_DEVICE(WEIR_LAUNCH) = 2 + count;
}

void am_send_body_pairs(uint32_t destination, am_handler handler, uint32_t count,
                        const uint32_t* arguments, uint32_t pair_count, const uint32_t* pairs) {
    volatile uint32_t* word = &WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR);
    uint32_t i;
    *word++ = am_header(AM_WITH_BODY, 2 + count, destination);
    *word++ = (uint32_t)handler;
    for (i = 0; i < count; ++i) {
        *word++ = arguments[i];
    }
    for (i = 0; i < 2 * pair_count; ++i) {
        *word++ = pairs[i];
    }
    WEIR_DEVICE(WEIR_LAUNCH) = WEIR_LAUNCH_VALUE(2 + count, 2 + count + 2 * pair_count, 0);
}

/* Sends one body at a time, so that the next end of a transfer is known to be that body's. */
void am_send_body_interrupt(uint32_t destination, am_handler handler, const volatile void* body,
                            uint32_t bytes, volatile uint32_t* sent) {
    while (am_being_sent != NULL) {
        am_poll_if_polling();
    }
    *sent = 0;
    /* Waits while the engine still sends another body, without interrupt. */
    (void)WEIR_DEVICE(WEIR_SEND_DMA_IDLE);
    am_being_sent = sent;
    WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR) = am_header(AM_WITH_BODY, 2, destination);
    WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR + 4) = (uint32_t)handler;
    WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR + 8) = (uint32_t)body;
    WEIR_DEVICE(WEIR_OUTPUT_DESCRIPTOR + 12) = bytes;
    WEIR_DEVICE(WEIR_LAUNCH) = WEIR_LAUNCH_VALUE(2, 4, 1);
}

void am_wait_for_room(uint32_t arguments) {
    if (!am_polls()) {
        return;
    }
    while (WEIR_DEVICE(WEIR_OUTPUT_ROOM) < (2 + arguments) * WEIR_WORD_BYTES) {
        am_poll();
    }
}

void am_wait_body_sent(void) {
    while ((WEIR_DEVICE(WEIR_DMA_STATUS) & WEIR_DMA_SENDING) != 0) {
#ifdef WEIR_RANKS
        context_yield();
#else
        am_poll_if_polling();
#endif
    }
}

void am_wait(const volatile uint32_t* flag) {
    if (!am_polls()) {
        while (*flag == 0) {
        }
        return;
    }
    while (*flag == 0) {
        am_poll();
    }
}

void am_wait_stored(const volatile uint32_t* stored) {
    while (*stored == 0) {
        /* Handlers are held off, so that none starts the engine for another body between the reads
         * of flag and status. */
        uint32_t psr;
        __asm__ volatile("rd %%psr, %0\n\twr %1, %%psr\n\tnop\n\tnop\n\tnop"
                         : "=&r"(psr)
                         : "r"(HANDLERS_OFF_PSR | weir_window())
                         : "memory");
        if (am_receive_flag == (uint32_t)stored &&
            (WEIR_DEVICE(WEIR_DMA_STATUS) & WEIR_DMA_RECEIVING) == 0) {
            am_receive_flag = 0;
            *(volatile uint32_t*)stored = 1;
        }
        __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop" : : "r"(psr) : "memory");
        am_poll_if_polling();
    }
}

void am_interrupts(int on) {
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0" : "=r"(psr));
    psr &= ~(uint32_t)(LEVEL_TRAP << PSR_LEVEL_SHIFT);
    psr |= on ? 0 : LEVEL_POLLING << PSR_LEVEL_SHIFT;
    __asm__ volatile("wr %0, %%psr\n\tnop\n\tnop\n\tnop" : : "r"(psr) : "memory");
}

static void arrive(void) { barrier_arrivals[am_argument(0)] += 1; }

/* In round k every node receives a message from the node 2^k before it. After the last round, each
 * node has heard from all others, directly or indirectly. */
void am_barrier(void) {
    uint32_t distance = 1;
    uint32_t round = 0;
    ++barriers;
    for (; distance < weir_nodes; distance *= 2, ++round) {
        uint32_t other = weir_node() + distance;
        if (other >= weir_nodes) {
            other -= weir_nodes;
        }
        am_send_1(other, arrive, round);
        while (barrier_arrivals[round] < barriers) {
            am_poll_if_polling();
        }
    }
}

static volatile uint32_t handled_replies;
static void answer_handled(void) { ++handled_replies; }
static void ask_handled(void) { am_send_0(am_argument(0), answer_handled); }

/* A reply arrives after all earlier messages from that node. A node has one outstanding request,
 * so it receives at most one request from each other node at a time. */
void am_barrier_handled(void) {
    uint32_t distance = 1;
    for (; distance < weir_nodes; ++distance) {
        uint32_t other = weir_node() + distance;
        if (other >= weir_nodes) {
            other -= weir_nodes;
        }
        handled_replies = 0;
        am_send_1(other, ask_handled, weir_node());
        while (handled_replies == 0) {
            am_poll_if_polling();
        }
    }
    am_barrier();
}

void am_hardware_barrier(void) {
    WEIR_DEVICE(WEIR_BARRIER_ARRIVE) = 0;
    if (!am_polls()) {
        (void)WEIR_DEVICE(WEIR_BARRIER_WAIT);
        return;
    }
    while (WEIR_DEVICE(WEIR_BARRIER_ARRIVED) != 0) {
        am_poll();
    }
}

/* ---- messages saved by overflow traps ---- */

static uint32_t saved_field(uint32_t message, uint32_t field) {
    return *(const uint32_t*)(message - SAVED_HEAD_BYTES + field);
}

/* Address of a free block in the ring buffer: after the newest message, or at the buffer's
 * beginning, before the oldest one. */
static uint32_t place_in_overflow_buffer(uint32_t bytes, uint32_t saved_count) {
    const uint32_t oldest =
        saved_count == 0 ? overflow_begin : (uint32_t)am_window - SAVED_HEAD_BYTES;
    const uint32_t behind =
        saved_count == 0 ? overflow_begin : saved_field(newest_saved, SAVED_END);
    const int is_wrapped = saved_count != 0 && behind <= oldest;
    if (behind + bytes <= (is_wrapped ? oldest : overflow_end)) {
        return behind;
    }
    if (!is_wrapped && overflow_begin + bytes <= oldest) {
        return overflow_begin;
    }
    console_printf(
        "node %u: an overflow trap finds no room for a message of %u bytes beside the "
        "%u in the overflow buffer\n",
        weir_node(), bytes, saved_count);
    weir_stop(WEIR_STATUS_OVERFLOW_BUFFER_FULL);
}

/* Saves the head of the input queue; `handled`: the head's handler was interrupted. */
static void save_head(int handled) {
    const volatile uint32_t* window = &WEIR_DEVICE(WEIR_INPUT_WINDOW);
    const uint32_t saved_count = am_slow_end >> 1;
    const uint32_t header = window[0];
    const uint32_t words = WEIR_HEADER_WORDS(header);
    const int has_body = WEIR_HEADER_OPERATION(header) == AM_WITH_BODY;
    const int saves_body = has_body && !(handled && (am_slow_end & 1) != 0);
    const uint32_t body_bytes = saves_body ? WEIR_DEVICE(WEIR_BODY_BYTES) : 0;
    const uint32_t head_bytes = (SAVED_HEAD_BYTES + words * WEIR_WORD_BYTES + 7) & -8u;
    const uint32_t place = place_in_overflow_buffer(head_bytes + body_bytes, saved_count);
    uint32_t* const head = (uint32_t*)place;
    uint32_t* const message = (uint32_t*)(place + SAVED_HEAD_BYTES);
    uint32_t i;
    head[SAVED_NEXT / 4] = 0;
    head[SAVED_BODY / 4] = place + head_bytes;
    head[SAVED_BODY_BYTES / 4] = body_bytes;
    head[SAVED_END / 4] = place + head_bytes + body_bytes;
    message[0] = header;
    for (i = 1; i < words; ++i) {
        message[i] = window[i];
    }
    if (saves_body) {
        WEIR_DEVICE(WEIR_STORE_BODY) = place + head_bytes;
    }
    if (has_body) {
        (void)WEIR_DEVICE(WEIR_RECEIVE_DMA_IDLE);
    }
    if (saved_count == 0) {
        am_window = message;
    } else {
        *(uint32_t*)(newest_saved - SAVED_HEAD_BYTES + SAVED_NEXT) = (uint32_t)message;
    }
    newest_saved = (uint32_t)message;
    am_slow_end = 2 * (saved_count + 1);
    WEIR_DEVICE(WEIR_DISPOSE) = 0;
}

/* Saves all messages; called by the overflow trap, above handlers and program. */
void am_save_messages(int in_handler) {
    const int handles_saved = in_handler && am_slow_end >> 1 != 0;
    int handles_head = in_handler && !handles_saved;
    while (WEIR_DEVICE(WEIR_MESSAGE_WAITING) != 0) {
        save_head(handles_head);
        handles_head = 0;
    }
    const uint32_t being_handled = in_handler && am_slow_end >> 1 != 0 ? 1 : 0;
    WEIR_DEVICE(WEIR_SAVED_MESSAGES) = (am_slow_end >> 1) - being_handled;
}

/* Routine of the overflow trap; programs with shared memory replace it by one that saves packets
 * too (limitless.c). */
void am_save_queue(int) __attribute__((weak, alias("am_save_messages")));

/* Handler only: receives the body of a message that an overflow trap has saved. */
void am_receive_saved(void* address, volatile uint32_t* stored) {
    const uint32_t message = (uint32_t)am_window;
    memcpy(address, (const void*)saved_field(message, SAVED_BODY),
           saved_field(message, SAVED_BODY_BYTES));
    *stored = 1;
}
