#include "experiments/models/lopc/lopc_client_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

// Tolerance: rounding of a quadratic's root.
constexpr double kRootRounding = 1e-12;

// LoPC (1997), Figure 10: P = 32, S_o = 131. W and S_l are not in the text.
LopcClientServerInputs figure_10(double work_cycles, double squared_cv = 0.0) {
    return {.processors = 32,
            .work_cycles = work_cycles,
            .network_cycles = 6.0,
            .handler_cycles = 131.0,
            .handler_squared_cv = squared_cv};
}

const std::vector<double> kWorks = {0.0, 131.0, 500.0, 1000.0, 5000.0, 1e5, 1e15};
const std::vector<double> kSquaredCvs = {0.0, 0.5, 1.0, 4.0};

void expect_near(double left, double right, const std::string& what) {
    EXPECT_NEAR(left, right, kRootRounding * std::max(std::abs(left), std::abs(right))) << what;
}

TEST(LopcClientServer, SolutionSatisfiesEveryEquationOfThePaper) {
    for (const double work : kWorks) {
        for (const double squared_cv : kSquaredCvs) {
            for (const int servers : {1, 2, 8, 16, 31}) {
                const LopcClientServerInputs in = figure_10(work, squared_cv);
                const LopcClientServerSolution s = solve_lopc_client_server(in, servers);
                const double x = s.requests_per_cycle;
                expect_near(s.requests_at_server, x / servers * s.server_response_cycles, "(10)");
                expect_near(x * s.response_cycles, 32.0 - servers, "(11)");
                expect_near(s.server_utilization, x / servers * 131.0, "(13)");
                expect_near(s.server_response_cycles,
                            131.0 * (1.0 + s.requests_at_server +
                                     (squared_cv - 1.0) / 2.0 * s.server_utilization),
                            "(14)");
                expect_near(s.response_cycles, work + 2.0 * 6.0 + s.server_response_cycles + 131.0,
                            "(17)");
                EXPECT_LT(s.server_utilization, 1.0);
            }
        }
    }
}

// Equations (10), (11), (13), (14) and (17) as printed, for any real number of servers, substituted
// into each other repeatedly with half steps.
double throughput_by_iteration(const LopcClientServerInputs& in, double servers) {
    double server_response = in.handler_cycles;
    double x = 0.0;
    for (int step = 0; step < 4000; ++step) {
        x = (in.processors - servers) /
            (in.work_cycles + 2.0 * in.network_cycles + server_response + in.handler_cycles);
        const double queued = x / servers * server_response;
        const double utilization = x / servers * in.handler_cycles;
        server_response =
            0.5 * (server_response +
                   in.handler_cycles *
                       (1.0 + queued + (in.handler_squared_cv - 1.0) / 2.0 * utilization));
    }
    return x;
}

TEST(LopcClientServer, AgreesWithAPlainIterationOfTheEquations) {
    for (const double squared_cv : {0.0, 1.0}) {
        for (const double work : {0.0, 1000.0, 1e5}) {
            for (const int servers : {1, 4, 31}) {
                const LopcClientServerInputs in = figure_10(work, squared_cv);
                EXPECT_NEAR(solve_lopc_client_server(in, servers).requests_per_cycle /
                                throughput_by_iteration(in, servers),
                            1.0, 1e-10);
            }
        }
    }
}

// Compares the corrected (18) with a search for the largest throughput of the iteration above.
TEST(LopcClientServer, Equation18IsWhereThroughputIsLargest) {
    for (const double squared_cv : {0.0, 1.0, 4.0}) {
        for (const double work : {0.0, 1000.0, 5000.0}) {
            const LopcClientServerInputs in = figure_10(work, squared_cv);
            const double golden = (std::sqrt(5.0) - 1.0) / 2.0;
            double low = 0.05;
            double high = 31.9;
            while (high - low > 1e-4) {
                const double a = high - golden * (high - low);
                const double b = low + golden * (high - low);
                (throughput_by_iteration(in, a) > throughput_by_iteration(in, b) ? high : low) =
                    throughput_by_iteration(in, a) > throughput_by_iteration(in, b) ? b : a;
            }
            const LopcBestServers best = lopc_best_servers(in);
            // Throughput is flat near its maximum, so the search finds the best number of servers
            // to fewer digits.
            EXPECT_NEAR(best.servers, 0.5 * (low + high), 1e-3);
            EXPECT_NEAR(best.requests_per_cycle, throughput_by_iteration(in, 0.5 * (low + high)),
                        1e-9 * best.requests_per_cycle);
            const double root = std::sqrt(2.0 * (squared_cv + 1.0));
            expect_near(
                best.servers,
                32.0 * (1.0 + root / 2.0) * 131.0 / (work + 2.0 * 6.0 + (3.0 + root) * 131.0),
                "(18)");
            expect_near(best.server_response_cycles, 131.0 * (1.0 + root / 2.0), "(16)");
            expect_near(
                best.server_response_cycles,
                131.0 * (2.0 + (squared_cv - 1.0) * 131.0 / (2.0 * best.server_response_cycles)),
                "(15)");
        }
    }
}

// With the root over all of 2(C_o^2 + 1)/2, as our copy prints (18), the number is not the best.
TEST(LopcClientServer, Equation18AsTranscribedIsNotTheBest) {
    const LopcClientServerInputs in = figure_10(1000.0, 1.0);
    const double transcribed =
        32.0 * (1.0 + std::sqrt(2.0)) * 131.0 / (1000.0 + 12.0 + 5.0 * 131.0);
    EXPECT_LT(throughput_by_iteration(in, transcribed),
              0.999 * lopc_best_servers(in).requests_per_cycle);
}

// Section 5: at the best number a server holds one request on average, (10).
TEST(LopcClientServer, AtTheBestNumberEachServerHoldsOneRequest) {
    for (const double squared_cv : kSquaredCvs) {
        // W is chosen so that (18) gives 8 servers of 32 nodes.
        const double root = std::sqrt(2.0 * (squared_cv + 1.0));
        const double work = 4.0 * (1.0 + root / 2.0) * 131.0 - 12.0 - (3.0 + root) * 131.0;
        const LopcClientServerInputs in = figure_10(work, squared_cv);
        const LopcBestServers best = lopc_best_servers(in);
        EXPECT_NEAR(best.servers, 8.0, 1e-9);
        EXPECT_EQ(best.whole_servers, 8);
        const LopcClientServerSolution s = solve_lopc_client_server(in, 8);
        expect_near(s.requests_at_server, 1.0, "Q_s");
        expect_near(s.server_utilization, best.server_utilization, "U_s");
        expect_near(s.requests_per_cycle, best.requests_per_cycle, "X");
    }
}

TEST(LopcClientServer, BestWholeNumberIsThatOfAllTheNumbers) {
    for (const double squared_cv : kSquaredCvs) {
        for (const double work : {0.0, 50.0, 300.0, 1000.0, 2000.0, 3000.0, 1e4, 1e8}) {
            for (const int processors : {2, 3, 5, 32, 200}) {
                LopcClientServerInputs in = figure_10(work, squared_cv);
                in.processors = processors;
                int best = 1;
                for (int servers = 2; servers < processors; ++servers) {
                    if (solve_lopc_client_server(in, servers).requests_per_cycle >
                        solve_lopc_client_server(in, best).requests_per_cycle) {
                        best = servers;
                    }
                }
                EXPECT_EQ(lopc_best_servers(in).whole_servers, best)
                    << work << " " << squared_cv << " " << processors;
            }
        }
    }
}

// Section 5: X <= P_s/S_o and X <= P_c/(W + 2 S_l + 2 S_o). Far from the best number each is nearly
// reached: few servers are all busy, and with many servers requests do not wait.
TEST(LopcClientServer, StaysBelowBothBoundsAndComesNearThem) {
    for (const double squared_cv : kSquaredCvs) {
        for (const double work : {0.0, 1000.0, 5000.0}) {
            for (int servers = 1; servers < 32; ++servers) {
                const LopcClientServerInputs in = figure_10(work, squared_cv);
                const double x = solve_lopc_client_server(in, servers).requests_per_cycle;
                const LopcClientServerBounds bounds = lopc_client_server_bounds(in, servers);
                EXPECT_LT(x, *bounds.by_servers_per_cycle);
                EXPECT_LT(x, bounds.by_clients_per_cycle);
            }
        }
    }
    const LopcClientServerInputs in = figure_10(1000.0);
    EXPECT_GT(solve_lopc_client_server(in, 1).requests_per_cycle,
              0.97 * *lopc_client_server_bounds(in, 1).by_servers_per_cycle);
    EXPECT_GT(solve_lopc_client_server(in, 31).requests_per_cycle,
              0.99 * lopc_client_server_bounds(in, 31).by_clients_per_cycle);
}

// Section 5: an analysis without contention chooses too few servers and predicts too much
// throughput.
TEST(LopcClientServer, WithoutContentionOneWouldChooseTooFewServers) {
    for (const double squared_cv : kSquaredCvs) {
        for (const double work : {0.0, 131.0, 1000.0, 5000.0}) {
            const LopcClientServerInputs in = figure_10(work, squared_cv);
            const LopcBestServers best = lopc_best_servers(in);
            EXPECT_LT(best.contention_free_servers, best.servers);
            // The bounds meet where P_s/S_o = P_c/(W + 2 S_l + 2 S_o).
            const double meet = 32.0 * 131.0 / (work + 12.0 + 3.0 * 131.0);
            expect_near(best.contention_free_servers, meet, "the bounds meet");
            EXPECT_LT(best.requests_per_cycle, meet / 131.0);
        }
    }
}

TEST(LopcClientServer, AClientAloneNeverWaitsLong) {
    const LopcClientServerSolution s = solve_lopc_client_server({2, 1e9, 6.0, 131.0, 1.0}, 1);
    EXPECT_NEAR(s.server_queueing_cycles, 131.0 * 131.0 / 1e9, 1e-9);
    EXPECT_EQ(solve_lopc_client_server({32, 100.0, 6.0, 0.0, 0.0}, 4).response_cycles, 112.0);
}

TEST(LopcClientServer, NeverAnswersWithAnythingButNumbers) {
    const std::vector<double> extremes = {
        0.0, std::numeric_limits<double>::denorm_min(), 1e-300, 1e-9, 1.0, 1e15};
    for (const double work : extremes) {
        for (const double network : extremes) {
            for (const double handler : extremes) {
                for (const double squared_cv : extremes) {
                    const LopcClientServerInputs in = {32, work, network, handler, squared_cv};
                    if (work + 2.0 * network + 2.0 * handler < 1e-9) {
                        EXPECT_THROW(solve_lopc_client_server(in, 4), ModelError);
                        continue;
                    }
                    const LopcClientServerSolution s = solve_lopc_client_server(in, 4);
                    for (const double value :
                         {s.response_cycles, s.server_response_cycles, s.server_queueing_cycles,
                          s.requests_at_server, s.server_utilization, s.requests_per_cycle}) {
                        EXPECT_TRUE(std::isfinite(value) && value >= 0.0);
                    }
                    const LopcClientServerBounds bounds = lopc_client_server_bounds(in, 4);
                    EXPECT_TRUE(std::isfinite(bounds.by_servers_per_cycle.value_or(0.0)));
                }
            }
        }
    }
}

std::string client_server_refusal(const LopcClientServerInputs& inputs, int servers) {
    try {
        solve_lopc_client_server(inputs, servers);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LopcClientServer, RefusesEachInputByName) {
    EXPECT_THAT(client_server_refusal(figure_10(1000.0), 0),
                Names("servers (P_s)", "0", "accepted", "1", "31"));
    EXPECT_THAT(client_server_refusal(figure_10(1000.0), 32),
                Names("servers (P_s)", "32", "accepted", "1", "31"));
    EXPECT_EQ(client_server_refusal(figure_10(-1.0), 4),
              "work_cycles (W) is -1; accepted: 0 to 1e+15 cycles");
    EXPECT_THAT(client_server_refusal({}, 1), Names("processors (P)", "0", "accepted", "2"));
    EXPECT_THAT(client_server_refusal({.processors = 4}, 1),
                Names("work_cycles (W)", "given", "accepted", "0", "1e+15"));
    EXPECT_THROW(lopc_best_servers({32, 100.0, 6.0, 0.0, 0.0}), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
