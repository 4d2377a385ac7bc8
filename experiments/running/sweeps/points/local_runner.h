#pragma once

#include <filesystem>

#include "experiments/running/sweeps/points/point_runner.h"

namespace weir::experiments::running {

/// Runs points on this host. Each point's run has its own process, and its own folder inside
/// `scratch_folder`, which must exist.
class LocalRunner final : public PointRunner {
  public:
    LocalRunner(int workers, std::filesystem::path scratch_folder)
        : workers_(workers), scratch_folder_(std::move(scratch_folder)) {}

    bool run(const SweepPlan& plan, std::span<const RunRequest> requests,
             Receiver& receiver) override;

  private:
    int workers_;
    std::filesystem::path scratch_folder_;
};

}  // namespace weir::experiments::running
