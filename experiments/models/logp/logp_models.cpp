#include "experiments/models/logp/logp_models.h"

namespace weir::experiments::models {

Models logp_models() {
    Models models;
    return models;
}

}  // namespace weir::experiments::models
