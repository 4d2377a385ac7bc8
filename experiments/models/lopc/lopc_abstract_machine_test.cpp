#include "experiments/models/lopc/testing/lopc_abstract_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_mva.h"

namespace weir::experiments::models {
namespace {

double six_cycles(std::size_t, std::size_t) { return 6.0; }

/// LoPC (1997), section 4.4: Manhattan distance on a 4 x 8 mesh, scaled to a mean of S_l = 6.
double manhattan_cycles(std::size_t from, std::size_t to) {
    const auto apart = [](std::size_t a, std::size_t b) {
        return static_cast<double>(a > b ? a - b : b - a);
    };
    return 1.5 * (apart(from % 8, to % 8) + apart(from / 8, to / 8));
}

struct Comparison {
    LopcMeasured measured;
    LopcSolution lopc;
    double logp_cycles;

    [[nodiscard]] double lopc_error() const {
        return lopc.response_cycles / measured.response_cycles - 1.0;
    }
    [[nodiscard]] double logp_error() const { return logp_cycles / measured.response_cycles - 1.0; }
    [[nodiscard]] double contention_error() const {
        return lopc.contention.total_cycles() / (measured.response_cycles - logp_cycles) - 1.0;
    }
    [[nodiscard]] double reply_contention_error() const {
        return lopc.contention.reply_queueing_cycles / (measured.reply_response_cycles - 200.0) -
               1.0;
    }
};

// Figures 6 and 7: P = 32, S_o = 200, S_l = 6. Only destinations are random.
Comparison compare_figure_6(double work) {
    const LopcInputs in = {32, work, 6.0, 200.0, 0.0};
    return {run_lopc_abstract_machine({.visits = lopc_all_to_any_visits(32, 1.0),
                                       .work_cycles = {work},
                                       .trip_cycles = manhattan_cycles,
                                       .handler_cycles = 200.0,
                                       .turns = 2000}),
            solve_lopc_all_to_any(in), lopc_contention_free_cycles(in)};
}

// Section 4.4, W = 0. With 60,000 round trips the mean is accurate to a cycle in 656, a percentage
// to half a point. The paper's 37% and 17% are met. The paper's 7% is 6.2% in this simulation. The
// paper's 76% for the reply is 65% here, of a reply's wait of 35 cycles. The text leaves out
// details of its simulator: the place of a reply in the queue, and how the mesh's trips average 6.
TEST(LopcAbstractMachine, GivesThePercentagesOfSection44WithoutWork) {
    const Comparison at_0 = compare_figure_6(0.0);
    EXPECT_NEAR(at_0.logp_error(), -0.37, 0.01);
    EXPECT_NEAR(at_0.contention_error(), 0.17, 0.02);
    EXPECT_NEAR(at_0.lopc_error(), 0.062, 0.006);
    EXPECT_NEAR(at_0.reply_contention_error(), 0.65, 0.04);
}

// Section 4.4: LoPC's error decays to 0 as W grows; LogP's error in cycles stays, 13% at W = 1000.
TEST(LopcAbstractMachine, GivesThePercentagesOfSection44WithWork) {
    EXPECT_NEAR(compare_figure_6(1000.0).logp_error(), -0.13, 0.005);
    double previous = compare_figure_6(0.0).lopc_error();
    for (const double work : {200.0, 500.0, 1000.0, 4000.0}) {
        const Comparison at_work = compare_figure_6(work);
        EXPECT_LT(at_work.lopc_error(), previous);
        EXPECT_GT(at_work.lopc_error(), 0.0);  // LoPC is always pessimistic
        previous = at_work.lopc_error();
        // LogP's error is "about one handler", at any W.
        EXPECT_NEAR(at_work.measured.response_cycles - at_work.logp_cycles, 200.0, 50.0);
        // The response is nearer to the upper bound of (9) than to the lower one.
        EXPECT_GT(at_work.measured.response_cycles - at_work.logp_cycles, 1.46 * 200.0 / 2.0);
    }
    EXPECT_LT(previous, 0.001);
}

// Section 5: LoPC's throughput is conservative, at most 3% off at the best number of servers. The
// text does not give W; the values here move the best number from 12 down to 3.
TEST(LopcAbstractMachine, ServesAWorkpileAtMost3PercentFasterThanLopcAtItsBest) {
    for (const double work : {0.0, 131.0, 500.0, 1000.0, 2000.0}) {
        const LopcClientServerInputs in = {32, work, 6.0, 131.0, 0.0};
        double measured = 0.0;
        double predicted = 0.0;
        const int best = lopc_best_servers(in).whole_servers;
        for (int servers = std::max(1, best - 2); servers <= best + 2; ++servers) {
            measured = std::max(
                measured,
                run_lopc_abstract_machine({.visits = lopc_client_server_visits(32, servers, 1.0),
                                           .work_cycles = {work},
                                           .trip_cycles = six_cycles,
                                           .handler_cycles = 131.0,
                                           .turns = 2000})
                    .requests_per_cycle);
            predicted =
                std::max(predicted, solve_lopc_client_server(in, servers).requests_per_cycle);
        }
        EXPECT_LT(predicted, measured);
        EXPECT_GT(predicted, 0.97 * measured) << "W = " << work;
    }
}

// Compares simulation and exact analysis, and so tests both: 1% with 30,000 round trips a thread.
TEST(LopcAbstractMachine, WithExponentialHandlersIsTheExactAnalysis) {
    const LopcMeasured measured =
        run_lopc_abstract_machine({.visits = lopc_all_to_any_visits(6, 1.0),
                                   .work_cycles = {50.0},
                                   .trip_cycles = six_cycles,
                                   .handler_cycles = 100.0,
                                   .exponential_handlers = true,
                                   .protocol_processor = true,
                                   .turns = 30000});
    const LopcMva exact = solve_lopc_exact_mva_all_to_any(6, 50.0, 6.0, 100.0);
    EXPECT_NEAR(measured.response_cycles / exact.response_cycles, 1.0, 0.01);
    EXPECT_NEAR(measured.request_response_cycles / exact.request_response_cycles, 1.0, 0.01);
    EXPECT_NEAR(measured.reply_response_cycles / exact.reply_response_cycles, 1.0, 0.01);
    EXPECT_NEAR(measured.requests_per_cycle / exact.requests_per_cycle, 1.0, 0.01);
}

// The extension by o_s is as accurate as the paper's equations: exact with much work, and
// pessimistic by less than a tenth without work.
TEST(LopcAbstractMachine, PaysForItsSendsAsLopcSays) {
    for (const double work : {0.0, 1000.0, 20000.0}) {
        const LopcMeasured measured =
            run_lopc_abstract_machine({.visits = lopc_all_to_any_visits(32, 1.0),
                                       .work_cycles = {work},
                                       .trip_cycles = six_cycles,
                                       .handler_cycles = 122.0,
                                       .send_overhead_cycles = 60.0,
                                       .turns = 1000});
        const double predicted =
            solve_lopc_all_to_any({32, work, 6.0, 122.0, 0.0, false, 60.0}).response_cycles;
        EXPECT_GT(predicted, measured.response_cycles * 0.9995);
        EXPECT_LT(predicted, measured.response_cycles * (work > 1e4 ? 1.001 : 1.1));
    }
}

// Appendix A's model with different nodes: one node gets four times as many requests as others, and
// one thread works ten times as long.
TEST(LopcAbstractMachine, IsWhatTheGeneralModelSaysOfAnUnevenPattern) {
    LopcVisits visits(16);
    std::vector<double> work(16, 800.0);
    work[5] = 8000.0;
    for (std::size_t i = 0; i < 16; ++i) {
        const double others = i == 0 ? 15.0 : 18.0;
        for (std::size_t k = 0; k < 16; ++k) {
            visits.row(i)[k] = (k == i ? 0.0 : k == 0 ? 4.0 : 1.0) / others;
        }
    }
    const LopcMeasured measured = run_lopc_abstract_machine({.visits = visits,
                                                             .work_cycles = work,
                                                             .trip_cycles = six_cycles,
                                                             .handler_cycles = 100.0,
                                                             .turns = 5000});
    const LopcGeneralSolution general = solve_lopc_general({visits, work, 6.0, 100.0, 0.0});
    EXPECT_NEAR(general.requests_per_cycle / measured.requests_per_cycle, 1.0, 0.02);
}

}  // namespace
}  // namespace weir::experiments::models
