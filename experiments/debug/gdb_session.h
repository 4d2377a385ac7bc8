#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/target.h"

namespace weir::experiments::debug {

/// Why a machine stands.
struct Stop {
    enum class Why : std::uint8_t {
        kBegin,  ///< nothing has run yet
        kStep,
        kBreakpoint,
        kWatchpoint,  ///< `point` and the address that was accessed in it
        kInterrupt,   ///< the debugger asked for it
        kEnd,         ///< behind the last instruction that the node executes
        kFault,       ///< the program did what no handler is there for; it can only be looked at
    };

    int node = 0;
    Why why = Why::kBegin;
    StopPoint::Kind kind = StopPoint::Kind::kWrite;
    std::uint32_t address = 0;
};

/// What a debugger has the machine do next. All nodes go on whatever it says of single ones, since
/// they have one clock; but only those that it lets go may stop the machine.
struct Resume {
    enum class How : std::uint8_t {
        kGo,
        kDetach,  ///< go on, and nobody looks any more
        kKill,
        kGoTo,  ///< a cycle, before or after this one: `go_to`
    };

    How how = How::kGo;
    std::optional<int> step;  ///< stop again when this node has executed an instruction
    std::vector<int> nodes;   ///< those that it lets go; empty: all
    std::int64_t go_to = 0;   ///< stops where the node that has stopped issues then, or next
};

/// One debugger's visit: GDB's remote serial protocol for a machine whose nodes are its threads,
/// node n being thread n + 1. Big-endian SPARC registers in the order of target.h; memory and
/// registers of whichever node the debugger has selected (`thread 4` is node 3).
///
/// Known are ? c C D g G H k m M p P s S T vCont X Z z, and q packets for threads, features,
/// `monitor` and an end of acknowledgements; every other packet is answered as unknown, as the
/// protocol has it.
class GdbSession {
  public:
    /// `node` is selected at first.
    GdbSession(GdbConnection& connection, Target& target, int node)
        : connection_(connection), target_(target), selected_(node), stop_{.node = node} {}

    /// What waits for another debugger when one has gone without a word (disconnect): true when the
    /// connection has another, false when there will be none. Without it such a debugger has killed
    /// the machine.
    void set_reconnect(std::function<bool()> reconnect) { reconnect_ = std::move(reconnect); }

    /// It goes on with a debugger that has asked an earlier session for Resume::How::kGoTo, and
    /// waits for the answer.
    void go_on(const std::vector<StopPoint>& points);

    /// Tells the debugger, which has to wait for it unless it has just come, and does what it asks
    /// until that is to go on.
    Resume stopped(const Stop& stop);
    /// Whether the debugger wants the machine to stop; does not wait.
    [[nodiscard]] bool interrupted() { return connection_.interrupted(); }
    /// Text on the debugger's terminal, while the machine runs.
    void print(std::string_view text);
    /// The machine has ended.
    void exited(int status);

  private:
    // The answer to a packet; nothing when it is to go on as resume_ says.
    std::optional<std::string> answer(const std::string& packet);
    std::string query(const std::string& packet);
    std::string transfer(std::string_view arguments);
    std::string select_thread(std::string_view arguments);
    std::optional<std::string> resume_threads(std::string_view actions);
    std::optional<std::string> go(Resume::How how, std::optional<int> step = {},
                                  std::vector<int> nodes = {});
    std::optional<std::string> go_from(std::string_view address, std::optional<int> step);
    std::optional<std::string> ask_monitor(const std::string& line);
    [[nodiscard]] std::string arrival() const;
    void insert(const StopPoint& point);
    std::string read_registers();
    std::string write_registers(std::string_view digits);
    std::string read_memory(std::string_view arguments);
    std::string write_memory(std::string_view packet, bool is_binary);
    std::string stop_point(std::string_view packet);
    [[nodiscard]] std::string stop_reply() const;
    // Before it goes on from a breakpoint, gdb has one thread execute one instruction, with no
    // other breakpoint than behind that. Others must not pass theirs meanwhile: it is told that it
    // is done, and the machine stands. It is done as soon as gdb looks at the thread.
    [[nodiscard]] bool is_step_over(const std::vector<int>& nodes) const;
    [[nodiscard]] std::string stepped_over_reply() const;
    [[nodiscard]] bool looks_at_step(std::string_view packet) const;
    // -1 for all, 0 for any; nothing for what is no node's.
    [[nodiscard]] std::optional<int> thread_of(std::string_view text) const;

    GdbConnection& connection_;
    Target& target_;
    std::function<bool()> reconnect_;
    int selected_;
    Stop stop_;
    Resume resume_;
    std::set<std::uint32_t> breakpoints_;
    bool owes_step_ = false;            // of stop_.node
    std::optional<std::string> asked_;  // waits until the step is done
    bool is_told_of_stops_ = false;
    bool goes_to_cycle_ = false;  // it waits for the answer to `monitor goto`
};

}  // namespace weir::experiments::debug
