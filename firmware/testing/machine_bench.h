#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "firmware/active_messages.h"
#include "firmware/kernel.h"
#include "firmware/kernels/registry.h"
#include "hw/controller/message_controller.h"
#include "nodes/machine.h"
#include "nodes/testing/recorded_trace.h"

namespace weir::firmware::testing {

/// The controller of a node in a machine with routers.
inline hw::MessageController& controller(nodes::Machine& machine, std::int32_t node) {
    return dynamic_cast<hw::MessageController&>(machine.node(hw::NodeId(node)).controller());
}

/// A machine for a test, its configuration, and all its reports.
class MachineBench {
  public:
    void set(hw::ParameterGroup& group, const char* name, const hw::ParameterValue& value) {
        hw::ParameterBase* parameter = group.find(name);
        ASSERT_NE(parameter, nullptr) << name;
        ASSERT_TRUE(parameter->set(value)) << name << ": " << parameter->accepted();
    }
    /// Sets the order in which the clock ticks the machine's parts (clock.tick_order), and whether
    /// parts may sleep.
    void set_ticks(const std::string& order, bool sleeping = true) {
        set(configuration.clock, "tick_order", order);
        set(configuration.clock, "sleeping", sleeping);
    }
    void set_dimensions(const std::vector<std::int64_t>& dimensions) {
        set(configuration.network, "dimensions", dimensions);
    }

    /// Configures LogP's abstract machine: a launch and a handler take o each; register accesses
    /// take no time.
    void make_abstract_machine(std::int64_t nodes, std::int64_t latency, std::int64_t overhead,
                               std::int64_t gap) {
        set_dimensions({nodes});
        set(configuration.network, "model", std::string("logp"));
        set(configuration.network, "logp_latency_cycles", latency);
        set(configuration.network, "logp_gap_cycles", gap);
        for (const char* cost :
             {"store_cycles", "load_cycles", "consecutive_load_cycles", "notify_cycles"}) {
            set(configuration.controller, cost, std::int64_t{0});
        }
        set(configuration.controller, "launch_cycles", overhead);
        for (const char* cost : {"load_cycles", "store_cycles", "double_cycles"}) {
            set(configuration.memory, cost, std::int64_t{0});
        }
        set(firmware_parameters, "entry_cycles", overhead);
        set(firmware_parameters, "dispatch_cycles", std::int64_t{0});
        set(firmware_parameters, "exit_cycles", std::int64_t{0});
    }

    nodes::Machine& build(std::uint64_t seed = 1) {
        machine_ = std::make_unique<nodes::Machine>("machine", configuration, seed, &trace, traced);
        return *machine_;
    }
    nodes::Machine& machine() { return *machine_; }

    nodes::MachineConfiguration configuration;
    firmware::ActiveMessages::Parameters firmware_parameters;
    nodes::testing::RecordedTrace trace;
    nodes::TracedDetails traced;

  private:
    std::unique_ptr<nodes::Machine> machine_;
};

/// A bench that runs one of Weir's kernels to its end.
class KernelBench : public MachineBench {
  public:
    explicit KernelBench(const char* kernel) : kernel_(firmware::make_kernel(kernel)) {}

    [[nodiscard]] firmware::Kernel& kernel() { return *kernel_; }

    void set_workload(const char* name, const hw::ParameterValue& value) {
        set(kernel_->parameters(), name, value);
    }
    /// Builds and loads the machine; a test may then add parts of its own before run().
    nodes::Machine& load(std::uint64_t seed = 1) {
        configuration.shares_memory = kernel_->shares_memory();
        // `./weir test --preset threads` runs all kernels on several cores of the host.
        const char* const tiles = std::getenv("WEIR_TEST_TILES");
        if (tiles != nullptr && configuration.network.tiles.value() == 0) {
            set(configuration.network, "tiles", std::int64_t{std::stoi(tiles)});
        }
        nodes::Machine& machine = build(seed);
        kernel_->prepare(machine.shape(), seed, machine);
        machine.load([this](nodes::Processor& processor) {
            return kernel_->program(processor, firmware_parameters);
        });
        return machine;
    }
    nodes::RunEnd run(const nodes::Machine::RunLimits& limits = {}) {
        return machine().run(limits);
    }
    std::optional<std::string> check() { return kernel_->check(machine()); }
    /// Loads and runs the machine. Returns the fault in the run's end or in its answer; "" if none.
    [[nodiscard]] std::string fault_of_run(const nodes::Machine::RunLimits& limits = {}) {
        load();
        if (run(limits) != nodes::RunEnd::kFinished) {
            return "not finished: " + machine().explain_waits();
        }
        return check().value_or("");
    }
    /// The message with which load() refuses the kernel's data.
    [[nodiscard]] std::string fault_of_data() {
        try {
            load();
        } catch (const firmware::InputFault& fault) {
            return fault.what();
        }
        return "no fault";
    }
    void flip_bit(std::int32_t node, std::uint32_t address, int bit = 0) {
        std::uint8_t byte = 0;
        machine().read_memory(hw::NodeId(node), address, {&byte, 1});
        byte ^= static_cast<std::uint8_t>(1U << bit);
        machine().write_memory(hw::NodeId(node), address, {&byte, 1});
    }

  private:
    std::unique_ptr<firmware::Kernel> kernel_;
};

/// A node's program built from functions for its thread and for handlers at addresses 0, 1, ...
class ScriptedProgram final : public firmware::ActiveMessageProgram {
  public:
    using Script = std::function<nodes::Task(nodes::Processor&, firmware::ActiveMessages&)>;

    ScriptedProgram(nodes::Processor& node_processor,
                    const firmware::ActiveMessages::Parameters& parameters, Script thread,
                    std::vector<Script> handlers, std::vector<Script> further_threads = {})
        : ActiveMessageProgram(node_processor, parameters),
          thread_(std::move(thread)),
          further_threads_(std::move(further_threads)),
          handlers_(std::move(handlers)) {
        for (const Script& handler : handlers_) {
            messages().add_handler([this, &handler] { return handler(processor(), messages()); });
        }
    }
    nodes::Task thread() override { return thread_(processor(), messages()); }
    [[nodiscard]] std::int32_t thread_count() const override {
        return 1 + static_cast<std::int32_t>(further_threads_.size());
    }
    nodes::Task thread_of_context(std::int32_t context) override {
        return further_threads_.at(context - 1)(processor(), messages());
    }

  private:
    Script thread_;
    std::vector<Script> further_threads_;
    std::vector<Script> handlers_;
};

/// A bench whose nodes run scripts. A thread's script branches on its node's number.
class ScriptBench : public MachineBench {
  public:
    ScriptedProgram::Script thread = [](nodes::Processor&,
                                        firmware::ActiveMessages&) -> nodes::Task { co_return; };
    std::vector<ScriptedProgram::Script> handlers;
    /// Scripts of the threads in contexts 1 and up.
    std::vector<ScriptedProgram::Script> further_threads;

    nodes::RunEnd run(const nodes::Machine::RunLimits& limits = {}) {
        build().load([this](nodes::Processor& processor) {
            return std::make_unique<ScriptedProgram>(processor, firmware_parameters, thread,
                                                     handlers, further_threads);
        });
        return machine().run(limits);
    }
};

}  // namespace weir::firmware::testing
