#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// Every node repeatedly adds to one counter: the kernel shared-lock by messages. The counter is on
/// node 0. Node 0 either grants a lock together with the counter's value, or adds by itself, in the
/// handler of a request. Handlers are atomic, so such an addition needs no lock.
///
/// The check: the counter is the sum of all nodes' additions.
class MessageLock final : public BuiltInKernel {
  public:
    enum class Method : std::uint8_t {
        kLock,       ///< request, grant, addition, release
        kAddAtHome,  ///< request an addition, wait for the answer
    };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "message-lock: additions to a counter on node 0, by messages") {}

        hw::Choice<Method> method{*this,
                                  "method",
                                  Method::kLock,
                                  {{Method::kLock, "lock"}, {Method::kAddAtHome, "add_at_home"}},
                                  "Method of addition to the counter. lock: node 0 grants a lock "
                                  "in the order of the requests, together with the counter's "
                                  "value. add_at_home: node 0 adds in each request's handler"};
        hw::Parameter<std::int64_t> acquisitions{
            *this, "acquisitions", 50, {1, 1'000'000}, "Number of additions by each node"};
        hw::Parameter<hw::Cycles> inside_cycles{
            *this,
            "inside_cycles",
            20,
            {0, 1'000'000},
            "Computation between the load and the store of the counter"};
        hw::Parameter<hw::Cycles> outside_cycles{*this,
                                                 "outside_cycles",
                                                 100,
                                                 {0, 1'000'000},
                                                 "Computation of a node after each addition"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] std::vector<std::string> sending_handlers() const override {
        return parameters_.method.value() == Method::kLock
                   ? std::vector<std::string>{"ask", "release"}
                   : std::vector<std::string>{"add"};
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.acquisitions.value())};
    }
    [[nodiscard]] double work() const override { return static_cast<double>(all_additions()); }

  private:
    class Program;
    [[nodiscard]] std::int64_t all_additions() const {
        return parameters_.acquisitions.value() * node_count_;
    }

    Parameters parameters_;
};

}  // namespace weir::firmware
