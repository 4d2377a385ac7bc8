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

/// How long an access to shared memory may go unanswered, or a thread that could run may make no
/// step, before its run ends as starved.
struct StarvationLimit {
    static constexpr hw::Cycles kLeast{100'000};

    hw::Cycles access{0};       ///< an uncontended remote access, and the pause after a BUSY
    hw::Cycles own_access{0};   ///< of a node to its own memory
    std::int64_t threads = 0;   ///< of all nodes
    std::int64_t accesses = 0;  ///< coherence.starved_after_accesses; 0: no limit

    void add(const TrapWork& software) {
        access += software.computes + software.accesses * own_access;
    }
    [[nodiscard]] hw::Cycles cycles() const;
    /// How the limit follows from the machine.
    [[nodiscard]] std::string text() const;
};

/// The limit of a machine whose nodes share memory, with the longest of uncontended remote accesses
/// in closed form: the miss; a request to the home; the directory, and software where the protocol
/// has any; the invalidation of one copy elsewhere, and its acknowledgement with the line; memory;
/// the reply; and the hit. Each trip is twice the farthest one from node 0, than which none is
/// farther. The software of behavioural cores is to be added.
[[nodiscard]] StarvationLimit starvation_limit(const MachineConfiguration& configuration);
/// Whether the homes of its lines have software.
[[nodiscard]] bool has_directory_software(const MachineConfiguration& configuration);

/// Looks for threads that starve, between cycles and rarely: sixteen times within the limit. One
/// that has waited for a quarter of it is suspected. From then on the nodes count who gets its
/// line, or which packets keep its core in traps. A run in which no thread waits for long pays for
/// the looks alone, and no cycle of any run depends on them.
class Starvation {
  public:
    using Nodes = std::vector<std::unique_ptr<Node>>;

    /// The nodes must stay. There has to be a limit.
    Starvation(const Nodes& nodes, const StarvationLimit& limit);

    [[nodiscard]] hw::Cycles next_look() const { return next_look_; }
    /// In the cycle of the next look. Returns whether a thread starves. Where nothing moves, the
    /// wait is the watchdog's matter: nothing refuses the access, no other node is served, and
    /// nothing has got done for half the limit up to `last_progress`.
    [[nodiscard]] bool look(hw::Cycles now, hw::Cycles last_progress);
    /// After a look that has found some: which threads, since when, how often they were refused,
    /// and which nodes were served meanwhile.
    [[nodiscard]] std::string text() const;
    /// Whether an access of theirs has neither been refused nor lost its line.
    [[nodiscard]] bool has_unanswered() const;

  private:
    struct Waiting {
        std::int32_t node = 0;
        Core::Stall stall;
    };
    // Counts of the nodes, for a line or for a home's traps.
    struct Watched {
        hw::Cycles from{0};
        std::int64_t count = 0;  // at the last look
        hw::Cycles moved{0};     // look that found another count
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
    std::map<std::uint64_t, Watched> lines_;  // by address
    std::map<std::int32_t, Watched> homes_;   // by node
    std::vector<Waiting> starved_;
};

}  // namespace weir::nodes
