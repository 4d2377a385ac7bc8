#include "memory/coherence/line_states.h"

namespace weir::memory {

std::string name_of_line_state(std::int64_t number) {
    const std::int64_t first_of_home = number_of(HomeState{});
    return number < first_of_home
               ? "cache: " + std::string(name_of(static_cast<CacheState>(number)))
               : "home: " + std::string(name_of(static_cast<HomeState>(number - first_of_home)));
}

void LineStates::is_in_cache(hw::NodeId node, std::uint64_t line, CacheState state,
                             hw::Cycles now) {
    Node& at = node_at(node);
    CacheState& before = at.copies.try_emplace(line, CacheState::kInvalid).first->second;
    if (std::exchange(before, state) != state) {
        sinks_.of(node).line_state({.node = node,
                                    .sequence = at.changes++,
                                    .cycle = now,
                                    .line = static_cast<std::int64_t>(line),
                                    .state = number_of(state)});
    }
}

void LineStates::is_at_home(hw::NodeId home, std::uint64_t line, const DirectoryEntry& entry,
                            hw::Cycles now) {
    Node& at = node_at(home);
    const Entry after{entry.state, entry.pointers.size()};
    Entry& before = at.entries.try_emplace(line, HomeState::kReadOnly, 0).first->second;
    if (std::exchange(before, after) != after) {
        sinks_.of(home).line_state({.node = home,
                                    .sequence = at.changes++,
                                    .cycle = now,
                                    .line = static_cast<std::int64_t>(line),
                                    .state = number_of(entry.state),
                                    .pointers = static_cast<std::int64_t>(entry.pointers.size())});
    }
}

}  // namespace weir::memory
