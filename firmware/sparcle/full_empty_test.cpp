#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "firmware/testing/compiled_bench.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"

namespace weir::firmware {
namespace {

using firmware::testing::ProgramTestBench;
using hw::testing::result_of_separate_run;
using ::testing::HasSubstr;
using weir::testing::Names;

/// Eight nodes that run testing/full_empty.c. Each loaded value is compared with the last store to
/// the same bytes.
class FullEmptyBench : public ProgramTestBench {
  public:
    explicit FullEmptyBench(std::int64_t contexts, std::int64_t what = 0)
        : ProgramTestBench(contexts > 1 ? "full_empty-contexts" : "full_empty") {
        set_dimensions({4, 2});
        set(configuration.machine, "nodes", std::int64_t{8});
        set(configuration.memory, "caches", std::int64_t{1});
        set(configuration.memory, "bytes", std::int64_t{1} << 22);
        set(configuration.coherence, "shared_bytes", std::int64_t{8192});
        set(configuration.coherence, "check_loads", true);
        set(configuration.core, "contexts", contexts);
        set(configuration.controller, "overflow_trap", contexts == 1);
        set_workload("shares_memory", true);
        set_workload("threads", contexts);
        set_workload("arguments", std::vector<std::int64_t>{what});
    }
    std::int64_t sum_of_traps() {
        std::int64_t all = 0;
        for (std::int32_t node = 0; node < machine().node_count(); ++node) {
            all += machine().node(hw::NodeId(node)).core.statistics().full_empty_traps.value();
        }
        return all;
    }
    std::string digest() {
        std::string text = outcome(hw::Cycles(8'000'000));
        return text + " at " + std::to_string(machine().now().count()) + " after " +
               std::to_string(sum_of_traps()) + " traps";
    }
};

class CompiledFullEmpty : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(CompiledFullEmpty, AccessesAreRightInAnyOrderOfTicksAndWithoutRunningAhead) {
    const std::string plain =
        result_of_separate_run([] { return FullEmptyBench(GetParam()).digest(); });
    EXPECT_THAT(plain, ::testing::StartsWith("right "));
    EXPECT_THAT(plain, ::testing::Not(HasSubstr("after 0 traps")));
    EXPECT_EQ(result_of_separate_run([] {
                  FullEmptyBench bench(GetParam());
                  bench.set_ticks("shuffled", false);
                  bench.set(bench.configuration.sparcle, "run_ahead", false);
                  return bench.digest();
              }),
              plain);
}

INSTANTIATE_TEST_SUITE_P(Contexts, CompiledFullEmpty, ::testing::Values(1, 2));

TEST(FaultOfFullEmpty, IsASecondWrite) {
    for (const std::int64_t what : {1, 2}) {
        EXPECT_THAT(result_of_separate_run([what] {
                        FullEmptyBench bench(1, what);
                        bench.load();
                        static_cast<void>(bench.machine().run({.most_cycles = hw::Cycles(50'000)}));
                        return bench.kernel().check(bench.machine()).value_or("right");
                    }),
                    Names("program", "element", "full"))
            << what;
    }
}

// Time between two attempts of a waiting access: 13 cycles, the default of
// core.full_empty_trap_cycles.
TEST(CompiledFullEmptyTrap, ComesBackToTheAccessInThirteenCycles) {
    FullEmptyBench bench(1, 3);
    bench.load();
    static_cast<void>(bench.machine().run({.most_cycles = hw::Cycles(40'000)}));
    const nodes::Core::Statistics& core = bench.machine().node(hw::NodeId(0)).core.statistics();
    EXPECT_GT(core.full_empty_traps.value(), 500);
    EXPECT_NEAR(static_cast<double>(core.trap_cycles.value()) /
                    static_cast<double>(core.full_empty_traps.value()),
                13.0, 0.1);
}

}  // namespace
}  // namespace weir::firmware
