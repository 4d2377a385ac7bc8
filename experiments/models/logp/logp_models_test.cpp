#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/models/testing/asked.h"
#include "hw/testing/names.h"

namespace weir::experiments::models {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Models logp_models() {
    Models models = all_models();
    std::erase_if(models, [](const auto& model) {
        return model->source().find("LogP (1993)") == std::string::npos;
    });
    return models;
}

const OutputTable& table(const Asked& asked, const std::string& name) {
    for (const OutputTable* found : asked.solved().tables()) {
        if (found->name() == name) {
            return *found;
        }
    }
    throw std::invalid_argument("no table " + name);
}

std::vector<double> column(const Asked& asked, const std::string& name, std::size_t index) {
    std::vector<double> values;
    for (const auto& row : table(asked, name).rows()) {
        values.push_back(std::get<double>(row[index]));
    }
    return values;
}

const Settings kFigure3 = {
    {"latency_cycles", 6.0}, {"overhead_cycles", 2.0}, {"gap_cycles", 4.0}, {"processors", 8.0}};
const Settings kFigure4Inputs = {
    {"latency_cycles", 5.0}, {"overhead_cycles", 2.0}, {"gap_cycles", 4.0}, {"processors", 8.0}};

TEST(LogpModels, SayWhereOverheadTakesTheGapsPlace) {
    const auto says_so = [](const Model& model) {
        for (const std::string& note : model.notes()) {
            if (note.find("2o is longer than g") != std::string::npos) {
                return true;
            }
        }
        return false;
    };
    const Settings fft = {{"points", 64.0}, {"message_bytes", 16.0}};
    const Settings lu = {{"rows", 16.0}};
    for (const auto& [name, own] : {std::pair{"logp-fft", fft}, std::pair{"logp-lu", lu}}) {
        Asked asked(name, kFigure3 + own);
        EXPECT_FALSE(says_so(asked.solved())) << name;  // values at which g = 2o
        EXPECT_TRUE(says_so(asked.set("overhead_cycles", 2.5).solved())) << name;
    }
}

// Inputs of all magnitudes, whole and fractional: an answer is finite, or a ModelError names the
// accepted values. The catalogue throws another error for answers that are not finite.
TEST(LogpModels, AnswerOrRefuseWhateverTheyAreGiven) {
    constexpr std::array kNumbers = {0.0,  1e-300, 1e-9,   0.5, 1.0,  2.0,  3.0,    4.0,
                                     16.0, 1000.0, 4096.0, 1e6, 1e10, 1e12, 0x1p40, 1e15};
    std::mt19937 random(1993);
    for (auto& model : logp_models()) {
        int answers = 0;
        for (int sample = 0; sample < 300; ++sample) {
            for (Input* input : model->inputs()) {
                try {
                    input->set(kNumbers[random() % kNumbers.size()]);
                } catch (const ModelError& error) {
                    EXPECT_THAT(error.what(), HasSubstr("accepted: "));
                }
            }
            try {
                model->solve();
                ++answers;
            } catch (const ModelError& error) {
                EXPECT_THAT(error.what(), HasSubstr("accepted: ")) << model->name();
            }
        }
        EXPECT_GT(answers, 20) << model->name();
    }
}

TEST(LogpModels, PointToPoint) {
    Asked model("logp-point-to-point", {{"latency_cycles", 21.0},
                                        {"send_overhead_cycles", 15.0},
                                        {"receive_overhead_cycles", 122.0},
                                        {"gap_cycles", 15.0},
                                        {"work_cycles", 1000.0}});
    EXPECT_EQ(model["message_cycles"], 158.0);
    EXPECT_EQ(model["remote_read_cycles"], 316.0);
    EXPECT_EQ(model["iteration_cycles"], 1316.0);
    EXPECT_EQ(model["asynchronous_iteration_cycles"], 137.0);
    EXPECT_EQ(model["prefetch_interval_cycles"], 137.0);
    EXPECT_EQ(model["prefetch_overhead_cycles"], 137.0);
    EXPECT_EQ(model["capacity_messages"], 2.0);
    EXPECT_EQ(model["multithreading_limit"], 1.4);
    model.set("gap_cycles", 0.0);
    EXPECT_FALSE(model.has("capacity_messages"));
    EXPECT_EQ(model.notes().size(), 1U);
}

TEST(LogpModels, LongMessage) {
    Asked model("logp-long-message", {{"latency_cycles", 6.0},
                                      {"overhead_cycles", 2.0},
                                      {"gap_cycles", 4.0},
                                      {"small_messages", 10.0},
                                      {"work_cycles", 30.0}});
    EXPECT_EQ(model["message_cycles"], 46.0);
    EXPECT_EQ(model["synchronous_send_cycles"], 70.0);
    EXPECT_EQ(model["processor_busy_cycles"], 20.0);
    EXPECT_EQ(model["one_processor_cycles"], 50.0);
    EXPECT_EQ(model["two_processors_cycles"], 38.0);
    EXPECT_EQ(model["overhead_as_gap_cycles"], 70.0);
}

TEST(LogpModels, UnloadedTimeOfAPublishedMachineAndOfAnyOther) {
    Asked dash("logp-unloaded-time", {{"message_bits", 160.0}, {"machine", std::string("Dash")}});
    EXPECT_NEAR(dash["message_cycles"], 53.6, 1e-9);
    EXPECT_NEAR(dash["message_nanoseconds"], 53.6 * 30.0, 1e-9);
    EXPECT_EQ(dash["overhead_cycles"], 15.0);
    EXPECT_NEAR(dash["latency_cycles"], 23.6, 1e-9);
    EXPECT_FALSE(dash.has("gap_cycles"));
    EXPECT_NEAR(column(dash, "table_1", 7).at(6), 246.4, 1e-9);
    Asked own("logp-unloaded-time", {{"message_bits", 160.0},
                                     {"cycle_nanoseconds", 25.0},
                                     {"channel_bits", 4.0},
                                     {"both_overheads_cycles", 132.0},
                                     {"hop_cycles", 8.0},
                                     {"hops", 9.3},
                                     {"bisection_bits_per_cycle", 1.0}});
    EXPECT_NEAR(own["message_cycles"], 246.4, 1e-9);
    EXPECT_EQ(own["gap_cycles"], 160.0);
}

TEST(LogpModels, UnloadedTimeDoesNotIgnoreNumbersBesideAPublishedMachine) {
    EXPECT_THAT(
        model_refusal("logp-unloaded-time",
                      {{"message_bits", 160.0}, {"machine", std::string("Dash")}, {"hops", 3.0}}),
        Names("machine", "\"Dash\"", "accepted", "\"custom\""));
}

TEST(LogpModels, NetworkDistance) {
    Asked torus("logp-network-distance",
                {{"processors", 1024.0}, {"network", std::string("2-D torus")}});
    EXPECT_EQ(torus["asymptotic_mean_hops"], 16.0);
    EXPECT_EQ(torus["mean_hops"], 16.0);
    EXPECT_EQ(torus["largest_hops"], 32.0);
    EXPECT_NEAR(torus["mean_hops_to_others"], 16.0 * 1024.0 / 1023.0, 1e-12);
    EXPECT_EQ(column(torus, "networks", 1).size(), 7U);
    Asked cube("logp-network-distance",
               {{"processors", 1024.0}, {"network", std::string("3-D mesh")}});
    EXPECT_NEAR(cube["asymptotic_mean_hops"], 10.08, 0.005);
    EXPECT_FALSE(cube.has("mean_hops"));
    EXPECT_THAT(cube.notes().front(), HasSubstr("takes a cube"));
}

// LogP (1993), Figure 3.
TEST(LogpModels, Broadcast) {
    Asked model("logp-broadcast", kFigure3);
    EXPECT_EQ(model["finish_cycles"], 24.0);
    EXPECT_EQ(model["binary_tree_cycles"], 30.0);
    EXPECT_EQ(model["binomial_tree_cycles"], 30.0);
    EXPECT_EQ(model["flat_cycles"], 34.0);
    EXPECT_EQ(model["pram_steps"], 3.0);
    EXPECT_EQ(model["bsp_cycles"], 58.0);  // one superstep carries all seven messages
    EXPECT_EQ(model["bsp_supersteps"], 1.0);
    EXPECT_EQ(model["bsp_fan_out"], 7.0);
    EXPECT_THAT(column(model, "processors", 1),
                ElementsAre(0.0, 10.0, 14.0, 18.0, 20.0, 22.0, 24.0, 24.0));
    EXPECT_THAT(column(model, "processors", 2),
                ElementsAre(4.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0));
    EXPECT_THAT(column(model, "sends", 0), ElementsAre(0.0, 4.0, 8.0, 10.0, 12.0, 14.0, 14.0));
    model.set("hardware_barrier", true);
    // l = 10: two supersteps of two messages. max(g_b h, l) leaves out the latency of the second.
    EXPECT_EQ(model["bsp_cycles"], 20.0);
}

// LogP (1993), Figure 4.
TEST(LogpModels, SummationBothWays) {
    Asked most("logp-summation", kFigure4Inputs + Settings({{"time_cycles", 28.0}}));
    EXPECT_EQ(most["values"], 79.0);
    EXPECT_EQ(most["one_processor_values"], 29.0);
    EXPECT_EQ(most["processors_used"], 8.0);
    EXPECT_THAT(column(most, "schedule", 2),
                ElementsAre(28.0, 18.0, 14.0, 10.0, 8.0, 6.0, 4.0, 4.0));
    Asked least("logp-summation-time", kFigure4Inputs + Settings({{"values", 79.0}}));
    EXPECT_EQ(least["time_cycles"], 28.0);
    EXPECT_EQ(least["most_values"], 79.0);
    EXPECT_EQ(least["binomial_tree_cycles"], 39.0);
    EXPECT_EQ(least["one_processor_cycles"], 78.0);
    EXPECT_EQ(least["pram_steps"], 12.0);
    EXPECT_GT(least["bsp_cycles"], 28.0);
    EXPECT_EQ(table(least, "schedule").rows(), table(most, "schedule").rows());
}

// LogP (1993), section 4.1.4, in microseconds.
TEST(LogpModels, Fft) {
    Asked model("logp-fft", {{"latency_cycles", 6.0},
                             {"overhead_cycles", 2.0},
                             {"gap_cycles", 4.0},
                             {"processors", 128.0},
                             {"points", 1048576.0},
                             {"butterfly_cycles", 4.5},
                             {"point_cycles", 1.0},
                             {"message_bytes", 16.0}});
    EXPECT_DOUBLE_EQ(model["asymptotic_bytes_per_cycle"], 3.2);
    EXPECT_EQ(model["computation_cycles"], 8192.0 * 20.0 * 4.5 / 2.0);
    EXPECT_EQ(model["hybrid_communication_cycles"], 4.0 * (8192.0 - 64.0) + 6.0);
    EXPECT_EQ(model["single_layout_communication_cycles"], 7.0 * (4.0 * 8192.0 + 6.0));
    EXPECT_EQ(model["pram_steps"], 8192.0 * 20.0);
    for (const Output* result : model.solved().outputs()) {
        EXPECT_TRUE(result->value().has_value()) << result->name();
    }
    model.set("points", 256.0);
    EXPECT_FALSE(model.has("hybrid_total_cycles"));
    EXPECT_FALSE(model.has("bsp_hybrid_cycles"));
    EXPECT_TRUE(model.has("single_layout_total_cycles"));
}

TEST(LogpModels, Lu) {
    Asked model("logp-lu", {{"latency_cycles", 6.0},
                            {"overhead_cycles", 0.0},
                            {"gap_cycles", 4.0},
                            {"processors", 16.0},
                            {"rows", 64.0},
                            {"step", 24.0}});
    EXPECT_EQ(model["step_computation_cycles"], 200.0);
    EXPECT_EQ(model["computation_cycles"], 63.0 * 64.0 * 127.0 / 48.0);
    EXPECT_THAT(column(model, "layouts", 1), ElementsAre(326.0, 166.0, 86.0));
    EXPECT_EQ(model["grid_total_cycles"],
              model["computation_cycles"] + 4.0 * 64.0 * 63.0 / 4.0 + 63.0 * 6.0);
    const std::vector<double> blocked = column(model, "load", 1);
    EXPECT_EQ(blocked.front(), 16.0);
    EXPECT_EQ(blocked.back(), 1.0);
    for (const Output* result : model.solved().outputs()) {
        EXPECT_TRUE(result->value().has_value()) << result->name();
    }
    model.set("processors", 8.0);
    EXPECT_FALSE(model.has("grid_total_cycles"));
    EXPECT_EQ(table(model, "layouts").rows().size(), 2U);
    EXPECT_TRUE(table(model, "load").rows().empty());
}

TEST(LogpModels, BspSuperstep) {
    Asked model("bsp-superstep",
                kFigure3 + Settings({{"work_cycles", 100.0}, {"relation_messages", 30.0}}));
    EXPECT_EQ(model["bsp_gap_cycles"], 4.0);
    EXPECT_EQ(model["bsp_periodicity_cycles"], 58.0);
    EXPECT_EQ(model["superstep_cycles"], 120.0);
    EXPECT_EQ(model["least_work_cycles"], 120.0);
    model.set("relation_messages", 0.0);
    EXPECT_EQ(model["superstep_cycles"], 100.0);
    EXPECT_EQ(model["least_work_cycles"], 58.0);
}

double pram_steps(const std::string& name, const Settings& settings) {
    return Asked(name, kFigure3 + settings)["pram_steps"];
}

// LogP (1993), section 6.1, with the textbook algorithms.
TEST(LogpModels, PramTakesTheTextbooksSteps) {
    EXPECT_EQ(pram_steps("logp-broadcast", {{"processors", 1.0}}), 0.0);
    EXPECT_EQ(pram_steps("logp-broadcast", {{"processors", 9.0}}), 4.0);
    EXPECT_EQ(pram_steps("logp-summation-time", {{"processors", 1.0}, {"values", 79.0}}), 78.0);
    EXPECT_EQ(pram_steps("logp-summation-time", {{"processors", 1000.0}, {"values", 8.0}}), 3.0);
    const Settings fft = {{"points", 1024.0}, {"message_bytes", 16.0}};
    EXPECT_EQ(pram_steps("logp-fft", fft), 1280.0);
    EXPECT_EQ(pram_steps("logp-fft", fft + Settings{{"processors", 1024.0}}), 10.0);
    EXPECT_EQ(pram_steps("logp-lu", {{"processors", 1.0}, {"rows", 4.0}}), 2.0 * (9 + 4 + 1));
    EXPECT_EQ(pram_steps("logp-lu", {{"processors", 9.0}, {"rows", 4.0}}), 2.0 * 3);
}

// A PRAM is LogP with g = L = o = 0 and steps of one cycle. With a message per cycle the broadcast
// is that of the exclusive-read PRAM; the summation pays for its additions only.
TEST(LogpModels, PramIsLogpWithoutCommunicationCosts) {
    const auto of_processors = [](const std::string& name, double latency, double gap,
                                  double processors, const Settings& more) {
        return Asked(name, Settings{{"latency_cycles", latency},
                                    {"overhead_cycles", 0.0},
                                    {"gap_cycles", gap},
                                    {"processors", processors}} +
                               more);
    };
    for (int processors = 1; processors <= 70; ++processors) {
        const Asked broadcast = of_processors("logp-broadcast", 1.0, 1.0, processors, {});
        EXPECT_EQ(broadcast["finish_cycles"], broadcast["pram_steps"]) << processors;
    }
    for (const double processors : {1.0, 2.0, 4.0, 16.0, 64.0}) {
        for (const double each : {1.0, 2.0, 10.0, 1000.0}) {
            const Asked sum = of_processors("logp-summation-time", 0.0, 0.0, processors,
                                            {{"values", each * processors}});
            EXPECT_EQ(sum["time_cycles"], sum["pram_steps"])
                << "P " << processors << " n/P " << each;
        }
    }
    // With unevenly spread inputs, LogP's schedule may save a step if P does not divide the values.
    for (double values = 1.0; values <= 300.0; ++values) {
        const Asked sum = of_processors("logp-summation-time", 0.0, 0.0, 7.0, {{"values", values}});
        EXPECT_LE(sum["time_cycles"], sum["pram_steps"]);
    }
}

}  // namespace
}  // namespace weir::experiments::models
