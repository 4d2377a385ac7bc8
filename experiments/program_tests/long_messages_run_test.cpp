#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiments/program_tests/testing/program_fixture.h"

namespace weir::experiments {
namespace {

using nlohmann::json;

// Results of the repository's experiments with long messages, unchanged.
class LongMessageExperimentTest : public ProgramTest {
  protected:
    [[nodiscard]] json points_of(const std::string& experiment) const {
        return result_of(std::string(WEIR_EXPERIMENTS) + "/" + experiment).at("points");
    }
    static double measured(const json& point, const char* metric) {
        return point.at("measured").at(metric).get<double>();
    }
    static double predicted(const json& point, const char* metric) {
        return point.at("predicted").at("loggp").at(metric).get<double>();
    }
};

// LoGPC Table 2: exact overheads; G within 1 %, L within a cycle.
TEST_F(LongMessageExperimentTest, Table2) {
    const json result = result_of(std::string(WEIR_EXPERIMENTS) + "/logpc/table2-body.toml");
    EXPECT_EQ(measured(result, "long_send_overhead_cycles"), 25.0);
    EXPECT_EQ(measured(result, "long_receive_overhead_cycles"), 129.0);
    EXPECT_NEAR(measured(result, "first_byte_latency_cycles"), 8.0, 1.0);
    EXPECT_NEAR(measured(result, "gap_cycles_per_byte"), 0.5, 0.005);
}

// LoGPC Figure 3. The peak is min(queue, 8 + 2 (header to DMA)), except for two bytes of the DMA's
// first cycles. The network is stopped for the arrival time of the bytes above the queue's size.
// The queue falls at the difference of the rates.
TEST_F(LongMessageExperimentTest, Figure3) {
    const json points = points_of("logpc/figure3-queue.toml");
    ASSERT_GE(points.size(), 3U);
    for (const json& point : points) {
        EXPECT_NEAR(measured(point, "input_queue_peak_bytes"),
                    predicted(point, "input_queue_peak_bytes"), 4.0);
        EXPECT_NEAR(measured(point, "network_stopped_cycles"),
                    predicted(point, "network_stopped_cycles"), 2.0);
        EXPECT_NEAR(measured(point, "input_queue_drained_bytes_per_cycle"), 32.0 / 11 - 2.0, 1e-9);
    }
    EXPECT_EQ(measured(points.at(0), "network_stopped_cycles"), 0.0);
    EXPECT_GT(measured(points.at(1), "network_stopped_cycles"), 30.0);
    EXPECT_EQ(measured(points.at(2), "network_stopped_cycles"), 0.0);
}

// LoGPC Figures 4 and 5. Where the network is the bottleneck, equation (2) holds up to the time of
// a burst at either end. From 10,000 bytes on, the bandwidth is within 1 % of its limit.
TEST_F(LongMessageExperimentTest, Figures4And5) {
    int constant = 0;
    for (const json& point : points_of("logpc/figure4-5-bandwidth.toml")) {
        const double bytes = point.at("predicted").at("loggp").at("inputs").at("message_bytes");
        const double end_to_end = measured(point, "end_to_end_cycles");
        EXPECT_GT(end_to_end, measured(point, "sender_cycles"));
        if (bytes > 1000.0) {
            EXPECT_NEAR(end_to_end, predicted(point, "end_to_end_cycles"), 32.0) << bytes;
        }
        if (bytes > 10'000.0) {
            EXPECT_NEAR(measured(point, "bandwidth_bytes_per_cycle"), 2.0, 0.02) << bytes;
            ++constant;
        }
    }
    EXPECT_GE(constant, 3);
}

}  // namespace
}  // namespace weir::experiments
