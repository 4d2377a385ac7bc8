/*
 * Active messages: a message names the function that handles it on arrival. C side of
 * firmware/active_messages.h.
 *
 * A handler is a function without arguments or result. A handler interrupts the program, or runs in
 * am_poll() if the program polls, and ends before the next handler begins. A handler reads its
 * arguments with am_argument() and may send; it must not wait, poll or use floating point.
 *
 * A send is a sequence of stores from registers to the output descriptor and to WEIR_LAUNCH, back
 * to back.
 */
#ifndef WEIR_FIRMWARE_SPARCLE_ACTIVE_MESSAGES_H
#define WEIR_FIRMWARE_SPARCLE_ACTIVE_MESSAGES_H

#include "firmware/sparcle/weir.h"
#include "hw/barrier/barrier_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*am_handler)(void);

#define AM_SHORT 0u
#define AM_WITH_BODY 1u
/* Notification of the end of a DMA transfer, as ActiveMessages::Completion. */
#define AM_BLOCKING 0
#define AM_STATUS 1
#define AM_INTERRUPT 2

#define AM_MOST_ARGUMENTS (WEIR_DESCRIPTOR_WORDS - 2)

/* Stores to the descriptor, numbered like their operands. */
#define AM_STORE_0 "st %0, [%%" WEIR_DEVICES_REGISTER " + 0]\n\t"
#define AM_STORE_1 "st %1, [%%" WEIR_DEVICES_REGISTER " + 4]\n\t"
#define AM_STORE_2 "st %2, [%%" WEIR_DEVICES_REGISTER " + 8]\n\t"
#define AM_STORE_3 "st %3, [%%" WEIR_DEVICES_REGISTER " + 12]\n\t"
#define AM_STORE_4 "st %4, [%%" WEIR_DEVICES_REGISTER " + 16]\n\t"
#define AM_STORE_5 "st %5, [%%" WEIR_DEVICES_REGISTER " + 20]\n\t"
#define AM_LAUNCH(operand) "st %" operand ", [%%" WEIR_DEVICES_REGISTER " + 0x80]"

static inline uint32_t am_header(uint32_t operation, uint32_t words, uint32_t destination) {
    return operation << 24 | words << 16 | destination;
}

static inline void am_send_0(uint32_t destination, am_handler handler) {
    __asm__ volatile(AM_STORE_0 AM_STORE_1 AM_LAUNCH("2")
                     :
                     : "r"(am_header(AM_SHORT, 2, destination)), "r"(handler), "r"(2)
                     : "memory");
}
static inline void am_send_1(uint32_t destination, am_handler handler, uint32_t argument_0) {
    __asm__ volatile(AM_STORE_0 AM_STORE_1 AM_STORE_2 AM_LAUNCH("3")
                     :
                     : "r"(am_header(AM_SHORT, 3, destination)), "r"(handler), "r"(argument_0),
                       "r"(3)
                     : "memory");
}
static inline void am_send_2(uint32_t destination, am_handler handler, uint32_t argument_0,
                             uint32_t argument_1) {
    __asm__ volatile(AM_STORE_0 AM_STORE_1 AM_STORE_2 AM_STORE_3 AM_LAUNCH("4")
                     :
                     : "r"(am_header(AM_SHORT, 4, destination)), "r"(handler), "r"(argument_0),
                       "r"(argument_1), "r"(4)
                     : "memory");
}
static inline void am_send_3(uint32_t destination, am_handler handler, uint32_t argument_0,
                             uint32_t argument_1, uint32_t argument_2) {
    __asm__ volatile(AM_STORE_0 AM_STORE_1 AM_STORE_2 AM_STORE_3 AM_STORE_4 AM_LAUNCH("5")
                     :
                     : "r"(am_header(AM_SHORT, 5, destination)), "r"(handler), "r"(argument_0),
                       "r"(argument_1), "r"(argument_2), "r"(5)
                     : "memory");
}
static inline void am_send_4(uint32_t destination, am_handler handler, uint32_t argument_0,
                             uint32_t argument_1, uint32_t argument_2, uint32_t argument_3) {
    __asm__ volatile(
        AM_STORE_0 AM_STORE_1 AM_STORE_2 AM_STORE_3 AM_STORE_4 AM_STORE_5 AM_LAUNCH("6")
        :
        : "r"(am_header(AM_SHORT, 6, destination)), "r"(handler), "r"(argument_0), "r"(argument_1),
          "r"(argument_2), "r"(argument_3), "r"(6)
        : "memory");
}
/* Sends a double as two arguments. The handler stores it with am_take_double(), because handlers
 * have no floating point. */
static inline void am_send_double(uint32_t destination, am_handler handler, double value) {
    const union {
        double value;
        uint32_t words[2];
    } both = {value};
    am_send_2(destination, handler, both.words[0], both.words[1]);
}
/* Sends up to AM_MOST_ARGUMENTS arguments from memory. */
void am_send(uint32_t destination, am_handler handler, uint32_t count, const uint32_t* arguments);

/* Sends a message with a body, which a DMA engine reads from memory. Address and length are
 * multiples of WEIR_DMA_ALIGNMENT. The body's memory may be used after am_wait_body_sent(). */
static inline void am_send_body(uint32_t destination, am_handler handler, const volatile void* body,
                                uint32_t bytes) {
    __asm__ volatile(AM_STORE_0 AM_STORE_1 AM_STORE_2 AM_STORE_3 AM_LAUNCH("4")
                     :
                     : "r"(am_header(AM_WITH_BODY, 2, destination)), "r"(handler), "r"(body),
                       "r"(bytes), "r"(WEIR_LAUNCH_VALUE(2, 4, 0))
                     : "memory");
}
static inline void am_send_body_2(uint32_t destination, am_handler handler, uint32_t argument_0,
                                  uint32_t argument_1, const volatile void* body, uint32_t bytes) {
    __asm__ volatile(
        AM_STORE_0 AM_STORE_1 AM_STORE_2 AM_STORE_3 AM_STORE_4 AM_STORE_5 AM_LAUNCH("6")
        :
        : "r"(am_header(AM_WITH_BODY, 4, destination)), "r"(handler), "r"(argument_0),
          "r"(argument_1), "r"(body), "r"(bytes), "r"(WEIR_LAUNCH_VALUE(4, 6, 0))
        : "memory");
}
/* Sends arguments and a body gathered from `pair_count` pairs of address and length; all must fit
 * into the descriptor. */
void am_send_body_pairs(uint32_t destination, am_handler handler, uint32_t count,
                        const uint32_t* arguments, uint32_t pair_count, const uint32_t* pairs);
/* Program only: when the body has left memory, the engine interrupts and *sent becomes 1. */
void am_send_body_interrupt(uint32_t destination, am_handler handler, const volatile void* body,
                            uint32_t bytes, volatile uint32_t* sent);
/* Program only: wait until the sending DMA engine is idle. The first function does so by a blocking
 * load, during which interrupts are taken; the second reads the engine's status repeatedly. Both
 * poll for messages in programs that poll. */
static inline void am_wait_body_sent_blocking(void);
void am_wait_body_sent(void);
/* Handler only, since handlers cannot poll: waits for the same by a blocking load. */
static inline void am_wait_body_sent_in_handler(void) { (void)WEIR_DEVICE(WEIR_SEND_DMA_IDLE); }

/* Handler only: argument `index` of the handled message. Read by a single load, because an overflow
 * trap may move the message between two instructions. */
static inline uint32_t am_argument(uint32_t index) {
    uint32_t argument;
    if (__builtin_constant_p(index)) {
        return am_window[2 + index];
    }
    __asm__ volatile("ld [%%g6 + %1], %0" : "=r"(argument) : "r"(4 * (2 + index)));
    return argument;
}

/* Handler only: stores the double in arguments `index` and `index` + 1 to *place. */
static inline void am_take_double(uint32_t index, volatile double* place) {
    volatile uint32_t* const words = (volatile uint32_t*)place;
    words[0] = am_argument(index);
    words[1] = am_argument(index + 1);
}

/* Handler only, at most once: stores the handled message's body from `address` on, a multiple of
 * WEIR_DMA_ALIGNMENT. When the body is in memory, *stored becomes 1:
 * - am_receive_body(): *stored is set by the engine's interrupt.
 * - am_receive_body_status(): *stored is set by the program's am_wait_stored(), or by the next
 *   am_receive_...() of a handler.
 * - am_receive_body_blocking(): *stored is set before the function returns. */
void am_begin_receive(volatile void* address, volatile uint32_t* stored, uint32_t device_offset);
static inline void am_receive_body(volatile void* address, volatile uint32_t* stored) {
    am_begin_receive(address, stored, WEIR_OFFSET(WEIR_STORE_BODY_AND_INTERRUPT));
}
static inline void am_receive_body_status(volatile void* address, volatile uint32_t* stored) {
    am_begin_receive(address, stored, WEIR_OFFSET(WEIR_STORE_BODY));
}
static inline void am_receive_body_blocking(volatile void* address, volatile uint32_t* stored) {
    am_begin_receive(address, stored, WEIR_OFFSET(WEIR_STORE_BODY));
    (void)WEIR_DEVICE(WEIR_RECEIVE_DMA_IDLE);
    am_receive_flag = 0;
    *stored = 1;
}

/* Program only: waits until a handler or the end of a DMA transfer has made the word nonzero. */
void am_wait(const volatile uint32_t* flag);
/* Program only: waits for a body received by am_receive_body_status(). */
void am_wait_stored(const volatile uint32_t* stored);
/* For programs that poll: runs the handlers of all waiting messages. */
void am_poll(void);
static inline int am_polls(void) {
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0" : "=r"(psr));
    return (psr >> PSR_LEVEL_SHIFT & 15) != 0;
}
static inline void am_wait_body_sent_blocking(void) {
    if (am_polls()) {
        am_wait_body_sent();
    } else {
        am_wait_body_sent_in_handler();
    }
}
/* For programs that poll: handles messages until the output queue has room for a message with
 * `arguments` arguments. A body counts as two arguments. Returns at once in programs that do not
 * poll.
 */
void am_wait_for_room(uint32_t arguments);
static inline void am_poll_if_polling(void) {
    if (am_polls()) {
        am_poll();
    }
}
/* From now on, messages interrupt the program (on = 1) or it must poll (on = 0). DMA engines and
 * overflow traps interrupt in both cases. */
void am_interrupts(int on);

/* Barrier of all nodes' programs: by messages, in log2(nodes) rounds, or by the hardware barrier.
 * Messages sent earlier may still be in flight, or wait for their handlers. */
void am_barrier(void);
void am_hardware_barrier(void);
/* Barrier after the handlers of all messages that programs sent earlier. Bodies may not be in
 * memory yet, and messages sent by those handlers may be in flight. Makes a round trip to each
 * other node in turn. Requires a network that keeps the order of messages between two nodes. */
void am_barrier_handled(void);

/* Routines of the overflow trap. am_save_messages() saves waiting messages to memory;
 * am_save_queue(), in programs with shared memory, saves coherence packets too. */
void am_save_messages(int in_handler);
void am_save_queue(int in_handler);

#ifdef __cplusplus
}
#endif

#endif
