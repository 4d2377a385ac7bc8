#pragma once

#include <string>

#include "experiments/run/result.h"

namespace weir::experiments::run {

/// Of points whose runs say how sure they are, or were repeated until they were precise: what the
/// intervals are of, and whether they are as narrow as was asked for. Empty where none does.
std::string precision_page(const ExperimentResult& result);

}  // namespace weir::experiments::run
