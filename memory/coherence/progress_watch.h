#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "hw/units.h"

namespace weir::memory {

/// Counts a coherence controller's work for some lines, and the packets that its home hands to
/// software. Starvation detection uses it while an access to one of these lines, or a thread of the
/// node, is a suspect. Without such a suspect, nothing is counted.
class ProgressWatch {
  public:
    using ByNode = std::map<hw::NodeId, std::int64_t>;
    using NodeAndLine = std::pair<hw::NodeId, std::uint64_t>;

    struct Line {
        ByNode served;             ///< lines and grants sent, by destination
        std::int64_t refused = 0;  ///< BUSY replies to this node
        std::int64_t lost = 0;     ///< copies taken from this node before their first use
    };

    void begin(std::uint64_t line) { lines_.try_emplace(line); }
    void end(std::uint64_t line) { lines_.erase(line); }
    /// Null if the line is not counted.
    [[nodiscard]] Line* find(std::uint64_t line) {
        const auto found = lines_.find(line);
        return found == lines_.end() ? nullptr : &found->second;
    }

    void trap(hw::NodeId requester, std::uint64_t line) { traps_[{requester, line}] += 1; }
    void forget_traps() { traps_.clear(); }
    /// Packets for software, by sender and line.
    [[nodiscard]] const std::map<NodeAndLine, std::int64_t>& traps() const { return traps_; }

  private:
    std::map<std::uint64_t, Line> lines_;
    std::map<NodeAndLine, std::int64_t> traps_;
};

}  // namespace weir::memory
