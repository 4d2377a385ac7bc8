#include "experiments/models/logpc/logpc_models.h"

namespace weir::experiments::models {

Models logpc_models() {
    Models models;
    return models;
}

}  // namespace weir::experiments::models
