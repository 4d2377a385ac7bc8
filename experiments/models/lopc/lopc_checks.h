#pragma once

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"
#include "experiments/models/model_input.h"

namespace weir::experiments::models {

/// Checks the network and handler inputs that all LoPC models share; throws ModelError.
template <typename Inputs>
void check_lopc_handlers(const Inputs& inputs) {
    require_quantity("network_cycles (S_l)", inputs.network_cycles);
    require_quantity("handler_cycles (S_o)", inputs.handler_cycles);
    require_quantity("handler_squared_cv (C_o^2)", inputs.handler_squared_cv, 0.0,
                     "(0 constant, 1 exponential)");
    require_quantity("send_overhead_cycles (o_s)", inputs.send_overhead_cycles);
}

/// Checks the inputs of a model with identical nodes: number, work, network and handlers.
template <typename Inputs>
void check_lopc_alike_nodes(const Inputs& inputs) {
    require_count("processors (P)", inputs.processors, 2, "nodes");
    require_quantity("work_cycles (W)", inputs.work_cycles);
    check_lopc_handlers(inputs);
}

/// Throws ModelError if nodes differ; for analyses of identical nodes.
template <typename Inputs>
void refuse_lopc_stations(const Inputs& inputs) {
    if (!inputs.stations.empty()) {
        throw ModelError("nodes differ", "identical nodes, except for Bard's approximation");
    }
}

/// Declares the machine's inputs that all LoPC models share (the paper's Table 2). Handlers are
/// constant by default.
template <typename Inputs>
void declare_lopc_machine(Model& model, Inputs& inputs) {
    inputs.handler_squared_cv = 0.0;
    model.input(WEIR_NAMED(inputs, network_cycles), "S_l",
                "Network latency of a message, LogP's L");
    model.input(WEIR_NAMED(inputs, handler_cycles), "S_o",
                "Time of a message handler, its interrupt included");
    model.input(WEIR_NAMED(inputs, handler_squared_cv), "C_o^2",
                "Squared coefficient of variation of handler times: 0: constant; 1: exponential");
    model.input(WEIR_NAMED(inputs, send_overhead_cycles), "o_s",
                "Send overhead if S_o covers only the reception of a message; 0 in the paper");
}

}  // namespace weir::experiments::models
