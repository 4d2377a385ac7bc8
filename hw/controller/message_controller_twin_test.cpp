// The twin of the message controller against the model, with a core and a network of random
// behaviour. Real runs are in nodes/node_twin_test.cpp.
#include "hw/controller/message_controller_twin.h"

#include <gtest/gtest.h>

#include <string>
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

WEIR_TESTS_COST("^MessageControllerTwinTest\\.(EqualToTheModel|IsSynthesizable)", 14);
WEIR_TESTS_COST("^MessageControllerTwinTest\\.EqualWithRandomSizes", 25);
WEIR_TESTS_COST("^MessageControllerTwinTest\\.EveryPlantedFaultIsFound", 45);

class MessageControllerTwinTest : public ::testing::Test {
  public:
    // Alewife's controller, with the overflow trap and a short timeout.
    const twin::RandomNode& add_alewife(Cycles until) {
        return nodes_.add(until, [](twin::RandomNode& node) {
            EXPECT_TRUE(node.parameters.overflow_trap.set(true));
            EXPECT_TRUE(node.parameters.overflow_timeout_cycles.set(std::int64_t{40}));
        });
    }
    twin::RandomNodes& nodes() { return nodes_; }

  private:
    twin::RandomNodes nodes_;
};

const std::vector<twin::Fault>& faults() {
    static const std::vector<twin::Fault> all{
        {"the interrupt comes a cycle early", "NOTIFIED_BITS'(headers[NOTIFY_CYCLES-2])",
         "NOTIFIED_BITS'(headers[NOTIFY_CYCLES-3])"},
        {"the interrupt line stays high when the message is disposed of",
         "(!is_disposed || end_message)", "1'b1"},
        {"a launch needs no idle engine", "may_launch = send_idle && ", "may_launch = "},
        {"a launch waits for a byte too much", "32'(output_room) >= 32'(operand_bytes)",
         "32'(output_room) > 32'(operand_bytes)"},
        {"words enter the queue a cycle early", "begin_message = push_in == 1",
         "begin_message = push_in == 2"},
        {"a launch leaves the number of composed words", "if (reset || launches) composed",
         "if (reset) composed"},
        {"programs may launch packets of the protocol", "|| descriptor[31]  ", "|| 1'b0  "},
        {"there is a node behind the last one", ">= NODES", "> NODES"},
        {"engines move pieces of no bytes", "is_movable = bytes != 0 && ", "is_movable = "},
        {"engines move bytes beyond memory", "<= 33'(MEMORY_BYTES)", "<= 33'(MEMORY_BYTES + 8)"},
        {"a message may be disposed of before it has arrived", "may_end = has_whole_head",
         "may_end = 1'b1"},
        {"words are gone when the engine has taken them", "words_taken ? window : head_data",
         "head_data"},
        {"a message leaves while its body is moved", "is_disposed && (!is_stored || receive_idle)",
         "is_disposed"},
        {"ends of engines cannot be cleared", "(ended & ~cleared)", "ended"},
        {"an end is cleared in the cycle of the store", "(ended & ~cleared)",
         "(ended & ~(clears ? data[3:2] : 2'd0))"},
        {"a load right after a load takes no longer", "load_ends_in == 1 ?", "load_ends_in == 2 ?"},
        {"an access that was withdrawn waits on", "is_given_up = waits && is_withdrawn",
         "is_given_up = 1'b0 && is_withdrawn"},
        {"the trap line rises a cycle early", "overflow <= stopped_cycles == TIMEOUT",
         "overflow <= stopped_cycles >= TIMEOUT - 1'b1"},
        {"the second word of a store goes nowhere", "stores_word && is_double",
         "1'b0 && is_double"},
        {"an even number of saved messages is none", "data[31:0] != 0", "data[0]"}};
    return all;
}

TEST_F(MessageControllerTwinTest, EqualToTheModel) {
    WEIR_NEEDS_VERILATOR();
    constexpr Cycles kCycles(10'000);
    const twin::RandomNode& node = add_alewife(kCycles);
    nodes().run(kCycles);
    EXPECT_GT(node.core->launches(), 50);
    EXPECT_GT(node.core->withdrawals(), 20);
    EXPECT_GT(node.network->stops(), 1);
    EXPECT_GT(node.controller->statistics().messages_disposed.value(), 30);
    const twin::MessageControllerRecorder& recorder = *node.controller_recorder;
    EXPECT_GT(recorder.refusals(), 100);
    expect_equal(compare(recorder.twin(), {recorder.recording()}), kCycles.count());
    expect_found(recorder.twin(), {recorder.recording()}, {faults()[0]});
}

TEST_F(MessageControllerTwinTest, EqualWithRandomSizes) {
    WEIR_NEEDS_VERILATOR();
    constexpr Cycles kCycles(20'000);
    RandomStream random(62, NodeId(0), "sizes");
    for (int i = 0; i < 6; ++i) {
        nodes().add(kCycles, [&random](twin::RandomNode& node) {
            ControllerParameters& keys = node.parameters;
            twin::draw(random, keys.output_queue_bytes, 64, 300);
            twin::draw(random, keys.input_queue_bytes, 64, 300);
            twin::draw(random, keys.store_cycles, 2, 6);
            twin::draw(random, keys.launch_cycles, 2, 6);
            twin::draw(random, keys.load_cycles, 1, 5);
            twin::draw(random, keys.consecutive_load_cycles, 0, 3);
            twin::draw(random, keys.double_cycles, 0, 3);
            twin::draw(random, keys.notify_cycles, 2, 20);
            EXPECT_TRUE(keys.overflow_trap.set(random.below(3) != 0));
            twin::draw(random, keys.overflow_timeout_cycles, 32, 100);
            twin::draw(random, node.dma.setup_cycles, 1, 20);
        });
    }
    nodes().run(kCycles);
    for (const auto& node : nodes().nodes()) {
        const twin::MessageControllerRecorder& recorder = *node->controller_recorder;
        SCOPED_TRACE(::testing::PrintToString(recorder.twin().parameters));
        expect_equal(compare(recorder.twin(), {recorder.recording()}), kCycles.count());
    }
}

TEST_F(MessageControllerTwinTest, EveryPlantedFaultIsFound) {
    WEIR_NEEDS_VERILATOR();
    constexpr Cycles kCycles(20'000);
    const twin::RandomNode& node = add_alewife(kCycles);
    nodes().run(kCycles);
    const twin::MessageControllerRecorder& recorder = *node.controller_recorder;
    expect_found(recorder.twin(), {recorder.recording()}, faults());
}

TEST(MessageControllerTwinCoverageTest, WhatTheTwinDoesNotCoverIsRefused) {
    const auto refused = [](const char* key, std::int64_t value,
                            const ControllerSurroundings& surroundings = {}) {
        ControllerParameters keys;
        EXPECT_TRUE(keys.find(key)->set(value));
        const auto twin = message_controller_twin(keys, DmaParameters{}, surroundings);
        return std::holds_alternative<Fault>(twin) ? std::get<Fault>(twin).key : "covered";
    };
    EXPECT_EQ(refused("store_cycles", 2), "covered");
    EXPECT_EQ(refused("store_cycles", 1), "controller.store_cycles");
    EXPECT_EQ(refused("launch_cycles", 1), "controller.launch_cycles");
    EXPECT_EQ(refused("load_cycles", 0), "controller.load_cycles");
    EXPECT_EQ(refused("notify_cycles", 1), "controller.notify_cycles");
    EXPECT_EQ(refused("store_cycles", 3, {.has_protocol_processor = true}), "core.receive_mode");
    EXPECT_EQ(refused("store_cycles", 3, {.shares_memory = true}), "coherence");
    DmaParameters slow;
    EXPECT_TRUE(slow.setup_cycles.set(std::int64_t{65'535}));
    EXPECT_TRUE(std::holds_alternative<Fault>(message_controller_twin({}, slow, {})));
}

TEST_F(MessageControllerTwinTest, IsSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    EXPECT_EQ(complaints(add_alewife(Cycles(1)).controller_recorder->twin()), "");
}

}  // namespace
}  // namespace weir::hw
