#pragma once

#include <optional>

#include "experiments/running/processes/pool_progress.h"

namespace weir::experiments::running {

/// Estimate of a pool's remaining time. A waiting piece is assumed to last as long as earlier ones.
/// A running piece is extrapolated from its share done.
class TimeLeft {
  public:
    /// Remaining seconds, never more than an earlier estimate. Returns nullopt while too little is
    /// done, and once the work lasts more than twice as long as estimated.
    [[nodiscard]] std::optional<double> after(const PoolProgress& progress);

  private:
    std::optional<double> least_;
};

}  // namespace weir::experiments::running
