#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/models/testing/asked.h"

namespace weir::experiments::models {
namespace {

constexpr double kLatency = 20.0;
constexpr double kOverhead = 15.0;
constexpr double kGap = 0.5;
constexpr double kThreshold = 40.0;

Asked message(double bytes, double receiver_delay = 0.0) {
    return {"loggps-message",
            {{"latency_cycles", kLatency},
             {"overhead_cycles", kOverhead},
             {"gap_cycles_per_byte", kGap},
             {"threshold_bytes", kThreshold},
             {"message_bytes", bytes},
             {"receiver_delay_cycles", receiver_delay}}};
}

TEST(SynchronizedMessage, UpToTheThresholdItIsLoggps) {
    EXPECT_DOUBLE_EQ(message(40.0)["message_cycles"], 15.0 + 39.0 * 0.5 + 20.0 + 15.0);
    EXPECT_DOUBLE_EQ(message(40.0)["synchronization_cycles"], 0.0);
    EXPECT_DOUBLE_EQ(message(40.0, 500.0)["message_cycles"], 515.0);
    EXPECT_DOUBLE_EQ(message(40.0, 500.0)["sender_cycles"], 15.0 + 39.0 * 0.5);
}

// LogP's time of the CM-5's synchronous send, 3 (L + 2 o) + n g, with G for g.
TEST(SynchronizedMessage, AboveTheThresholdItIsThreeMessages) {
    EXPECT_DOUBLE_EQ(message(41.0)["message_cycles"], 3.0 * (20.0 + 2.0 * 15.0) + 40.0 * 0.5);
    const Asked logp("logp-long-message", {{"latency_cycles", kLatency},
                                           {"overhead_cycles", kOverhead},
                                           {"gap_cycles", kGap},
                                           {"small_messages", 40.0}});
    EXPECT_DOUBLE_EQ(message(41.0)["message_cycles"], logp["synchronous_send_cycles"]);
}

// Second computation: the protocol's events, one after the other, at both nodes.
TEST(SynchronizedMessage, FollowsTheProtocolsEvents) {
    for (const double delay : {0.0, 34.0, 36.0, 1000.0}) {
        double sender = kOverhead;                             // the question has left
        double receiver = std::max(sender + kLatency, delay);  // it arrives, or waits
        receiver += kOverhead;                                 // it is received
        receiver += kOverhead;                                 // the answer has left
        sender = receiver + kLatency + kOverhead;              // it is received
        sender += kOverhead + 99.0 * kGap;                     // the data have left
        EXPECT_DOUBLE_EQ(message(100.0, delay)["sender_cycles"], sender);
        EXPECT_DOUBLE_EQ(message(100.0, delay)["message_cycles"], sender + kLatency + kOverhead);
        EXPECT_DOUBLE_EQ(message(100.0, delay)["receiver_wait_cycles"],
                         std::max(0.0, delay - 35.0));
    }
}

}  // namespace
}  // namespace weir::experiments::models
