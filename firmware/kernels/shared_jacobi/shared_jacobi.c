/*
 * shared-jacobi, compiled: relaxation of a square grid, with a strip of rows on each node;
 * neighbours' rows are loaded from their homes. See shared_jacobi.h and relaxation.h.
 */
#include "firmware/sparcle/marks.h"
#include "firmware/sparcle/shared_memory.h"

#define LINE_VALUES (SHARED_LINE / sizeof(double))

WEIR_FROM_HOST struct {
    uint32_t rows;
    uint32_t columns;
    uint32_t iterations;
    uint32_t prefetch_lines;
    double** row; /* addresses of rows, from the row before the node's first to the row after its
                   * last, for both copies of the grid */
} weir_parameters;

static struct shared_barrier barrier;

/* Prefetches a line of each row that comes from another node, and of the row that is written. */
static void prefetch(uint32_t i, double* const* rows, const double* next, int32_t column) {
    if (column > (int32_t)weir_parameters.columns) {
        return;
    }
    if (i == 0 && weir_node() != 0) {
        shared_prefetch(rows[i] + column);
    }
    if (i + 1 == weir_parameters.rows && weir_node() + 1 != weir_nodes) {
        shared_prefetch(rows[i + 2] + column);
    }
    shared_prefetch_to_write(next + column);
}

static void relax(double* const* rows, double* const* next_rows) {
    const uint32_t ahead = weir_parameters.prefetch_lines;
    for (uint32_t i = 0; i < weir_parameters.rows; ++i) {
        const double* const above = rows[i];
        const double* const row = rows[i + 1];
        const double* const below = rows[i + 2];
        double* const next = next_rows[i + 1];
        for (uint32_t line = 0; ahead != 0 && line <= ahead; ++line) {
            prefetch(i, rows, next, (int32_t)(line * LINE_VALUES) - 1);
        }
        double west = row[-1];
        double centre = row[0];
        for (uint32_t j = 0; j < weir_parameters.columns; ++j) {
            if (ahead != 0 && j % LINE_VALUES == 1) {
                prefetch(i, rows, next, (int32_t)(j + ahead * LINE_VALUES));
            }
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
    const uint32_t stride = weir_parameters.rows + 2;
    shared_barrier_make(&barrier);
    weir_mark(MARK_PROGRAM_BEGINS, 0);
    for (uint32_t i = 0; i < weir_parameters.iterations; ++i) {
        relax(weir_parameters.row + (i & 1) * stride, weir_parameters.row + (~i & 1) * stride);
        shared_barrier_meet(&barrier);
    }
    weir_mark(MARK_PROGRAM_ENDS, 0);
    return 0;
}
