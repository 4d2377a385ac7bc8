#include "firmware/synchronizing_structures.h"

#include <string>

namespace weir::firmware {

using nodes::Task;

namespace {

// The program wrote to what is full.
[[noreturn]] void refuse(const nodes::Processor& processor, const std::string& what) {
    throw nodes::ProgramFault("node " + std::to_string(processor.node().index()) + ", cycle " +
                              std::to_string(processor.now().count()) + ": " + what);
}

}  // namespace

JStructure::JStructure(SharedAllocator& allocator, const nodes::MachineShape& machine,
                       hw::NodeId home, std::uint32_t elements, std::uint32_t spacing)
    : machine_(&machine),
      home_(home),
      offset_(allocator.allocate(home, elements * spacing, HomePlacement::kApart, 0)),
      spacing_(spacing) {}

Task JStructure::write(nodes::Processor& processor, std::int64_t element, double value) const {
    const auto found = co_await processor.fill_real(address(element), value);
    if (found.was_full) {
        refuse(processor,
               "second write of element " + std::to_string(element) + " of a J-structure");
    }
}

Task LElement::put(nodes::Processor& processor, std::uint32_t value) const {
    const auto found = co_await processor.fill(address_, value);
    if (found.was_full) {
        refuse(processor, "put of an L-structure's element that nobody has taken");
    }
}

}  // namespace weir::firmware
