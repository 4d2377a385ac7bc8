/*
 * diamond-dag, compiled: comparison of two DNA sequences, stripe by stripe. See diamond_dag.h and
 * alignment.h.
 */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/marks.h"

WEIR_FROM_HOST struct {
    uint32_t stripe;
    uint32_t is_last;
    uint32_t next_node; /* node with the stripe above this node's */
    uint32_t blocks;
    uint32_t stripe_rows;
    uint32_t block_columns;
    uint32_t message_bytes;
    uint32_t send_completion;
    uint32_t receive_completion;
    const char* rows;    /* letters of the first sequence in this node's stripe */
    const char* columns; /* letters of the second sequence */
    double* left;        /* stripe_rows + 1 values to the left of the next block */
    unsigned char* receive_buffers;
    unsigned char* send_buffers;
    volatile uint32_t* stored; /* whether the received body of each block is in memory */
    double match __attribute__((aligned(8)));
    double mismatch;
    double gap;
} weir_parameters;

static uint32_t bodies_begun;

static unsigned char* next_receive_buffer(uint32_t block) {
    return weir_parameters.receive_buffers + block * weir_parameters.message_bytes;
}
/* All bodies come from the stripe below, in order, so their count is the number of the block. */
static void receive_edge(void) {
    const uint32_t block = bodies_begun++;
    am_receive_body(next_receive_buffer(block), &weir_parameters.stored[block]);
}
static void receive_edge_status(void) {
    const uint32_t block = bodies_begun++;
    am_receive_body_status(next_receive_buffer(block), &weir_parameters.stored[block]);
}
static void receive_edge_blocking(void) {
    const uint32_t block = bodies_begun++;
    am_receive_body_blocking(next_receive_buffer(block), &weir_parameters.stored[block]);
}

/* Computes a block column by column, each from the lower edge up to the upper edge. */
static void compute_block(const char* letters, const double* lower, uint32_t first_column,
                          double* upper) {
    const uint32_t rows = weir_parameters.stripe_rows;
    const uint32_t columns = weir_parameters.block_columns;
    const double match = weir_parameters.match;
    const double mismatch = weir_parameters.mismatch;
    const double gap = weir_parameters.gap;
    double* const left = weir_parameters.left;
    const char* const own = weir_parameters.rows;
    for (uint32_t j = 0; j < columns; ++j) {
        double below = lower != NULL ? lower[j] : (double)(int)(first_column + j) * gap;
        double diagonal = left[0];
        left[0] = below;
        const char letter = letters[j];
        for (uint32_t i = 1; i <= rows; ++i) {
            const double beside = left[i];
            double best = diagonal + (own[i - 1] == letter && letter != 'N' ? match : mismatch);
            const double from_below = below + gap;
            const double from_left = beside + gap;
            if (best < from_below) {
                best = from_below;
            }
            if (best < from_left) {
                best = from_left;
            }
            left[i] = best;
            diagonal = beside;
            below = best;
        }
        upper[j] = below;
    }
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    const uint32_t stripe = weir_parameters.stripe;
    const uint32_t columns = weir_parameters.block_columns;
    const uint32_t bytes = weir_parameters.message_bytes;
    const uint32_t sending = weir_parameters.send_completion;
    const uint32_t receiving = weir_parameters.receive_completion;
    const am_handler handler = receiving == AM_BLOCKING ? receive_edge_blocking
                               : receiving == AM_STATUS ? receive_edge_status
                                                        : receive_edge;
    volatile uint32_t sent = 1;
    unsigned char* receive_buffer = weir_parameters.receive_buffers;
    unsigned char* send_buffer = weir_parameters.send_buffers;
    const char* letters = weir_parameters.columns;
    uint32_t column = 1;

    for (uint32_t i = 0; i <= weir_parameters.stripe_rows; ++i) {
        weir_parameters.left[i] =
            (double)(int)(stripe * weir_parameters.stripe_rows + i) * weir_parameters.gap;
    }
    weir_mark(MARK_DAG_BEGINS, stripe);
    for (uint32_t block = 0; block < weir_parameters.blocks; ++block) {
        if (stripe > 0 && receiving == AM_STATUS) {
            am_wait_stored(&weir_parameters.stored[block]);
        } else if (stripe > 0) {
            am_wait(&weir_parameters.stored[block]);
        }
        compute_block(letters, stripe > 0 ? (const double*)receive_buffer : NULL, column,
                      (double*)send_buffer);
        if (!weir_parameters.is_last) {
            am_wait_for_room(2);
        }
        if (!weir_parameters.is_last && sending == AM_INTERRUPT) {
            am_send_body_interrupt(weir_parameters.next_node, handler, send_buffer, bytes, &sent);
        } else if (!weir_parameters.is_last) {
            am_send_body(weir_parameters.next_node, handler, send_buffer, bytes);
            if (sending == AM_BLOCKING) {
                am_wait_body_sent_blocking();
            }
        }
        receive_buffer += bytes;
        send_buffer += bytes;
        letters += columns;
        column += columns;
    }
    am_wait(&sent);
    weir_mark(MARK_DAG_ENDS, stripe);
    return 0;
}
