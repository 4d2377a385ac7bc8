#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "firmware/kernel.h"

namespace weir::firmware {

/// Every node adds to one counter, over and over: the kernel shared-lock by messages. Node 0 has
/// the counter. Either it hands out the lock, and the counter's value goes with it; or it adds
/// itself, in the handler of a message that asks for it. Handlers are atomic, so the one who adds
/// needs no lock.
///
/// The check: the counter is what all nodes have added.
class MessageLock final : public Kernel {
  public:
    enum class Method : std::uint8_t {
        kLock,       ///< ask, be granted, add, release
        kAddAtHome,  ///< ask the home to add, wait for its answer
    };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "message-lock: a counter by messages") {}

        hw::Choice<Method> method{
            *this,
            "method",
            Method::kLock,
            {{Method::kLock, "lock"}, {Method::kAddAtHome, "add_at_home"}},
            "Node 0 grants a lock to one node after the other, in the order in which they ask, and "
            "the counter's value moves with it; or node 0 adds, in the handler of each message"};
        hw::Parameter<std::int64_t> acquisitions{
            *this, "acquisitions", 50, {1, 1'000'000}, "Times that each node adds"};
        hw::Parameter<hw::Cycles> inside_cycles{
            *this, "inside_cycles", 20, {0, 1'000'000}, "Computation between load and store"};
        hw::Parameter<hw::Cycles> outside_cycles{
            *this, "outside_cycles", 100, {0, 1'000'000}, "Computation after each addition"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override {
        return parameters_.method.value() == Method::kLock
                   ? std::vector<std::string>{"ask", "release"}
                   : std::vector<std::string>{"add"};
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.acquisitions.value())};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) / static_cast<double>(all_additions());
    }

  private:
    class Program;
    [[nodiscard]] std::int64_t all_additions() const {
        return parameters_.acquisitions.value() * node_count_;
    }

    Parameters parameters_;
    std::int32_t node_count_ = 1;
    SharedCount done_ = 0;
};

}  // namespace weir::firmware
