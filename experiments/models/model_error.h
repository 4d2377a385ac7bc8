#pragma once

#include <string>
#include <utility>

#include "hw/refusal.h"

namespace weir::experiments::models {

/// Error of a model without an answer: an input is absent or out of range, or the equations have no
/// solution. `found` names the input and the paper's symbol. A table of models shows the error as
/// "not applicable".
class ModelError : public hw::Refusal {
  public:
    explicit ModelError(std::string found, std::string accepted = {})
        : Refusal({}, std::move(found), std::move(accepted)) {}
};

}  // namespace weir::experiments::models
