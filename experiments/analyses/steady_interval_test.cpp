#include "experiments/analyses/steady_interval.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <vector>

namespace weir::experiments::analyses {
namespace {

using namespace records;

// 5,120 cycles: each of 512 slices has ten.
constexpr hw::Cycles kEnd(5120);

network::TrafficRecord record_of(std::int64_t packets, std::mt19937_64& generator) {
    network::TrafficRecord record(hw::Cycles(0), kEnd);
    std::vector<network::Packet> sent(static_cast<std::size_t>(packets));
    for (network::Packet& packet : sent) {
        packet.is_tagged = true;
        packet.generated = hw::Cycles(static_cast<std::int64_t>(generator() % 5120));
        packet.injected = packet.generated;
        record.generated(hw::Flits(1), packet.generated);
    }
    // Let all packets arrive; the record closes with the last arrival.
    for (const network::Packet& packet : sent) {
        record.arrived(packet, 1,
                       packet.generated + hw::Cycles(static_cast<std::int64_t>(generator() % 100)));
    }
    return record;
}

// Latencies are uniform over 0 to 99: mean 49.5, standard deviation 28.87. The mean of 20,000 has a
// standard deviation of 0.204, so half its interval is 0.4163 with 31 degrees of freedom. Intervals
// of 32 batches scatter by 12.7 %, and their mean over 100 records by 1.3 %.
TEST(SteadyIntervalTest, APacketsLatencyIsOfAllPackets) {
    std::mt19937_64 generator(1);
    double sum = 0.0;
    constexpr int kRecords = 100;
    for (int i = 0; i < kRecords; ++i) {
        const SteadyInterval interval = latency_interval(record_of(20'000, generator), 32);
        sum += interval.half_width.value();
        EXPECT_EQ(interval.batch_observations, 160);
    }
    EXPECT_NEAR(sum / kRecords, 0.4163, 4 * 0.013 * 0.4163);
}

TEST(SteadyIntervalTest, AFewPacketsSayNothing) {
    std::mt19937_64 generator(1);
    const SteadyInterval interval = latency_interval(record_of(100, generator), 32);
    EXPECT_FALSE(interval.is_believed());
    EXPECT_NE(interval.doubt.find("few"), std::string::npos);
}

TEST(SteadyIntervalTest, ComesBackFromJson) {
    SteadyInterval interval{.metric = "cycles_per_iteration",
                            .observations = "iterations",
                            .half_width = 1.25,
                            .batches = 32,
                            .batch_observations = 40,
                            .warm_up_observations = 35,
                            .measured_from_cycle = 1234,
                            .quarters_lag_1 = -0.125,
                            .doubt = "",
                            .length_key = "workload.iterations",
                            .lengths = {400, 1600},
                            .is_precise = true};
    EXPECT_EQ(to_json(steady_interval_from(to_json(interval))), to_json(interval));
    interval.half_width.reset();
    interval.length_key.clear();
    EXPECT_EQ(to_json(steady_interval_from(to_json(interval))), to_json(interval));
    EXPECT_FALSE(steady_interval_from(to_json(interval)).half_width.has_value());
}

}  // namespace
}  // namespace weir::experiments::analyses
