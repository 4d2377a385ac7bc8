#include "hw/testing/twin/twin.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

#include "hw/testing/test_cost.h"
#include "hw/testing/test_folder.h"

namespace weir::hw::twin {
namespace {

// Verilator's library is compiled by the first test, and then stored.
WEIR_TESTS_COST("^HarnessTwinTest\\.", 12);

constexpr std::size_t kAdd = 0;
constexpr std::size_t kAmount = 1;
constexpr std::size_t kSum = 2;
constexpr std::size_t kIsEven = 3;

// An adder with a register, and its model.
class HarnessTwinTest : public ::testing::Test {
  public:
    HarnessTwinTest() {
        std::ofstream file(folder_.path() / "adder.sv");
        file << "module adder #(parameter BITS = 8) (\n"
                "    input logic clk, input logic reset, input logic add,\n"
                "    input logic [BITS-1:0] amount, output logic [BITS-1:0] sum,\n"
                "    output logic is_even);\n"
                "  always_ff @(posedge clk) begin\n"
                "    if (reset) sum <= '0;\n"
                "    else if (add) sum <= sum + amount;\n"
                "  end\n"
                "  assign is_even = !sum[0];\n"
                "endmodule\n";
    }
    [[nodiscard]] Twin adder(int bits) const {
        return {"adder", {(folder_.path() / "adder.sv").string()}, {{"BITS", bits}}};
    }
    static PortRecording run(int bits, int cycles, unsigned seed) {
        PortRecording recording({{"add", 1, Direction::kInput},
                                 {"amount", bits, Direction::kInput},
                                 {"sum", bits, Direction::kOutput},
                                 {"is_even", 1, Direction::kOutput}});
        std::minstd_rand random(seed);
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        std::uint64_t sum = 0;
        for (int i = 0; i < cycles; ++i) {
            const std::uint64_t amount = random() & mask;
            const std::uint64_t add = random() % 2;
            recording.set(kSum, sum);
            recording.set(kIsEven, (sum + 1) % 2);
            recording.set(kAdd, add);
            recording.set(kAmount, amount);
            sum = (sum + (add != 0 ? amount : 0)) & mask;
            recording.end_cycle();
        }
        return recording;
    }

  private:
    testing::TestFolder folder_;
};

TEST_F(HarnessTwinTest, EqualInEveryCycle) {
    WEIR_NEEDS_VERILATOR();
    expect_equal(compare(adder(8), {run(8, 1000, 1), run(8, 1000, 2)}), 2000);
    expect_equal(compare(adder(37), {run(37, 1000, 3)}), 1000);
}

TEST_F(HarnessTwinTest, FirstDifferenceIsNamed) {
    WEIR_NEEDS_VERILATOR();
    PortRecording recording = run(8, 10, 4);
    recording.set(kSum, 0x5a);
    recording.set(kIsEven, 0);
    recording.end_cycle();
    const Comparison comparison = compare(adder(8), {run(8, 11, 4), recording});
    EXPECT_EQ(comparison.cycles, 22);
    EXPECT_EQ(comparison.differing, 1);
    ASSERT_TRUE(comparison.first);
    EXPECT_EQ(comparison.first->cycle, 10);
    EXPECT_EQ(comparison.first->instance, 1U);
    EXPECT_EQ(comparison.first->port, "sum");
    EXPECT_EQ(comparison.first->expected, "5a");
}

TEST_F(HarnessTwinTest, IgnoredBitsAreNotCompared) {
    WEIR_NEEDS_VERILATOR();
    PortRecording recording = run(8, 10, 4);
    recording.ignore(kSum, 0, 8);
    recording.ignore(kIsEven, 0, 1);
    recording.end_cycle();
    expect_equal(compare(adder(8), {recording}), 11);
}

TEST_F(HarnessTwinTest, FaultsAreFound) {
    WEIR_NEEDS_VERILATOR();
    expect_found(adder(8), {run(8, 100, 5)},
                 {{"subtracts", "sum + amount", "sum - amount"},
                  {"always adds", "else if (add)", "else"},
                  {"odd for even", "!sum[0]", "sum[0]"}});
    EXPECT_THROW(compare(adder(8), {run(8, 10, 5)}, Fault{"two places", "sum <=", "sum <= 1 +"}),
                 std::invalid_argument);
    EXPECT_THROW(compare(adder(8), {run(8, 10, 5)}, Fault{"no place", "difference", "sum"}),
                 std::invalid_argument);
}

// The first adder adds 3 in each cycle, and the second adds the first one's sum.
TEST_F(HarnessTwinTest, WiresJoinInstances) {
    WEIR_NEEDS_VERILATOR();
    PortRecording first = run(8, 0, 0);
    PortRecording second = run(8, 0, 0);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
        const std::uint64_t from_first = 3 * i & 0xffU;
        first.set(kAdd, 1);
        first.set(kAmount, 3);
        first.set(kSum, from_first);
        first.set(kIsEven, (from_first + 1) % 2);
        first.end_cycle();
        second.set(kAdd, 1);
        second.set(kSum, sum);
        second.set(kIsEven, (sum + 1) % 2);
        second.end_cycle();
        sum = (sum + from_first) & 0xffU;
    }
    const std::vector<Wire> wires = {{{0, kSum, 0}, {1, kAmount, 0}, 8}};
    expect_equal(compare(adder(8), {first, second}, wires), 100);
    EXPECT_GT(compare(adder(8), {first, second}).differing, 0);
}

TEST_F(HarnessTwinTest, ComplaintsOfTheTools) {
    WEIR_NEEDS_VERILATOR();
    EXPECT_EQ(complaints(adder(8)), "");
    testing::TestFolder folder;
    const std::string path = (folder.path() / "latch.sv").string();
    std::ofstream(path) << "module latch (input logic clk, input logic reset, input logic a,\n"
                           "    output logic b);\n"
                           "  always_comb if (clk) b = a;\n"
                           "endmodule\n";
    EXPECT_NE(complaints({"latch", {path}, {}}), "");
}

TEST(PortRecordingTest, RefusesValuesThatDoNotFit) {
    PortRecording recording({{"a", 4, Direction::kInput}, {"b", 70, Direction::kOutput}});
    recording.set(0, 15);
    EXPECT_THROW(recording.set(0, 16), std::out_of_range);
    EXPECT_THROW(recording.set(0, 1, 3, 2), std::out_of_range);
    EXPECT_THROW(recording.ignore(0, 0, 1), std::out_of_range);
    EXPECT_THROW(recording.ignore(1, 69, 2), std::out_of_range);
    recording.set(1, 3, 68, 2);
    recording.end_cycle();
    EXPECT_EQ(recording.rows().at(5), 48U);
}

}  // namespace
}  // namespace weir::hw::twin
