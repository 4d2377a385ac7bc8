#include "experiments/models/logpc/logpc_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// What doubles leave of a square root and a dozen sums and products.
constexpr double kRounding = 1e-13;

constexpr std::array<int, 2> kAlewife = {8, 4};
constexpr double kAlewifeDistance = 3.875 / 2.0;  // k_d by (11)

LogpcNetworkInputs alewife_with(double message_bytes) {
    return {2, kAlewifeDistance, message_bytes};
}

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

// LoGPC (2001), section 3.3, under equation (11). Sums of quarters and eighths are exact; thirds
// may round once.
TEST(LogpcNetwork, AlewifesMeanDistanceIs3875Hops) {
    EXPECT_DOUBLE_EQ(mesh_mean_hops(kAlewife), 3.875);
    EXPECT_DOUBLE_EQ(mesh_mean_distance_per_dimension(kAlewife), kAlewifeDistance);
}

TEST(LogpcNetwork, AlewifesMeanDistanceToOthersIs4Hops) {
    EXPECT_DOUBLE_EQ(mesh_mean_hops_to_others(kAlewife), 4.0);
}

// A second way: all pairs of nodes, counted.
TEST(LogpcNetwork, MeanDistancesAreThoseOfAllPairs) {
    const std::array<int, 3> extents = {3, 5, 2};
    const int nodes = 3 * 5 * 2;
    int hops = 0;
    for (int from = 0; from < nodes; ++from) {
        for (int to = 0; to < nodes; ++to) {
            hops += std::abs(from % 3 - to % 3) + std::abs(from / 3 % 5 - to / 3 % 5) +
                    std::abs(from / 15 - to / 15);
        }
    }
    EXPECT_DOUBLE_EQ(mesh_mean_hops(extents), static_cast<double>(hops) / (nodes * nodes));
    EXPECT_DOUBLE_EQ(mesh_mean_hops_to_others(extents),
                     static_cast<double>(hops) / (nodes * (nodes - 1)));
}

// LogP (1993), section 5.1: a 2D mesh of 1024 processors has a mean distance of 21, a 3D mesh of 10
// (whole numbers: half of one is the tolerance). Of the 3D mesh's 1024^(1/3) = 10.08 nodes a side,
// ten are taken.
TEST(LogpcNetwork, MeanDistancesAreThoseOfLogpsTable) {
    EXPECT_NEAR(mesh_mean_hops(std::array{32, 32}), 21.0, 0.5);
    EXPECT_NEAR(mesh_mean_hops(std::array{10, 10, 10}), 10.0, 0.5);
}

TEST(LogpcNetwork, RefusesMeshesWithoutDistances) {
    EXPECT_THROW(mesh_mean_hops({}), ModelError);
    EXPECT_THROW(mesh_mean_hops(std::array{4, 0}), ModelError);
    EXPECT_EQ(mesh_mean_hops(std::array{1, 1}), 0.0);
    EXPECT_THROW(mesh_mean_hops_to_others(std::array{1, 1}), ModelError);
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
        // (3) divides by what rho leaves of 1, which loses what rho is near 1: multiplied out, it
        // holds to rounding.
        const double idle = 1.0 - s.channel_utilization;
        EXPECT_NEAR(s.contention_per_hop_cycles * idle,
                    s.channel_utilization * bytes * (k - 1.0) / (k * k) * (1.0 + 1.0 / n),
                    kRounding * (s.contention_per_hop_cycles + bytes))
            << "(3) at " << text(point);
        EXPECT_LE(s.channel_utilization, 1.0) << text(point);
    }
}

// The closed model is the open one at the rate it finds. Near saturation the open one divides by 1
// - rho, so that the agreement is as many digits worse as rho is near 1.
TEST(LogpcNetwork, ClosedModelIsTheOpenOneAtItsOwnRate) {
    for (const Point& point : grid()) {
        const LogpcNetworkSolution s = solve_logpc_network(point.inputs, point.intermessage);
        if (s.channel_utilization > 0.999) {
            continue;
        }
        const double open =
            logpc_open_contention_cycles(point.inputs, s.messages_per_cycle_per_node);
        EXPECT_NEAR(open, s.contention_cycles, 1e3 * kRounding * s.contention_cycles)
            << text(point);
    }
}

// A second way to the closed model: C_n halved towards the open model's answer, without the
// quadratic.
TEST(LogpcNetwork, ClosedModelIsTheFixedPointOfItsFeedback) {
    for (const double bytes : {16.0, 44.0, 100.0, 1000.0}) {
        double low = 0.0;
        double high = 100.0 * bytes;
        for (int step = 0; step < 100; ++step) {
            const double contention = (low + high) / 2.0;
            const double rate = 1.0 / (158.0 + contention);
            const bool saturated = rate * bytes * kAlewifeDistance / 2.0 >= 1.0;
            const bool more =
                saturated || logpc_open_contention_cycles(alewife_with(bytes), rate) > contention;
            (more ? low : high) = contention;
        }
        // The bracket ends within a rounding of C_n, which 1 - rho (not below 0.3 here) may
        // magnify.
        EXPECT_NEAR(solve_logpc_network(alewife_with(bytes), 158.0).contention_cycles, low,
                    10.0 * kRounding * low);
    }
}

// LoGPC, sections 3.4 and 5.1.3, equations (13) and (14): 2.22 (one message every 2.22 B cycles).
// That needs k_d = 2, where F = 1 + sqrt(3/2); the 3.875 hops of (11) give 2.17. Tolerances are
// half of the last digit.
TEST(LogpcNetwork, MaximalInjectionIsInflatedBy222) {
    const LogpcMaximalInjection rounded = max_injection_inflation(2, 2.0, 0.5);
    EXPECT_NEAR(rounded.cycles_per_byte, 2.22, 0.005);
    EXPECT_DOUBLE_EQ(rounded.cycles_per_byte, 1.0 + std::sqrt(1.5));
    EXPECT_DOUBLE_EQ(rounded.inflation, rounded.cycles_per_byte);  // 2G = 1

    EXPECT_NEAR(max_injection_inflation(2, kAlewifeDistance, 0.5).inflation, 2.17, 0.005);
}

TEST(LogpcNetwork, MaximalInjectionIsTheSameForEveryMessageLength) {
    const double inflation = max_injection_inflation(2, kAlewifeDistance, 0.5).inflation;
    for (const double bytes : {1.0, 44.0, 1e4, 1e9}) {
        expect_close(solve_logpc_network(alewife_with(bytes), bytes).intermessage_cycles,
                     inflation * bytes, "B=" + shortest_text(bytes));
    }
}

// A faster network interface (smaller G) offers the same channels more, and is inflated more.
TEST(LogpcNetwork, MaximalInjectionDependsOnTheGap) {
    EXPECT_GT(max_injection_inflation(2, 2.0, 0.25).inflation,
              max_injection_inflation(2, 2.0, 0.5).inflation);
}

// C_n T tends to (n+1)(k_d-1)B^2/2, what (9) has over its denominator; what is left out is of the
// order of B k_d/T.
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

// Feedback only ever slows a node down, so that the closed model is never above the open one at the
// same T.
TEST(LogpcNetwork, ClosedContentionIsBelowTheOpenModels) {
    for (const double bytes : {16.0, 44.0, 100.0}) {
        EXPECT_LT(solve_logpc_network(alewife_with(bytes), 158.0).contention_cycles,
                  logpc_open_contention_cycles(alewife_with(bytes), 1.0 / 158.0));
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

std::string refusal(const LogpcNetworkInputs& inputs, double intermessage) {
    try {
        solve_logpc_network(inputs, intermessage);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LogpcNetwork, RefusesEachInputByNameAndSaysWhatIsAccepted) {
    EXPECT_EQ(refusal({0, 2.0, 44.0}, 158.0),
              "dimensions (n) is 0; accepted: 1 or more dimensions");
    EXPECT_EQ(refusal({2, 2.0, 0.5}, 158.0),
              "message_bytes (B) is 0.5; accepted: 1 to 1e+15 bytes");
    EXPECT_EQ(refusal({2, 2.0, 44.0}, -1.0),
              "contention_free_intermessage_cycles (T) is -1; accepted: 0 to 1e+15 cycles");
    EXPECT_EQ(refusal({.dimensions = 2, .mean_distance_per_dimension = 2.0}, 158.0),
              "message_bytes (B) is not given, or not a number; accepted: 1 to 1e+15 bytes");
    EXPECT_EQ(
        refusal({2, 2.0, 44.0}, kNotGiven),
        "contention_free_intermessage_cycles (T) is not given, or not a number; accepted: 0 to "
        "1e+15 cycles");
    EXPECT_THROW(max_injection_inflation(2, 2.0, 0.0), ModelError);
    EXPECT_THROW(max_injection_inflation(2, 2.0, kNotGiven), ModelError);
}

TEST(LogpcNetwork, DoesNotApplyToMeshesOfLessThanAHopADimension) {
    const double tiny = mesh_mean_distance_per_dimension(std::array{2, 1});
    EXPECT_EQ(tiny, 0.25);
    EXPECT_EQ(refusal({2, tiny, 44.0}, 158.0),
              "mean_distance_per_dimension (k_d) is 0.25; accepted: 1 to 1e+15 hops (below 1 the "
              "LoGPC network model does not apply)");
    EXPECT_THROW(max_injection_inflation(2, tiny, 0.5), ModelError);
    EXPECT_THROW(logpc_open_contention_cycles({2, tiny, 44.0}, 0.001), ModelError);
}

TEST(LogpcNetwork, RefusesNeighboursThatSaturateTheirChannels) {
    EXPECT_EQ(
        refusal({2, 1.0, 44.0}, 22.0),
        "contention_free_intermessage_cycles (T) is 22; accepted with k_d = 1: more than B k_d "
        "/ 2 = 22 cycles, where channels saturate");
    EXPECT_EQ(refusal({2, 1.0, 44.0}, 22.1), "accepted");
}

TEST(LogpcNetwork, OpenModelRefusesARateThatSaturatesTheChannels) {
    const double saturation = 2.0 / (44.0 * 2.0);
    EXPECT_THROW(logpc_open_contention_cycles({2, 2.0, 44.0}, saturation), ModelError);
    EXPECT_THROW(logpc_open_contention_cycles({2, 2.0, 44.0}, 10.0 * saturation), ModelError);
    EXPECT_THROW(logpc_open_contention_cycles({2, 2.0, 44.0}, -0.001), ModelError);
    EXPECT_THROW(logpc_open_contention_cycles({2, 2.0, 44.0}, kNotGiven), ModelError);
    EXPECT_GT(logpc_open_contention_cycles({2, 2.0, 44.0}, 0.999 * saturation), 1e4);
    EXPECT_EQ(logpc_open_contention_cycles({2, 2.0, 44.0}, 0.0), 0.0);
}

}  // namespace
}  // namespace weir::experiments::models
