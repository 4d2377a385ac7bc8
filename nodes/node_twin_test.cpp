// Twins of a node's hardware against the model in runs of whole machines: message queues, message
// controller, DMA engines and memory port.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <variant>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/byte_queue_recorder.h"
#include "hw/testing/twin/dma_recorder.h"
#include "hw/testing/twin/message_controller_recorder.h"
#include "hw/testing/twin/message_node_recording.h"

namespace weir::nodes {
namespace {

using firmware::testing::KernelBench;
using hw::ByteQueuePorts;
using hw::Bytes;
using hw::twin::ByteQueueRecorder;
using hw::twin::compare;
using hw::twin::DmaRecorder;
using hw::twin::expect_equal;
using hw::twin::MessageControllerRecorder;

WEIR_TESTS_COST("^NodeTwinTest\\.", 20);

// All recorders of a node.
struct NodeRecorders {
    std::unique_ptr<ByteQueueRecorder> output;
    std::unique_ptr<ByteQueueRecorder> input;
    std::unique_ptr<MessageControllerRecorder> controller;
    std::unique_ptr<DmaRecorder> dma;
};

// Records two nodes of a machine in a kernel's run.
class NodeTwinTest : public ::testing::Test {
  public:
    static constexpr std::int64_t kRequesters = 4;

    void set_up(const char* kernel) {
        bench_ = std::make_unique<KernelBench>(kernel);
        bench_->set_dimensions({3, 2});
        bench_->set_ticks("shuffled", false);
    }
    [[nodiscard]] KernelBench& bench() { return *bench_; }
    // Runs the kernel to its end, and compares queues, engines and memory port, and the controller
    // in a machine that does not share memory.
    void expect_equal_twins(std::int64_t least_cycles) {
        Machine& machine = bench_->load();
        for (const std::int32_t node : {0, 4}) {
            record(machine, node);
        }
        ASSERT_EQ(bench_->run(), RunEnd::kFinished);
        ASSERT_EQ(bench_->check().value_or(""), "");
        compare_all(
            &NodeRecorders::output, [](auto& part) -> auto& { return part.recording(); },
            [](auto& part) { return part.twin(); }, least_cycles);
        compare_all(
            &NodeRecorders::input, [](auto& part) -> auto& { return part.recording(); },
            [](auto& part) { return part.twin(); }, least_cycles);
        compare_all(
            &NodeRecorders::dma, [](auto& part) -> auto& { return part.port(); },
            [](auto& part) { return part.port_twin(); }, least_cycles);
        compare_all(
            &NodeRecorders::dma, [](auto& part) -> auto& { return part.send(); },
            [](auto& part) { return part.send_twin(); }, least_cycles);
        compare_all(
            &NodeRecorders::dma, [](auto& part) -> auto& { return part.receive(); },
            [](auto& part) { return part.receive_twin(); }, least_cycles);
        if (!bench_->configuration.shares_memory) {
            compare_all(
                &NodeRecorders::controller, [](auto& part) -> auto& { return part.recording(); },
                [](auto& part) { return part.twin(); }, least_cycles);
            compare_nodes(least_cycles);
        }
    }

  private:
    static hw::MemoryPort& port_of(Node& node) {
        const std::string name = node.name() + std::string(".memory_port");
        return dynamic_cast<hw::MemoryPort&>(*sc_core::sc_find_object(name.c_str()));
    }
    void record(Machine& machine, std::int32_t node) {
        MachineConfiguration& configuration = bench_->configuration;
        hw::MessageController& controller = firmware::testing::controller(machine, node);
        hw::MessagePool& messages = machine.messages();
        const Bytes flit = configuration.network.flit_bytes.value();
        const Bytes burst = configuration.dma.burst_bytes.value();
        ByteQueuePorts output = output_queue_ports(flit, burst);
        if (configuration.shares_memory) {  // a packet and a message may begin in the same cycle
            output.begins = 2;
            output.push_bytes *= 2;
        }
        NodeRecorders recorders;
        recorders.output = std::make_unique<ByteQueueRecorder>(
            machine.domain(), controller.output_queue(), messages, output);
        recorders.input = std::make_unique<ByteQueueRecorder>(
            machine.domain(), controller.input_queue(), messages, input_queue_ports(flit, burst));
        recorders.controller = std::make_unique<MessageControllerRecorder>(
            machine.domain(), hw::twin::RecordedController{
                                  controller, messages, configuration.controller, configuration.dma,
                                  configuration.memory.bytes.value(), machine.node_count()});
        recorders.dma = std::make_unique<DmaRecorder>(
            machine.domain(),
            hw::twin::RecordedDma{port_of(machine.node(hw::NodeId(node))), controller, messages,
                                  configuration.memory_port, configuration.dma,
                                  configuration.controller, kRequesters});
        recorders_.push_back(std::move(recorders));
    }
    // Compares one part of all nodes.
    template <class Part, class RecordingOf, class TwinOf>
    void compare_all(std::unique_ptr<Part> NodeRecorders::*part, RecordingOf recording_of,
                     TwinOf twin_of, std::int64_t least_cycles) {
        std::vector<hw::twin::PortRecording> recordings;
        for (const NodeRecorders& recorders : recorders_) {
            recordings.push_back(recording_of(*(recorders.*part)));
        }
        const hw::Twin twin = twin_of(*(recorders_.front().*part));
        SCOPED_TRACE(twin.module);
        const hw::twin::Comparison comparison = compare(twin, recordings);
        RecordProperty("cycles_of_" + twin.module, std::to_string(comparison.cycles));
        expect_equal(comparison, least_cycles);
    }

    // Compares the message hardware of the nodes as a whole.
    void compare_nodes(std::int64_t least_cycles) {
        const MachineConfiguration& configuration = bench_->configuration;
        std::vector<hw::twin::PortRecording> recordings;
        for (const NodeRecorders& recorders : recorders_) {
            recordings.push_back(message_node_recording(*recorders.output, *recorders.input,
                                                        *recorders.controller, *recorders.dma));
        }
        const hw::Twin twin = std::get<hw::Twin>(message_node_twin(
            configuration.controller, configuration.dma, configuration.memory_port,
            {.node_count = bench_->machine().node_count(),
             .memory_bytes = configuration.memory.bytes.value()},
            configuration.network.flit_bytes.value()));
        SCOPED_TRACE(twin.module);
        expect_equal(compare(twin, recordings), least_cycles);
    }

    std::unique_ptr<KernelBench> bench_;
    std::vector<NodeRecorders> recorders_;
};

TEST_F(NodeTwinTest, RemapFlitByFlit) {
    WEIR_NEEDS_VERILATOR();
    set_up("remap");
    bench().set(bench().configuration.network, "flit_by_flit", true);
    bench().set_workload("iterations", std::int64_t{20});
    expect_equal_twins(10'000);
}

TEST_F(NodeTwinTest, RemapInWholeWorms) {
    WEIR_NEEDS_VERILATOR();
    set_up("remap");
    bench().set_workload("iterations", std::int64_t{20});
    bench().set_workload("argument_words", std::int64_t{9});
    expect_equal_twins(10'000);
}

TEST_F(NodeTwinTest, LongMessages) {
    WEIR_NEEDS_VERILATOR();
    set_up("remap");
    bench().set_workload("iterations", std::int64_t{10});
    bench().set_workload("body_bytes", std::int64_t{600});
    expect_equal_twins(10'000);
}

// Both queues of every node fill up, and overflow traps empty them (experiments/logpc).
TEST_F(NodeTwinTest, OverflowTraps) {
    WEIR_NEEDS_VERILATOR();
    set_up("remap");
    bench().set(bench().configuration.controller, "overflow_trap", true);
    bench().set(bench().configuration.controller, "overflow_timeout_cycles", std::int64_t{200});
    bench().set(bench().firmware_parameters, "body_send", std::string("blocking"));
    bench().set(bench().firmware_parameters, "body_receive", std::string("blocking"));
    bench().set_workload("iterations", std::int64_t{10});
    bench().set_workload("body_bytes", std::int64_t{1024});
    expect_equal_twins(10'000);
    const hw::MessageController& recorded = firmware::testing::controller(bench().machine(), 4);
    EXPECT_GT(recorded.statistics().messages_saved.value(), 0);
}

// Packets of the coherence protocol share the queues, and caches the memory port. The coherence
// controller acts after the ticks of a cycle. So recorders, which are the last parts, must be
// ticked last.
TEST_F(NodeTwinTest, SharedMemory) {
    WEIR_NEEDS_VERILATOR();
    set_up("shared-lock");
    bench().set_ticks("wake", false);
    bench().set(bench().configuration.machine, "nodes", std::int64_t{6});
    bench().set(bench().configuration.memory, "caches", std::int64_t{1});
    bench().set_workload("lock", std::string("test_and_set"));
    bench().set_workload("acquisitions", std::int64_t{10});
    expect_equal_twins(10'000);
}

}  // namespace
}  // namespace weir::nodes
