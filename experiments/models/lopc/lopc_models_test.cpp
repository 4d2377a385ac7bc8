#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_mva.h"
#include "experiments/models/lopc/lopc_shared_memory.h"
#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Figures 6 and 7 of LoPC.
const Settings kFigure6 = {
    {"processors", 32.0}, {"work_cycles", 0.0}, {"network_cycles", 6.0}, {"handler_cycles", 200.0}};

TEST(LopcAllToAnyModel, AnswersWithEveryPartOfTheSolution) {
    const Asked asked("lopc-all-to-any", kFigure6);
    const LopcSolution s = solve_lopc_all_to_any({32, 0.0, 6.0, 200.0, 0.0});
    EXPECT_EQ(asked["response_cycles"], s.response_cycles);
    EXPECT_EQ(asked["requests_per_cycle"], s.requests_per_cycle);
    EXPECT_EQ(asked["requests_queued"], s.requests_queued);
    EXPECT_EQ(asked["replies_queued"], s.replies_queued);
    EXPECT_EQ(asked["request_utilization"], 200.0 / s.response_cycles);
    EXPECT_EQ(asked["reply_utilization"], 200.0 / s.response_cycles);
    EXPECT_NEAR(asked["response_cycles"],
                asked["thread_response_cycles"] + 12.0 + asked["request_response_cycles"] +
                    asked["reply_response_cycles"],
                1e-9);
    EXPECT_NEAR(asked["contention_cycles"],
                asked["interference_cycles"] + asked["request_queueing_cycles"] +
                    asked["reply_queueing_cycles"],
                1e-9);
    EXPECT_NEAR(asked["contention_fraction"], asked["contention_cycles"] / asked["response_cycles"],
                1e-12);
    EXPECT_EQ(asked["contention_free_cycles"], 412.0);
    EXPECT_EQ(asked["lower_bound_cycles"], 412.0);
    EXPECT_EQ(asked["upper_bound_cycles"], 12.0 + 3.46 * 200.0);
    EXPECT_GT(asked["worst_contention_cycles"], asked["contention_cycles"]);
    EXPECT_EQ(asked["runtime_cycles"], s.response_cycles);
    EXPECT_EQ(asked["exponential_response_cycles"],
              solve_lopc_all_to_any({32, 0.0, 6.0, 200.0, 1.0}).response_cycles);
    EXPECT_THAT(asked.notes(), ElementsAre(HasSubstr("Section 4.4's errors")));
}

// With C_o^2 = 1, (5') and (6') are (5) and (6). The bounds (9) do not apply.
TEST(LopcAllToAnyModel, HasNoBoundsForExponentialHandlers) {
    Settings settings = kFigure6;
    settings.emplace_back("handler_squared_cv", 1.0);
    settings.emplace_back("requests_per_thread", 1000.0);
    const Asked asked("lopc-all-to-any", settings);
    EXPECT_FALSE(asked.has("lower_bound_cycles"));
    EXPECT_FALSE(asked.has("upper_bound_cycles"));
    EXPECT_EQ(asked["response_cycles"], asked["exponential_response_cycles"]);
    EXPECT_EQ(asked["runtime_cycles"], 1000.0 * asked["response_cycles"]);
    EXPECT_EQ(asked.notes().size(), 2U);
    // Response times by equations (5) and (6).
    EXPECT_NEAR(asked["request_response_cycles"],
                200.0 * (1.0 + asked["requests_queued"] + asked["replies_queued"]), 1e-9);
    EXPECT_NEAR(asked["reply_response_cycles"], 200.0 * (1.0 + asked["requests_queued"]), 1e-9);
}

TEST(LopcAllToAnyModel, TakesAProtocolProcessorAndTheCostOfSending) {
    Settings settings = kFigure6;
    settings.emplace_back("protocol_processor", true);
    EXPECT_EQ(Asked("lopc-all-to-any", settings)["interference_cycles"], 0.0);
    settings = {{"processors", 32.0},
                {"work_cycles", 0.0},
                {"network_cycles", 21.0},
                {"handler_cycles", 122.0},
                {"send_overhead_cycles", 15.0}};
    const Asked sends("lopc-all-to-any", settings);
    EXPECT_EQ(sends["contention_free_cycles"], 316.0);
    EXPECT_FALSE(sends.has("upper_bound_cycles"));
    EXPECT_GT(sends["request_utilization"], sends["reply_utilization"]);
}

// LoGPC (2001), Table 4: C_r 137, LogP 316, and 453 for LoPC, which is this rule. The value 496.9
// is derived, not published.
TEST(LopcRuleOfThumbModel, GivesTable4OfLogpc) {
    const Asked asked("lopc-rule-of-thumb", {{"latency_cycles", 21.0},
                                             {"send_overhead_cycles", 15.0},
                                             {"receive_overhead_cycles", 122.0}});
    EXPECT_EQ(asked["contention_cycles"], 137.0);
    EXPECT_EQ(asked["contention_free_cycles"], 316.0);
    EXPECT_EQ(asked["response_cycles"], 453.0);
    EXPECT_NEAR(asked["full_response_cycles"], 496.9, 0.05);
    const Asked nothing(
        "lopc-rule-of-thumb",
        {{"latency_cycles", 0.0}, {"send_overhead_cycles", 0.0}, {"receive_overhead_cycles", 0.0}});
    EXPECT_EQ(nothing["response_cycles"], 0.0);
    EXPECT_FALSE(nothing.has("full_response_cycles"));
}

// LoPC, sections 3.1.1 and 4.5: 654,800 non-zeros, 59 cycles per multiply-add, S_l = 6, S_o = 145.
Settings sparse_product(double processors) {
    return {{"processors", processors},
            {"nonzeros", 654800.0},
            {"multiply_add_cycles", 59.0},
            {"network_cycles", 6.0},
            {"handler_cycles", 145.0}};
}

TEST(LopcSparseProductModel, CountsAsSection311Does) {
    const Asked two("lopc-sparse-product", sparse_product(2.0));
    EXPECT_EQ(two["multiply_adds_per_node"], 327400.0);
    EXPECT_EQ(two["gets_per_node"], 163700.0);
    EXPECT_EQ(two["work_cycles"], 118.0);
    const Asked many("lopc-sparse-product", sparse_product(32.0));
    EXPECT_EQ(many["multiply_adds_per_node"], 20462.5);
    EXPECT_NEAR(many["gets_per_node"], 19823.046875, 1e-9);
    EXPECT_NEAR(many["work_cycles"], 59.0 * 32.0 / 31.0, 1e-12);
}

// Computed values; the text does not have the heights of Figure 8. Work is 59 cycles per non-zero
// at any P; the rest grows with the share of remote elements.
TEST(LopcSparseProductModel, CostsMoreForEachNonzeroAsMoreIsRemote) {
    double previous = 0.0;
    for (const double processors : {2.0, 4.0, 8.0, 16.0, 32.0}) {
        const Asked asked("lopc-sparse-product", sparse_product(processors));
        const double of_turn = asked["cycles_per_nonzero"] * processors / (processors - 1.0);
        EXPECT_NEAR(of_turn, asked["response_cycles"], 1e-9);
        EXPECT_GT(asked["cycles_per_nonzero"], previous);
        previous = asked["cycles_per_nonzero"];
        EXPECT_NEAR(asked["runtime_cycles"],
                    asked["cycles_per_nonzero"] * asked["multiply_adds_per_node"], 1e-3);
        EXPECT_NEAR(asked["contention_free_runtime_cycles"],
                    asked["gets_per_node"] * (asked["work_cycles"] + 302.0), 1e-3);
        EXPECT_GT(asked["contention_cycles"], 145.0);
        EXPECT_LT(asked["contention_cycles"], 1.46 * 145.0);
    }
    EXPECT_NEAR(previous, 539.4, 0.05);
    EXPECT_NEAR(Asked("lopc-sparse-product", sparse_product(2.0))["cycles_per_nonzero"], 303.0,
                0.05);
}

const Settings kWorkpile = {{"processors", 32.0},
                            {"work_cycles", 1000.0},
                            {"network_cycles", 6.0},
                            {"handler_cycles", 131.0}};

TEST(LopcClientServerModel, FindsTheBestNumberAndListsAllNumbers) {
    const Asked asked("lopc-client-server", kWorkpile);
    const LopcClientServerInputs in = {32, 1000.0, 6.0, 131.0, 0.0};
    const LopcBestServers best = lopc_best_servers(in);
    EXPECT_EQ(asked["best_servers"], best.servers);
    EXPECT_EQ(asked["best_whole_servers"], best.whole_servers);
    EXPECT_EQ(asked["servers_used"], best.whole_servers);
    EXPECT_EQ(asked["best_server_response_cycles"], best.server_response_cycles);
    EXPECT_EQ(asked["contention_free_best_servers"], best.contention_free_servers);
    ASSERT_EQ(asked.table().rows().size(), 31U);
    double most = 0.0;
    for (std::size_t row = 0; row < 31; ++row) {
        EXPECT_EQ(asked.cell(row, 0), static_cast<double>(row + 1));
        EXPECT_LT(asked.cell(row, 1), asked.cell(row, 5));
        most = std::max(most, asked.cell(row, 1));
    }
    EXPECT_EQ(asked["requests_per_cycle"], most);
    EXPECT_LE(most, asked["best_requests_per_cycle"]);
    EXPECT_FALSE(asked.has("exact_requests_per_cycle"));
}

TEST(LopcClientServerModel, TakesANumberOfServersAndComparesWithTheExactAnalysis) {
    Settings settings = kWorkpile;
    settings.emplace_back("servers", 9.0);
    settings.emplace_back("handler_squared_cv", 1.0);
    const Asked asked("lopc-client-server", settings);
    EXPECT_EQ(asked["servers_used"], 9.0);
    EXPECT_EQ(asked["response_cycles"],
              solve_lopc_client_server({32, 1000.0, 6.0, 131.0, 1.0}, 9).response_cycles);
    EXPECT_LT(asked["requests_per_cycle"], asked["exact_requests_per_cycle"]);
    EXPECT_GT(asked["requests_per_cycle"], 0.97 * asked["exact_requests_per_cycle"]);
    settings.emplace_back("servers", 32.0);
    EXPECT_THAT(model_refusal("lopc-client-server", settings), HasSubstr("servers (P_s) is 32"));
}

TEST(LopcClientServerModel, AnswersWhereServingCostsNothing) {
    Settings settings = kWorkpile;
    settings.emplace_back("handler_cycles", 0.0);
    EXPECT_THAT(model_refusal("lopc-client-server", settings),
                HasSubstr("handler_cycles (S_o) is 0"));
    settings.emplace_back("servers", 4.0);
    const Asked asked("lopc-client-server", settings);
    EXPECT_EQ(asked["response_cycles"], 1012.0);
    EXPECT_FALSE(asked.has("best_servers"));
    EXPECT_FALSE(asked.has("server_bound_requests_per_cycle"));
}

TEST(LopcGeneralModel, TakesAMatrixAndAListOfWork) {
    const std::vector<std::vector<double>> ring = {
        {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}};
    Settings settings = {{"visits", ring},
                         {"work_cycles", std::vector<double>{100.0, 200.0, 300.0}},
                         {"network_cycles", 6.0},
                         {"handler_cycles", 145.0},
                         {"handler_squared_cv", 1.0}};
    const Asked interrupting("lopc-general", settings);
    ASSERT_EQ(interrupting.table().rows().size(), 3U);
    EXPECT_LT(interrupting.cell(0, 1), interrupting.cell(2, 1));
    EXPECT_FALSE(interrupting.has("exact_response_cycles"));
    EXPECT_THAT(interrupting.notes().front(), Names("protocol_processor", "false"));
    EXPECT_NEAR(interrupting["contention_cycles"],
                interrupting["response_cycles"] - interrupting["contention_free_cycles"], 1e-9);

    settings.emplace_back("protocol_processor", true);
    const Asked beside("lopc-general", settings);
    EXPECT_LT(beside["response_cycles"], interrupting["response_cycles"]);
    EXPECT_LT(beside["exact_response_cycles"], beside["response_cycles"]);
    EXPECT_LT(beside["schweitzer_response_cycles"], beside["response_cycles"]);

    settings.emplace_back("work_cycles", std::vector<double>{100.0, 200.0});
    EXPECT_THAT(model_refusal("lopc-general", settings), HasSubstr("work_cycles (W) has 2 values"));
    settings[0].second = std::vector<std::vector<double>>{{0.0, 1.0}};
    EXPECT_THAT(model_refusal("lopc-general", settings), HasSubstr("a square matrix"));
}

TEST(LopcGeneralModel, ShowsAServerWithoutATurnOfItsOwn) {
    const std::vector<std::vector<double>> server = {{0.0, 0.0}, {1.0, 0.0}};
    const Asked asked("lopc-general", {{"visits", server},
                                       {"work_cycles", std::vector<double>{100.0}},
                                       {"network_cycles", 6.0},
                                       {"handler_cycles", 145.0}});
    EXPECT_EQ(std::get<std::string>(asked.table().rows()[0][1]), "none");
    EXPECT_GT(asked.cell(1, 1), 100.0);
}

TEST(LopcPatternModel, DrawsUpTheVisitsOfTheHomogeneousModels) {
    const Settings alike = {{"processors", 32.0},
                            {"work_cycles", std::vector<double>{1000.0}},
                            {"network_cycles", 6.0},
                            {"handler_cycles", 131.0}};
    const Asked all_to_any("lopc-pattern", alike);
    EXPECT_NEAR(all_to_any["response_cycles"],
                solve_lopc_all_to_any({32, 1000.0, 6.0, 131.0, 0.0}).response_cycles, 1e-6);
    EXPECT_NEAR(all_to_any["contention_free_cycles"], 1274.0, 1e-9);
    Settings settings = alike;
    settings.emplace_back("pattern", std::string("client-server"));
    settings.emplace_back("servers", 5.0);
    EXPECT_NEAR(Asked("lopc-pattern", settings)["response_cycles"],
                solve_lopc_client_server({32, 1000.0, 6.0, 131.0, 0.0}, 5).response_cycles, 1e-6);
    settings = alike;
    settings.emplace_back("visits_per_request", 2.0);
    EXPECT_NEAR(Asked("lopc-pattern", settings)["contention_free_cycles"],
                1000.0 + 3.0 * (6.0 + 131.0), 1e-9);
}

TEST(LopcGeneralModels, RefuseServersOfAPatternWithout) {
    EXPECT_THAT(
        model_refusal("lopc-pattern", {{"processors", 32.0},
                                       {"work_cycles", std::vector<double>{1000.0}},
                                       {"network_cycles", 6.0},
                                       {"handler_cycles", 131.0},
                                       {"servers", 4.0}}),
        Names("servers (P_s)", "4", "effect", "\"all-to-any\"", "accepted", "\"client-server\""));
    Settings settings = kFigure6;
    settings.emplace_back("servers", 4.0);
    EXPECT_THAT(model_refusal("lopc-mva", settings), Names("servers (P_s)", "4", "effect"));
}

TEST(LopcSharedMemoryModel, AnswersForHomesThatAreTheFirstNodes) {
    const Settings reads = {{"processors", 32.0},      {"homes", 4.0},
                            {"work_cycles", 106.0},    {"network_cycles", 15.0},
                            {"directory_cycles", 5.0}, {"fill_cycles", 1.0}};
    const LopcSharedMemorySolution s =
        solve_lopc_shared_memory({.visits = lopc_visits_of_homes(32, 4),
                                  .work_cycles = 106.0,
                                  .network_cycles = 15.0,
                                  .directory_cycles = 5.0,
                                  .fill_cycles = 1.0});
    const Asked asked("lopc-shared-memory", reads);
    EXPECT_EQ(asked["response_cycles"], s.response_cycles);
    EXPECT_NEAR(asked["contention_free_cycles"], 142.0, 1e-9);
    EXPECT_EQ(asked["directory_utilization"], s.directory_utilization);
    EXPECT_NEAR(asked["response_cycles"], 142.0 + asked["contention_cycles"], 1e-9);
    Settings trapping = reads;
    trapping.emplace_back("trapped_share", 0.5);
    trapping.emplace_back("trap_cycles", 240.0);
    const Asked traps("lopc-shared-memory", trapping);
    EXPECT_NEAR(traps["response_cycles"],
                (traps["hardware_response_cycles"] + traps["trapped_response_cycles"]) / 2.0, 1e-9);
    EXPECT_EQ(model_refusal("lopc-shared-memory", {{"processors", 32.0},
                                                   {"homes", 33.0},
                                                   {"work_cycles", 0.0},
                                                   {"network_cycles", 15.0},
                                                   {"directory_cycles", 5.0}}),
              "homes (H) is 33; accepted: 1 to 32 nodes");
}

// With negligible handlers, rounding could make the contention negative.
TEST(LopcMvaModel, HasNoContentionBelowNone) {
    for (const double work : {1000.1, 12345.67, 98765.4, 1e6 / 3.0}) {
        for (const double handler : {0.0, 1e-12, 1e-9}) {
            const Asked asked("lopc-mva", {{"processors", 7.0},
                                           {"work_cycles", work},
                                           {"network_cycles", 6.1},
                                           {"handler_cycles", handler}});
            for (std::size_t row = 0; row < 3; ++row) {
                EXPECT_GE(asked.cell(row, 2), 0.0);
                EXPECT_TRUE(asked.cell(row, 2) == 0.0 ||
                            asked.cell(row, 2) >= 1e-12 * asked.cell(row, 1));
            }
        }
    }
}

TEST(LopcMvaModel, ShowsWhatBardsApproximationCosts) {
    const Asked asked("lopc-mva", kFigure6);
    EXPECT_EQ(asked["exact_response_cycles"],
              solve_lopc_exact_mva_all_to_any(32, 0.0, 6.0, 200.0).response_cycles);
    EXPECT_NEAR(asked["bard_error_percent"], 4.47, 0.005);
    EXPECT_NEAR(asked["schweitzer_error_percent"], 3.89, 0.005);
    ASSERT_EQ(asked.table().rows().size(), 3U);
    for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_NEAR(asked.cell(row, 2), asked.cell(row, 1) - 412.0, 1e-9);
        EXPECT_NEAR(asked.cell(row, 1), 12.0 + asked.cell(row, 3) + asked.cell(row, 4), 1e-6);
        EXPECT_NEAR(asked.cell(row, 5), 32.0 / asked.cell(row, 1), 1e-9);
    }
    Settings settings = kFigure6;
    settings.emplace_back("pattern", std::string("client-server"));
    settings.emplace_back("servers", 16.0);
    const Asked workpile("lopc-mva", settings);
    EXPECT_NEAR(workpile["bard_response_cycles"],
                solve_lopc_client_server({32, 0.0, 6.0, 200.0, 1.0}, 16).response_cycles, 1e-6);
    EXPECT_GT(workpile["bard_error_percent"], workpile["schweitzer_error_percent"]);
    EXPECT_GT(workpile["schweitzer_error_percent"], 0.0);
}

}  // namespace
}  // namespace weir::experiments::models
