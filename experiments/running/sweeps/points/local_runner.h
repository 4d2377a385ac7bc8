#pragma once

#include <filesystem>
#include <optional>

#include "experiments/running/sweeps/points/point_runner.h"
#include "hw/units.h"

namespace weir::experiments::running {

/// Runs points on this host. Each point's run has its own process, and its own folder inside
/// `scratch_folder`, which must exist.
///
/// With `resume_at`, runs of the same seed are equal through this cycle. A process runs to that
/// cycle, and each point's process goes on from there. If runs of fewer seeds than workers are
/// left, each worker runs its own way to the cycle.
class LocalRunner final : public PointRunner {
  public:
    LocalRunner(int workers, std::filesystem::path scratch_folder,
                std::optional<hw::Cycles> resume_at = {})
        : workers_(workers), scratch_folder_(std::move(scratch_folder)), resume_at_(resume_at) {}

    bool run(const SweepPlan& plan, std::span<const RunRequest> requests,
             Receiver& receiver) override;

  private:
    int workers_;
    std::filesystem::path scratch_folder_;
    std::optional<hw::Cycles> resume_at_;
};

}  // namespace weir::experiments::running
