#include "firmware/kernels/jacobi/jacobi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using ::testing::ContainsRegex;
using weir::testing::Names;

using ::testing::ElementsAre;

class JacobiBench : public firmware::testing::KernelBench {
  public:
    static constexpr std::int64_t kIterations = 3;

    explicit JacobiBench(std::int64_t nodes = 4, std::int64_t grid = 8) : KernelBench("jacobi") {
        set_dimensions({nodes});
        set_workload("grid", grid);
        set_workload("iterations", kIterations);
    }
    void set_messages(const char* messages) { set_workload("messages", std::string(messages)); }
    [[nodiscard]] std::string outcome() {
        load();
        return outcome_of_run();
    }
    [[nodiscard]] std::string outcome_of_run() {
        return run() == nodes::RunEnd::kFinished ? wrong() : "stuck";
    }
    [[nodiscard]] std::string wrong() { return check().value_or("right"); }
    [[nodiscard]] Jacobi& jacobi() { return dynamic_cast<Jacobi&>(kernel()); }
    void set_value(std::int32_t node, std::uint32_t offset, double value) {
        machine().write<double>(hw::NodeId(node), offset, {&value, 1});
    }
    /// A row of a node after the given number of iterations.
    [[nodiscard]] std::vector<double> row(std::int32_t node, std::int64_t iterations,
                                          std::int64_t row, std::size_t columns) {
        std::vector<double> values(columns);
        machine().read<double>(hw::NodeId(node), jacobi().offset(iterations, row, 0), values);
        return values;
    }
};

struct StripsCase {
    const char* name;
    std::int64_t nodes;
    std::int64_t grid;
    const char* messages;
    const char* receive_mode;
    const char* completion;  // value of firmware.body_send and firmware.body_receive
};

class JacobiCaseTest : public ::testing::TestWithParam<StripsCase> {};

TEST_P(JacobiCaseTest, EveryPointIsWhatTheSequentialProgramComputes) {
    const StripsCase& tested = GetParam();
    JacobiBench bench(tested.nodes, tested.grid);
    bench.set_messages(tested.messages);
    bench.set(bench.configuration.core, "receive_mode", std::string(tested.receive_mode));
    for (const char* body : {"body_send", "body_receive"}) {
        bench.set(bench.firmware_parameters, body, std::string(tested.completion));
    }
    EXPECT_EQ(bench.outcome(), "right");
    EXPECT_EQ(bench.kernel().progress(), 1.0);
    const std::int64_t in_a_row = std::string(tested.messages) == "long" ? 1 : tested.grid;
    EXPECT_EQ(bench.trace.messages.size(), static_cast<std::size_t>(JacobiBench::kIterations * 2 *
                                                                    (tested.nodes - 1) * in_a_row));
    for (const auto& [id, message] : bench.trace.messages) {
        EXPECT_EQ(std::abs(message.source.index() - message.destination.index()), 1);
    }
}

// Rows of 64 values are longer than a queue.
INSTANTIATE_TEST_SUITE_P(
    Jacobi, JacobiCaseTest,
    ::testing::Values(StripsCase{"alone", 1, 5, "short", "interrupt", "status"},
                      StripsCase{"two", 2, 6, "short", "interrupt", "status"},
                      StripsCase{"strips", 4, 16, "short", "interrupt", "status"},
                      StripsCase{"single_rows", 5, 5, "short", "interrupt", "status"},
                      StripsCase{"polling", 4, 16, "short", "polling", "status"},
                      StripsCase{"beside", 4, 16, "short", "protocol_processor", "status"},
                      StripsCase{"long_status", 4, 64, "long", "interrupt", "status"},
                      StripsCase{"long_blocking", 4, 16, "long", "interrupt", "blocking"},
                      StripsCase{"long_interrupt", 4, 16, "long", "interrupt", "interrupt"},
                      StripsCase{"long_polling", 4, 16, "long", "polling", "status"},
                      StripsCase{"long_single_rows", 5, 5, "long", "interrupt", "interrupt"}),
    [](const auto& test) { return std::string(test.param.name); });

// The grid has a 5 at the border of two strips, among zeros. One iteration leaves 1 at this point
// and at its four neighbours. The second leaves 1 at the point, 0.4 at its four neighbours and its
// four diagonal neighbours, and 0.2 two points away.
class JacobiMessagesTest : public ::testing::TestWithParam<const char*> {};

TEST_P(JacobiMessagesTest, TwoIterationsOfAGridOfFour) {
    JacobiBench bench(2, 4);
    bench.set_messages(GetParam());
    bench.set_workload("iterations", std::int64_t{2});
    bench.load();
    for (std::int32_t node = 0; node < 2; ++node) {
        const std::vector<double> zeros(bench.jacobi().data_values());
        bench.machine().write<double>(hw::NodeId(node), 0, zeros);
    }
    bench.set_value(0, bench.jacobi().offset(0, 1, 1), 5.0);
    ASSERT_EQ(bench.run(), nodes::RunEnd::kFinished);
    EXPECT_THAT(bench.row(0, 1, 0, 4), ElementsAre(0.0, 1.0, 0.0, 0.0));
    EXPECT_THAT(bench.row(0, 1, 1, 4), ElementsAre(1.0, 1.0, 1.0, 0.0));
    EXPECT_THAT(bench.row(1, 1, 0, 4), ElementsAre(0.0, 1.0, 0.0, 0.0));
    EXPECT_THAT(bench.row(1, 1, 1, 4), ElementsAre(0.0, 0.0, 0.0, 0.0));
    EXPECT_THAT(bench.row(0, 2, 0, 4), ElementsAre(0.4, 0.4, 0.4, 0.0));
    EXPECT_THAT(bench.row(0, 2, 1, 4), ElementsAre(0.4, 1.0, 0.4, 0.2));
    EXPECT_THAT(bench.row(1, 2, 0, 4), ElementsAre(0.4, 0.4, 0.4, 0.0));
    EXPECT_THAT(bench.row(1, 2, 1, 4), ElementsAre(0.0, 0.2, 0.0, 0.0));
    EXPECT_THAT(bench.wrong(), ContainsRegex("^row 0, column 0 .* 0\\.4"));
}

INSTANTIATE_TEST_SUITE_P(Jacobi, JacobiMessagesTest, ::testing::Values("short", "long"));

// One node: two loads of 3 cycles for each row; for each point three loads, 10 cycles of arithmetic
// and a store of 4.
TEST(JacobiTest, APointTakesItsAccessesAndItsArithmetic) {
    JacobiBench bench(1, 4);
    ASSERT_EQ(bench.outcome(), "right");
    ASSERT_EQ(bench.trace.marks.back().name, kProgramEnds);
    EXPECT_EQ(bench.trace.marks.back().cycle,
              hw::Cycles(JacobiBench::kIterations * 4 * (2 * 3 + 4 * (3 * 3 + 10 + 4))));
}

TEST(JacobiTest, FactsAreThoseOfANodeWithTwoNeighbours) {
    JacobiBench bench(4, 8);
    bench.load();
    EXPECT_EQ(bench.jacobi().facts().points, 2 * 8.0);
    EXPECT_EQ(bench.jacobi().facts().values, 2 * 8.0);
}

TEST(JacobiTest, OrOfOneWithOneWhereThereAreTwo) {
    JacobiBench bench(2, 8);
    bench.load();
    EXPECT_EQ(bench.jacobi().facts().points, 4 * 8.0);
    EXPECT_EQ(bench.jacobi().facts().values, 8.0);
}

TEST(JacobiTest, WhatWasNotComputedIsNoAnswer) {
    JacobiBench bench;
    bench.load();
    EXPECT_THAT(bench.wrong(), Names("row 0", "column 0", "nan"));
}

// Planted faults: a value that a neighbour needs, a value of the rim, and a bit of any point of
// the answer.
TEST_P(JacobiMessagesTest, AValueOfABoundaryRowReachesTheNeighboursAnswer) {
    JacobiBench bench;
    bench.set_messages(GetParam());
    bench.set_workload("iterations", std::int64_t{1});
    bench.load();
    bench.set_value(1, bench.jacobi().offset(0, 0, 3), 7.0);
    EXPECT_THAT(bench.outcome_of_run(), Names("row 1", "column 3"));
}

TEST(JacobiTest, TheRimIsReadAsItStands) {
    JacobiBench bench;
    bench.load();
    bench.set_value(3, bench.jacobi().offset(0, 2, 5), 7.0);
    EXPECT_THAT(bench.outcome_of_run(), Names("row 5", "column 5"));
}

TEST(JacobiTest, AFlippedBitInAnyPointIsFound) {
    JacobiBench bench;
    ASSERT_EQ(bench.outcome(), "right");
    for (std::int64_t row = 0; row < 8; ++row) {
        for (std::int64_t column = 0; column < 8; ++column) {
            const auto node = static_cast<std::int32_t>(row / 2);
            const std::uint32_t address =
                bench.jacobi().offset(JacobiBench::kIterations, row % 2, column);
            bench.flip_bit(node, address);
            EXPECT_THAT(bench.wrong(),
                        Names("row " + std::to_string(row), "column " + std::to_string(column)));
            bench.flip_bit(node, address);
        }
    }
    EXPECT_EQ(bench.wrong(), "right");
}

TEST(JacobiTest, RowsThatDoNotDivide) {
    JacobiBench bench(4, 10);
    EXPECT_THAT(bench.fault_of_data(), Names("workload.grid: ", "10", "4", "multiple", "4"));
}

// A node needs two copies of 7 + 2 rows (own and halo) of 28 + 2 values (own and rim).
TEST(JacobiTest, AGridThatDoesNotFitIntoMemory) {
    JacobiBench bench(4, 28);
    bench.set(bench.configuration.memory, "bytes", std::int64_t{4319});
    EXPECT_THAT(bench.fault_of_data(), Names("workload.grid: ", "28", "4320", "memory.bytes",
                                             "4319", "memory.bytes", "4320"));
}

TEST(JacobiTest, AGridThatJustFitsIntoMemory) {
    JacobiBench bench(4, 28);
    bench.set(bench.configuration.memory, "bytes", std::int64_t{4320});
    EXPECT_EQ(bench.fault_of_data(), "no fault");
}

}  // namespace
}  // namespace weir::firmware
