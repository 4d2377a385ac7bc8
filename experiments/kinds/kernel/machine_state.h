#pragma once

#include <string>

namespace weir::nodes {
class Machine;
}

namespace weir::experiments::kinds {

/// File in a run's folder with the state of a machine that reached run.most_cycles.
inline constexpr const char* kStateFile = "state.txt";

/// State of a machine between two cycles, as text: the waiting parts, the queues with messages,
/// and the messages on their way.
[[nodiscard]] std::string state_text(nodes::Machine& machine);

}  // namespace weir::experiments::kinds
