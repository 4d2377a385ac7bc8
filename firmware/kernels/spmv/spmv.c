/*
 * spmv, compiled: y = A x, with rows of A and elements of x and y distributed over the nodes.
 * Remote elements of x are fetched one at a time. See spmv.h.
 *
 * Owner and address of each element of x are computed before the run, as in a program that
 * multiplies by the same matrix many times. Each non-zero has such a pair of
 * words, its column.
 */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/marks.h"

struct column {
    uint32_t owner;
    uint32_t index;
} __attribute__((aligned(8)));

WEIR_FROM_HOST struct {
    uint32_t rows;
    const uint32_t* row_end; /* for each row, the index after its last non-zero */
    const struct column* columns;
    const double* values;
    const double* x;
    double* y;
} weir_parameters;

/* Elements of x as words, for handlers, which may not use floating point. */
WEIR_FROM_HOST const uint32_t* spmv_x;
WEIR_FROM_HOST volatile uint32_t spmv_replied;
WEIR_FROM_HOST volatile union {
    uint32_t words[2];
    double value;
} spmv_reply;

static void reply(void) {
    spmv_reply.words[0] = am_argument(0);
    spmv_reply.words[1] = am_argument(1);
    spmv_replied = 1;
}

static void get(void) {
    const uint32_t asking = am_argument(0);
    const uint32_t* const x = spmv_x + 2 * am_argument(1);
    am_send_2(asking, reply, x[0], x[1]);
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    const uint32_t rows = weir_parameters.rows;
    const uint32_t self = weir_node();
    const struct column* column = weir_parameters.columns;
    const double* value = weir_parameters.values;
    const double* const own_x = weir_parameters.x;
    uint32_t element = 0;
    weir_mark(MARK_PRODUCT_BEGINS, 0);
    for (uint32_t row = 0; row < rows; ++row) {
        const uint32_t row_end = weir_parameters.row_end[row];
        double sum = 0.0;
        for (; element < row_end; ++element, ++column, ++value) {
            const double* x = &own_x[column->index];
            if (column->owner != self) {
                spmv_replied = 0;
                am_send_2(column->owner, get, self, column->index);
                am_wait(&spmv_replied);
                x = (const double*)&spmv_reply.value;
            }
            sum += *value * *x;
        }
        weir_parameters.y[row] = sum;
    }
    weir_mark(MARK_PRODUCT_ENDS, element);
    weir_mark(MARK_STEADY_STATE_ENDS, 0);
    return 0;
}
