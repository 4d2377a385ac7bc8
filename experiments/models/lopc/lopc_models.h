#pragma once

#include "experiments/models/catalogue/model.h"

namespace weir::experiments::models {

/// The models of LoPC, Frank, Agarwal and Vernon (1997), that can be asked by name.
[[nodiscard]] Models lopc_models();

/// lopc-all-to-any, lopc-rule-of-thumb and lopc-sparse-product: threads that are all alike.
[[nodiscard]] Models lopc_all_to_any_models();

/// lopc-client-server.
[[nodiscard]] Models lopc_client_server_models();

/// lopc-general and lopc-pattern: any visits between nodes; lopc-mva: what Bard's approximation
/// costs.
[[nodiscard]] Models lopc_general_models();

/// lopc-shared-memory: homes that serve in hardware, and some requests in software.
[[nodiscard]] Models lopc_shared_memory_models();

}  // namespace weir::experiments::models
