#pragma once

#include "experiments/models/lopc/lopc_mva.h"

namespace weir::experiments::models {

/// Sums of what threads see, each weighted by how often it happens, into means.
class LopcMvaMeans {
  public:
    void add_thread(double requests_per_cycle, double reply_cycles) {
        threads_ += 1.0;
        means_.requests_per_cycle += requests_per_cycle;
        means_.reply_response_cycles += requests_per_cycle * reply_cycles;
    }
    void add_visits(double visits_per_cycle, double request_cycles) {
        visits_ += visits_per_cycle;
        means_.request_response_cycles += visits_per_cycle * request_cycles;
    }
    [[nodiscard]] LopcMva means() const {
        LopcMva means = means_;
        means.response_cycles = threads_ / means.requests_per_cycle;  // Little's law
        means.reply_response_cycles /= means.requests_per_cycle;
        means.request_response_cycles /= visits_;
        return means;
    }

  private:
    double threads_ = 0.0;
    double visits_ = 0.0;
    LopcMva means_;
};

}  // namespace weir::experiments::models
