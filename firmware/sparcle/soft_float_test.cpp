// Programs that use floating point, on nodes with the unit and without it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "firmware/sparcle/testing/compiled_bench.h"
#include "firmware/sparcle/testing/real_operations.h"
#include "firmware/sparcle/trap.h"

namespace weir::firmware {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// On nodes without the unit.
class SoftFloatBench : public ProgramTestBench {
  public:
    explicit SoftFloatBench(const std::string& program)
        : ProgramTestBench(program + "-soft-float") {
        set(configuration.sparcle, "floating_point_unit", false);
    }
};

std::vector<std::uint64_t> real_results(ProgramTestBench& bench) {
    EXPECT_EQ(bench.outcome(hw::Cycles(60'000'000)), "right") << bench.console;
    return bench.long_words(0, "real_results", REAL_PAIRS * REAL_OPERATIONS);
}

bool is_nan_of(std::uint64_t bits, int operation) {
    const bool is_double = operation <= 4 || operation == 21;
    return is_double ? std::isnan(double_of_bits(bits))
                     : std::isnan(single_of_bits(static_cast<std::uint32_t>(bits)));
}

TEST(RealOperations, AreTheSameWithTheUnitAndWithoutItAndOnTheHost) {
    ProgramTestBench hard("real_operations");
    const std::vector<std::uint64_t> with_unit = real_results(hard);
    SoftFloatBench soft("real_operations");
    const std::vector<std::uint64_t> without_unit = real_results(soft);
    for (int pair = 0; pair < REAL_PAIRS; ++pair) {
        const real_pair operands = real_operands(pair);
        for (int operation = 0; operation < REAL_OPERATIONS; ++operation) {
            const auto at = static_cast<std::size_t>(pair * REAL_OPERATIONS + operation);
            ASSERT_EQ(without_unit[at], with_unit[at])
                << "operation " << operation << " of pair " << pair;
            // Which NaN it is, a host says otherwise.
            const std::uint64_t host = real_operation(operation, operands);
            if (host != without_unit[at]) {
                ASSERT_TRUE(is_nan_of(host, operation) && is_nan_of(without_unit[at], operation))
                    << "operation " << operation << " of pair " << pair << ": " << std::hex
                    << without_unit[at] << ", host " << host;
            }
        }
    }
}

TEST(SoftFloat, HandlersMayUseIt) {
    constexpr std::int64_t kFloatInHandler = 4;  // faults.c
    SoftFloatBench bench("faults");
    bench.set_workload("arguments", std::vector<std::int64_t>{kFloatInHandler});
    EXPECT_EQ(bench.outcome(), "right");
}

TEST(SoftFloat, AProgramThatNeedsTheUnitIsRefusedWithoutIt) {
    ProgramTestBench bench("programs");
    bench.set(bench.configuration.sparcle, "floating_point_unit", false);
    EXPECT_THAT(bench.fault_of_data(),
                StartsWith("sparcle.floating_point_unit: found false, and the program is compiled "
                           "for nodes with the unit; accepted: "));
}

TEST(SoftFloat, RunsOnNodesWithTheUnitToo) {
    ProgramTestBench bench("programs-soft-float");
    bench.set_workload("arguments", std::vector<std::int64_t>{77, 0});
    EXPECT_EQ(bench.outcome(hw::Cycles(60'000'000)), "right");
}

// The kernels that the emulator carries are there for both kinds of node.
TEST(SoftFloat, KernelsOfDoublesGiveTheRightAnswer) {
    CompiledBench bench("spmv");
    bench.set(bench.configuration.sparcle, "floating_point_unit", false);
    bench.set_workload("rows", std::int64_t{30});
    bench.set_workload("nonzeros", std::int64_t{200});
    EXPECT_EQ(bench.outcome(hw::Cycles(20'000'000)), "right") << bench.console;
}

double cycles_of(const std::string& console, const std::string& operation) {
    const std::size_t at = console.find(operation + ": ");
    return at == std::string::npos ? -1.0 : std::stod(console.substr(at + operation.size() + 2));
}

// An operation more in an expression is its instruction more, and nothing beside.
TEST(FloatCosts, OfTheUnitAreItsLatencies) {
    ProgramTestBench bench("float-costs");
    EXPECT_EQ(bench.outcome(), "right");
    EXPECT_EQ(bench.console,
              "float add: 4.0 cycles\nfloat subtract: 4.0 cycles\nfloat multiply: 5.0 cycles\n"
              "float divide: 20.0 cycles\ndouble add: 4.0 cycles\ndouble subtract: 4.0 cycles\n"
              "double multiply: 9.0 cycles\ndouble divide: 35.0 cycles\n");
}

TEST(FloatCosts, WithoutTheUnitAreManyTimesThose) {
    SoftFloatBench bench("float-costs");
    EXPECT_EQ(bench.outcome(), "right");
    for (const char* operation : {"double add", "double multiply", "double divide"}) {
        EXPECT_GT(cycles_of(bench.console, operation), 100.0) << operation;
    }
}

}  // namespace
}  // namespace weir::firmware
