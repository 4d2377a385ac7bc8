#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/gdb_session.h"
#include "experiments/debug/target.h"
#include "experiments/kinds/instrument.h"
#include "nodes/sparcle/execution_observer.h"

namespace weir::experiments::debug {

/// A machine of Sparcle nodes under a debugger. It stands while the debugger looks at it, all of
/// it: nodes have one clock. The machine has to execute an instruction a tick
/// (sparcle.run_ahead = false), or nodes would stand at different times.
///
/// A node stops behind an instruction: before the one at a breakpoint, behind the access to what is
/// watched. The others stand in the same cycle, perhaps within an instruction, so only the node
/// that has stopped can be sent elsewhere (pc and npc). Watched are accesses of instructions, not
/// those of DMA engines.
class SparcleDebugger final : public kinds::Instrument,
                              public Target,
                              public nodes::sparcle::ExecutionObserver {
  public:
    /// Which node is looked at first, and whether it alone stops at breakpoints and watchpoints.
    struct Choice {
        int node = 0;
        bool is_alone = false;
    };

    SparcleDebugger(GdbConnection& connection, Choice choice)
        : session_(connection, *this, choice.node), choice_(choice) {}

    /// A cycle that has passed, or that this run does not reach, asks for another run from the
    /// start, by another debugger on the same connection: SystemC simulates once a process.
    struct Rerun {
        int node = 0;
        std::int64_t cycle = 0;
        bool is_end = false;  ///< the last one in which the node executes anything
        std::vector<StopPoint> points;
    };
    /// Before attach(): it is that debugger.
    void go_on(const Rerun& rerun);
    /// After the run: whether it has ended for another.
    [[nodiscard]] const std::optional<Rerun>& rerun() const { return rerun_; }

    /// GdbSession::set_reconnect(); what the one before has asked to stop at is forgotten.
    void set_reconnect(const std::function<bool()>& reconnect);

    // Instrument
    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override;
    bool proceed() override;
    void faulted() override;
    void ended() override;

    /// After the run, unless another follows: what became of it, and weir's exit status.
    void report_end(const std::string& text, int status);
    [[nodiscard]] bool is_killed() const { return phase_ == Phase::kKilled; }

    // ExecutionObserver
    void executed(const nodes::sparcle::SparcleCore& core,
                  const nodes::sparcle::ExecutedInstruction& instruction) override;

    // Target
    [[nodiscard]] int node_count() const override;
    [[nodiscard]] std::int64_t cycle(int node) const override;
    [[nodiscard]] std::string state_of(int node) const override;
    [[nodiscard]] std::uint32_t read_register(int node, unsigned number) const override;
    bool write_register(int node, unsigned number, std::uint32_t value) override;
    std::size_t read_memory(int node, std::uint32_t address,
                            std::span<std::uint8_t> bytes) override;
    bool write_memory(int node, std::uint32_t address,
                      std::span<const std::uint8_t> bytes) override;
    void insert(const StopPoint& point) override;
    void remove(const StopPoint& point) override;
    [[nodiscard]] std::string monitor(const std::string& line) override;

  private:
    enum class Phase : std::uint8_t { kLooking, kDetached, kKilled, kRerunning };

    [[nodiscard]] nodes::sparcle::SparcleCore& core(int node) const;
    // Why it stops behind this instruction, if it does.
    [[nodiscard]] std::optional<Stop> stop_behind(
        const nodes::sparcle::SparcleCore& core,
        const nodes::sparcle::ExecutedInstruction& instruction) const;
    void stop(const Stop& stop);
    void go_to(std::int64_t there, const Stop& from);
    void run_again(int node, std::int64_t cycle, bool is_end);

    GdbSession session_;
    Choice choice_;
    nodes::Machine* machine_ = nullptr;
    const firmware::ElfImage* image_ = nullptr;
    Phase phase_ = Phase::kLooking;
    std::unordered_set<std::uint32_t> breakpoints_;
    std::vector<StopPoint> watchpoints_;
    std::optional<int> stepping_;
    std::vector<int> let_go_;  // who may stop it; empty: all
    int stopped_ = 0;          // stands between two instructions
    unsigned executed_ = 0;
    /// Where it goes, whatever else it could stop at.
    struct Goal {
        int node = 0;
        std::int64_t cycle = 0;
        bool is_end = false;
        std::int64_t last_issue = 0;  // of the node so far
    };
    std::optional<Goal> goal_;
    std::optional<Rerun> rerun_;
};

}  // namespace weir::experiments::debug
