#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/program_tests/testing/program_fixture.h"
#include "experiments/trace/testing/foreign_trace_text.h"
#include "hw/testing/names.h"

namespace weir::experiments {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::weir::testing::Names;
using ::weir::testing::NamesMatcher;

// Validation of traces that Weir did not write.
class ForeignRunTest : public ProgramTest {
  protected:
    static constexpr const char* kElsewhere = R"(extends = "alewife"
[machine]
nodes = 2
[network]
dimensions = [2, 1]
[workload]
kernel = "remap"
[models]
compare = ["logp"]
[published]
cycles_per_iteration = { value = 200, tolerance = 0.01, source = "by hand" }
latency_cycles = { value = 18, source = "by hand" }
interference_cycles = { value = 0, source = "by hand" }
)";
    ForeignRunTest() {
        write("elsewhere.toml", kElsewhere);
        trace::run_sql_on(file("whole.sqlite"),
                          std::string(trace::kForeignTrace) + trace::kForeignIntervals);
        trace::run_sql_on(file("part.sqlite"), trace::kForeignTrace);
    }

    [[nodiscard]] json checks_of(const Arguments& options) const {
        Arguments arguments{"validate", "elsewhere.toml", "--json"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return json::parse(weir(arguments).output).at("experiments").at(0).at("checks");
    }
    void expect_refused(const Arguments& arguments, const NamesMatcher& message) const {
        const ProgramEnd end = weir(arguments);
        EXPECT_EQ(end.status, 2);
        EXPECT_EQ(end.output, "");
        EXPECT_THAT(end.error, message);
    }
};

// LogP's round trip is 2 (o_s + L + o_r). Sends take 10 and 12 cycles; handlers without their sends
// take 60 and 48.
TEST_F(ForeignRunTest, IsMeasuredAndComparedAsWeirsOwn) {
    const json checks = checks_of({"--trace", "whole.sqlite"});
    EXPECT_EQ(checks.at(0).at("metric"), "cycles_per_iteration");
    EXPECT_EQ(checks.at(0).at("measured"), 200.0);
    EXPECT_TRUE(checks.at(0).at("predicted").contains("logp"));
    EXPECT_EQ(checks.at(1).at("measured"), 18.0);
    EXPECT_EQ(checks.at(2).at("measured"), 0.0);
}

TEST_F(ForeignRunTest, SaysWhatIsNotInATrace) {
    const std::string page = output_of({"validate", "elsewhere.toml", "--trace", "part.sqlite"});
    EXPECT_THAT(page, HasSubstr("core_intervals"));
    const json checks = checks_of({"--trace", "part.sqlite"});
    EXPECT_EQ(checks.at(0).at("measured"), 200.0);
    EXPECT_FALSE(checks.at(2).contains("measured"));
    // LogP needs the thread's computation time, which this trace lacks, so there is no prediction.
    EXPECT_FALSE(checks.at(0).at("predicted").contains("logp"));
    EXPECT_THAT(page, Not(HasSubstr("nan")));
    EXPECT_THAT(output_of({"validate", "elsewhere.toml", "--trace", "whole.sqlite"}),
                Not(HasSubstr("core_intervals")));
}

TEST_F(ForeignRunTest, SeveralTracesAreRunsOfOneExperiment) {
    trace::run_sql_on(
        file("slower.sqlite"),
        std::string(trace::kForeignTrace) + trace::kForeignIntervals +
            "UPDATE messages SET handler_end_cycle = 410 WHERE message_id = 1099511627777;"
            "UPDATE core_intervals SET end_cycle = 410 WHERE node = 0 AND begin_cycle = 340;");
    const json check = checks_of({"--trace", "whole.sqlite", "--trace", "slower.sqlite"}).at(0);
    EXPECT_EQ(check.at("measured"), 205.0);
    // Standard error: 5; t with one degree of freedom: 12.7062.
    EXPECT_NEAR(check.at("confidence_half_width_95").get<double>(), 63.531, 0.001);
}

TEST_F(ForeignRunTest, ATraceOfWeirsOwnSaysWhatTheRunSaid) {
    write("remap.toml", kSmallRemap);
    const json run = result_of("remap.toml", {"--out", "out"});
    write("published.toml",
          std::string(kSmallRemap) +
              "[published]\ncycles_per_iteration = { value = 1, source = \"the run\" }\n");
    const json check = json::parse(output_of({"validate", "published.toml", "--json", "--trace",
                                              "out/point-01-seed-1/trace.weir"}))
                           .at("experiments")
                           .at(0)
                           .at("checks")
                           .at(0);
    EXPECT_EQ(check.at("measured"), run.at("measured").at("cycles_per_iteration"));
}

TEST_F(ForeignRunTest, AMissedToleranceIsStatus1) {
    trace::run_sql_on(
        file("slow.sqlite"),
        std::string(trace::kForeignTrace) +
            "UPDATE messages SET handler_end_cycle = 450 WHERE message_id = 1099511627777;");
    EXPECT_EQ(weir({"validate", "elsewhere.toml", "--trace", "slow.sqlite"}).status, 1);
}

TEST_F(ForeignRunTest, WhatCannotBeIsRefused) {
    expect_refused({"validate", "elsewhere.toml", "--trace", "absent.sqlite"},
                   Names("absent.sqlite:", "open", "trace"));
    expect_refused({"validate", "elsewhere.toml", "elsewhere.toml", "--trace", "part.sqlite"},
                   Names("one", "experiment"));
    write("larger.toml", std::string("extends = \"alewife\"\n[workload]\nkernel = \"remap\"\n"));
    expect_refused({"validate", "larger.toml", "--trace", "part.sqlite"},
                   Names("32 nodes", "part.sqlite", "2"));
    write("points.toml", std::string(kElsewhere) +
                             "[[point]]\nlabel = \"a\"\n[[point]]\n"
                             "label = \"b\"\nnetwork.hop_cycles = 2\n");
    expect_refused({"validate", "points.toml", "--trace", "part.sqlite"},
                   Names("2 points", "trace", "one"));
    trace::run_sql_on(file("part.sqlite"),
                      "UPDATE messages SET launch_cycle = 40 WHERE message_id = 0");
    expect_refused({"validate", "elsewhere.toml", "--trace", "part.sqlite"},
                   Names("launch_cycle", "message_id = 0", "40", "compose_cycle"));
}

TEST_F(ForeignRunTest, TheSchemaIsPrinted) {
    const std::string schema = output_of({"trace", "schema"});
    trace::run_sql_on(file("empty.sqlite"), schema);
    EXPECT_THAT(schema, ContainsRegex("notify_cycle INTEGER, +-- [a-z]"));
}

}  // namespace
}  // namespace weir::experiments
