#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "experiments/running/clusters/mpi_ranks.h"
#include "experiments/running/sweeps/points/point_runner.h"
#include "experiments/running/sweeps/points/point_worker.h"

namespace weir::experiments::running {

/// Shares a sweep's runs among the processes of mpirun. Each process has workers. The first process
/// hands out runs to free workers and receives all results, so that it alone writes the database.
class RankedRunner final : public PointRunner {
  public:
    /// Starts options.workers workers in each process, and then MPI. Throws setup::UserFault in a
    /// build without MPI.
    explicit RankedRunner(const SweepOptions& options);
    RankedRunner(const RankedRunner&) = delete;
    RankedRunner& operator=(const RankedRunner&) = delete;
    /// In the first process: ends the other processes' serve().
    ~RankedRunner() override;

    [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }
    [[nodiscard]] int ranks() const { return ranks_.count(); }

    /// Only for the first process.
    bool run(const SweepPlan& plan, std::span<const RunRequest> requests,
             Receiver& receiver) override;
    /// For all processes but the first: serves runs until the first process ends this.
    void serve();

  private:
    class Distribution;

    [[nodiscard]] std::vector<PointWorker*> workers() const;

    std::vector<std::unique_ptr<PointWorker>> workers_;  ///< started before MPI begins
    MpiRanks ranks_;
};

/// Serves and returns true if this is one of mpirun's processes, but not the first. Returns false
/// in the first process, for which it makes `ranked` if there are several.
[[nodiscard]] bool has_served(const SweepOptions& options, std::optional<RankedRunner>& ranked);

}  // namespace weir::experiments::running
