#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "experiments/kinds/instrument.h"
#include "hw/units.h"
#include "network/faults/fault_parameters.h"
#include "nodes/run_stops.h"

namespace weir::experiments::debug {

/// Continues a run from a cycle on in several ways. When the run reaches the cycle, the process
/// forks once for each way, one after the other. A forked process changes the machine, and its run
/// goes on to the end. The open files of the run are set back for the next one.
class ResumedRuns final : public kinds::Instrument, public nodes::RunStops {
  public:
    /// Thrown in the first process when all forked ones have ended, to leave its run. No
    /// std::exception, since it is no fault of the run.
    struct AllEnded {};
    /// Calls made in the processes.
    struct Calls {
        /// In a forked process: makes the change number `index` in the run's parameters, and
        /// returns the hardware faults among them.
        std::function<const network::FaultParameters&(std::size_t index)> change;
        /// In the first process: the forked process has ended, with a status as of waitpid().
        std::function<void(std::size_t index, int status)> ended;
        /// In the first process: true if all runs have to end.
        std::function<bool()> is_interrupted;
    };

    /// `folder`: folder of the run's files.
    ResumedRuns(hw::Cycles cycle, std::size_t count, std::filesystem::path folder, Calls calls)
        : cycle_(cycle), count_(count), folder_(std::move(folder)), calls_(std::move(calls)) {}

    /// Number of the change in this process; nullopt if the run ended before the cycle.
    [[nodiscard]] std::optional<std::size_t> index() const { return index_; }

    [[nodiscard]] nodes::RunStops* stops() override { return this; }
    void run_begins(nodes::Machine& /*machine*/) override {}
    [[nodiscard]] hw::Cycles next_stop() const override { return index_ ? hw::kNever : cycle_; }
    [[nodiscard]] bool stopped(nodes::Machine& machine) override;
    void run_ended(nodes::Machine& /*machine*/, nodes::RunEnd /*end*/) override {}
    void run_failed(nodes::Machine& /*machine*/, const std::string& /*why*/) override {}

  private:
    [[nodiscard]] int status_of(int process) const;

    hw::Cycles cycle_;
    std::size_t count_;
    std::filesystem::path folder_;
    Calls calls_;
    std::optional<std::size_t> index_;
};

}  // namespace weir::experiments::debug
