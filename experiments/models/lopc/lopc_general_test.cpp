#include "experiments/models/lopc/lopc_general.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_fixed_point.h"
#include "experiments/models/model_error.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

// Tolerance: the fixed point converges to 1e-12 in a step; the remaining error is up to 1000 times
// it.
constexpr double kIdentity = 1e-9;

const std::vector<double> kSquaredCvsTo100 = {0.0, 0.5, 1.0, 4.0, 100.0};

TEST(LopcGeneral, OnHomogeneousInputsIsTheAllToAnyModel) {
    for (const int processors : {2, 3, 32}) {
        for (const double work : {0.0, 59.0, 1000.0, 1e6}) {
            for (const double squared_cv : kSquaredCvsTo100) {
                for (const bool protocol_processor : {false, true}) {
                    for (const double send : {0.0, 15.0}) {
                        const LopcSolution closed = solve_lopc_all_to_any(
                            {processors, work, 6.0, 145.0, squared_cv, protocol_processor, send});
                        const LopcGeneralSolution general =
                            solve_lopc_general({lopc_all_to_any_visits(processors, 1.0),
                                                {work},
                                                6.0,
                                                145.0,
                                                squared_cv,
                                                protocol_processor,
                                                send});
                        EXPECT_NEAR(general.response_cycles / closed.response_cycles, 1.0,
                                    kIdentity);
                        EXPECT_NEAR(general.requests_per_cycle / closed.requests_per_cycle, 1.0,
                                    kIdentity);
                        for (const LopcNode& node : general.nodes) {
                            EXPECT_NEAR(
                                node.request_response_cycles / closed.request_response_cycles, 1.0,
                                kIdentity);
                            EXPECT_NEAR(node.reply_response_cycles / closed.reply_response_cycles,
                                        1.0, kIdentity);
                            EXPECT_NEAR(node.requests_queued, closed.requests_queued,
                                        kIdentity * processors);
                            EXPECT_NEAR(node.request_utilization, closed.handler_utilization,
                                        kIdentity);
                        }
                    }
                }
            }
        }
    }
}

TEST(LopcGeneral, OnClientsAndServersIsTheClientServerModel) {
    for (const int servers : {1, 3, 12, 31}) {
        for (const double work : {0.0, 1000.0, 1e5}) {
            for (const double squared_cv : kSquaredCvsTo100) {
                for (const double send : {0.0, 15.0}) {
                    const LopcClientServerSolution closed =
                        solve_lopc_client_server({32, work, 6.0, 131.0, squared_cv, send}, servers);
                    const LopcGeneralSolution general =
                        solve_lopc_general({lopc_client_server_visits(32, servers, 1.0),
                                            {work},
                                            6.0,
                                            131.0,
                                            squared_cv,
                                            false,
                                            send});
                    EXPECT_NEAR(general.response_cycles / closed.response_cycles, 1.0, kIdentity);
                    EXPECT_NEAR(general.requests_per_cycle / closed.requests_per_cycle, 1.0,
                                kIdentity);
                    EXPECT_NEAR(general.nodes[0].requests_queued / closed.requests_at_server, 1.0,
                                kIdentity);
                    EXPECT_FALSE(general.nodes[0].asks);
                    EXPECT_EQ(general.nodes[0].requests_per_cycle, 0.0);
                    // With 16 servers or more the busiest node is a client, by its own replies.
                    if (servers < 16) {
                        EXPECT_LT(general.busiest_node, static_cast<std::size_t>(servers));
                    }
                }
            }
        }
    }
}

/// Random inputs with all kinds of visits: idle threads, own nodes, hot spots, forwarded requests.
LopcGeneralInputs random_inputs(std::mt19937_64& random) {
    std::uniform_real_distribution<double> share;
    const auto processors = 2 + static_cast<std::size_t>(20.0 * share(random));
    LopcGeneralInputs in;
    in.visits = LopcVisits(processors);
    const double unevenness = 1.0 + 20.0 * share(random);
    for (std::size_t i = 0; i < processors; ++i) {
        if (i > 0 && share(random) < 0.2) {
            in.work_cycles.push_back(0.0);
            continue;
        }
        double sum = 0.0;
        for (std::size_t k = 0; k < processors; ++k) {
            in.visits.row(i)[k] = std::pow(share(random), unevenness);
            sum += in.visits.row(i)[k];
        }
        const double hops = share(random) < 0.5 ? 1.0 : 1.0 + 10.0 * share(random);
        for (std::size_t k = 0; k < processors; ++k) {
            in.visits.row(i)[k] *= hops / sum;
        }
        in.work_cycles.push_back(std::exp(20.0 * share(random) - 3.0));
    }
    in.network_cycles = std::exp(10.0 * share(random) - 3.0);
    in.handler_cycles = std::exp(10.0 * share(random) - 3.0);
    in.handler_squared_cv = share(random) < 0.3 ? 0.0 : std::exp(8.0 * share(random) - 3.0);
    in.protocol_processor = share(random) < 0.3;
    in.send_overhead_cycles = share(random) < 0.5 ? 0.0 : std::exp(6.0 * share(random));
    return in;
}

// Evaluates the equations as printed, from the threads' round trips alone.
TEST(LopcGeneral, SolutionSatisfiesEveryEquationOfTheAppendix) {
    std::mt19937_64 random(19);
    for (int trial = 0; trial < 1000; ++trial) {
        const LopcGeneralInputs in = random_inputs(random);
        const LopcGeneralSolution s = solve_lopc_general(in);
        const double request = in.handler_cycles + in.send_overhead_cycles;
        const double reply = in.handler_cycles;
        const double c = (in.handler_squared_cv - 1.0) / 2.0;
        const auto close = [&](double left, double right, const char* equation) {
            EXPECT_NEAR(left, right, kIdentity * std::max(std::abs(left), std::abs(right)))
                << equation << " in trial " << trial;
        };
        for (std::size_t k = 0; k < s.nodes.size(); ++k) {
            const LopcNode& node = s.nodes[k];
            double arrivals = 0.0;
            for (std::size_t i = 0; i < s.nodes.size(); ++i) {
                arrivals += in.visits.row(i)[k] * s.nodes[i].requests_per_cycle;  // (20)
            }
            const double x = node.asks ? 1.0 / node.response_cycles : 0.0;  // (19)
            close(node.requests_per_cycle, x, "(19)");
            close(node.request_utilization, request * arrivals, "(21)");
            EXPECT_LT(request * arrivals, 1.0);
            close(node.reply_utilization, reply * x, "(22)");
            close(node.requests_queued, node.request_response_cycles * arrivals, "(23)");
            close(node.replies_queued, x * node.reply_response_cycles, "(24)");
            const double ahead = request * (node.requests_queued + c * node.request_utilization);
            close(node.request_response_cycles,
                  request + ahead + reply * (node.replies_queued + c * node.reply_utilization),
                  "(25)");
            if (!node.asks) {
                continue;
            }
            close(node.reply_response_cycles, reply + ahead, "(26)");
            const double thread = in.work_cycles[k] + in.send_overhead_cycles;
            close(node.thread_response_cycles,
                  in.protocol_processor ? thread
                                        : (thread + request * node.requests_queued) /
                                              (1.0 - node.request_utilization),
                  "(27)");
            double turn =
                node.thread_response_cycles + in.network_cycles + node.reply_response_cycles;
            for (std::size_t j = 0; j < s.nodes.size(); ++j) {
                turn +=
                    in.visits.row(k)[j] * (in.network_cycles + s.nodes[j].request_response_cycles);
            }
            close(node.response_cycles, turn, "(28)");
            EXPECT_GE(node.response_cycles, node.contention_free_cycles * (1.0 - 1e-12));
        }
    }
}

TEST(LopcGeneral, NodesMayBeNumberedOtherwise) {
    std::mt19937_64 random(28);
    for (int trial = 0; trial < 50; ++trial) {
        const LopcGeneralInputs in = random_inputs(random);
        const std::size_t size = in.visits.processors();
        LopcGeneralInputs turned = in;
        for (std::size_t i = 0; i < size; ++i) {
            turned.work_cycles[(i + 1) % size] = in.work_cycles[i];
            for (std::size_t k = 0; k < size; ++k) {
                turned.visits.row((i + 1) % size)[(k + 1) % size] = in.visits.row(i)[k];
            }
        }
        const LopcGeneralSolution one = solve_lopc_general(in);
        const LopcGeneralSolution other = solve_lopc_general(turned);
        for (std::size_t i = 0; i < size; ++i) {
            EXPECT_NEAR(one.nodes[i].response_cycles, other.nodes[(i + 1) % size].response_cycles,
                        kIdentity * one.nodes[i].response_cycles);
        }
    }
}

// Appendix A: without contention a request of h visits takes h + 1 trips and h + 1 handlers.
TEST(LopcGeneral, ARequestThatIsHandedOnTakesItsTripsAndHandlers) {
    const LopcGeneralSolution s =
        solve_lopc_general({lopc_all_to_any_visits(32, 3.0), {1e9}, 6.0, 145.0, 0.0});
    EXPECT_NEAR(s.contention_free_cycles, 1e9 + 4.0 * (6.0 + 145.0), 1e-3);
    // Three requests interrupt each round trip; there is hardly any other contention.
    EXPECT_NEAR(s.response_cycles - s.contention_free_cycles, 3.0 * 145.0, 1e-2);
}

// All other threads ask one node: its own thread hardly runs, and the others share the rate 1/S_o.
TEST(LopcGeneral, AHotSpotIsBusyAndItsThreadStarves) {
    LopcVisits visits(64);
    visits.row(0)[1] = 1.0;
    for (std::size_t i = 1; i < 64; ++i) {
        visits.row(i)[0] = 1.0;
    }
    const LopcGeneralSolution s = solve_lopc_general({visits, {1000.0}, 6.0, 100.0, 1.0});
    EXPECT_EQ(s.busiest_node, 0U);
    EXPECT_GT(s.nodes[0].request_utilization, 0.97);
    EXPECT_GT(s.nodes[0].response_cycles, 20.0 * 1000.0);
    EXPECT_NEAR(s.requests_per_cycle, 1.0 / 100.0, 0.05 / 100.0);
}

TEST(LopcGeneral, ASlowThreadDelaysNobody) {
    std::vector<double> work(32, 1000.0);
    const LopcGeneralInputs even = {lopc_all_to_any_visits(32, 1.0), work, 6.0, 145.0, 0.0};
    work[7] = 100000.0;
    const LopcGeneralInputs uneven = {lopc_all_to_any_visits(32, 1.0), work, 6.0, 145.0, 0.0};
    EXPECT_LT(solve_lopc_general(uneven).nodes[0].response_cycles,
              solve_lopc_general(even).nodes[0].response_cycles);
}

TEST(LopcGeneral, SettlesForAThousandNodesAndEveryVariation) {
    for (const double squared_cv : {0.0, 1.0, 1e4}) {
        const LopcGeneralSolution s =
            solve_lopc_general({lopc_all_to_any_visits(1024, 1.0), {0.0}, 6.0, 145.0, squared_cv});
        EXPECT_LE(s.iterations, 200);
        EXPECT_NEAR(s.response_cycles /
                        solve_lopc_all_to_any({1024, 0.0, 6.0, 145.0, squared_cv}).response_cycles,
                    1.0, kIdentity);
    }
}

TEST(LopcFixedPoint, RefusesEquationsThatNeverSettle) {
    struct Restless {
        double substitute(double part) { return part; }
    } restless;
    try {
        lopc_settle(restless, "these equations");
        FAIL() << "settled";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), Names("10000", "accepted", "visits (V)"));
    }
}

std::string general_refusal(const LopcGeneralInputs& inputs) {
    try {
        solve_lopc_general(inputs);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "accepted";
}

std::string refusal_of_visits(const std::vector<std::vector<double>>& rows) {
    try {
        return general_refusal(LopcGeneralInputs{lopc_visits(rows), {100.0}, 6.0, 145.0, 0.0});
    } catch (const ModelError& error) {
        return error.what();
    }
}

TEST(LopcGeneral, RefusesVisitsThatMakeNoSense) {
    EXPECT_THAT(refusal_of_visits({{0.0, 1.0}, {1.0}}),
                Names("visits (V)", "2", "1", "1", "accepted", "square"));
    EXPECT_THAT(refusal_of_visits({{0.0, 1.0}}),
                Names("visits (V)", "1", "0", "2", "accepted", "square"));
    EXPECT_THAT(refusal_of_visits({{0.0, 1.0}, {2.0, -1.0}}),
                Names("visits (V)", "-1", "1", "accepted", "0", "1e+06"));
    EXPECT_THAT(refusal_of_visits({{0.0, 1.0}, {std::numeric_limits<double>::quiet_NaN(), 0.0}}),
                Names("visits (V)", "nan", "1", "accepted", "0", "1e+06"));
    EXPECT_THAT(refusal_of_visits({{0.0, 0.5}, {1.0, 0.0}}),
                Names("visits (V)", "0.5", "0", "accepted", "1", "0"));
    EXPECT_THAT(refusal_of_visits({{0.0, 0.0}, {0.0, 0.0}}),
                Names("visits (V)", "0", "throughout", "accepted"));
    EXPECT_EQ(refusal_of_visits({{0.0, 1.0}, {0.0, 0.0}}), "accepted");
    EXPECT_EQ(refusal_of_visits({{0.0, 1.0 - 1e-7}, {1.0, 0.0}}), "accepted");
}

TEST(LopcGeneral, RefusesEachOtherInputByName) {
    const LopcVisits visits = lopc_all_to_any_visits(4, 1.0);
    EXPECT_THAT(general_refusal({visits, {1.0, 2.0}, 6.0, 145.0, 0.0}),
                Names("work_cycles (W)", "2", "accepted", "4"));
    EXPECT_EQ(general_refusal({visits, {-1.0}, 6.0, 145.0, 0.0}),
              "work_cycles (W) is -1; accepted: 0 to 1e+15 cycles");
    EXPECT_THAT(general_refusal({visits, {1.0}, 6.0}),
                Names("handler_cycles (S_o)", "given", "accepted", "0", "1e+15"));
    EXPECT_THAT(general_refusal({visits, {0.0}, 0.0, 0.0, 0.0}),
                Names("thread", "0", "0", "accepted", "1e-09"));
    EXPECT_THAT(general_refusal(LopcGeneralInputs{}), Names("visits (V)", "0", "accepted", "1"));
    EXPECT_THROW(lopc_client_server_visits(4, 4, 1.0), ModelError);
    EXPECT_THROW(lopc_all_to_any_visits(4, 0.5), ModelError);
}

}  // namespace
}  // namespace weir::experiments::models
