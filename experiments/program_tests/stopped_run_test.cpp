#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

/// `weir run --until CYCLE`: a stop is no failure, and shows the machine's state.
namespace weir::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

class StoppedRunTest : public ProgramTest {
  protected:
    StoppedRunTest() { write("remap.toml", kSmallRemap); }
    static constexpr const char* kState = "point-01-seed-1/state.txt";
};

TEST_F(StoppedRunTest, TheStateOfTheMachineIsShown) {
    const ProgramEnd end = weir({"run", "remap.toml", "--out", "it", "--until", "500"});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_THAT(words_of(end.output), Names("stopped", "cycle 500", "8 of 8"));
    const std::string state = read(std::string("it/") + kState);
    EXPECT_THAT(state,
                Names("Cycle 500", "8 of 8", "waits for", "Queues", "bytes", "message", "to node"));
    static_cast<void>(output_of({"report", "it", "-o", "page.html"}));
    EXPECT_THAT(read("page.html"), HasSubstr(state.substr(0, state.find('\n'))));
}

TEST_F(StoppedRunTest, AStopRepeatsExactly) {
    for (const char* folder : {"first", "second"}) {
        EXPECT_EQ(weir({"run", "remap.toml", "--out", folder, "--until", "777"}).status, 0);
    }
    EXPECT_EQ(read(std::string("first/") + kState), read(std::string("second/") + kState));
}

TEST_F(StoppedRunTest, ARunThatEndsBeforeIsWhole) {
    const std::string page = output_of({"run", "remap.toml", "--out", "it", "--until", "9000000"});
    EXPECT_THAT(page, HasSubstr("measured"));
    EXPECT_THAT(page, Not(HasSubstr("stopped")));
}

TEST_F(StoppedRunTest, ALaterCallContinuesToTheEnd) {
    EXPECT_EQ(weir({"run", "remap.toml", "--out", "it", "--until", "500"}).status, 0);
    EXPECT_THAT(output_of({"run", "remap.toml", "--resume", "it"}), HasSubstr("measured"));
}

TEST_F(StoppedRunTest, ACycleThatIsNoneIsRefused) {
    for (const char* cycle : {"0", "-5", "soon", "1.5"}) {
        EXPECT_THAT(refused({"run", "remap.toml", std::string("--until=") + cycle}),
                    Names("--until", cycle));
    }
}

}  // namespace
}  // namespace weir::experiments
