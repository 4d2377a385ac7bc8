#include "experiments/models/logpc/logpc_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/models/logpc/testing/alewife_network.h"
#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

// Tolerance: rounding of a square root and a dozen sums and products in double.
constexpr double kRounding = 1e-13;

struct Point {
    LogpcNetworkInputs inputs;
    double intermessage;
};

std::vector<Point> grid() {
    std::vector<Point> points;
    for (const int dimensions : {1, 2, 3, 10}) {
        for (const double distance : {1.0 + 1e-9, 1.25, kAlewifeDistance, 2.0, 16.0, 1e6}) {
            for (const double bytes : {1.0, 16.0, 44.0, 1e3, 1e6, 1e15}) {
                for (const double intermessage : {0.0, 1.0, 137.0, 158.0, 1e4, 1e15}) {
                    points.push_back({{dimensions, distance, bytes}, intermessage});
                }
            }
        }
    }
    return points;
}

std::string text(const Point& point) {
    return "n=" + std::to_string(point.inputs.dimensions) +
           " k_d=" + shortest_text(point.inputs.mean_distance_per_dimension) +
           " B=" + shortest_text(point.inputs.message_bytes) +
           " T=" + shortest_text(point.intermessage);
}

void expect_close(double left, double right, const std::string& what) {
    EXPECT_NEAR(left, right, kRounding * std::max(std::abs(left), std::abs(right))) << what;
}

TEST(LogpcNetwork, SolutionSatisfiesEveryEquationOfThePaper) {
    for (const Point& point : grid()) {
        const double n = point.inputs.dimensions;
        const double k = point.inputs.mean_distance_per_dimension;
        const double bytes = point.inputs.message_bytes;
        const LogpcNetworkSolution s = solve_logpc_network(point.inputs, point.intermessage);
        const double m = s.messages_per_cycle_per_node;
        expect_close(s.channel_utilization, bytes * m * k / 2.0, "(4) at " + text(point));
        expect_close(s.contention_cycles, n * k * s.contention_per_hop_cycles,
                     "(6) at " + text(point));
        expect_close(m, 1.0 / (point.intermessage + s.contention_cycles), "(7) at " + text(point));
        expect_close(m * s.intermessage_cycles, 1.0, "T_c at " + text(point));
        // (3) divides by 1 - rho, which loses digits as rho nears 1. Multiplied by 1 - rho, the
        // equation holds to rounding.
        const double idle = 1.0 - s.channel_utilization;
        EXPECT_NEAR(s.contention_per_hop_cycles * idle,
                    s.channel_utilization * bytes * (k - 1.0) / (k * k) * (1.0 + 1.0 / n),
                    kRounding * (s.contention_per_hop_cycles + bytes))
            << "(3) at " << text(point);
        EXPECT_LE(s.channel_utilization, 1.0) << text(point);
    }
}

// The closed model agrees with the open model at the closed model's rate. Near saturation the open
// model divides by 1 - rho, which loses digits.
TEST(LogpcNetwork, ClosedModelIsTheOpenOneAtItsOwnRate) {
    for (const Point& point : grid()) {
        const LogpcNetworkSolution s = solve_logpc_network(point.inputs, point.intermessage);
        if (s.channel_utilization > 0.999) {
            continue;
        }
        const double open =
            solve_agarwal_network(point.inputs, s.messages_per_cycle_per_node).contention_cycles;
        EXPECT_NEAR(open, s.contention_cycles, 1e3 * kRounding * s.contention_cycles)
            << text(point);
    }
}

// Independent solution of the closed model: bisection of C_n against the open model's answer,
// without the quadratic.
TEST(LogpcNetwork, ClosedModelIsTheFixedPointOfItsFeedback) {
    for (const double bytes : {16.0, 44.0, 100.0, 1000.0}) {
        double low = 0.0;
        double high = 100.0 * bytes;
        for (int step = 0; step < 100; ++step) {
            const double contention = (low + high) / 2.0;
            const double rate = 1.0 / (158.0 + contention);
            const bool saturated = rate * bytes * kAlewifeDistance / 2.0 >= 1.0;
            const bool more =
                saturated ||
                solve_agarwal_network(alewife_with(bytes), rate).contention_cycles > contention;
            (more ? low : high) = contention;
        }
        // The bisection ends within a rounding of C_n, which 1 - rho (0.3 or more here) may
        // magnify.
        EXPECT_NEAR(solve_logpc_network(alewife_with(bytes), 158.0).contention_cycles, low,
                    10.0 * kRounding * low);
    }
}

// LoGPC, sections 3.4 and 5.1.3, equations (13) and (14): one message every 2.22 B cycles. The
// value needs k_d = 2, where F = 1 + sqrt(3/2); the 3.875 hops of (11) give 2.17. Tolerances are
// half of the last digit.
TEST(LogpcNetwork, MaximalInjectionIsInflatedBy222) {
    const LogpcMaximalInjection rounded = max_injection_inflation({2, 2.0}, 0.5);
    EXPECT_NEAR(rounded.cycles_per_byte, 2.22, 0.005);
    EXPECT_DOUBLE_EQ(rounded.cycles_per_byte, 1.0 + std::sqrt(1.5));
    EXPECT_DOUBLE_EQ(rounded.inflation, rounded.cycles_per_byte);  // T_c/T = F/(2G), and 2G = 1

    EXPECT_NEAR(max_injection_inflation({2, kAlewifeDistance}, 0.5).inflation, 2.17, 0.005);
}

TEST(LogpcNetwork, MaximalInjectionIsTheSameForEveryMessageLength) {
    const double inflation = max_injection_inflation({2, kAlewifeDistance}, 0.5).inflation;
    for (const double bytes : {1.0, 44.0, 1e4, 1e9}) {
        expect_close(solve_logpc_network(alewife_with(bytes), bytes).intermessage_cycles,
                     inflation * bytes, "B=" + shortest_text(bytes));
    }
}

// A faster network interface (smaller G) offers the same channels more load; its slowdown is
// larger.
TEST(LogpcNetwork, MaximalInjectionDependsOnTheGap) {
    EXPECT_GT(max_injection_inflation({2, 2.0}, 0.25).inflation,
              max_injection_inflation({2, 2.0}, 0.5).inflation);
}

// As T grows, C_n T tends to (n+1)(k_d-1)B^2/2, the numerator of (9). The rest is of the order of
// B k_d/T.
TEST(LogpcNetwork, WithRareMessagesContentionGoesAsTheirRate) {
    const double waiting = 3.0 * (kAlewifeDistance - 1.0) * 44.0 * 44.0 / 2.0;
    for (const double intermessage : {1e6, 1e9, 1e12}) {
        const double contention =
            solve_logpc_network(alewife_with(44.0), intermessage).contention_cycles;
        EXPECT_NEAR(contention * intermessage, waiting, waiting * 100.0 / intermessage);
    }
}

TEST(LogpcNetwork, NeighboursNeverWaitForEachOther) {
    const LogpcNetworkSolution s = solve_logpc_network({2, 1.0, 44.0}, 158.0);
    EXPECT_EQ(s.contention_cycles, 0.0);
    EXPECT_EQ(s.intermessage_cycles, 158.0);
    EXPECT_DOUBLE_EQ(s.channel_utilization, 22.0 / 158.0);
}

TEST(LogpcNetwork, ContentionGrowsWithLoadDistanceAndLength) {
    const double contention = solve_logpc_network({2, 2.0, 44.0}, 158.0).contention_cycles;
    EXPECT_GT(solve_logpc_network({2, 2.0, 44.0}, 157.0).contention_cycles, contention);
    EXPECT_GT(solve_logpc_network({2, 2.01, 44.0}, 158.0).contention_cycles, contention);
    EXPECT_GT(solve_logpc_network({2, 2.0, 45.0}, 158.0).contention_cycles, contention);
    EXPECT_GT(solve_logpc_network({3, 2.0, 44.0}, 158.0).contention_cycles, contention);
}

// Feedback only slows a node down, so at equal T the closed model's contention is never above the
// open model's.
TEST(LogpcNetwork, ClosedContentionIsBelowTheOpenModels) {
    for (const double bytes : {16.0, 44.0, 100.0}) {
        EXPECT_LT(solve_logpc_network(alewife_with(bytes), 158.0).contention_cycles,
                  solve_agarwal_network(alewife_with(bytes), 1.0 / 158.0).contention_cycles);
    }
}

TEST(LogpcNetwork, NeverAnswersWithAnythingButNumbers) {
    for (const Point& point : grid()) {
        const LogpcNetworkSolution s = solve_logpc_network(point.inputs, point.intermessage);
        for (const double value :
             {s.contention_cycles, s.contention_per_hop_cycles, s.messages_per_cycle_per_node,
              s.intermessage_cycles, s.channel_utilization}) {
            EXPECT_TRUE(std::isfinite(value) && value > 0.0) << text(point);
        }
    }
}

// A channel held for G B cycles gives the solution of the printed equations for a message of G B
// bytes.
TEST(LogpcNetwork, ChannelsHeldForCyclesAreThoseOfAMessageThatLong) {
    for (const Point& point : grid()) {
        LogpcNetworkInputs cycles = point.inputs;
        cycles.message_bytes *= 2.0;
        cycles.channel_cycles_per_byte = 0.5;
        if (cycles.message_bytes > 1e15) {
            continue;
        }
        EXPECT_EQ(solve_logpc_network(cycles, point.intermessage).contention_cycles,
                  solve_logpc_network(point.inputs, point.intermessage).contention_cycles)
            << text(point);
    }
}

// LoGPC, (13) and (14), with channels held for G B cycles. With k_d = 2 and any G, C_n/(G B) =
// (sqrt(7) - 1)/2. At G = 0.5 nodes inject a message every 1.41 B cycles.
TEST(LogpcNetwork, MaximalInjectionIsInflatedBy141WhereChannelsAreHeldForCycles) {
    for (const double gap : {0.25, 0.5, 1.0, 3.0}) {
        LogpcNetworkInputs network{.dimensions = 2, .mean_distance_per_dimension = 2.0};
        network.channel_cycles_per_byte = gap;
        const LogpcMaximalInjection bound = max_injection_inflation(network, gap);
        EXPECT_DOUBLE_EQ(bound.inflation, 1.0 + (std::sqrt(7.0) - 1.0) / 4.0) << gap;
        EXPECT_DOUBLE_EQ(bound.cycles_per_byte, 2.0 * gap * bound.inflation) << gap;
    }
    EXPECT_NEAR(1.0 + (std::sqrt(7.0) - 1.0) / 4.0, 1.41, 0.005);
}

// LoGPC, section 1: locality gains at most a factor of two. Messages that go one hop per dimension
// never wait, so the factor is that of (14).
TEST(LogpcNetwork, LocalityIsWorthAboutAFactorOfTwo) {
    LogpcNetworkInputs network{.dimensions = 2, .mean_distance_per_dimension = 1.0};
    EXPECT_EQ(max_injection_inflation(network, 0.5).inflation, 1.0);
    network.mean_distance_per_dimension = kAlewifeDistance;
    const double random = max_injection_inflation(network, 0.5).inflation;
    EXPECT_GT(random, 2.0);
    EXPECT_LT(random, 2.25);
}

// (4) with one channel per dimension and node: rho = B m k_d.
TEST(LogpcNetwork, UnidirectionalChannelsCarryTwiceAsMuch) {
    const LogpcNetworkInputs both = alewife_with(44.0);
    LogpcNetworkInputs one_way = both;
    one_way.channels_per_dimension = 1;
    EXPECT_DOUBLE_EQ(logpc_saturation_rate(both), 2.0 / (44.0 * kAlewifeDistance));
    EXPECT_DOUBLE_EQ(logpc_saturation_rate(one_way), 1.0 / (44.0 * kAlewifeDistance));
    const double rate = 0.005;
    EXPECT_DOUBLE_EQ(solve_agarwal_network(one_way, rate).channel_utilization,
                     44.0 * rate * kAlewifeDistance);
    // (3) written out for one channel per dimension and node.
    const AgarwalNetworkSolution s = solve_agarwal_network(one_way, rate);
    const double rho = s.channel_utilization;
    const double k = kAlewifeDistance;
    EXPECT_DOUBLE_EQ(s.contention_per_hop_cycles,
                     rho * 44.0 / (1.0 - rho) * (k - 1.0) / (k * k) * 1.5);
    EXPECT_DOUBLE_EQ(s.contention_cycles, 2.0 * k * s.contention_per_hop_cycles);
    one_way.channels_per_dimension = 0;
    EXPECT_THROW(logpc_saturation_rate(one_way), ModelError);
}

// Copies of a network share its messages.
TEST(LogpcNetwork, CopiesDivideTheUtilizationOfChannels) {
    LogpcNetworkInputs copies = alewife_with(44.0);
    copies.channels_per_dimension = 2 * 4;
    EXPECT_DOUBLE_EQ(solve_agarwal_network(copies, 0.005).channel_utilization,
                     44.0 * 0.005 / 4 * kAlewifeDistance / 2.0);
}

// Section 5.2.1: m_c = 1/(v + 2 C_n). At that rate the open model gives the same C_n.
TEST(LogpcNetwork, ContentionMayDelayTheNextMessageTwice) {
    for (const double bytes : {16.0, 44.0, 1e3, 1e5}) {
        const LogpcNetworkSolution s = solve_logpc_network(alewife_with(bytes), 158.0, 2.0);
        EXPECT_DOUBLE_EQ(s.intermessage_cycles, 158.0 + 2.0 * s.contention_cycles);
        expect_close(solve_agarwal_network(alewife_with(bytes), s.messages_per_cycle_per_node)
                         .contention_cycles,
                     s.contention_cycles, shortest_text(bytes));
    }
    EXPECT_THROW(solve_logpc_network(alewife_with(44.0), 158.0, 0.5), ModelError);
}

std::string network_refusal(const LogpcNetworkInputs& inputs, double intermessage) {
    try {
        solve_logpc_network(inputs, intermessage);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LogpcNetwork, RefusesEachInputByNameAndSaysWhatIsAccepted) {
    EXPECT_THAT(network_refusal({0, 2.0, 44.0}, 158.0),
                Names("dimensions (n)", "0", "accepted", "1"));
    EXPECT_EQ(network_refusal({2, 2.0, 0.5}, 158.0),
              "message_bytes (B) is 0.5; accepted: 1 to 1e+15 bytes");
    EXPECT_EQ(network_refusal({2, 2.0, 44.0}, -1.0),
              "contention_free_intermessage_cycles (T) is -1; accepted: 0 to 1e+15 cycles");
    EXPECT_THAT(network_refusal({.dimensions = 2, .mean_distance_per_dimension = 2.0}, 158.0),
                Names("message_bytes (B)", "given", "accepted", "1", "1e+15"));
    EXPECT_THAT(
        network_refusal({2, 2.0, 44.0}, kNotGiven),
        Names("contention_free_intermessage_cycles (T)", "given", "accepted", "0", "1e+15"));
    EXPECT_THROW(max_injection_inflation({2, 2.0}, 0.0), ModelError);
    EXPECT_THROW(max_injection_inflation({2, 2.0}, kNotGiven), ModelError);
}

TEST(LogpcNetwork, DoesNotApplyToMeshesOfLessThanAHopADimension) {
    const double tiny = mean_hops({.extents = {2, 1}}) / 2.0;
    EXPECT_EQ(tiny, 0.25);
    EXPECT_THAT(network_refusal({2, tiny, 44.0}, 158.0),
                Names("mean_distance_per_dimension (k_d)", "0.25", "accepted", "1", "1e+15", "1"));
    EXPECT_THROW(max_injection_inflation({2, tiny}, 0.5), ModelError);
    EXPECT_THROW(solve_agarwal_network({2, tiny, 44.0}, 0.001).contention_cycles, ModelError);
}

TEST(LogpcNetwork, RefusesNeighboursThatSaturateTheirChannels) {
    EXPECT_THAT(network_refusal({2, 1.0, 44.0}, 22.0),
                Names("contention_free_intermessage_cycles (T)", "22", "accepted", "22", "k_d", "1",
                      "saturate"));
    EXPECT_EQ(network_refusal({2, 1.0, 44.0}, 22.1), "accepted");
}

TEST(LogpcNetwork, OpenModelRefusesARateThatSaturatesTheChannels) {
    const double saturation = 2.0 / (44.0 * 2.0);
    EXPECT_THROW(solve_agarwal_network({2, 2.0, 44.0}, saturation).contention_cycles, ModelError);
    EXPECT_THROW(solve_agarwal_network({2, 2.0, 44.0}, 10.0 * saturation).contention_cycles,
                 ModelError);
    EXPECT_THROW(solve_agarwal_network({2, 2.0, 44.0}, -0.001).contention_cycles, ModelError);
    EXPECT_THROW(solve_agarwal_network({2, 2.0, 44.0}, kNotGiven).contention_cycles, ModelError);
    EXPECT_GT(solve_agarwal_network({2, 2.0, 44.0}, 0.999 * saturation).contention_cycles, 1e4);
    EXPECT_EQ(solve_agarwal_network({2, 2.0, 44.0}, 0.0).contention_cycles, 0.0);
    try {
        solve_agarwal_network({2, 2.0, 50.0}, 0.03);
        FAIL() << "solved beyond saturation";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), Names("messages_per_cycle_per_node (m)", "0.03", "accepted",
                                        "0.02", "saturate"));
    }
    EXPECT_EQ(logpc_saturation_rate({2, 2.0, 50.0}), 0.02);
}

}  // namespace
}  // namespace weir::experiments::models
