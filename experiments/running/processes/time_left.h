#pragma once

#include <optional>

#include "experiments/running/processes/pool_progress.h"

namespace weir::experiments::running {

/// How long a pool's work takes still. A piece that waits is taken to last as long as those before
/// it did; one that runs, as long as its own share says.
class TimeLeft {
  public:
    /// In seconds, never more than it has said before. Nothing as long as too little is done to
    /// tell, nor once it turns out to last more than twice as long as was said.
    [[nodiscard]] std::optional<double> after(const PoolProgress& progress);

  private:
    std::optional<double> least_;
};

}  // namespace weir::experiments::running
