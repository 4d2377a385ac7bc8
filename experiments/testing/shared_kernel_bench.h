#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "experiments/testing/machine_bench.h"
#include "memory/coherence/coherence_controller.h"
#include "nodes/programming/memory_access.h"
#include "nodes/testing/in_child.h"

namespace weir::experiments::testing {

/// Summed over all nodes of a machine that shares memory.
inline std::int64_t sum_over_homes(nodes::Machine& machine,
                                   hw::Counter memory::CoherenceController::Statistics::*counter) {
    std::int64_t all = 0;
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        all += (machine.node(hw::NodeId(node)).coherence()->statistics().*counter).value();
    }
    return all;
}

/// The memory of a machine, in which a bit of the byte at a shared address reads wrong.
class WrongBit final : public nodes::MemoryAccess {
  public:
    WrongBit(nodes::MemoryAccess& memory, std::uint32_t address)
        : memory_(memory), address_(address) {}

    void write_memory(hw::NodeId node, std::uint32_t address,
                      std::span<const std::uint8_t> data) override {
        memory_.write_memory(node, address, data);
    }
    void read_memory(hw::NodeId node, std::uint32_t address,
                     std::span<std::uint8_t> data) override {
        memory_.read_memory(node, address, data);
        if (address_ >= address && address_ - address < data.size()) {
            data[address_ - address] ^= 8U;
        }
    }

  private:
    nodes::MemoryAccess& memory_;
    std::uint32_t address_;
};

/// A kernel that shares memory, on a mesh of two rows with caches; every load is compared with what
/// was stored last.
class SharedKernelBench : public KernelBench {
  public:
    explicit SharedKernelBench(const char* kernel, std::int64_t nodes = 8) : KernelBench(kernel) {
        set_dimensions({nodes / 2, 2});
        set(configuration.machine, "nodes", nodes);
        set(configuration.memory, "caches", std::int64_t{1});
        set(configuration.coherence, "check_loads", true);
    }
};

/// How long a run of the bench takes, in a process of its own.
inline std::int64_t cycles_of(const std::function<std::shared_ptr<KernelBench>()>& make) {
    return std::stoll(nodes::testing::in_child([&make] {
        const std::shared_ptr<KernelBench> bench = make();
        bench->load();
        bench->run();
        return std::to_string(bench->machine().now().count());
    }));
}

}  // namespace weir::experiments::testing
