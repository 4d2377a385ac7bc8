#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/separate_run.h"
#include "memory/coherence/coherence_controller.h"
#include "memory/coherence/sequential_consistency.h"
#include "nodes/programming/memory_access.h"

namespace weir::firmware::testing {

/// Sum of a statistic over all homes of a machine.
inline std::int64_t sum_over_homes(nodes::Machine& machine,
                                   hw::Counter memory::CoherenceController::Statistics::*counter) {
    std::int64_t all = 0;
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        all += (machine.node(hw::NodeId(node)).coherence()->statistics().*counter).value();
    }
    return all;
}

/// The largest number of times that any node's request was refused before it was served.
inline std::int64_t most_refusals(nodes::Machine& machine) {
    std::int64_t most = 0;
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        most = std::max(
            most, machine.node(hw::NodeId(node)).coherence()->statistics().most_refusals.value());
    }
    return most;
}

/// View of a machine's memory that inverts one bit of the byte at a shared address.
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

/// A kernel that shares memory, on a mesh of two rows with caches. Every load is compared with the
/// last store to the same bytes.
class SharedKernelBench : public KernelBench {
  public:
    explicit SharedKernelBench(const char* kernel, std::int64_t nodes = 8) : KernelBench(kernel) {
        set_dimensions({nodes / 2, 2});
        set(configuration.machine, "nodes", nodes);
        set(configuration.memory, "caches", std::int64_t{1});
        set(configuration.coherence, "check_loads", true);
    }
};

/// A machine with more evictions and invalidations than Alewife: small caches, few or no pointers.
struct TightMachine {
    const char* name;
    const char* protocol = "limitless";
    std::int64_t pointers = 1;
    std::int64_t cache_bytes = 256;
    const char* home = "segment";
    std::int64_t buffers = 16;
    std::int64_t queue_bytes = 256;
};
inline std::ostream& operator<<(std::ostream& out, const TightMachine& machine) {
    return out << machine.name;
}
inline std::vector<TightMachine> tight_machines() {
    return {{.name = "one_pointer"},
            {.name = "limited", .protocol = "limited"},
            {.name = "full_map", .protocol = "full_map"},
            {.name = "software", .protocol = "software"},
            {.name = "four_lines", .cache_bytes = 64},
            {.name = "hashed", .home = "hash"},
            {.name = "one_buffer", .buffers = 1},
            {.name = "small_queues", .queue_bytes = 64}};
}
inline void be_tight(KernelBench& bench, const TightMachine& machine) {
    bench.set(bench.configuration.coherence, "protocol", std::string(machine.protocol));
    if (std::string(machine.protocol) != "software") {
        bench.set(bench.configuration.coherence, "pointers", machine.pointers);
    }
    bench.set(bench.configuration.coherence, "home", std::string(machine.home));
    bench.set(bench.configuration.coherence, "transaction_buffers", machine.buffers);
    bench.set(bench.configuration.caches.levels.front(), "bytes", machine.cache_bytes);
    bench.set(bench.configuration.controller, "input_queue_bytes", machine.queue_bytes);
    bench.set(bench.configuration.controller, "output_queue_bytes", machine.queue_bytes);
    bench.set(bench.configuration.controller, "overflow_trap", true);
}

/// "sound", or the fault of a run: its end, its answer, or the order of its accesses to shared
/// memory (memory/coherence/sequential_consistency.h).
inline std::string verdict_of_run(KernelBench& bench) {
    bench.traced.shared_accesses = true;
    if (const std::string fault = bench.fault_of_run(); !fault.empty()) {
        return fault;
    }
    if (bench.trace.shared_accesses.empty()) {
        return "no accesses";
    }
    const std::string fault = memory::check_order(bench.trace.shared_accesses).fault;
    return fault.empty() ? "sound" : fault;
}

/// Verdict of a run on a TightMachine, in a process of its own.
inline std::string verdict_on(const TightMachine& machine,
                              const std::function<std::shared_ptr<KernelBench>()>& make) {
    return hw::testing::result_of_separate_run([&] {
        const std::shared_ptr<KernelBench> bench = make();
        be_tight(*bench, machine);
        return verdict_of_run(*bench);
    });
}

/// Name of a test from its two parameters, a variant of the program and a machine:
/// "tree_one_pointer".
inline std::string name_on_machine(
    const ::testing::TestParamInfo<std::tuple<const char*, TightMachine>>& instance) {
    return std::string(std::get<0>(instance.param)) + "_" + std::get<1>(instance.param).name;
}

/// Value that `answer` computes from the kernel and machine after a run, in a process of its own;
/// or the fault of the run.
template <typename Kernel>
std::string answer_after(const std::function<std::shared_ptr<KernelBench>()>& make,
                         const std::function<std::string(const Kernel&, nodes::Machine&)>& answer) {
    return hw::testing::result_of_separate_run([&]() -> std::string {
        const std::shared_ptr<KernelBench> bench = make();
        const std::string fault = bench->fault_of_run();
        return fault.empty()
                   ? answer(dynamic_cast<const Kernel&>(bench->kernel()), bench->machine())
                   : fault;
    });
}

/// Length of a run of the bench in cycles, in a process of its own.
inline std::int64_t cycles_of(const std::function<std::shared_ptr<KernelBench>()>& make) {
    return std::stoll(hw::testing::result_of_separate_run([&make] {
        const std::shared_ptr<KernelBench> bench = make();
        bench->load();
        bench->run();
        return std::to_string(bench->machine().now().count());
    }));
}

}  // namespace weir::firmware::testing
