#include "firmware/synchronizing_structures.h"

#include <string>

namespace weir::firmware {

using nodes::Task;

JStructure::JStructure(SharedAllocator& allocator, const nodes::MachineShape& machine,
                       hw::NodeId home, std::uint32_t elements, std::uint32_t spacing)
    : machine_(&machine),
      home_(home),
      elements_(elements),
      offset_(allocator.allocate(home, elements * spacing, HomePlacement::kApart, 0)),
      spacing_(spacing) {}

Task JStructure::write(nodes::Processor& processor, std::int64_t element, double value,
                       nodes::CallPlace call) const {
    const auto found = co_await processor.fill_real(address(element, call), value, call);
    if (found.was_full) {
        nodes::refuse_call(
            processor, call,
            "second write of element " + std::to_string(element) + " of a J-structure",
            "one write, or a reset before the next");
    }
}

Task LElement::put(nodes::Processor& processor, std::uint32_t value, nodes::CallPlace call) const {
    const auto found = co_await processor.fill(address_, value, call);
    if (found.was_full) {
        nodes::refuse_call(processor, call, "put of an L-structure's element that is not taken",
                           "a take() before each put()");
    }
}

}  // namespace weir::firmware
