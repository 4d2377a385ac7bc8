#pragma once

#include <stdexcept>

namespace weir::experiments::models {

/// A model has no answer for what it was asked: an input is absent or out of range, or the
/// equations have no solution there. what() names the input and the paper's symbol, what was found
/// and what is accepted. A table of models shows it as "not applicable".
class ModelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace weir::experiments::models
