#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>

#include "hw/per_node.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"
#include "memory/coherence/cache_table.h"
#include "memory/coherence/directory.h"
#include "memory/coherence/home_table.h"

namespace weir::memory {

/// Numbers of hw::LineState: the states of a cache, followed by those of a home.
constexpr std::size_t kLineStates = kCacheStates + kHomeStates;
[[nodiscard]] constexpr std::int64_t number_of(CacheState state) {
    return static_cast<std::int64_t>(state);
}
[[nodiscard]] constexpr std::int64_t number_of(HomeState state) {
    return static_cast<std::int64_t>(kCacheStates) + static_cast<std::int64_t>(state);
}
/// Name of a state, such as "cache: Read-Only".
[[nodiscard]] std::string name_of_line_state(std::int64_t number);

/// Traces the states of shared lines in each node's cache and at the home, change by change. No
/// node has a copy at first.
///
/// A machine has one such object. Each controller reports for its own node. It changes no result.
class LineStates {
  public:
    /// `sinks`: the trace sink of each node.
    explicit LineStates(hw::SinksOfNodes sinks)
        : sinks_(std::move(sinks)), nodes_(sinks_.node_count()) {}

    /// Reports a state, which may be unchanged.
    void is_in_cache(hw::NodeId node, std::uint64_t line, CacheState state, hw::Cycles now);
    void is_at_home(hw::NodeId home, std::uint64_t line, const DirectoryEntry& entry,
                    hw::Cycles now);

  private:
    using Entry = std::pair<HomeState, std::size_t>;  // state, and number of nodes in P
    struct Node {
        std::int64_t changes = 0;
        std::unordered_map<std::uint64_t, CacheState> copies;
        std::unordered_map<std::uint64_t, Entry> entries;
    };
    [[nodiscard]] Node& node_at(hw::NodeId node) { return nodes_[node]; }

    hw::SinksOfNodes sinks_;
    hw::PerNode<Node, std::deque<Node>> nodes_;
};

}  // namespace weir::memory
