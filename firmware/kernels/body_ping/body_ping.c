/*
 * body-ping, compiled: unloaded messages with a body, each in its own slot of time. See
 * body_ping.h.
 */
#include "firmware/sparcle/active_messages.h"

struct send {
    uint32_t begin; /* cycle */
    uint32_t destination;
    uint32_t bytes;
};

WEIR_FROM_HOST struct {
    uint32_t send_completion; /* wait for sent bodies: AM_BLOCKING, AM_STATUS or AM_INTERRUPT */
    uint32_t receive_completion;
    uint32_t send_count;
    const struct send* sends;
    const void* body; /* longest body; shorter bodies are its beginning */
    uint32_t receive_count;
    void* const* receives; /* addresses for the bodies, in their order of arrival */
    volatile uint32_t* stored;
} weir_parameters;

static uint32_t received;

static void arrive_blocking(void) {
    const uint32_t index = received++;
    am_receive_body_blocking(weir_parameters.receives[index], &weir_parameters.stored[index]);
}
static void arrive_status(void) {
    const uint32_t index = received++;
    am_receive_body_status(weir_parameters.receives[index], &weir_parameters.stored[index]);
}
static void arrive(void) {
    const uint32_t index = received++;
    am_receive_body(weir_parameters.receives[index], &weir_parameters.stored[index]);
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    const uint32_t sending = weir_parameters.send_completion;
    const uint32_t receiving = weir_parameters.receive_completion;
    const am_handler handler = receiving == AM_BLOCKING ? arrive_blocking
                               : receiving == AM_STATUS ? arrive_status
                                                        : arrive;
    volatile uint32_t sent;
    for (uint32_t i = 0; i < weir_parameters.send_count; ++i) {
        const struct send* send = &weir_parameters.sends[i];
        weir_wait_until(send->begin);
        if (sending == AM_INTERRUPT) {
            am_send_body_interrupt(send->destination, handler, weir_parameters.body, send->bytes,
                                   &sent);
            am_wait(&sent);
            continue;
        }
        am_send_body(send->destination, handler, weir_parameters.body, send->bytes);
        if (sending == AM_BLOCKING) {
            am_wait_body_sent_blocking();
        } else {
            am_wait_body_sent();
        }
    }
    for (uint32_t i = 0; i < weir_parameters.receive_count; ++i) {
        if (receiving == AM_STATUS) {
            am_wait_stored(&weir_parameters.stored[i]);
        } else {
            am_wait(&weir_parameters.stored[i]);
        }
    }
    return 0;
}
