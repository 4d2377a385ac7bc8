#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

Asked machine(double bytes, double messages = 1.0) {
    return {"plogp",
            {{"latency_cycles", 30.0},
             {"measured_bytes", std::vector<double>{0.0, 8.0, 1000.0}},
             {"send_overhead_cycles", std::vector<double>{10.0, 14.0, 25.0}},
             {"receive_overhead_cycles", std::vector<double>{40.0, 44.0, 60.0}},
             {"gap_cycles", std::vector<double>{50.0, 58.0, 554.0}},
             {"message_bytes", bytes},
             {"messages", messages}}};
}

// The table that gives LogP's and LogGP's parameters in terms of PLogP's.
TEST(Plogp, GivesLogpsAndLoggpsParameters) {
    const Asked plogp = machine(1000.0);
    EXPECT_DOUBLE_EQ(plogp["logp_gap_cycles"], 51.0);
    EXPECT_DOUBLE_EQ(plogp["logp_overhead_cycles"], (10.5 + 40.5) / 2.0);
    EXPECT_DOUBLE_EQ(plogp["logp_latency_cycles"], 30.0 + 51.0 - 10.5 - 40.5);
    EXPECT_DOUBLE_EQ(plogp["loggp_gap_cycles_per_byte"], 0.554);
    // A message of one byte takes L + 2 o of LogP.
    EXPECT_DOUBLE_EQ(machine(1.0)["message_cycles"],
                     plogp["logp_latency_cycles"] + 2.0 * plogp["logp_overhead_cycles"]);
}

TEST(Plogp, TimesAreLinesBetweenMeasuredSizes) {
    EXPECT_DOUBLE_EQ(machine(8.0)["message_cycles"], 88.0);
    EXPECT_DOUBLE_EQ(machine(4.0)["message_cycles"], 84.0);
    EXPECT_DOUBLE_EQ(machine(504.0)["interval_cycles"], 58.0 + 496.0 * 0.5);
    EXPECT_DOUBLE_EQ(machine(2000.0)["interval_cycles"], 554.0 + 500.0);
    EXPECT_THAT(machine(2000.0).notes().back(), Names("extrapolated"));
    EXPECT_DOUBLE_EQ(machine(8.0)["round_trip_cycles"], 30.0 + 58.0 + 30.0 + 50.0);
}

// A pipeline of stages: the sender takes o_s, the network the rest of g, and the receiver o_r. It
// delivers messages g(m) apart, and the last one L + k g(m) after the first begin.
TEST(Plogp, MessagesInARowAreAPipeline) {
    constexpr int kMessages = 20;
    constexpr double kSend = 14.0;
    constexpr double kReceive = 44.0;
    constexpr double kGap = 58.0;
    double network_free = 0.0;
    double receiver_free = 0.0;
    double received = 0.0;
    for (int i = 0; i < kMessages; ++i) {
        const double begin = network_free;
        network_free = begin + kGap;
        // The send and the reception overlap with the gap; the rest of L + g(m) is the trip.
        const double arrival = begin + kSend + (30.0 + kGap - kSend - kReceive);
        received = std::max(arrival, receiver_free) + kReceive;
        receiver_free = received;
    }
    EXPECT_DOUBLE_EQ(machine(8.0, kMessages)["row_cycles"], received);
}

TEST(Plogp, FaultyTablesAreRefused) {
    EXPECT_THAT(model_refusal(machine(8.0).set("gap_cycles", std::vector<double>{1.0})),
                Names("gap_cycles", "1", "3"));
    EXPECT_THAT(
        model_refusal(machine(8.0).set("measured_bytes", std::vector<double>{0.0, 8.0, 8.0})),
        Names("measured_bytes", "ascending"));
}

}  // namespace
}  // namespace weir::experiments::models
