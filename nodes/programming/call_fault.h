#pragma once

#include <cstdint>
#include <string>
#include <version>
#ifdef __cpp_lib_source_location
#include <source_location>
#else
#include <experimental/source_location>
#endif

#include "hw/refusal.h"
#include "hw/units.h"

namespace weir::nodes {

class Processor;

/// A program's mistake, which the hardware answers with an error. Examples: a load from an empty
/// input window, an address outside memory, a launch of a malformed descriptor. The text has node,
/// address and cycle.
class ProgramFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

/// Place of a call of the programming interface in a program's source. Each function of the
/// interface takes it as its last argument, with the caller's own line as the default. A layer
/// above the interface passes on the place of its own caller.
#ifdef __cpp_lib_source_location
using CallPlace = std::source_location;
#else
using CallPlace = std::experimental::source_location;  // clang 14 lacks the standard type
#endif

/// Text of a place, such as ", in token_ring.cpp:23"; empty without a place.
[[nodiscard]] std::string text_of(const CallPlace& call);

/// Throws ProgramFault with a text such as "node 3, cycle 17: send to node 99, in
/// token_ring.cpp:23; accepted: ...".
[[noreturn]] void refuse_call(const Processor& processor, const CallPlace& call, std::string found,
                              std::string accepted);

/// Throws ProgramFault without node and cycle, for a call before or after the run or from an
/// unknown node.
[[noreturn]] void refuse_call(const CallPlace& call, std::string found, std::string accepted);

/// Call while an exception from a program is being handled. Rethrows exceptions of Weir and of the
/// system unchanged, and anything else as a ProgramFault, "`what` ends with an exception: ...".
[[noreturn]] void rethrow_from_program(const std::string& what);

/// Throws ProgramFault for a node number that the machine does not have.
inline void require_node(hw::NodeId node, std::int32_t node_count, const CallPlace& call) {
    if (node.index() < 0 || node.index() >= node_count) [[unlikely]] {
        refuse_call(call, "node " + std::to_string(node.index()),
                    "0 to " + std::to_string(node_count - 1));
    }
}

}  // namespace weir::nodes
