#pragma once

#include <cstddef>
#include <span>

#include "experiments/running/processes/worker_pool.h"
#include "experiments/running/sweeps/points/point_run.h"

namespace weir::experiments::running {

/// Runs the points of a sweep. One process receives the results, as each run ends, and records
/// them.
class PointRunner {
  public:
    class Receiver {
      public:
        Receiver() = default;
        Receiver(const Receiver&) = delete;
        Receiver& operator=(const Receiver&) = delete;
        virtual ~Receiver() = default;
        /// Receives a result. An exception ends all runs, and is rethrown by run().
        virtual void take(const RunRequest& request, const RunOutcome& outcome) = 0;
        virtual void progress(const PoolProgress& progress) = 0;
    };

    PointRunner() = default;
    PointRunner(const PointRunner&) = delete;
    PointRunner& operator=(const PointRunner&) = delete;
    virtual ~PointRunner() = default;

    /// Runs the requests in any order. Returns false if the user interrupted it; runs that had not
    /// ended are not received. Throws SweepError if no worker can run.
    virtual bool run(const SweepPlan& plan, std::span<const RunRequest> requests,
                     Receiver& receiver) = 0;
};

}  // namespace weir::experiments::running
