#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/kernels/registry.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "firmware/testing/machine_bench.h"

namespace weir::firmware::testing {

/// A machine of Sparcle nodes that runs a compiled kernel.
class CompiledBench : public MachineBench {
  public:
    explicit CompiledBench(const char* kernel) : kernel_(firmware::make_compiled_kernel(kernel)) {
        set(configuration.core, "kind", std::string("sparcle"));
        set_dimensions({2, 2});
        set(configuration.machine, "nodes", std::int64_t{4});
    }

    [[nodiscard]] firmware::CompiledKernel& kernel() { return *kernel_; }
    void set_workload(const char* name, const hw::ParameterValue& value) {
        set(kernel_->parameters(), name, value);
    }
    nodes::Machine& load(std::uint64_t seed = 1) {
        configuration.shares_memory = kernel_->shares_memory();
        nodes::Machine& machine = build(seed);
        kernel_->configure(configuration.core.receive_mode.value(),
                           configuration.sparcle.floating_point_unit.value(),
                           configuration.controller.overflow_trap.value(), firmware_parameters);
        kernel_->prepare(machine.shape(), seed, machine);
        machine.start_programs(
            {.exited =
                 [this](hw::NodeId node, std::uint32_t status) {
                     exits[node.index()] = status;
                     kernel_->exit_status(node, status);
                 },
             .console = [this](hw::NodeId, char c) { console += c; },
             .symbol =
                 [this](std::uint32_t address) { return kernel_->image().place(address).text(); },
             .mark_name = [this](std::uint32_t number) { return kernel_->mark_name(number); }});
        return machine;
    }
    /// Loads and runs the machine; returns "right", or a description of the fault.
    std::string outcome(hw::Cycles most_cycles = hw::Cycles(4'000'000), std::uint64_t seed = 1) {
        load(seed);
        if (machine().run({.most_cycles = most_cycles}) != nodes::RunEnd::kFinished) {
            return "not finished; " + machine().explain_waits() + console;
        }
        return kernel_->check(machine()).value_or("right");
    }
    /// The message with which the kernel refuses its data.
    std::string fault_of_data() {
        try {
            load();
        } catch (const firmware::InputFault& fault) {
            return fault.what();
        }
        return "no fault";
    }

    std::map<std::int32_t, std::uint32_t> exits;
    std::string console;

  private:
    std::unique_ptr<firmware::CompiledKernel> kernel_;
};

/// A bench that runs an image of the user's: a test program of this folder, or one that CMake
/// compiles.
class ProgramTestBench : public CompiledBench {
  public:
    explicit ProgramTestBench(const std::string& program) : CompiledBench("image") {
        set_workload("image", std::string(WEIR_TEST_IMAGES) + "/" + program + ".elf");
    }
    [[nodiscard]] std::vector<std::uint8_t> bytes(std::int32_t node, const char* symbol,
                                                  std::size_t count) {
        std::vector<std::uint8_t> found(count);
        machine().read_memory(hw::NodeId(node), kernel().image().address_of(symbol), found);
        return found;
    }
    /// Array of `count` 64-bit words at a symbol in a node's memory.
    [[nodiscard]] std::vector<std::uint64_t> long_words(std::int32_t node, const char* symbol,
                                                        std::size_t count) {
        const std::vector<std::uint8_t> found = bytes(node, symbol, count * sizeof(std::uint64_t));
        std::vector<std::uint64_t> words(count);
        for (std::size_t i = 0; i < found.size(); ++i) {
            std::uint64_t& word = words[i / sizeof(std::uint64_t)];
            word = word << 8 | found[i];
        }
        return words;
    }
};

}  // namespace weir::firmware::testing
