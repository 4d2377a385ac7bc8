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

/// The numbers of hw::LineState: those of a cache's states, and behind them those of a home's.
constexpr std::size_t kLineStates = kCacheStates + kHomeStates;
[[nodiscard]] constexpr std::int64_t number_of(CacheState state) {
    return static_cast<std::int64_t>(state);
}
[[nodiscard]] constexpr std::int64_t number_of(HomeState state) {
    return static_cast<std::int64_t>(kCacheStates) + static_cast<std::int64_t>(state);
}
/// "cache: Read-Only".
[[nodiscard]] std::string name_of_line_state(std::int64_t number);

/// Tells a trace what each shared line is to each node's cache and to its home, change by change.
/// Nobody has a copy at first. One for a whole machine, whose controllers report to it, each of its
/// own node; it changes nothing.
class LineStates {
  public:
    /// `sinks`: whom each node tells.
    explicit LineStates(hw::SinksOfNodes sinks)
        : sinks_(std::move(sinks)), nodes_(sinks_.node_count()) {}

    /// May be the state that it was in.
    void is_in_cache(hw::NodeId node, std::uint64_t line, CacheState state, hw::Cycles now);
    void is_at_home(hw::NodeId home, std::uint64_t line, const DirectoryEntry& entry,
                    hw::Cycles now);

  private:
    using Entry = std::pair<HomeState, std::size_t>;  // and how many nodes P names
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
