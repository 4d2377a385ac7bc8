#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/units.h"
#include "memory/coherence/progress_watch.h"
#include "nodes/core.h"
#include "nodes/programming/processor.h"

namespace weir::nodes {

class Node;
struct MachineConfiguration;

/// Longest time without an answer for an access to shared memory, or without a step for a thread
/// that is ready to run. Beyond it the run ends as starved.
struct StarvationLimit {
    static constexpr hw::Cycles kLeast{100'000};

    hw::Cycles access{0};      ///< cycles of an uncontended remote access, and of the pause after a
                               ///< BUSY answer
    hw::Cycles own_access{0};  ///< cycles of a node's access to its own memory
    std::int64_t threads = 0;  ///< number of threads in all nodes
    std::int64_t accesses = 0;  ///< coherence.starved_after_accesses; 0: no limit

    void add(const TrapWork& software) {
        access += software.computes + software.accesses * own_access;
    }
    [[nodiscard]] hw::Cycles cycles() const;
    /// Derivation of the limit from the machine, as text for a report.
    [[nodiscard]] std::string text() const;
};

/// Computes the limit of a machine with shared memory, from the longest uncontended remote access
/// in closed form.
///
/// Steps of the access:
/// - the miss, and the request to the home;
/// - the directory, and its software if the protocol has any;
/// - the invalidation of one copy in a third node, and the acknowledgement with the line;
/// - memory, the reply, and the hit.
///
/// Each trip is taken as twice the farthest distance from node 0, which no route exceeds. Directory
/// software of behavioural cores is not included: add it by StarvationLimit::add.
[[nodiscard]] StarvationLimit starvation_limit(const MachineConfiguration& configuration);
/// True if software at the homes handles part of the coherence protocol.
[[nodiscard]] bool has_directory_software(const MachineConfiguration& configuration);

/// Detects starved threads. Detection looks at all threads between cycles, sixteen times within the
/// limit.
///
/// A thread that has waited for a quarter of the limit becomes a suspect. From then on the nodes
/// count which requesters get its line, or which packets keep its core in traps. Without suspects
/// the cost is that of the looks alone. The simulated cycles never depend on this detection.
class Starvation {
  public:
    using Nodes = std::vector<std::unique_ptr<Node>>;

    /// limit.accesses must not be 0. The nodes must outlive this object.
    Starvation(const Nodes& nodes, const StarvationLimit& limit);

    [[nodiscard]] hw::Cycles next_look() const { return next_look_; }
    /// Looks for starved threads; call it in cycle next_look(). Returns whether a thread starves.
    ///
    /// Waits in which nothing moves are left to the watchdog. For half the limit, these have seen
    /// no refusal, no service of another node, and no progress of the machine, whose latest is at
    /// `last_progress`.
    [[nodiscard]] bool look(hw::Cycles now, hw::Cycles last_progress);
    /// Report after look() has returned true: the starved threads, since when they wait, how often
    /// they were refused, and which nodes were served meanwhile.
    [[nodiscard]] std::string text() const;
    /// True if a starved access has neither been refused nor lost its line.
    [[nodiscard]] bool has_unanswered() const;

  private:
    struct Waiting {
        std::int32_t node = 0;
        Core::Stall stall;
    };
    // Progress of other nodes at one line, or in the traps of one home.
    struct Watched {
        hw::Cycles from{0};
        std::int64_t count = 0;  // count of progress at the last look
        hw::Cycles moved{0};     // cycle of the last look that found another count
        bool is_wanted = false;
    };

    [[nodiscard]] std::vector<Waiting> waiting(hw::Cycles now, hw::Cycles longer_than) const;
    void watch(const std::vector<Waiting>& suspects, hw::Cycles now);
    static void note_count(Watched& watched, std::int64_t count, hw::Cycles now);
    [[nodiscard]] static std::uint64_t line_of(const Waiting& one);
    [[nodiscard]] const Watched& watched(const Waiting& one) const;
    [[nodiscard]] memory::ProgressWatch::ByNode served(std::uint64_t line) const;
    [[nodiscard]] memory::ProgressWatch::Line at_node(const Waiting& one) const;
    [[nodiscard]] std::string text_of(const Waiting& one) const;
    [[nodiscard]] std::string line_text(const Waiting& one) const;
    [[nodiscard]] std::string traps_text(const Waiting& one) const;

    const Nodes& nodes_;
    StarvationLimit limit_;
    hw::Cycles period_;
    hw::Cycles next_look_;
    std::map<std::uint64_t, Watched> lines_;  // watched lines, by address
    std::map<std::int32_t, Watched> homes_;   // watched homes, by node
    std::vector<Waiting> starved_;
};

}  // namespace weir::nodes
