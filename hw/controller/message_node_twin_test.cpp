// The twin of a node's message hardware as a whole against the model: only core, network and DRAM
// are recorded. Real runs are in nodes/node_twin_test.cpp.
#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "hw/controller/message_controller_twin.h"
#include "hw/random_stream.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/message_node_recording.h"
#include "hw/testing/twin/random_node.h"
#include "hw/testing/twin/twin.h"

namespace weir::hw {
namespace {

using twin::compare;
using twin::complaints;
using twin::expect_equal;
using twin::expect_found;

WEIR_TESTS_COST("^MessageNodeTwinTest\\.(EqualToTheModel|IsSynthesizable)", 14);
WEIR_TESTS_COST("^MessageNodeTwinTest\\.EqualWithRandomSizes", 40);
WEIR_TESTS_COST("^MessageNodeTwinTest\\.EveryPlantedFaultIsFound", 40);

class MessageNodeTwinTest : public ::testing::Test {
  public:
    static Twin twin_of(const twin::RandomNode& node) {
        return std::get<Twin>(message_node_twin(
            node.parameters, node.dma, node.port_parameters,
            {.node_count = twin::kRandomNodes, .memory_bytes = Bytes(twin::kRandomNodeMemory)},
            twin::RandomNetwork::kFlit));
    }
    static twin::PortRecording recording_of(const twin::RandomNode& node) {
        return message_node_recording(*node.output_recorder, *node.input_recorder,
                                      *node.controller_recorder, *node.dma_recorder);
    }
    const twin::RandomNode& run_alewife(Cycles cycles) {
        const twin::RandomNode& node = nodes_.add(cycles, [](twin::RandomNode& each) {
            EXPECT_TRUE(each.parameters.overflow_trap.set(true));
            EXPECT_TRUE(each.parameters.overflow_timeout_cycles.set(std::int64_t{40}));
        });
        nodes_.run(cycles);
        return node;
    }
    twin::RandomNodes& nodes() { return nodes_; }

  private:
    twin::RandomNodes nodes_;
};

TEST_F(MessageNodeTwinTest, EqualToTheModel) {
    WEIR_NEEDS_VERILATOR();
    constexpr Cycles kCycles(10'000);
    const twin::RandomNode& node = run_alewife(kCycles);
    expect_equal(compare(twin_of(node), {recording_of(node)}), kCycles.count());
}

TEST_F(MessageNodeTwinTest, EqualWithRandomSizes) {
    WEIR_NEEDS_VERILATOR();
    constexpr Cycles kCycles(20'000);
    RandomStream random(65, NodeId(0), "sizes");
    for (int i = 0; i < 5; ++i) {
        nodes().add(kCycles, [&random](twin::RandomNode& node) {
            ControllerParameters& keys = node.parameters;
            twin::draw(random, keys.output_queue_bytes, 64, 300);
            twin::draw(random, keys.input_queue_bytes, 64, 300);
            twin::draw(random, keys.store_cycles, 2, 6);
            twin::draw(random, keys.launch_cycles, 2, 6);
            twin::draw(random, keys.load_cycles, 1, 5);
            twin::draw(random, keys.notify_cycles, 2, 20);
            twin::draw(random, node.dma.setup_cycles, 1, 20);
            EXPECT_TRUE(node.dma.burst_bytes.set(std::int64_t{8} << random.below(4)));
            twin::draw(random, node.dma.turnaround_cycles, 1, 6);
            twin::draw(random, node.port_parameters.beat_bytes, 1, 16);
            twin::draw(random, node.port_parameters.access_cycles, 0, 20);
            twin::draw(random, node.port_parameters.bursts_in_flight, 1, 3);
        });
    }
    nodes().run(kCycles);
    for (const auto& node : nodes().nodes()) {
        SCOPED_TRACE(::testing::PrintToString(twin_of(*node).parameters));
        expect_equal(compare(twin_of(*node), {recording_of(*node)}), kCycles.count());
    }
}

TEST_F(MessageNodeTwinTest, EveryPlantedFaultIsFound) {
    WEIR_NEEDS_VERILATOR();
    const twin::RandomNode& node = run_alewife(Cycles(20'000));
    expect_found(
        twin_of(node), {recording_of(node)},
        {{"an engine's bytes hide the words of a launch",
          "begin_message ? (8*WIDE_BYTES)'(push_data) : (8*WIDE_BYTES)'(sent_data)",
          "(8*WIDE_BYTES)'(sent_data)"},
         {"the words of a launch take no room",
          "begin_message ? OUTPUT_BITS'(push_bytes) : sent_bytes", "sent_bytes"},
         {"a message without a body stays in the queue",
          "end_message ? INPUT_BITS'(pop_bytes) : received_bytes", "received_bytes"},
         {"the body is as long as the words", ".begun({input_body_bytes, input_words})",
          ".begun({27'd0, input_words, input_words})"},
         {"the sending engine gets the grants of the receiving one", ".grant(grant[0])",
          ".grant(grant[1])"},
         {"the last piece is left out", ".last(send_end - 4'd1)", ".last(send_end - 4'd2)"},
         {"the receiving engine sees no operands", ".operand_bytes({head[4:0], 2'b00})",
          ".operand_bytes(7'd8)"},
         {"the sending engine begins with the launch", "LAUNCH_CYCLES + SETUP_CYCLES), .QUEUE",
          "LAUNCH_CYCLES), .QUEUE"},
         {"requests are at the wrong ports", "{other_request, receive_request, send_request}",
          "{other_request, send_request, receive_request}"},
         {"the engine stores the newest bytes", "input_data[8*BURST_BYTES-1:0])",
          "input_data[8*WIDE_BYTES-1:8*(WIDE_BYTES-BURST_BYTES)])"}});
}

TEST_F(MessageNodeTwinTest, IsSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    EXPECT_EQ(complaints(twin_of(run_alewife(Cycles(1)))), "");
}

}  // namespace
}  // namespace weir::hw
