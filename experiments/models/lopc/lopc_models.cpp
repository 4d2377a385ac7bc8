#include "experiments/models/lopc/lopc_models.h"

namespace weir::experiments::models {

Models lopc_models() {
    Models models;
    return models;
}

}  // namespace weir::experiments::models
