#include "experiments/models/memory_logp/memory_logp_models.h"

namespace weir::experiments::models {

Models memory_logp_models() {
    Models models;
    return models;
}

}  // namespace weir::experiments::models
