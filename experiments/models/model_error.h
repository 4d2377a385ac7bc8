#pragma once

#include <string>
#include <utility>

#include "hw/refusal.h"

namespace weir::experiments::models {

/// A model has no answer for what it was asked: an input is absent or out of range, or the
/// equations have no solution there. `found` names the input and the paper's symbol. A table of
/// models shows it as "not applicable".
class ModelError : public hw::Refusal {
  public:
    explicit ModelError(std::string found, std::string accepted = {})
        : Refusal({}, std::move(found), std::move(accepted)) {}
};

}  // namespace weir::experiments::models
