#pragma once

#include <cstddef>
#include <span>

#include "experiments/running/processes/worker_pool.h"
#include "experiments/running/sweeps/points/point_run.h"

namespace weir::experiments::running {

/// Who runs the points of a sweep. Who writes them is told in one process, as each run ends.
class PointRunner {
  public:
    class Receiver {
      public:
        Receiver() = default;
        Receiver(const Receiver&) = delete;
        Receiver& operator=(const Receiver&) = delete;
        virtual ~Receiver() = default;
        /// What it throws ends the running, and comes out of run().
        virtual void take(const RunRequest& request, const RunOutcome& outcome) = 0;
        virtual void progress(const PoolProgress& progress) = 0;
    };

    PointRunner() = default;
    PointRunner(const PointRunner&) = delete;
    PointRunner& operator=(const PointRunner&) = delete;
    virtual ~PointRunner() = default;

    /// Runs them in any order. False when the user broke it off; what had not ended by then is not
    /// taken. Throws SweepError when there is nowhere to run.
    virtual bool run(const SweepPlan& plan, std::span<const RunRequest> requests,
                     Receiver& receiver) = 0;
};

}  // namespace weir::experiments::running
