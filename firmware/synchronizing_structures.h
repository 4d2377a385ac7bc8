#pragma once

#include <cstdint>
#include <string>

#include "firmware/shared_memory.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// Doubles of shared memory that are written once each, and for which whoever reads them waits
/// until they are (J-structures). An element is reset before its first use, and before it is
/// written again, by a node that knows that nobody reads it any more.
class JStructure {
  public:
    /// Of a machine that outlives it. It lies at one home, at an offset that no other home has for
    /// it (HomePlacement::kApart); `spacing` bytes from one element to the next, a multiple of 8.
    JStructure(SharedAllocator& allocator, const nodes::MachineShape& machine, hw::NodeId home,
               std::uint32_t elements, std::uint32_t spacing);

    /// Throws ProgramFault for an element that it does not have, as all below.
    [[nodiscard]] std::uint32_t address(std::int64_t element,
                                        nodes::CallPlace call = nodes::CallPlace::current()) const {
        if (element < 0 || element >= elements_) [[unlikely]] {
            nodes::refuse_call(call, "element " + std::to_string(element) + " of a J-structure",
                               "0 to " + std::to_string(elements_ - 1));
        }
        return machine_->shared_address(home_,
                                        offset_ + static_cast<std::uint32_t>(element) * spacing_);
    }
    [[nodiscard]] nodes::Processor::FoundAwaiter reset(
        nodes::Processor& processor, std::int64_t element,
        nodes::CallPlace call = nodes::CallPlace::current()) const {
        return processor.empty(address(element, call), 0, call);
    }
    /// Waits until it is written.
    [[nodiscard]] nodes::Processor::RealAwaiter read(
        nodes::Processor& processor, std::int64_t element,
        nodes::CallPlace call = nodes::CallPlace::current()) const {
        return processor.load_full_real(address(element, call), call);
    }
    /// Throws ProgramFault when the element is written already.
    nodes::Task write(nodes::Processor& processor, std::int64_t element, double value,
                      nodes::CallPlace call = nodes::CallPlace::current()) const;

  private:
    const nodes::MachineShape* machine_;
    hw::NodeId home_;
    std::int64_t elements_;
    std::uint32_t offset_;
    std::uint32_t spacing_;
};

/// A word of shared memory that is locked by the load that takes its value, and unlocked by the
/// store that puts one back (an element of an L-structure). Unlocked at first.
class LElement {
  public:
    explicit LElement(std::uint32_t address) : address_(address) {}

    /// Waits until nobody has it.
    [[nodiscard]] nodes::Processor::WordAwaiter take(
        nodes::Processor& processor, nodes::CallPlace call = nodes::CallPlace::current()) const {
        return processor.take_full(address_, call);
    }
    /// The same, and leaves it unlocked.
    [[nodiscard]] nodes::Processor::WordAwaiter look(
        nodes::Processor& processor, nodes::CallPlace call = nodes::CallPlace::current()) const {
        return processor.load_full(address_, call);
    }
    /// Throws ProgramFault when nobody has it.
    nodes::Task put(nodes::Processor& processor, std::uint32_t value,
                    nodes::CallPlace call = nodes::CallPlace::current()) const;

  private:
    std::uint32_t address_;
};

}  // namespace weir::firmware
