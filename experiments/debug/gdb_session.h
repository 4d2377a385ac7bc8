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

/// Reason why a machine has stopped.
struct Stop {
    enum class Why : std::uint8_t {
        kBegin,  ///< nothing has run yet
        kStep,
        kBreakpoint,
        kWatchpoint,  ///< access to a watched address; kind and address say which
        kInterrupt,   ///< the debugger requested it
        kEnd,         ///< behind the last instruction that the node executes
        kFault,       ///< the program has a fault that no handler handles; it cannot continue
    };

    int node = 0;
    Why why = Why::kBegin;
    StopPoint::Kind kind = StopPoint::Kind::kWrite;
    std::uint32_t address = 0;
};

/// Request of a debugger to run the machine. All nodes run, since they share a clock. Only the
/// resumed nodes may stop the machine.
struct Resume {
    enum class How : std::uint8_t {
        kGo,
        kDetach,  ///< run without a debugger to the end
        kKill,
        kGoTo,  ///< run to the node's first instruction in or after cycle `go_to`
    };

    How how = How::kGo;
    std::optional<int> step;  ///< stop again when this node has executed an instruction
    std::vector<int> nodes;   ///< nodes that the debugger resumes; empty: all
    std::int64_t go_to = 0;   ///< see kGoTo
};

/// Server side of GDB's remote serial protocol. Nodes are threads: node n is thread n + 1, so
/// `thread 4` selects node 3. Registers are big-endian SPARC words in the order of target.h.
/// Registers and memory are those of the selected node.
///
/// Known packets: ? c C D g G H k m M p P s S T vCont X Z z. The q packets are those for threads,
/// features, `monitor` and an end of acknowledgements. Every other packet gets the protocol's empty
/// answer for unknown packets.
class GdbSession {
  public:
    /// At first the given node is selected.
    GdbSession(GdbConnection& connection, Target& target, int node)
        : connection_(connection), target_(target), selected_(node), stop_{.node = node} {}

    /// Sets the function that is called when a debugger closes the connection without `detach` or
    /// `kill`. This function waits for another debugger, and returns true if one has connected,
    /// false if none will. Without it, a closed connection kills the machine.
    void set_reconnect(std::function<bool()> reconnect) { reconnect_ = std::move(reconnect); }

    /// Continues the session of an earlier process whose debugger requested Resume::How::kGoTo and
    /// waits for the answer. Inserts the given breakpoints and watchpoints.
    void go_on(const std::vector<StopPoint>& points);

    /// Reports `stop` to the debugger if it is waiting, and answers packets until one of them
    /// resumes the machine. Returns that request.
    Resume stopped(const Stop& stop);
    /// True if the debugger has requested a stop of the machine. Returns without waiting.
    [[nodiscard]] bool interrupted() { return connection_.interrupted(); }
    /// Sets the function that gets the text of each refused write to memory: gdb does not show it.
    void set_on_refusal(std::function<void(const std::string&)> call) {
        on_refusal_ = std::move(call);
    }
    /// Prints text on the debugger's terminal while the machine runs.
    void print(std::string_view text);
    /// Reports the end of the run with weir's exit status.
    void exited(int status);

  private:
    // Answer to a packet; empty if the packet resumes the machine as resume_ says.
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
    // A step over a breakpoint: gdb removes all breakpoints but the one behind the instruction, and
    // resumes one thread. Other nodes must not pass their breakpoints during this step. So the
    // session answers at once that the step is done, while the machine is stopped. The step is
    // executed when gdb next accesses the thread.
    [[nodiscard]] bool is_step_over(const std::vector<int>& nodes) const;
    [[nodiscard]] std::string stepped_over_reply() const;
    [[nodiscard]] bool looks_at_step(std::string_view packet) const;
    // Thread number of a packet: kAllThreads, kAnyThread, or a node's number + 1; nullopt if the
    // packet names no node.
    [[nodiscard]] std::optional<int> thread_of(std::string_view text) const;

    GdbConnection& connection_;
    Target& target_;
    std::function<bool()> reconnect_;
    std::function<void(const std::string&)> on_refusal_;
    int selected_;
    Stop stop_;
    Resume resume_;
    std::set<std::uint32_t> breakpoints_;
    bool owes_step_ = false;            // stop_.node has yet to execute its step
    std::optional<std::string> asked_;  // packet to answer when the step is done
    bool is_told_of_stops_ = false;
    bool goes_to_cycle_ = false;  // the debugger waits for the answer to `monitor goto`
    std::string refused_;         // last write to memory that was refused, and the reason
};

}  // namespace weir::experiments::debug
