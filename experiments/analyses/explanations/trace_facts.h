#pragma once

#include <string_view>

#include "experiments/analyses/explanations/explained_bodies.h"
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
    /// Time from a body's launch until its last byte has left, mean over messages.
    [[nodiscard]] double body_send_cycles() const { return input("body_send_cycles", 0.0); }
    /// Time for which a handler waits for its body, mean over messages.
    [[nodiscard]] double body_receive_cycles() const { return input("body_receive_cycles", 0.0); }
    /// Overheads of the receives that models hide behind arriving bytes.
    [[nodiscard]] double hidden_start_cycles(const ExplainedBodies& bodies) const {
        return bodies.receives_block ? bodies.count * input("long_receive_overhead_cycles", 0.0)
                                     : 0.0;
    }

  private:
    const records::Metrics& parts_;
    const records::Metrics& inputs_;
};

}  // namespace weir::experiments::analyses
