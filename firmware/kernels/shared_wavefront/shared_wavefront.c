/*
 * shared-wavefront, compiled: a recurrence over a grid, forth and back. Each node has a strip of
 * rows, and needs a boundary row of its neighbour. See shared_wavefront.h.
 */
#include "firmware/sparcle/full_empty.h"
#include "firmware/sparcle/marks.h"

#define BY_BARRIER 0
#define BY_FLAGS 1
#define BY_J_STRUCTURES 2

/* A boundary value for the next node. */
struct handed {
    volatile double value;
    /* Iteration in which the value was written; used with flags only. */
    volatile uint32_t iteration;
};

WEIR_FROM_HOST struct {
    uint32_t columns;
    uint32_t rows; /* number of a node's rows */
    uint32_t iterations;
    uint32_t synchronization;
    uint32_t block;
    uint32_t spacing;    /* bytes from one boundary value to the next */
    double* strip;       /* values of the node's strip, row by row */
    char* own[2];        /* this node's boundary values, forth and back */
    char* neighbours[2]; /* the neighbours' boundary values; 0 if there is no neighbour */
} weir_parameters;

static struct shared_barrier barrier;
static uint32_t iteration;

static struct handed* handed_at(char* values, uint32_t column) {
    return (struct handed*)(values + column * weir_parameters.spacing);
}

static void reset(uint32_t back) {
    if (weir_parameters.synchronization != BY_J_STRUCTURES) {
        return;
    }
    for (uint32_t i = 0; i < weir_parameters.columns; ++i) {
        j_reset_double(&handed_at(weir_parameters.own[back], i)->value);
    }
}

static double wait_for(struct handed* from) {
    if (weir_parameters.synchronization == BY_J_STRUCTURES) {
        return j_read_double(&from->value);
    }
    if (weir_parameters.synchronization == BY_FLAGS) {
        shared_spin_until(&from->iteration, iteration);
    }
    return from->value;
}

static void hand_on(struct handed* to, double value) {
    if (weir_parameters.synchronization == BY_J_STRUCTURES) {
        j_write_double(&to->value, value);
        return;
    }
    to->value = value;
    if (weir_parameters.synchronization == BY_FLAGS) {
        to->iteration = iteration;
    }
}

/* Columns and rows are counted in the direction of the wave. */
static void compute_columns(uint32_t back, uint32_t begin, uint32_t end) {
    const uint32_t columns = weir_parameters.columns;
    const uint32_t rows = weir_parameters.rows;
    const int32_t down = back ? -(int32_t)columns : (int32_t)columns;
    double* const first = weir_parameters.strip + (back ? rows * columns - 1 : 0);
    for (uint32_t i = begin; i < end; ++i) {
        const uint32_t column = back ? columns - 1 - i : i;
        double neighbour = 0.0;
        if (weir_parameters.neighbours[back] != NULL) {
            neighbour = wait_for(handed_at(weir_parameters.neighbours[back], column));
        }
        double* at = back ? first - i : first + i;
        for (uint32_t j = 0; j < rows; ++j, at += down) {
            const double previous = i == 0 ? 0.0 : back ? at[1] : at[-1];
            neighbour = (*at + (neighbour + previous) * 0.4) * 0.5;
            *at = neighbour;
        }
        hand_on(handed_at(weir_parameters.own[back], column), neighbour);
    }
}

static void cross(uint32_t back) {
    const uint32_t columns = weir_parameters.columns;
    if (weir_parameters.synchronization != BY_BARRIER) {
        compute_columns(back, 0, columns);
        return;
    }
    const uint32_t block = weir_parameters.block;
    const uint32_t blocks = (columns + block - 1) / block;
    const uint32_t steps = blocks + weir_nodes - 1;
    const uint32_t place = back ? weir_nodes - 1 - weir_node() : weir_node();
    for (uint32_t step = 0; step < steps; ++step) {
        if (step >= place && step - place < blocks) {
            const uint32_t begin = (step - place) * block;
            compute_columns(back, begin, begin + block < columns ? begin + block : columns);
        }
        if (step + 1 < steps) {
            shared_barrier_meet(&barrier);
        }
    }
}

int main(int count, const unsigned* words) {
    (void)count;
    (void)words;
    shared_barrier_make(&barrier);
    reset(0);
    reset(1);
    shared_barrier_meet(&barrier);
    weir_mark(MARK_PROGRAM_BEGINS, 0);
    for (iteration = 1; iteration <= weir_parameters.iterations; ++iteration) {
        for (uint32_t back = 0; back < 2; ++back) {
            if (iteration > 1 || back) {
                reset(!back);
            }
            cross(back);
            shared_barrier_meet(&barrier);
        }
    }
    weir_mark(MARK_PROGRAM_ENDS, 0);
    return 0;
}
