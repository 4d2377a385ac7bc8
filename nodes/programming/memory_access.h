#pragma once

#include <cstdint>
#include <span>

#include "hw/units.h"
#include "nodes/programming/call_fault.h"

namespace weir::nodes {

/// Access to the nodes' memories from outside the machine, without cycles. A kernel places its data
/// before the run and reads its results after it, like a program loader.
///
/// During a run, use it only for data that the kernel does not simulate, in memory that nothing
/// else uses at that time.
class MemoryAccess {
  public:
    MemoryAccess() = default;
    MemoryAccess(const MemoryAccess&) = delete;
    MemoryAccess& operator=(const MemoryAccess&) = delete;
    virtual ~MemoryAccess() = default;

    /// Throws ProgramFault for bytes outside the node's memory.
    virtual void write_memory(hw::NodeId node, std::uint32_t address,
                              std::span<const std::uint8_t> data) = 0;
    virtual void read_memory(hw::NodeId node, std::uint32_t address,
                             std::span<std::uint8_t> data) = 0;

    template <class T>
    void write(hw::NodeId node, std::uint32_t address, std::span<const T> values,
               CallPlace call = CallPlace::current()) {
        try {
            write_memory(
                node, address,
                {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
        } catch (const ProgramFault& fault) {
            refuse_at(call, fault);
        }
    }
    template <class T>
    void read(hw::NodeId node, std::uint32_t address, std::span<T> values,
              CallPlace call = CallPlace::current()) {
        try {
            read_memory(node, address,
                        {reinterpret_cast<std::uint8_t*>(values.data()), values.size_bytes()});
        } catch (const ProgramFault& fault) {
            refuse_at(call, fault);
        }
    }

  private:
    [[noreturn]] static void refuse_at(const CallPlace& call, const ProgramFault& fault) {
        hw::Fault placed = fault.fault();
        placed.found += text_of(call);
        throw ProgramFault(placed);
    }
};

}  // namespace weir::nodes
