#include "experiments/analyses/processor_use.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "experiments/trace/testing/hand_made_trace.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::HasSubstr;

class ProcessorUseTest : public trace::TraceTest {
  protected:
    [[nodiscard]] std::vector<ProcessorUse> uses(trace::CycleWindow window,
                                                 std::size_t slices) const {
        return processor_use(trace::read_trace(file_), window, slices);
    }

  private:
    std::filesystem::path file_ = hand_made_file();
};

// Cycles 40 to 80 of two nodes: node 0 computes for 10, sends for 9 and waits; node 1 computes.
TEST_F(ProcessorUseTest, ASliceIsWhatTheCoresDidInIt) {
    const std::vector<ProcessorUse> found = uses({hw::Cycles(40), hw::Cycles(80)}, 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_DOUBLE_EQ(found[0].computing, (10 + 40) / 40.0);
    EXPECT_DOUBLE_EQ(found[0].communicating, 9 / 40.0);
    EXPECT_DOUBLE_EQ(found[0].idle, 21 / 40.0);
}

TEST_F(ProcessorUseTest, SlicesHaveAllProcessorsAndSumToTheWhole) {
    const trace::CycleWindow window{hw::Cycles(3), hw::Cycles(800)};
    const ProcessorUse whole = uses(window, 1).front();
    ProcessorUse mean;
    for (const ProcessorUse& use : uses(window, 7)) {
        EXPECT_NEAR(use.computing + use.communicating + use.idle, 2.0, 1e-9);
        mean.computing += use.computing / 7;
        mean.communicating += use.communicating / 7;
        mean.idle += use.idle / 7;
    }
    EXPECT_NEAR(mean.computing, whole.computing, 1e-9);
    EXPECT_NEAR(mean.communicating, whole.communicating, 1e-9);
    EXPECT_NEAR(mean.idle, whole.idle, 1e-9);
}

TEST_F(ProcessorUseTest, TheTableHasALineASlice) {
    const std::vector<ProcessorUse> found = uses({hw::Cycles(0), hw::Cycles(800)}, 4);
    EXPECT_THAT(processor_use_table(found), HasSubstr("\n200.0,400.0,"));
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("weir-processors-{}.csv", getpid());
    std::ofstream(file) << processor_use_table(found);
    const std::vector<ProcessorUse> read = read_processor_use(file);
    std::filesystem::remove(file);
    ASSERT_EQ(read.size(), 4U);
    EXPECT_EQ(read[1].begin_cycle, 200.0);
    EXPECT_NEAR(read[1].idle, found[1].idle, 1e-4);
    EXPECT_TRUE(read_processor_use(file).empty());
}

}  // namespace
}  // namespace weir::experiments::analyses
