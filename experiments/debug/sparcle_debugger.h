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

/// Debugger of a machine of Sparcle nodes. All nodes share a clock, so the whole machine stops and
/// runs together. The machine has to execute one instruction per tick (sparcle.run_ahead = false),
/// so that all nodes stop in the same cycle.
///
/// A node stops between two instructions: before the instruction at a breakpoint, or behind a
/// watched access. The other nodes are halted in the same cycle, perhaps within an instruction. So
/// only the stopped node's pc and npc can be written. Watchpoints see accesses of instructions, not
/// those of DMA engines.
///
/// Shared memory has the newest bytes, wherever they are, and a write reaches all copies
/// (memory::SharedContents). The program's text cannot be written.
class SparcleDebugger final : public kinds::Instrument,
                              public Target,
                              public nodes::sparcle::ExecutionObserver {
  public:
    /// Node that is selected first, and whether it alone stops at breakpoints and watchpoints.
    struct Choice {
        int node = 0;
        bool is_alone = false;
    };

    SparcleDebugger(GdbConnection& connection, Choice choice)
        : session_(connection, *this, choice.node), choice_(choice) {}

    /// Request for another run from the start, with a new debugger on the same connection. Another
    /// run is needed for an earlier cycle, and for a cycle that this run does not reach. SystemC
    /// simulates only once per process.
    struct Rerun {
        int node = 0;
        std::int64_t cycle = 0;
        bool is_end = false;  ///< go to the last cycle in which the node executes anything
        std::vector<StopPoint> points;
    };
    /// Makes this the debugger that serves `rerun`. Call it before attach().
    void go_on(const Rerun& rerun);
    /// Request for another run, if the run ended for that. To be read after the run.
    [[nodiscard]] const std::optional<Rerun>& rerun() const { return rerun_; }

    /// Passes the function to GdbSession::set_reconnect(). A new debugger starts without the
    /// breakpoints and watchpoints of the previous one.
    void set_reconnect(const std::function<bool()>& reconnect);

    /// Passes the function to GdbSession::set_on_refusal().
    void set_on_refusal(const std::function<void(const std::string&)>& call) {
        session_.set_on_refusal(call);
    }

    // Instrument
    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override;
    bool proceed() override;
    void faulted() override;
    void ended() override;

    /// Prints `text` and reports weir's exit status to the debugger. Call it after the run, unless
    /// another run follows.
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
    [[nodiscard]] std::string write_memory(int node, std::uint32_t address,
                                           std::span<const std::uint8_t> bytes) override;
    void insert(const StopPoint& point) override;
    void remove(const StopPoint& point) override;
    [[nodiscard]] std::string monitor(const std::string& line) override;

  private:
    enum class Phase : std::uint8_t { kLooking, kDetached, kKilled, kRerunning };

    [[nodiscard]] nodes::sparcle::SparcleCore& core(int node) const;
    [[nodiscard]] bool is_shared(std::uint32_t address) const;
    // Returns the number of bytes from the shared `address` on that could be read.
    std::size_t read_shared_memory(std::uint32_t address, std::span<std::uint8_t> bytes);
    // Nodes whose register windows may hold frames of the stack at `address`: all nodes if it is
    // shared.
    [[nodiscard]] std::vector<int> nodes_with_stack(int node, std::uint32_t address) const;
    // Reason for which these bytes may not be written; empty if there is none.
    [[nodiscard]] std::string refusal(std::uint32_t address, std::size_t bytes) const;
    // Reason to stop behind this instruction, if there is one.
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
    std::vector<int> let_go_;  // nodes that may stop the machine; empty: all
    int stopped_ = 0;          // node that is stopped between two instructions
    unsigned executed_ = 0;
    /// Cycle to run to, past all breakpoints and watchpoints.
    struct Goal {
        int node = 0;
        std::int64_t cycle = 0;
        bool is_end = false;
        std::int64_t last_issue = 0;  // cycle of the node's next instruction when last seen
    };
    std::optional<Goal> goal_;
    std::optional<Rerun> rerun_;
};

}  // namespace weir::experiments::debug
