#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debug/stepping/trace_events.h"
#include "hw/units.h"

namespace weir::experiments::debug {

/// Request to a checkpoint: the run goes on from there as it says.
struct GoBack {
    enum class Why : std::uint8_t {
        kCycle,  ///< go to `cycle`, and stop there
        kEvent,  ///< find the last matching event before `cycle`; without one, stop in `origin`
    };
    Why why = Why::kCycle;
    hw::Cycles cycle{0};
    EventFilter events{};
    hw::Cycles origin{0};       ///< cycle in which the user asked
    bool has_no_event = false;  ///< no event was found, so that the run returned to `origin`
};

/// Earlier states of this process, to which a run can go back. SystemC's simulation cannot be
/// copied within a process, so a checkpoint is a forked process that waits. It shares all memory
/// pages that have not changed since.
///
/// The processes form a chain: each waits for the next one, and the last one runs. To go back, the
/// last process leaves a request in shared memory and exits. Its parent accepts the request, or
/// passes it on to its own parent. A checkpoint that accepts forks again, so it can be used again.
/// Open files are set back, too (OpenFiles).
///
/// Signals: SIGTERM and SIGHUP to any process end all of them. SIGINT reaches only the last one.
class Checkpoints {
  public:
    /// Thrown in the first process after a signal has ended a later one. No std::exception, since
    /// it is no fault of the run.
    struct Lost {
        int signal = 0;
    };

    Checkpoints();
    /// Folder of the run, whose open files are set back.
    void set_folder(const std::filesystem::path& folder) { folder_ = folder; }
    Checkpoints(const Checkpoints&) = delete;
    Checkpoints& operator=(const Checkpoints&) = delete;
    ~Checkpoints();

    /// Makes a checkpoint of the state after `cycle`, and returns in a new process. Returns nullopt
    /// the first time, and later the request that led back here. Without a new process (too many
    /// processes, or too little memory) it returns nullopt and makes none.
    [[nodiscard]] std::optional<GoBack> keep(hw::Cycles cycle);
    /// Ends this process, and continues from the last checkpoint that is early enough.
    [[noreturn]] void go_back(const GoBack& request);

    /// Cycle of the last checkpoint, which is this process's parent.
    [[nodiscard]] hw::Cycles last() const { return cycles_.back(); }
    [[nodiscard]] bool has_one() const { return !cycles_.empty(); }
    /// Processor time of this process since the last checkpoint, and since the run's begin.
    [[nodiscard]] double seconds_since_last() const;
    [[nodiscard]] double seconds_of_run() const;

    /// Cycles of all checkpoints, the first one first.
    [[nodiscard]] const std::vector<hw::Cycles>& cycles() const { return cycles_; }
    /// Memory of the host that only checkpoints hold, and that of the running process, in bytes.
    struct Memory {
        std::int64_t of_checkpoints = 0;
        std::int64_t of_run = 0;
    };
    [[nodiscard]] Memory memory() const;

    /// Text that survives going back: the last command.
    [[nodiscard]] std::string last_command() const;
    void set_last_command(const std::string& command);
    /// Number of commands so far, those in cycles after the current one included.
    [[nodiscard]] std::int64_t command_count() const;

  private:
    struct Shared;

    [[nodiscard]] bool accepts(hw::Cycles cycle) const;
    void end_with(int status);

    Shared* shared_;
    std::filesystem::path folder_;
    std::vector<hw::Cycles> cycles_;
    std::vector<int> processes_;
    double seconds_before_ = 0.0;  // processor time of the run before this process
};

}  // namespace weir::experiments::debug
