#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "experiments/statistics/batch_means.h"

namespace weir::experiments::statistics {

/// What a series says of its steady state.
struct SteadyState {
    std::size_t warm_up = 0;         ///< observations left out in front
    bool is_warm_up_found = true;    ///< or the series never became steady, and none are left out
    std::optional<BatchMeans> mean;  ///< of the rest; nothing where there are too few

    /// Why the interval can't be believed; empty when it can.
    [[nodiscard]] std::string doubt() const;
};

/// Leaves out the warm-up that MSER-5 finds, when asked to, and forms the batch means of the rest.
SteadyState steady_state(std::span<const double> series, std::size_t batches, bool detect_warm_up);

}  // namespace weir::experiments::statistics
