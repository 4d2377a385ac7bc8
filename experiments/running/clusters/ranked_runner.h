#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "experiments/running/clusters/mpi_ranks.h"
#include "experiments/running/sweeps/points/point_runner.h"
#include "experiments/running/sweeps/points/point_worker.h"

namespace weir::experiments::running {

/// Shares a sweep's runs among the processes that mpirun has started. Each has workers; the first
/// one hands out the runs, as workers become free, and is told of what came, so that it alone
/// writes.
class RankedRunner final : public PointRunner {
  public:
    /// Starts the workers, options.workers in each process, and then MPI. Throws setup::UserFault
    /// in a build without MPI.
    explicit RankedRunner(const SweepOptions& options);
    RankedRunner(const RankedRunner&) = delete;
    RankedRunner& operator=(const RankedRunner&) = delete;
    /// In the first process: sends the others home.
    ~RankedRunner() override;

    [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }
    [[nodiscard]] int ranks() const { return ranks_.count(); }

    /// In the first process.
    bool run(const SweepPlan& plan, std::span<const RunRequest> requests,
             Receiver& receiver) override;
    /// In every other one, until it is sent home.
    void serve();

  private:
    class Distribution;

    [[nodiscard]] std::vector<PointWorker*> workers() const;

    std::vector<std::unique_ptr<PointWorker>> workers_;  ///< before MPI begins
    MpiRanks ranks_;
};

/// Whether this is one of mpirun's processes but the first: it has then served until it was sent
/// home. In the first of several, `ranked` is made.
[[nodiscard]] bool has_served(const SweepOptions& options, std::optional<RankedRunner>& ranked);

}  // namespace weir::experiments::running
