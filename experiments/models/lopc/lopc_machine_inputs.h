#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// What LoPC asks of the machine, alike in all its models (paper's Table 2).
struct LopcMachineInputs {
    explicit LopcMachineInputs(Model& model)
        : network_cycles(model, "network_cycles", "S_l", "One way through the network, LogP's L"),
          handler_cycles(model, "handler_cycles", "S_o",
                         "One message handler, its interrupt included"),
          handler_squared_cv(model, "handler_squared_cv", "C_o^2",
                             "Handlers' variation: 0 constant, 1 exponential", {}, 0.0),
          send_overhead_cycles(model, "send_overhead_cycles", "o_s",
                               "Sending, where S_o is receiving alone; 0 in the paper", {}, 0.0) {}

    QuantityInput network_cycles;
    QuantityInput handler_cycles;
    QuantityInput handler_squared_cv;
    QuantityInput send_overhead_cycles;
};

}  // namespace weir::experiments::models
