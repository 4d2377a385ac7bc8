#pragma once

#include <cstdint>
#include <string>

#include "firmware/shared_memory.h"
#include "nodes/programming/processor.h"

namespace weir::firmware {

/// J-structure: doubles in shared memory that are written once each; a read waits for the write.
/// Reset an element before its first use. Before a second write, reset it at a node that knows that
/// no reads are outstanding.
class JStructure {
  public:
    /// `machine` must outlive this object. The elements lie at one home, at an offset that no other
    /// home uses for this purpose (HomePlacement::kApart). `spacing` is the distance between
    /// elements in bytes, a multiple of 8.
    JStructure(SharedAllocator& allocator, const nodes::MachineShape& machine, hw::NodeId home,
               std::uint32_t elements, std::uint32_t spacing);

    /// Address of an element. Throws ProgramFault if the element does not exist, as do all
    /// functions below.
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
    /// Waits until the element has been written; returns its value.
    [[nodiscard]] nodes::Processor::RealAwaiter read(
        nodes::Processor& processor, std::int64_t element,
        nodes::CallPlace call = nodes::CallPlace::current()) const {
        return processor.load_full_real(address(element, call), call);
    }
    /// Throws ProgramFault if the element is full already.
    nodes::Task write(nodes::Processor& processor, std::int64_t element, double value,
                      nodes::CallPlace call = nodes::CallPlace::current()) const;

  private:
    const nodes::MachineShape* machine_;
    hw::NodeId home_;
    std::int64_t elements_;
    std::uint32_t offset_;
    std::uint32_t spacing_;
};

/// Element of an L-structure: a word of shared memory that a take locks and a put unlocks. Unlocked
/// at first.
class LElement {
  public:
    explicit LElement(std::uint32_t address) : address_(address) {}

    /// Waits until the element is unlocked, locks it and returns its value.
    [[nodiscard]] nodes::Processor::WordAwaiter take(
        nodes::Processor& processor, nodes::CallPlace call = nodes::CallPlace::current()) const {
        return processor.take_full(address_, call);
    }
    /// Waits until the element is unlocked, and returns its value without locking it.
    [[nodiscard]] nodes::Processor::WordAwaiter look(
        nodes::Processor& processor, nodes::CallPlace call = nodes::CallPlace::current()) const {
        return processor.load_full(address_, call);
    }
    /// Stores a value and unlocks the element. Throws ProgramFault if the element is not locked.
    nodes::Task put(nodes::Processor& processor, std::uint32_t value,
                    nodes::CallPlace call = nodes::CallPlace::current()) const;

  private:
    std::uint32_t address_;
};

}  // namespace weir::firmware
