#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

Asked log_np(const std::vector<double>& overheads, const std::vector<double>& latencies) {
    return {"log-np", {{"overhead_cycles", overheads}, {"latency_cycles", latencies}}};
}

TEST(LogNp, AMessageIsTheSumOfItsTransfers) {
    const Asked message = log_np({100.0, 300.0, 120.0, 80.0}, {50.0, 0.0, 30.0, 0.0});
    EXPECT_DOUBLE_EQ(message["message_cycles"], 680.0);
    EXPECT_DOUBLE_EQ(message["contiguous_cycles"], 600.0);
    EXPECT_DOUBLE_EQ(message["transfers"], 4.0);
}

// LogP is log_3P with its overhead at both ends and its latency between them.
TEST(LogNp, LogpIsACase) {
    const Asked logp("logp-point-to-point", {{"latency_cycles", 20.0},
                                             {"send_overhead_cycles", 15.0},
                                             {"receive_overhead_cycles", 15.0},
                                             {"gap_cycles", 4.0}});
    EXPECT_DOUBLE_EQ(log_np({15.0, 20.0, 15.0}, {0.0, 0.0, 0.0})["message_cycles"],
                     logp["message_cycles"]);
}

// Second computation: memory logP's message of one packet, and log_nP of the same transfers.
TEST(Log3p, IsMemoryLogpsMessageOfOnePacket) {
    const Asked memory("memory-logp-message", {{"memory_overhead_cycles_per_byte", 1.0},
                                               {"memory_latency_cycles_per_byte", 2.5},
                                               {"word_bytes", 8.0},
                                               {"message_bytes", 1024.0},
                                               {"network_packet_bytes", 1024.0},
                                               {"latency_cycles", 700.0},
                                               {"overhead_cycles", 0.0},
                                               {"gap_cycles", 0.0}});
    // Packing and unpacking have a mean l of 2.5.
    const Asked log_3p("log-3p", {{"message_bytes", 1024.0},
                                  {"source_overhead_cycles_per_byte", 1.0},
                                  {"source_latency_cycles_per_byte", 2.0},
                                  {"network_overhead_cycles", 188.0},
                                  {"network_cycles_per_byte", 0.5},
                                  {"destination_overhead_cycles_per_byte", 1.0},
                                  {"destination_latency_cycles_per_byte", 3.0}});
    EXPECT_DOUBLE_EQ(log_3p["message_cycles"], memory["message_cycles"]);
    EXPECT_DOUBLE_EQ(log_np({1024.0, 188.0, 1024.0}, {2048.0, 512.0, 3072.0})["message_cycles"],
                     log_3p["message_cycles"]);
    EXPECT_DOUBLE_EQ(log_3p["middleware_share"], 7168.0 / 7868.0);
}

TEST(LogNp, EachTransferHasBothTimes) {
    EXPECT_THAT(model_refusal(log_np({1.0, 2.0}, {0.0})), Names("latency_cycles", "1", "2"));
}

}  // namespace
}  // namespace weir::experiments::models
