#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/units.h"

namespace weir::nodes {
class Machine;
}

namespace weir::experiments::debug {

// Texts about the state of a machine between two cycles, read from its parts. Reading changes
// nothing. The network has to be emulated flit by flit (network.flit_by_flit).

/// State of each node's core, or of one node's, and since when.
[[nodiscard]] std::vector<std::string> core_lines(nodes::Machine& machine,
                                                  std::optional<hw::NodeId> node);

/// Channels that hold flits, or that a message holds from its header to its tail. A line has the
/// messages, the number of flits on the link and in the buffer, and the places for them. Only
/// channels whose name contains `part`.
[[nodiscard]] std::vector<std::string> channel_lines(nodes::Machine& machine,
                                                     const std::string& part);

/// Time of each stage of a message that is on its way; empty if there is no such message.
[[nodiscard]] std::string message_text(nodes::Machine& machine, hw::NodeId source,
                                       std::int64_t sequence);

/// Line of shared memory: its home's directory entry, refused requests, copies, packets on their
/// way and newest bytes. `address` must be shared.
[[nodiscard]] std::string shared_line_text(nodes::Machine& machine, std::uint32_t address);
[[nodiscard]] bool has_shared_memory(nodes::Machine& machine);
[[nodiscard]] bool is_shared(nodes::Machine& machine, std::uint64_t address);

}  // namespace weir::experiments::debug
