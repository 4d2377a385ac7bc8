#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hw/messages/message.h"
#include "hw/units.h"

namespace weir::nodes {
class Machine;
}

namespace weir::experiments::kinds {

/// File in a run's folder with the state of a machine that reached run.most_cycles.
inline constexpr const char* kStateFile = "state.txt";

/// Name of a message or of a packet of the coherence protocol, for users.
[[nodiscard]] std::string name_of(const hw::Message& message);
/// Contents of the queues that are not empty, a line for each; those of one node, or of all. To be
/// called between cycles.
[[nodiscard]] std::vector<std::string> queue_lines(nodes::Machine& machine,
                                                   std::optional<hw::NodeId> node = {});
/// Messages on their way and the stage that each has reached, in the order of their senders; those
/// from or to one node, or all.
[[nodiscard]] std::vector<std::string> message_lines(nodes::Machine& machine,
                                                     std::optional<hw::NodeId> node = {});
/// A title and the lines below it, of which the first hundred are shown.
[[nodiscard]] std::string list_text(const std::string& title,
                                    const std::vector<std::string>& lines);

/// State of a machine between two cycles, as text: the waiting parts, the queues with messages,
/// and the messages on their way.
[[nodiscard]] std::string state_text(nodes::Machine& machine);

}  // namespace weir::experiments::kinds
