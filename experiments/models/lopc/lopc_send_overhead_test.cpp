#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

// LoGPC (2001), Table 1, two arguments: L = 21, o_s = 15, o_r = 122.
LopcInputs two_arguments() {
    return {.processors = 32,
            .work_cycles = 0.0,
            .network_cycles = 21.0,
            .handler_cycles = 122.0,
            .handler_squared_cv = 0.0,
            .send_overhead_cycles = 15.0};
}

// LoGPC, Table 4: LogP's synchronous round trip is 316.
TEST(LopcSendOverhead, WithoutContentionATurnIsLogpsOfTable4) {
    EXPECT_EQ(lopc_contention_free_cycles(two_arguments()), 316.0);
    LopcInputs sends_in_the_handlers = two_arguments();
    sends_in_the_handlers.handler_cycles = 137.0;
    sends_in_the_handlers.send_overhead_cycles = 0.0;
    EXPECT_EQ(lopc_contention_free_cycles(sends_in_the_handlers), 316.0);
}

// Reply handlers of 122 rather than 137 delay others less; the thread's send can be interrupted.
TEST(LopcSendOverhead, ContendsALittleLessThanSendsInEveryHandler) {
    LopcInputs sends_in_the_handlers = two_arguments();
    sends_in_the_handlers.handler_cycles = 137.0;
    sends_in_the_handlers.send_overhead_cycles = 0.0;
    const double apart = solve_lopc_all_to_any(two_arguments()).response_cycles;
    const double together = solve_lopc_all_to_any(sends_in_the_handlers).response_cycles;
    EXPECT_LT(apart, together);
    EXPECT_GT(apart, 0.97 * together);
}

// Repeated substitution of the equations, with S = S_o + o_s for requests and S_o for replies.
LopcSolution iterate(const LopcInputs& in) {
    const double request = in.handler_cycles + in.send_overhead_cycles;
    const double reply = in.handler_cycles;
    const double c = (in.handler_squared_cv - 1.0) / 2.0;
    LopcSolution s;
    s.response_cycles = lopc_contention_free_cycles(in);
    for (int step = 0; step < 4000; ++step) {
        const double uq = request / s.response_cycles;
        const double uy = reply / s.response_cycles;
        s.request_response_cycles =
            request + request * (s.requests_queued + c * uq) + reply * (s.replies_queued + c * uy);
        s.reply_response_cycles = reply + request * (s.requests_queued + c * uq);
        s.thread_response_cycles =
            (in.work_cycles + in.send_overhead_cycles + request * s.requests_queued) / (1.0 - uq);
        const double x = 1.0 / s.response_cycles;
        s.requests_queued = (s.requests_queued + x * s.request_response_cycles) / 2.0;
        s.replies_queued = (s.replies_queued + x * s.reply_response_cycles) / 2.0;
        s.response_cycles =
            (s.response_cycles + s.thread_response_cycles + 2.0 * in.network_cycles +
             s.request_response_cycles + s.reply_response_cycles) /
            2.0;
    }
    return s;
}

TEST(LopcSendOverhead, AgreesWithAPlainIterationOfTheEquations) {
    for (const double squared_cv : {0.0, 1.0, 2.0}) {
        for (const double work : {0.0, 59.0, 1e4}) {
            for (const double send : {0.0, 1.0, 15.0, 1000.0}) {
                const LopcInputs in = {32, work, 6.0, 122.0, squared_cv, false, send};
                const LopcSolution solved = solve_lopc_all_to_any(in);
                const LopcSolution iterated = iterate(in);
                EXPECT_NEAR(solved.response_cycles / iterated.response_cycles, 1.0, 1e-12);
                EXPECT_NEAR(solved.requests_queued, iterated.requests_queued, 1e-12);
                EXPECT_NEAR(solved.replies_queued, iterated.replies_queued, 1e-12);
                EXPECT_NEAR(solved.thread_response_cycles - work - send,
                            solved.contention.interference_cycles, 1e-9);
            }
        }
    }
}

TEST(LopcSendOverhead, IsRefusedBelowZeroAndByThePapersBounds) {
    LopcInputs in = two_arguments();
    EXPECT_THROW(lopc_response_bounds(in), ModelError);
    in.send_overhead_cycles = -1.0;
    EXPECT_THROW(solve_lopc_all_to_any(in), ModelError);
}

TEST(LopcSendOverhead, MakesAServerBusierAndAClientSlower) {
    const LopcClientServerInputs free = {32, 1000.0, 6.0, 131.0, 0.0};
    LopcClientServerInputs costly = free;
    costly.send_overhead_cycles = 15.0;
    // A single client has no contention: S_o + o_s at the server, o_s and S_o at the client.
    EXPECT_NEAR(solve_lopc_client_server(costly, 31).response_cycles -
                    solve_lopc_client_server(costly, 31).server_queueing_cycles,
                1000.0 + 12.0 + 2.0 * (131.0 + 15.0), 1e-9);
    EXPECT_GT(lopc_best_servers(costly).servers, lopc_best_servers(free).servers);
}

// LoPC, section 4.4: "applicable for arbitrary C_o^2, only the constants will change". The constant
// is the contention without work and network. No W, S_l or o_s in this test gives more.
TEST(LopcWorstContention, BoundsEveryTurnWhateverTheVariationOfHandlers) {
    for (const bool protocol_processor : {false, true}) {
        for (const double squared_cv : {0.0, 0.25, 1.0, 4.0, 100.0}) {
            for (const double send : {0.0, 0.1, 10.0}) {
                LopcInputs in = {32, 0.0, 0.0, 1.0, squared_cv, protocol_processor, send};
                const double worst = lopc_worst_contention_cycles(in);
                EXPECT_NEAR(worst, solve_lopc_all_to_any(in).contention.total_cycles(),
                            1e-12 * worst);
                for (const double work : {0.001, 0.03, 0.3, 1.0, 3.0, 10.0, 1e4}) {
                    for (const double network : {0.0, 0.01, 0.1, 1.0, 10.0}) {
                        in.work_cycles = work;
                        in.network_cycles = network;
                        EXPECT_LT(solve_lopc_all_to_any(in).contention.total_cycles(), worst)
                            << work << " " << network << " " << squared_cv << " " << send;
                    }
                }
            }
        }
    }
}

// The paper rounds the constant of (9) up to 3.46, and thereby the contention to 1.46.
TEST(LopcWorstContention, IsThe146HandlersOfSection44RoundedDown) {
    const double constant = lopc_worst_contention_cycles({32, 5.0, 6.0, 1.0, 0.0});
    EXPECT_NEAR(constant, 1.4517, 0.00005);
    EXPECT_LT(constant, 1.46);
    EXPECT_NEAR(lopc_worst_contention_cycles({32, 5.0, 6.0, 1.0, 1.0}), 1.9354, 0.00005);
    EXPECT_EQ(lopc_worst_contention_cycles({32, 5.0, 6.0, 0.0, 0.0}), 0.0);
}

// LoPC, Figure 5 (P = 32, S_l = 6, W = 1000): the fraction rises with C_o^2 and with S_o. Constant
// and exponential handlers differ visibly if handlers are a considerable part of W. The text does
// not have the curves' values.
TEST(LopcFigure5, ContentionsShareRisesWithVariationAndWithHandlers) {
    const auto fraction = [](double handler, double squared_cv) {
        const LopcSolution s = solve_lopc_all_to_any({32, 1000.0, 6.0, handler, squared_cv});
        return s.contention.total_cycles() / s.response_cycles;
    };
    for (const double handler : {128.0, 256.0, 512.0, 1024.0}) {
        for (const double squared_cv : {0.0, 0.5, 1.0, 1.5}) {
            EXPECT_LT(fraction(handler, squared_cv), fraction(handler, squared_cv + 0.5));
            EXPECT_LT(fraction(handler, squared_cv), fraction(2.0 * handler, squared_cv));
        }
    }
    EXPECT_GT(fraction(1024.0, 1.0) - fraction(1024.0, 0.0), 0.03);
    EXPECT_LT(fraction(16.0, 1.0) - fraction(16.0, 0.0), 0.001);
}

}  // namespace
}  // namespace weir::experiments::models
