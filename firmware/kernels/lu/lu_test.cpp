#include "firmware/kernels/lu/lu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

class LuTest : public ::testing::TestWithParam<const char*> {
  protected:
    LuTest() {
        bench_.set_dimensions({2, 2});
        bench_.set_workload("rows", std::int64_t{16});
    }
    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    void be_free_of_access_costs() {
        for (const char* cost : {"load_cycles", "store_cycles", "double_cycles"}) {
            bench_.set(bench_.configuration.memory, cost, std::int64_t{0});
        }
    }
    [[nodiscard]] std::int64_t end() const {
        std::int64_t last = 0;
        for (const auto& mark : bench_.trace.marks) {
            last = std::max(last, mark.cycle.count());
        }
        return last;
    }
    firmware::testing::KernelBench bench_{"lu"};
};

TEST_P(LuTest, TheProductOfLAndUIsTheMatrixPermuted) {
    bench_.set_workload("layout", std::string(GetParam()));
    run();
}

TEST_P(LuTest, AlsoOnNodesThatAreNoSquare) {
    bench_.set_dimensions({4, 2});
    bench_.set_workload("layout", std::string(GetParam()));
    run();
}

TEST_P(LuTest, AlsoByScatteredBroadcasts) {
    bench_.set_dimensions({4, 2});
    bench_.set_workload("layout", std::string(GetParam()));
    bench_.set_workload("broadcast", std::string("scattered"));
    run();
}

TEST_P(LuTest, AlsoWhereNodesPoll) {
    bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
    bench_.set_workload("layout", std::string(GetParam()));
    run();
}

// One node: n - k comparisons, n - k - 1 divisions of one cycle, (n - k - 1)^2 updates of two
// cycles.
TEST_P(LuTest, OneNodeTakesTheOperationsOfTheAlgorithm) {
    bench_.set_dimensions({1});
    be_free_of_access_costs();
    bench_.set_workload("rows", std::int64_t{4});
    bench_.set_workload("layout", std::string(GetParam()));
    run();
    EXPECT_EQ(end(), (4 + 3 + 2 * 9) + (3 + 2 + 2 * 4) + (2 + 1 + 2 * 1));
    EXPECT_TRUE(bench_.trace.messages.empty());
}

TEST_P(LuTest, AWrongElementIsSeen) {
    bench_.set_workload("layout", std::string(GetParam()));
    run();
    bench_.flip_bit(1, 5 * 8 + 6, 2);  // a high bit of the element's mantissa
    EXPECT_THAT(bench_.check().value_or(""), HasSubstr("element ("));
}

INSTANTIATE_TEST_SUITE_P(Layouts, LuTest,
                         ::testing::Values("bad", "column", "blocked_grid", "scattered_grid"));

// Messages of a step with the column layout: the pivot's place and element, and the multipliers, to
// three other nodes; a message has two values.
TEST_F(LuTest, WithColumnsMultipliersAloneAreShared) {
    bench_.set_workload("layout", std::string("column"));
    run();
    std::size_t messages = 0;
    for (std::size_t left = 15; left > 0; --left) {  // number of rows below the pivot's: n - k
        messages += 3 * (1 + (left + 1) / 2);
    }
    EXPECT_EQ(bench_.trace.messages.size(), messages);
}

TEST_F(LuTest, AMatrixThatDoesNotDivideIsRefused) {
    bench_.set_dimensions({4, 2});
    bench_.set_workload("rows", std::int64_t{18});
    EXPECT_THAT(bench_.fault_of_data(), Names("workload.rows: ", "18", "2 x 4", "multiple", "4"));
}

TEST_F(LuTest, ColumnsThatDoNotDivideAreRefused) {
    bench_.set_dimensions({4, 2});
    bench_.set_workload("rows", std::int64_t{18});
    bench_.set_workload("layout", std::string("column"));
    EXPECT_THAT(bench_.fault_of_data(), Names("workload.rows: ", "18", "8", "multiple", "8"));
}

TEST_F(LuTest, AMatrixBeyondMemoryIsRefused) {
    bench_.set(bench_.configuration.memory, "bytes", std::int64_t{65'536});
    bench_.set_workload("rows", std::int64_t{256});
    EXPECT_THAT(bench_.fault_of_data(),
                Names("workload.rows: ", "256", "KB", "64", "memory.bytes"));
}

}  // namespace
}  // namespace weir::firmware
