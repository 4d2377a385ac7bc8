#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::weir::testing::Names;

// Faulty hardware, as seen by a user.
class FaultyRunTest : public ProgramTest {
  protected:
    FaultyRunTest() { write("remap.toml", kSmallRemap); }

    [[nodiscard]] ProgramEnd run_with(const std::string& setting, Arguments more = {}) {
        more.insert(more.begin(), {"run", "remap.toml", "--out", "out", "--set", setting});
        return weir(more);
    }
};

TEST_F(FaultyRunTest, ARunThatWaitsForALostMessageSaysWhichAndWhere) {
    const ProgramEnd ended = run_with("faults.lost_flits=(1,0) +x @ 300");
    EXPECT_EQ(ended.status, 3);
    EXPECT_THAT(ended.error,
                ContainsRegex(
                    "hardware: {1}message [^:\n]*header [^:\n]*\\(1,0\\) \\+x [^:\n]*cycle [0-9]"));
}

TEST_F(FaultyRunTest, ARunThatWaitsForANodeSaysThatItFailed) {
    const ProgramEnd ended = run_with("faults.failing_nodes=5 @ 1000");
    EXPECT_EQ(ended.status, 3);
    EXPECT_THAT(ended.error, Names("hardware", "node 5", "failed", "cycle 1000"));
}

TEST_F(FaultyRunTest, AWrongBodyIsAWrongAnswerThatIsKnown) {
    write("bodies.toml",
          "extends = \"alewife\"\n[machine]\nnodes = 2\n[network]\ndimensions = [2, 1]\n"
          "[workload]\nkernel = \"body-ping\"\n[faults]\nflipped_flits_per_million = 300\n");
    const ProgramEnd ended = weir({"run", "bodies.toml", "--out", "out"});
    EXPECT_EQ(ended.status, 4) << ended.error;
    EXPECT_THAT(ended.error, Names("wrong", "body"));
}

TEST_F(FaultyRunTest, DeadLinksAreOnThePageAndMakeWaysLonger) {
    const nlohmann::json whole = result_of("remap.toml", {"--out", "whole"});
    const nlohmann::json result =
        result_of("remap.toml", {"--out", "dead", "--set", "faults.dead_link_percent=20"});
    EXPECT_EQ(result.at("network").at("topology"), "mesh 4 x 2 without 4 channels");
    EXPECT_EQ(result.at("measured").at("messages_lost"), 0.0);
    EXPECT_FALSE(whole.at("measured").contains("messages_lost"));
    EXPECT_GT(result.at("measured").at("latency_cycles"),
              whole.at("measured").at("latency_cycles"));
}

// Any hardware fault during a run, in any order of ticks.
TEST_F(FaultyRunTest, TheSameFailsInEveryOrderOfTicks) {
    for (const char* setting :
         {"faults.stuck_credits=(1,0) +x @ 300; (1,0) +x @ 301; (1,0) +x @ 302",
          "faults.dead_link_percent=20"}) {
        const auto digests_with = [&](const std::string& order) {
            const std::string folder = order + " " + setting;
            static_cast<void>(output_of({"run", "remap.toml", "--out", folder, "--set", setting,
                                         "--set", "clock.tick_order=" + order}));
            return digests_of(folder);
        };
        const std::string in_wake_order = digests_with("wake");
        EXPECT_EQ(digests_with("shuffled"), in_wake_order) << setting;
        EXPECT_EQ(digests_with("reversed"), in_wake_order) << setting;
    }
}

TEST_F(FaultyRunTest, WhatFailsLaterChangesNothing) {
    const auto digests_with = [this](const std::string& setting, const char* folder) {
        static_cast<void>(output_of({"run", "remap.toml", "--out", folder, "--set", setting}));
        return digests_of(folder);
    };
    EXPECT_EQ(digests_with("faults.failing_nodes=5 @ 100000000", "late"),
              digests_with("network.flit_by_flit=false", "never"));
}

TEST_F(FaultyRunTest, AChannelThatThereIsNotIsRefused) {
    const ProgramEnd ended = run_with("faults.failing_channels=(9,0) +x @ 300");
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.error, Names("--set faults.failing_channels=(9,0) +x @ 300", "(9,0) +x",
                                   "mesh 4 x 2", "(0,0) +x"));
}

}  // namespace
}  // namespace weir::experiments
