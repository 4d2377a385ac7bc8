#include "experiments/models/lopc/lopc_sparse_product.h"

namespace weir::experiments::models {

LopcSparseProduct solve_lopc_sparse_product(const LopcSparseProductInputs& inputs) {
    require_count("processors (P)", inputs.processors, 2, "nodes");
    require_quantity("nonzeros (b)", inputs.nonzeros, 1.0, "elements");
    require_quantity("multiply_add_cycles", inputs.multiply_add_cycles, 0.0, "cycles");
    const double processors = inputs.processors;
    LopcSparseProduct product;
    product.multiply_adds_per_node = inputs.nonzeros / processors;
    product.gets_per_node = inputs.nonzeros / processors * (processors - 1.0) / processors;
    product.work_cycles = processors / (processors - 1.0) * inputs.multiply_add_cycles;
    product.turn = solve_lopc_all_to_any({.processors = inputs.processors,
                                          .work_cycles = product.work_cycles,
                                          .network_cycles = inputs.network_cycles,
                                          .handler_cycles = inputs.handler_cycles,
                                          .handler_squared_cv = inputs.handler_squared_cv});
    product.runtime_cycles = product.gets_per_node * product.turn.response_cycles;
    product.cycles_per_nonzero = (processors - 1.0) / processors * product.turn.response_cycles;
    return product;
}

}  // namespace weir::experiments::models
