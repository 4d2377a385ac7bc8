// The twins of the memory port and of both DMA engines against the model, between random
// neighbours. Real runs are in nodes/node_twin_test.cpp.
#include "hw/dma/dma_twin.h"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/random_node.h"
#include "hw/testing/twin/twin.h"

namespace weir::hw {
namespace {

using twin::compare;
using twin::complaints;
using twin::expect_equal;
using twin::expect_found;

WEIR_TESTS_COST("^DmaTwinTest\\.(EqualToTheModel|AreSynthesizable)", 14);
WEIR_TESTS_COST("^DmaTwinTest\\.EqualWithRandomSizes", 35);
WEIR_TESTS_COST("^DmaTwinTest\\.EveryPlantedFault", 30);

class DmaTwinTest : public ::testing::Test {
  public:
    const twin::DmaRecorder& run_alewife(Cycles cycles) {
        const twin::RandomNode& node = nodes_.add(cycles, [](twin::RandomNode&) {});
        nodes_.run(cycles);
        return *node.dma_recorder;
    }
    // With several bursts in flight and open rows.
    const twin::DmaRecorder& run_rows(Cycles cycles) {
        const twin::RandomNode& node = nodes_.add(cycles, [](twin::RandomNode& each) {
            EXPECT_TRUE(each.port_parameters.access_cycles.set(std::int64_t{9}));
            EXPECT_TRUE(each.port_parameters.row_bytes.set(std::int64_t{256}));
            EXPECT_TRUE(each.port_parameters.row_access_cycles.set(std::int64_t{3}));
            EXPECT_TRUE(each.port_parameters.bursts_in_flight.set(std::int64_t{2}));
        });
        nodes_.run(cycles);
        return *node.dma_recorder;
    }
    twin::RandomNodes& nodes() { return nodes_; }

  private:
    twin::RandomNodes nodes_;
};

const std::vector<twin::Fault>& faults_of_port() {
    static const std::vector<twin::Fault> all{
        {"the last port served comes first again", "PORT_BITS'(i) > last_served",
         "PORT_BITS'(i) >= last_served"},
        {"the lowest port comes first", "later != 0 ? later : waits", "waits"},
        {"a burst is granted while another one has the port", "grant = is_free ? ", "grant = 1 ? "},
        {"a beat that is partly empty takes no time", "+ CYCLE_BITS'(BEAT_BYTES - 1)", ""},
        {"no row is open after the first burst", "is_open && row == open_row", "1'b0"},
        {"a burst leaves the row before it open", "if (grant != 0) open_row <= row",
         "if (grant != 0 && !is_open) open_row <= row"},
        {"beats of two bursts overlap", "ahead[CYCLE_BITS] ? access_cycles : last_ends_in",
         "access_cycles"},
        {"the port is free a cycle late", "({ends_later, grant_cycles - 1'b1})",
         "({ends_later, grant_cycles})"},
        {"a granted request waits on", "(waits & ~grant) | request", "waits | request"},
        {"a request counts in its own cycle", "later != 0 ? later : waits",
         "later != 0 ? later : waits | request"}};
    return all;
}

const std::vector<twin::Fault>& faults_of_engine() {
    static const std::vector<twin::Fault> all{
        {"a burst crosses boundaries", "- {1'b0, address[BURST_BITS-2:0]}", ""},
        {"work begins a cycle early", "starts_in == 0", "starts_in <= 1"},
        {"the queue needs a byte more", "32'(for_bursts) >= 32'(burst)",
         "32'(for_bursts) > 32'(burst)"},
        {"a request comes a cycle late", "TURN_BITS'(TURNAROUND_CYCLES - 1)",
         "TURN_BITS'(TURNAROUND_CYCLES)"},
        {"a burst ends a cycle early", "works && ends_in == 1", "works && ends_in == 2"},
        {"the engine asks again while a burst is at the port", "&& at_port == 0 && turn",
         "&& turn"},
        {"the body ends with its first piece", "ends_piece && is_last", "ends_piece"},
        {"the next piece is the same one", "3'(start ? first : number + 1'b1)",
         "3'(start ? first : number)"},
        {"bytes of memory are read when the burst ends", "if (grant) burst_data <= memory_data",
         "if (ends_burst) burst_data <= memory_data"},
        {"the engine is idle while it waits to begin", "idle = !is_busy", "idle = !works"}};
    return all;
}

// Faults that only the receiving engine shows.
const std::vector<twin::Fault>& faults_of_receiving_engine() {
    static const std::vector<twin::Fault> all{
        {"the body begins before its operands are there",
         "32'(queue_bytes) >= 32'(operand_bytes_left)", "1'b1"},
        {"operands count for the first burst",
         "takes_operands ? QUEUE_BITS'(operand_bytes_left) : '0);",
         "1'b0 ? QUEUE_BITS'(operand_bytes_left) : '0);"},
        {"operands stay in the queue", "assign takes_operands = begins",
         "assign takes_operands = 1'b0"}};
    return all;
}

TEST_F(DmaTwinTest, EqualToTheModel) {
    WEIR_NEEDS_VERILATOR();
    constexpr Cycles kCycles(10'000);
    const twin::DmaRecorder& recorder = run_alewife(kCycles);
    EXPECT_GT(nodes().nodes()[0]->controller->send_dma().statistics().bursts.value(), 50);
    EXPECT_GT(nodes().nodes()[0]->controller->receive_dma().statistics().bursts.value(), 50);
    expect_equal(compare(recorder.port_twin(), {recorder.port()}), kCycles.count());
    expect_equal(compare(recorder.send_twin(), {recorder.send()}), kCycles.count());
    expect_equal(compare(recorder.receive_twin(), {recorder.receive()}), kCycles.count());
}

TEST_F(DmaTwinTest, EqualWithRandomSizes) {
    WEIR_NEEDS_VERILATOR();
    constexpr Cycles kCycles(20'000);
    RandomStream random(63, NodeId(0), "sizes");
    for (int i = 0; i < 5; ++i) {
        nodes().add(kCycles, [&random](twin::RandomNode& node) {
            twin::draw(random, node.parameters.output_queue_bytes, 64, 300);
            twin::draw(random, node.parameters.input_queue_bytes, 64, 300);
            twin::draw(random, node.parameters.launch_cycles, 2, 6);
            twin::draw(random, node.dma.setup_cycles, 1, 20);
            EXPECT_TRUE(node.dma.burst_bytes.set(std::int64_t{8} << random.below(4)));
            twin::draw(random, node.dma.turnaround_cycles, 1, 6);
            MemoryPortParameters& keys = node.port_parameters;
            twin::draw(random, keys.beat_bytes, 1, 16);
            twin::draw(random, keys.beat_cycles, 1, 4);
            twin::draw(random, keys.access_cycles, 0, 20);
            twin::draw(random, keys.row_access_cycles, 0, keys.access_cycles.value().count());
            EXPECT_TRUE(keys.row_bytes.set(
                random.below(3) == 0 ? std::int64_t{0} : std::int64_t{64} << random.below(4)));
            twin::draw(random, keys.bursts_in_flight, 1, 4);
        });
    }
    nodes().run(kCycles);
    for (const auto& node : nodes().nodes()) {
        const twin::DmaRecorder& recorder = *node->dma_recorder;
        SCOPED_TRACE(::testing::PrintToString(recorder.port_twin().parameters) +
                     ::testing::PrintToString(recorder.send_twin().parameters));
        expect_equal(compare(recorder.port_twin(), {recorder.port()}), kCycles.count());
        expect_equal(compare(recorder.send_twin(), {recorder.send()}), kCycles.count());
        expect_equal(compare(recorder.receive_twin(), {recorder.receive()}), kCycles.count());
    }
}

TEST_F(DmaTwinTest, EveryPlantedFaultOfThePortIsFound) {
    WEIR_NEEDS_VERILATOR();
    const twin::DmaRecorder& recorder = run_rows(Cycles(20'000));
    expect_found(recorder.port_twin(), {recorder.port()}, faults_of_port());
}

TEST_F(DmaTwinTest, EveryPlantedFaultOfTheEnginesIsFound) {
    WEIR_NEEDS_VERILATOR();
    const twin::DmaRecorder& recorder = run_alewife(Cycles(20'000));
    expect_found(recorder.send_twin(), {recorder.send()}, faults_of_engine());
    expect_found(recorder.receive_twin(), {recorder.receive()}, faults_of_receiving_engine());
}

TEST(DmaTwinCoverageTest, WhatTheTwinsDoNotCoverIsRefused) {
    DmaParameters engine;
    EXPECT_TRUE(engine.burst_bytes.set(std::int64_t{24}));
    const auto twin = dma_engine_twin(DmaKind::kSend, engine, {});
    ASSERT_TRUE(std::holds_alternative<Fault>(twin));
    EXPECT_EQ(std::get<Fault>(twin).key, "dma.burst_bytes");
    MemoryPortParameters port;
    EXPECT_TRUE(std::holds_alternative<Twin>(memory_port_twin(port, 2)));
    EXPECT_TRUE(port.access_cycles.set(std::int64_t{65'535}));
    EXPECT_TRUE(std::holds_alternative<Fault>(memory_port_twin(port, 2)));
}

TEST_F(DmaTwinTest, AreSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    const twin::DmaRecorder& recorder = run_rows(Cycles(1));
    EXPECT_EQ(complaints(recorder.port_twin()), "");
    EXPECT_EQ(complaints(recorder.send_twin()), "");
    EXPECT_EQ(complaints(recorder.receive_twin()), "");
}

}  // namespace
}  // namespace weir::hw
