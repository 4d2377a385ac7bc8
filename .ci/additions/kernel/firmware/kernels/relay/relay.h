#pragma once

#include "firmware/kernels/own_kernel.h"

namespace weir::firmware {

struct RelayParameters : hw::ParameterGroup {
    RelayParameters() : ParameterGroup("workload", "relay: a token that visits all nodes") {}
    hw::Parameter<std::int64_t> rounds{
        *this, "rounds", 10, {1, 1'000'000}, "Number of rounds of the token"};
};

struct RelayProgram final : OwnProgram<RelayParameters> {  // program of one node
    using OwnProgram::OwnProgram;

    nodes::Task thread() override {
        const std::int32_t self = processor().node().index();
        const hw::NodeId next((self + 1) % processor().node_count());
        processor().trace_mark(kProgramBegins, 0);
        has_token = self == 0;  // the token starts here
        for (std::int64_t round = 0; round < parameters().rounds.value(); ++round) {
            co_await processor().wait_for(has_token);
            has_token = false;
            sum += co_await processor().load(0);
            co_await messages().send(next, arrive, {sum});
        }
        if (self == 0) {  // the token ends here
            co_await processor().wait_for(has_token);
            co_await processor().store(4, sum);
        }
        processor().trace_mark(kProgramEnds, 0);
    }

    nodes::Task take() {  // the token's handler
        sum = co_await messages().argument(0);
        has_token = true;
    }

    ActiveMessages::HandlerAddress arrive = messages().add_handler([this] { return take(); });
    std::uint32_t sum = 0;
    bool has_token = false;
};

struct Relay final : OwnKernel<RelayParameters, RelayProgram> {
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override {
        for (std::int32_t node = 0; node < machine.node_count(); ++node) {
            const auto word = static_cast<std::uint32_t>(1000 * seed + node);
            memory.write<std::uint32_t>(hw::NodeId(node), 0, {&word, 1});
            expected += word * static_cast<std::uint32_t>(values().rounds.value());
        }
    }

    std::optional<std::string> check(nodes::MemoryAccess& memory) override {
        std::uint32_t sum = 0;
        memory.read<std::uint32_t>(hw::NodeId(0), 4, {&sum, 1});
        if (sum == expected) {
            return std::nullopt;
        }
        return "the token is " + std::to_string(sum) + ", not " + std::to_string(expected);
    }

    std::uint32_t expected = 0;
};

}  // namespace weir::firmware
