// Programs with floating point, on nodes with and without the unit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "firmware/sparcle/ieee_arithmetic.h"
#include "firmware/sparcle/testing/real_operations.h"
#include "firmware/sparcle/trap.h"
#include "firmware/testing/compiled_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using firmware::testing::CompiledBench;
using firmware::testing::ProgramTestBench;
using weir::testing::Names;

// Nodes without the unit.
class SoftFloatBench : public ProgramTestBench {
  public:
    explicit SoftFloatBench(const std::string& program)
        : ProgramTestBench(program + "-soft-float") {
        set(configuration.sparcle, "floating_point_unit", false);
    }
};

// Result of Sparcle's unit when it is a NaN (ieee_arithmetic_test.cpp); hosts choose other NaNs.
std::uint64_t nan_of_operation(int operation, const real_pair& pair) {
    const std::uint64_t a = double_bits(pair.a);
    const std::uint64_t b = double_bits(pair.b);
    const std::uint64_t c = single_bits(pair.c);
    const std::uint64_t d = single_bits(pair.d);
    switch (operation) {
        case 0:
            return ieee_add(&ieee_double, a, b);
        case 1:
            return ieee_subtract(&ieee_double, a, b);
        case 2:
            return ieee_multiply(&ieee_double, a, b);
        case 3:
            return ieee_divide(&ieee_double, a, b);
        case 4:
            return ieee_square_root(&ieee_double, a);
        case 6:
            return ieee_convert(&ieee_double, &ieee_single, a);
        case 15:
            return ieee_add(&ieee_single, c, d);
        case 16:
            return ieee_subtract(&ieee_single, c, d);
        case 17:
            return ieee_multiply(&ieee_single, c, d);
        case 18:
            return ieee_divide(&ieee_single, c, d);
        case 19:
            return ieee_square_root(&ieee_single, c);
        case 21:
            return ieee_convert(&ieee_single, &ieee_double, c);
        default:
            return 0;
    }
}

bool is_nan_of(std::uint64_t bits, int operation) {
    switch (operation) {
        case 6:
        case 15:
        case 16:
        case 17:
        case 18:
        case 19:
            return ieee_is_nan(&ieee_single, bits) != 0;
        case 21:
            return ieee_is_nan(&ieee_double, bits) != 0;
        default:
            return operation <= 4 && ieee_is_nan(&ieee_double, bits) != 0;
    }
}

class RealOperations : public ::testing::TestWithParam<bool> {};

TEST_P(RealOperations, AreTheHostsToTheBitAndTheirNansTheUnits) {
    std::unique_ptr<ProgramTestBench> bench;
    if (GetParam()) {
        bench = std::make_unique<ProgramTestBench>("real_operations");
    } else {
        bench = std::make_unique<SoftFloatBench>("real_operations");
    }
    ASSERT_EQ(bench->outcome(hw::Cycles(60'000'000)), "right") << bench->console;
    const std::vector<std::uint64_t> results =
        bench->long_words(0, "real_results", REAL_PAIRS * REAL_OPERATIONS);
    for (int pair = 0; pair < REAL_PAIRS; ++pair) {
        const real_pair operands = real_operands(pair);
        for (int operation = 0; operation < REAL_OPERATIONS; ++operation) {
            const std::uint64_t host = real_operation(operation, operands);
            ASSERT_EQ(results[static_cast<std::size_t>(pair * REAL_OPERATIONS + operation)],
                      is_nan_of(host, operation) ? nan_of_operation(operation, operands) : host)
                << "operation " << operation << " of pair " << pair;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(OnSparcle, RealOperations, ::testing::Bool(), [](const auto& tested) {
    return tested.param ? "WithFloatUnit" : "WithoutFloatUnit";
});

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
                Names("sparcle.floating_point_unit: ", "false", "true", "-msoft-float"));
}

TEST(SoftFloat, RunsOnNodesWithTheUnitToo) {
    ProgramTestBench bench("programs-soft-float");
    bench.set_workload("arguments", std::vector<std::int64_t>{77, 0});
    EXPECT_EQ(bench.outcome(hw::Cycles(60'000'000)), "right");
}

// The emulator contains the kernels for both kinds of node.
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

// One more operation in an expression costs exactly one more instruction.
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
