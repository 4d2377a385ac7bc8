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

/// A program did what the hardware answers with an error: a load from an empty input window, an
/// address outside memory, a launch of a malformed descriptor. Says node, address and cycle.
class ProgramFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

/// Where in a program's source a call of the programming interface stands. Each function of the
/// interface takes it as its last argument, by default the caller's own line; a layer hands on its
/// caller's.
#ifdef __cpp_lib_source_location
using CallPlace = std::source_location;
#else
using CallPlace = std::experimental::source_location;  // clang 14 lacks the standard one
#endif

/// ", in token_ring.cpp:23"; empty for no place.
[[nodiscard]] std::string text_of(const CallPlace& call);

/// Throws ProgramFault: "node 3, cycle 17: send to node 99, in token_ring.cpp:23; accepted: ...".
[[noreturn]] void refuse_call(const Processor& processor, const CallPlace& call, std::string found,
                              std::string accepted);

/// The same before or after the run, or where the node is not known.
[[noreturn]] void refuse_call(const CallPlace& call, std::string found, std::string accepted);

/// In a handler of whatever a program has thrown: throws what Weir's layers and the system have
/// thrown as it is, and anything else as a ProgramFault, "`what` ends with an exception: ...".
[[noreturn]] void rethrow_from_program(const std::string& what);

/// Refuses a node's number that the machine does not have.
inline void require_node(hw::NodeId node, std::int32_t node_count, const CallPlace& call) {
    if (node.index() < 0 || node.index() >= node_count) [[unlikely]] {
        refuse_call(call, "node " + std::to_string(node.index()),
                    "0 to " + std::to_string(node_count - 1));
    }
}

}  // namespace weir::nodes
