#include "nodes/machine.h"

#include <gtest/gtest.h>

#include <numeric>

#include "firmware/kernels/registry.h"
#include "nodes/testing/recorded_trace.h"

namespace weir::nodes {
namespace {

using hw::Cycles;
using hw::NodeId;

// A machine that runs one of the kernels to its end and checks the answer.
class KernelRun {
  public:
    explicit KernelRun(const char* kernel) : kernel_(firmware::make_kernel(kernel)) {}

    void set(hw::ParameterGroup& group, const char* name, const hw::ParameterValue& value) {
        ASSERT_TRUE(group.find(name)->set(value)) << name;
    }
    void set_workload(const char* name, const hw::ParameterValue& value) {
        set(kernel_->parameters(), name, value);
    }

    RunEnd run(std::uint64_t seed = 1) {
        machine_ = std::make_unique<Machine>("machine", configuration, seed, &trace);
        kernel_->prepare(machine_->node_count(), seed, *machine_);
        machine_->load([this](Processor& processor) {
            return kernel_->program(processor, firmware_parameters);
        });
        const RunEnd end = machine_->run({});
        EXPECT_EQ(machine_->account().fault(end == RunEnd::kFinished), std::nullopt);
        return end;
    }
    std::optional<std::string> check() { return kernel_->check(*machine_); }
    Machine& machine() { return *machine_; }

    MachineConfiguration configuration;
    firmware::ActiveMessages::Parameters firmware_parameters;
    testing::RecordedTrace trace;

  private:
    std::unique_ptr<firmware::Kernel> kernel_;
    std::unique_ptr<Machine> machine_;
};

// LoGPC Table 1: o_s 9/12/15 and o_r 117/119/122; L = 17 + hops, 21 in the mean.
TEST(MachineTest, UnloadedMessagesCostWhatTable1Says) {
    KernelRun run("ping");
    ASSERT_EQ(run.run(), RunEnd::kFinished);
    EXPECT_EQ(run.check(), std::nullopt);
    ASSERT_EQ(run.trace.messages.size(), 992U * 3);
    const std::array<std::int64_t, 3> send{9, 12, 15};
    const std::array<std::int64_t, 3> receive{117, 119, 122};
    std::int64_t latency = 0;
    for (const auto& [id, message] : run.trace.messages) {
        const auto arguments = static_cast<std::size_t>(message.word_count - 2);
        const hw::MessageTimes& times = message.times;
        EXPECT_EQ((times.launch - times.compose).count(), send[arguments]);
        EXPECT_EQ((times.handler_end - times.handler_begin).count(), receive[arguments]);
        EXPECT_EQ((times.handler_begin - times.launch).count(), 17 + message.hops);
        EXPECT_EQ((times.first_arrival - times.launch).count(), 4 + message.hops);
        EXPECT_EQ(times.header_arrival - times.launch, message.unloaded);
        latency += (times.notify - times.launch).count();
    }
    EXPECT_EQ(latency, 21 * 992 * 3);
}

TEST(MachineTest, SynchronousRemapAnswersEveryRequest) {
    KernelRun run("remap");
    run.set_workload("iterations", std::int64_t{100});
    ASSERT_EQ(run.run(), RunEnd::kFinished);
    EXPECT_EQ(run.check(), std::nullopt);
    std::cout << "cycles " << run.machine().now() << " per it "
              << static_cast<double>(run.machine().now().count()) / 100 << "\n";
}

}  // namespace
}  // namespace weir::nodes
