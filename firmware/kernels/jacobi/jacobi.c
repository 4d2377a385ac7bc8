/*
 * jacobi, compiled: relaxation of a square grid, with a strip of rows on each node and an exchange
 * of boundary rows before each iteration. See jacobi.h and relaxation.h.
 */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/marks.h"

#define NORTH 0
#define SOUTH 1

WEIR_FROM_HOST struct {
    uint32_t rows;
    uint32_t columns;
    uint32_t iterations;
    uint32_t has_neighbour[2]; /* whether the node has a northern, and a southern, neighbour */
    uint32_t long_messages;
    uint32_t send_completion;
    uint32_t receive_completion;
    /* First value inside halo and rim in the copy read by even, and by odd, iterations. */
    double* data[2];
} weir_parameters;

/* Arrivals from neighbours; the first index is the iteration's parity. */
WEIR_FROM_HOST uint32_t values_to_come[2];
static volatile uint32_t all_values_stored[2];
static volatile uint32_t row_stored[2][2]; /* second index: side from which the row comes */

/* Stores a double as two words: handlers may not use floating point. */
static inline __attribute__((always_inline)) void store_value(uint32_t parity) {
    uint32_t* const place = (uint32_t*)am_argument(0);
    place[0] = am_argument(1);
    place[1] = am_argument(2);
    if (--values_to_come[parity] == 0) {
        all_values_stored[parity] = 1;
    }
}
static void store_even(void) { store_value(0); }
static void store_odd(void) { store_value(1); }

static void store_row(void) {
    double* const place = (double*)am_argument(0);
    volatile uint32_t* const stored = &row_stored[0][0] + am_argument(1);
    if (weir_parameters.receive_completion == AM_BLOCKING) {
        am_receive_body_blocking(place, stored);
    } else if (weir_parameters.receive_completion == AM_STATUS) {
        am_receive_body_status(place, stored);
    } else {
        am_receive_body(place, stored);
    }
}

static void send_values(uint32_t neighbour, uint32_t parity, const double* from, double* to) {
    const am_handler store = parity == 0 ? store_even : store_odd;
    const uint32_t* words = (const uint32_t*)from;
    const uint32_t* const end = (const uint32_t*)(from + weir_parameters.columns);
    for (; words != end; words += 2, ++to) {
        am_send_3(neighbour, store, (uint32_t)to, words[0], words[1]);
        am_poll_if_polling();
    }
}

/* The data have the same addresses on all nodes. */
static void send_row(uint32_t side, uint32_t parity, uint32_t stride) {
    const uint32_t neighbour = side == NORTH ? weir_node() - 1 : weir_node() + 1;
    const uint32_t rows = weir_parameters.rows;
    double* const data = weir_parameters.data[parity];
    const double* const from = side == NORTH ? data : data + (rows - 1) * stride;
    double* const to = side == NORTH ? data + rows * stride : data - stride;
    if (!weir_parameters.long_messages) {
        send_values(neighbour, parity, from, to);
        return;
    }
    am_send_body_2(neighbour, store_row, (uint32_t)to, 2 * parity + 1 - side, from,
                   weir_parameters.columns * sizeof(double));
    if (weir_parameters.send_completion == AM_BLOCKING) {
        am_wait_body_sent_blocking();
    }
}

static void wait_for_rows(uint32_t parity, uint32_t values) {
    if (!weir_parameters.long_messages) {
        am_wait(&all_values_stored[parity]);
        all_values_stored[parity] = 0;
        values_to_come[parity] = values;
        return;
    }
    for (uint32_t side = NORTH; side <= SOUTH; ++side) {
        if (weir_parameters.has_neighbour[side]) {
            am_wait_stored(&row_stored[parity][side]);
            row_stored[parity][side] = 0;
        }
    }
}

static void relax(uint32_t parity, uint32_t stride) {
    const double* row = weir_parameters.data[parity];
    double* next = weir_parameters.data[1 - parity];
    for (uint32_t i = 0; i < weir_parameters.rows; ++i, row += stride, next += stride) {
        const double* const above = row - stride;
        const double* const below = row + stride;
        double west = row[-1];
        double centre = row[0];
        for (uint32_t j = 0; j < weir_parameters.columns; ++j) {
            const double east = row[j + 1];
            next[j] = (centre + above[j] + below[j] + west + east) * 0.2;
            west = centre;
            centre = east;
        }
    }
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    const uint32_t columns = weir_parameters.columns;
    const uint32_t stride = columns + 2;
    const uint32_t neighbours =
        weir_parameters.has_neighbour[NORTH] + weir_parameters.has_neighbour[SOUTH];
    weir_mark(MARK_PROGRAM_BEGINS, 0);
    for (uint32_t i = 0; i < weir_parameters.iterations; ++i) {
        weir_mark(MARK_EXCHANGE_BEGINS, i);
        for (uint32_t side = NORTH; side <= SOUTH; ++side) {
            if (weir_parameters.has_neighbour[side]) {
                send_row(side, i & 1, stride);
            }
        }
        if (neighbours != 0) {
            wait_for_rows(i & 1, neighbours * columns);
        }
        weir_mark(MARK_EXCHANGE_ENDS, i);
        relax(i & 1, stride);
        if (weir_parameters.long_messages && neighbours != 0) {
            am_wait_body_sent();
        }
    }
    weir_mark(MARK_PROGRAM_ENDS, 0);
    return 0;
}
