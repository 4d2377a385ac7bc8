#include "experiments/models/logpc/logpc_long_message.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/models/logpc/loggp_long_message.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// LoGPC (2001), Table 2; k_d of 4 hops on the 4 x 8 mesh.
constexpr double kSendOverhead = 25.0;
constexpr double kLatency = 8.0;
constexpr double kGap = 0.5;
constexpr double kHeader = 8.0;

LogpcNetworkInputs network_with(double bytes, double channel_cycles_per_byte = 1.0) {
    return {.dimensions = 2,
            .mean_distance_per_dimension = 2.0,
            .message_bytes = bytes,
            .channel_cycles_per_byte = channel_cycles_per_byte};
}

LogpcRemap remap(double bytes, double channel_cycles_per_byte = 1.0) {
    return solve_logpc_long_remap({.send_overhead_cycles = kSendOverhead,
                                   .header_bytes = kHeader,
                                   .gap_cycles_per_byte = kGap,
                                   .network = network_with(bytes, channel_cycles_per_byte)});
}

// Equation (10) written out, at the rate of (7).
TEST(LogpcLongMessage, IsLoggpsWithItsWaiting) {
    for (const double bytes : {100.0, 1000.0, 16000.0}) {
        const LogpcLongMessage message = solve_logpc_long_message(kSendOverhead, kLatency, kGap,
                                                                  network_with(bytes), 3.0 * bytes);
        const double rate = message.network.messages_per_cycle_per_node;
        const double waiting = 3.0 * 1.0 * bytes * bytes * rate / 2.0 / (1.0 - rate * bytes);
        const double printed = kSendOverhead + (bytes - 1.0) * kGap + kLatency + waiting;
        EXPECT_NEAR(message.end_to_end_cycles, printed, 1e-12 * printed) << bytes;
        EXPECT_DOUBLE_EQ(message.latency_cycles, kLatency + message.network.contention_cycles);
        EXPECT_EQ(message.contention_free_cycles,
                  loggp_network_limited_cycles(kSendOverhead, kLatency, kGap, bytes));
    }
}

// As m tends to 0, LoGPC tends to LogGP. The difference is of the order of B^2/T.
TEST(LogpcLongMessage, IsLoggpsWhereMessagesAreRare) {
    for (const double intermessage : {1e9, 1e12, 1e15}) {
        const LogpcLongMessage message = solve_logpc_long_message(
            kSendOverhead, kLatency, kGap, network_with(1000.0), intermessage);
        EXPECT_NEAR(message.end_to_end_cycles, 532.5, 1.6e6 / intermessage);
        EXPECT_GE(message.end_to_end_cycles, 532.5);
    }
}

TEST(LogpcLongMessage, RefusesWhatItsPartsRefuse) {
    EXPECT_THROW(solve_logpc_long_message(kNotGiven, kLatency, kGap, network_with(100.0), 100.0),
                 ModelError);
    EXPECT_THROW(solve_logpc_long_message(kSendOverhead, kLatency, kGap, network_with(0.0), 100.0),
                 ModelError);
    EXPECT_THROW(solve_logpc_long_message(kSendOverhead, kLatency, kGap, network_with(100.0), -1.0),
                 ModelError);
}

// Section 5.1.3: a node injects one message per B cycles without contention and one per 2.22 B with
// contention, for every B. The measured 2.03 B are 9 % below. The tolerance is half of the last
// digit.
TEST(LogpcLongRemap, InjectsAMessageEvery222TimesItsBytes) {
    for (const double bytes : {100.0, 1000.0, 16000.0, 1e6}) {
        const LogpcRemap r = remap(bytes);
        EXPECT_EQ(r.contention_free_iteration_cycles, bytes);
        EXPECT_NEAR(r.network.intermessage_cycles / bytes, 2.22, 0.005);
        EXPECT_DOUBLE_EQ(r.network.intermessage_cycles, r.bound.cycles_per_byte * bytes);
        EXPECT_DOUBLE_EQ(r.bound.inflation, 1.0 + std::sqrt(1.5));
    }
}

// The abstract's "up to 50 percent" is 1 - 1/2.03, the measured rate; the model gives 55 %.
TEST(LogpcLongRemap, ContentionIsHalfOfTheTime) {
    EXPECT_NEAR(1.0 - 1.0 / remap(1000.0).bound.inflation, 0.55, 0.005);
}

// Channels held for G B cycles: a message every 1.41 B cycles.
TEST(LogpcLongRemap, InjectsAMessageEvery141TimesItsBytesWhereChannelsAreHeldForCycles) {
    EXPECT_NEAR(remap(1000.0, kGap).network.intermessage_cycles / 1000.0, 1.41, 0.005);
}

// Section 5.1.3: o_s + (B-1) G + (B-1-a) G, approximately 2 B G.
TEST(LogpcLongRemap, IterationIsApproximatelyTwiceTheGap) {
    EXPECT_EQ(remap(1000.0).exact_iteration_cycles, 25.0 + 999.0 * 0.5 + 991.0 * 0.5);
    EXPECT_NEAR(remap(1e6).exact_iteration_cycles / 1e6, 1.0, 1e-4);
    EXPECT_GT(remap(1000.0).exact_network.intermessage_cycles,
              remap(1000.0).network.intermessage_cycles);
}

TEST(LogpcLongRemap, TakesAnyNetworkAndGap) {
    double last = 1.0;
    for (const double distance : {1.25, 2.0, 4.0, 16.0}) {
        LogpcNetworkInputs network = network_with(1000.0);
        network.dimensions = 3;
        network.mean_distance_per_dimension = distance;
        const LogpcRemap r = solve_logpc_long_remap({kSendOverhead, kHeader, 2.0, network});
        // Equation (13) written out.
        const double m = r.network.messages_per_cycle_per_node;
        const double waiting =
            4.0 * (distance - 1.0) * 1e6 * m / 2.0 / (1.0 - m * 1000.0 * distance / 2.0);
        EXPECT_NEAR(1.0 / (2.0 * 2.0 * 1000.0 + waiting), m, 1e-10 * m) << distance;
        EXPECT_GT(r.bound.inflation, last);
        last = r.bound.inflation;
    }
}

TEST(LogpcLongRemap, RefusesMessagesShorterThanTheirHeader) {
    EXPECT_THROW(remap(8.0), ModelError);
    EXPECT_NO_THROW(remap(9.0));
    EXPECT_THROW(remap(kNotGiven), ModelError);
    EXPECT_THROW(
        solve_logpc_long_remap(
            {.send_overhead_cycles = 25.0, .header_bytes = 8.0, .network = network_with(100.0)}),
        ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
