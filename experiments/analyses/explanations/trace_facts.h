#pragma once

#include <string_view>

#include "experiments/records/metrics.h"

namespace weir::experiments::analyses {

/// Values of a trace that take the place of a model's assumptions: parts of an iteration, and
/// inputs of models. Means over a point's seeds.
class TraceFacts {
  public:
    TraceFacts(const records::Metrics& parts, const records::Metrics& inputs)
        : parts_(parts), inputs_(inputs) {}

    /// Mean cycles of a part of an iteration; 0 without this part.
    [[nodiscard]] double part(std::string_view name) const {
        return records::find_metric(parts_, name).value_or(0.0);
    }
    /// Measured input of models, or `otherwise` if the trace lacks it.
    [[nodiscard]] double input(std::string_view name, double otherwise) const {
        return records::find_metric(inputs_, name).value_or(otherwise);
    }

  private:
    const records::Metrics& parts_;
    const records::Metrics& inputs_;
};

}  // namespace weir::experiments::analyses
