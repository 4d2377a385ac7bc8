#include "experiments/models/queueing/md1_all_to_any.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::HasSubstr;

constexpr Md1Inputs kByHand{.work_cycles = 60, .network_cycles = 52, .handler_cycles = 144};

// rho = 144 / 576 = 1/4 and W_q = 1/4 144 / (3/2) = 24, so (24 + 144) / 576 = 7/24 requests are at
// a node. The thread's 60 cycles take (60 + 144 7/24) / (3/4) = 136, and R = 136 + 2 (52 + 24 +
// 144) = 576.
TEST(Md1AllToAnyTest, ATurnThatComesOutInWholeCycles) {
    const Md1Solution solution = solve_md1_all_to_any(kByHand);
    EXPECT_NEAR(solution.response_cycles, 576.0, 1e-9);
    EXPECT_NEAR(solution.utilization, 0.25, 1e-12);
    EXPECT_NEAR(solution.requests_at_node, 7.0 / 24.0, 1e-12);
    EXPECT_NEAR(solution.contention.request_queueing_cycles, 24.0, 1e-9);
    EXPECT_NEAR(solution.contention.reply_queueing_cycles, 24.0, 1e-9);
    EXPECT_NEAR(solution.contention.interference_cycles, 76.0, 1e-9);
    EXPECT_EQ(solution.contention_free_cycles, 452.0);
}

// Independent solution: with y = R - S_o the equations are the cubic
// y^3 - (W + 2 S_l + S_o) y^2 - (W S_o + 2 S_o^2) y - S_o^3 / 2 = 0.
TEST(Md1AllToAnyTest, TheTurnIsTheRootOfACubic) {
    for (const double work : {0.0, 10.0, 1000.0, 1e6}) {
        for (const double network : {0.0, 21.0, 300.0}) {
            constexpr double kService = 130.0;
            const double y =
                solve_md1_all_to_any({work, network, kService}).response_cycles - kService;
            const double cubic = y * y * y;
            EXPECT_NEAR((work + 2 * network + kService) * y * y +
                            (work * kService + 2 * kService * kService) * y +
                            kService * kService * kService / 2,
                        cubic, 1e-12 * cubic)
                << work << ' ' << network;
        }
    }
}

// For very long work, one request per round trip interrupts the thread, and nothing waits.
TEST(Md1AllToAnyTest, MuchWorkLeavesOneHandlerOfContention) {
    const Md1Solution solution = solve_md1_all_to_any({1e9, 21.0, 130.0});
    EXPECT_NEAR(solution.contention.total_cycles(), 130.0, 1e-4);
    EXPECT_NEAR(solution.contention.interference_cycles, 130.0, 1e-4);
}

TEST(Md1AllToAnyTest, HandlersWithoutTimeLeaveNoContention) {
    EXPECT_EQ(solve_md1_all_to_any({100.0, 21.0, 0.0}).response_cycles, 142.0);
}

// LoPC's requests also wait for replies.
TEST(Md1AllToAnyTest, LopcHasMoreContention) {
    for (const double work : {0.0, 100.0, 1000.0}) {
        const Md1Solution md1 = solve_md1_all_to_any({work, 21.0, 130.0});
        const LopcSolution lopc = solve_lopc_all_to_any({.processors = 32,
                                                         .work_cycles = work,
                                                         .network_cycles = 21.0,
                                                         .handler_cycles = 130.0,
                                                         .handler_squared_cv = 0.0});
        EXPECT_LT(md1.response_cycles, lopc.response_cycles) << work;
        EXPECT_GT(md1.response_cycles, md1.contention_free_cycles) << work;
    }
}

TEST(Md1AllToAnyTest, AProtocolProcessorLeavesTheThreadAlone) {
    Md1Inputs inputs = kByHand;
    inputs.protocol_processor = true;
    const Md1Solution solution = solve_md1_all_to_any(inputs);
    EXPECT_EQ(solution.contention.interference_cycles, 0.0);
    EXPECT_LT(solution.response_cycles, 576.0);
}

std::string refusal_of(const Md1Inputs& inputs) {
    try {
        solve_md1_all_to_any(inputs);
    } catch (const ModelError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Md1AllToAnyTest, WhatHasNoTurnIsRefused) {
    EXPECT_THAT(refusal_of({.network_cycles = 21.0, .handler_cycles = 130.0}),
                HasSubstr("work_cycles (W)"));
    EXPECT_THAT(refusal_of({100.0, 21.0, -1.0}), HasSubstr("handler_cycles (S_o) is -1"));
    EXPECT_THAT(refusal_of({0.0, 0.0, 0.0}), Names("accepted", "1e-09"));
}

TEST(Md1AllToAnyTest, TheCatalogueAnswersAlike) {
    const Asked model("md1-all-to-any",
                      {{"work_cycles", 60.0}, {"network_cycles", 52.0}, {"handler_cycles", 144.0}});
    EXPECT_NEAR(model["response_cycles"], 576.0, 1e-9);
    EXPECT_NEAR(model["waiting_cycles"], 24.0, 1e-9);
    EXPECT_NEAR(model["contention_cycles"], 124.0, 1e-9);
}

}  // namespace
}  // namespace weir::experiments::models
