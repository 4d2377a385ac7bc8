#include "experiments/running/sweeps/points/run_outcome.h"

#include <gtest/gtest.h>

#include <limits>

#include "experiments/running/processes/exit_status.h"

namespace weir::experiments::running {
namespace {

TEST(RunOutcomeTest, StatusesByExitStatus) {
    EXPECT_STREQ(status_name(status_of(kSuccess)), "ok");
    EXPECT_STREQ(status_name(status_of(kDeadlock)), "deadlocked");
    EXPECT_STREQ(status_name(status_of(kBadInput)), "bad");
    EXPECT_STREQ(status_name(status_of(kWrongAnswer)), "failed");
    EXPECT_STREQ(status_name(status_of(kBug)), "failed");
}

TEST(RunOutcomeTest, StatusesByTheEndOfTheRun) {
    using nodes::RunEnd;
    EXPECT_STREQ(status_name(status_at_end(RunEnd::kFinished, kSuccess)), "ok");
    EXPECT_STREQ(status_name(status_at_end(RunEnd::kFinished, kWrongAnswer)), "failed");
    EXPECT_STREQ(status_name(status_at_end(RunEnd::kDeadlock, kDeadlock)), "deadlocked");
    EXPECT_STREQ(status_name(status_at_end(RunEnd::kNoProgress, kDeadlock)), "deadlocked");
    EXPECT_STREQ(status_name(status_at_end(RunEnd::kStarved, kDeadlock)), "starved");
    EXPECT_STREQ(status_name(status_at_end(RunEnd::kCycleLimit, kDeadlock)),
                 "reached run.most_cycles");
    EXPECT_STREQ(status_name(status_at_end(RunEnd::kCycleLimit, kBug)), "failed");
}

TEST(RunOutcomeTest, UnitsAreTheDeclaredOnes) {
    const auto unit = [](const char* metric) { return unit_of({"measured", metric, 0.0}); };
    EXPECT_EQ(unit("cycles_per_iteration"), "cycles");
    EXPECT_EQ(unit("cycles_per_byte"), "cycles/byte");
    EXPECT_EQ(unit("gap_cycles_per_byte"), "cycles/byte");
    EXPECT_EQ(unit("remap_bytes_per_cycle"), "bytes/cycle");
    EXPECT_EQ(unit("requests_per_cycle"), "1/cycle");
    EXPECT_EQ(unit("send_overhead_cycles_2"), "cycles");
    EXPECT_EQ(unit("input_queue_peak_bytes"), "bytes");
    EXPECT_EQ(unit("lopc_over_measured_percent"), "%");
    EXPECT_EQ(unit("accepted_load"), "flits/node/cycle");
    EXPECT_EQ(unit("messages_measured"), "1");
    EXPECT_EQ(unit_of({"round_trip", "network unloaded", 0.0}), "cycles");
}

TEST(RunOutcomeTest, EveryFactIsInTheDigest) {
    RunOutcome outcome;
    outcome.message = "a";
    outcome.result_json = "{}";
    const std::string digest = outcome_digest(outcome, "{}");
    EXPECT_EQ(digest.size(), 32U);
    EXPECT_NE(outcome_digest(outcome, "{ }"), digest);
    RunOutcome other = outcome;
    other.message = "a{";
    other.result_json = "}";
    EXPECT_NE(outcome_digest(other, "{}"), digest);
    other = outcome;
    other.exit_status = 3;
    EXPECT_NE(outcome_digest(other, "{}"), digest);
    other = outcome;
    other.host_seconds = 3.0;
    EXPECT_EQ(outcome_digest(other, "{}"), digest);
}

TEST(RunOutcomeTest, GoesFromProcessToProcess) {
    RunOutcome outcome;
    outcome.status = RunStatus::kDeadlocked;
    outcome.exit_status = 3;
    outcome.message = "who waits\nfor whom";
    outcome.digest = "d";
    outcome.cycles = std::int64_t{1} << 60;
    outcome.host_seconds = 0.1;
    outcome.metrics = {{"measured", "x", 1.0 / 3.0},
                       {"lopc", "x", std::numeric_limits<double>::quiet_NaN()}};
    outcome.result_json = R"({"a": [1, 2]})";
    const RunOutcome arrived = outcome_from(to_text(outcome));
    EXPECT_EQ(arrived.status, outcome.status);
    EXPECT_EQ(arrived.exit_status, 3);
    EXPECT_EQ(arrived.message, outcome.message);
    EXPECT_EQ(arrived.digest, "d");
    EXPECT_EQ(arrived.cycles, outcome.cycles);
    EXPECT_EQ(arrived.result_json, outcome.result_json);
    ASSERT_EQ(arrived.metrics.size(), 1U);  // the metric with the value NaN is left out
    EXPECT_EQ(arrived.metrics[0].value, 1.0 / 3.0);
}

}  // namespace
}  // namespace weir::experiments::running
