#pragma once

#include "experiments/models/lopc/lopc_all_to_any.h"

/// LoPC of a sparse matrix-vector product y = A x, rows of A and elements of x and y dealt out to
/// the nodes in turn.
///
/// Each node multiplies and adds once for each of its non-zeros, and gets the element of x from
/// another node in all but a P-th of them, waiting for the reply: communication from all to any.
///
/// Source: Frank, Agarwal and Vernon, "LoPC: Modeling Contention in Parallel Algorithms" (1997),
/// sections 3.1.1 and 4.5. Non-zeros lie evenly. Times are processor cycles; ModelError as in
/// lopc_all_to_any.h.
namespace weir::experiments::models {

struct LopcSparseProductInputs {
    int processors = 0;                      ///< P, 2 or more
    double nonzeros = kNotGiven;             ///< b, in the whole matrix
    double multiply_add_cycles = kNotGiven;  ///< one multiply-add, its loads and loop included
    double network_cycles = kNotGiven;       ///< S_l
    double handler_cycles = kNotGiven;       ///< S_o
    double handler_squared_cv = kNotGiven;   ///< C_o^2
};

struct LopcSparseProduct {
    double multiply_adds_per_node = 0.0;  ///< m = b/P
    double gets_per_node = 0.0;           ///< n = (b/P)(P - 1)/P
    double work_cycles = 0.0;             ///< W = m/n multiply-adds, in cycles
    LopcSolution turn;                    ///< of one get
    double runtime_cycles = 0.0;          ///< n R
    double cycles_per_nonzero = 0.0;      ///< n R/m: of the node that holds it
};

LopcSparseProduct solve_lopc_sparse_product(const LopcSparseProductInputs& inputs);

}  // namespace weir::experiments::models
