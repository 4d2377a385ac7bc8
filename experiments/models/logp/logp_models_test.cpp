#include "experiments/models/logp/logp_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Settings = std::map<std::string, InputValue>;

std::unique_ptr<Model> model_named(const std::string& name) {
    for (std::unique_ptr<Model>& model : logp_models()) {
        if (model->name() == name) {
            return std::move(model);
        }
    }
    throw std::invalid_argument("no model " + name);
}

void set(Model& model, const Settings& settings) {
    for (const auto& [name, value] : settings) {
        Input* input = model.find_input(name);
        ASSERT_NE(input, nullptr) << name;
        input->set(value);
    }
}

/// Set and solved.
std::unique_ptr<Model> solved(const std::string& name, const Settings& settings) {
    std::unique_ptr<Model> model = model_named(name);
    set(*model, settings);
    model->solve();
    return model;
}

double output(const Model& model, const std::string& name) {
    const Output* found = model.find_output(name);
    return found == nullptr ? std::nan("") : found->value().value_or(std::nan(""));
}

const OutputTable& table(const Model& model, const std::string& name) {
    for (const OutputTable* found : model.tables()) {
        if (found->name() == name) {
            return *found;
        }
    }
    throw std::invalid_argument("no table " + name);
}

std::vector<double> column(const OutputTable& rows, std::size_t index) {
    std::vector<double> values;
    for (const auto& row : rows.rows()) {
        values.push_back(std::get<double>(row[index]));
    }
    return values;
}

const Settings kFigure3 = {
    {"latency_cycles", 6.0}, {"overhead_cycles", 2.0}, {"gap_cycles", 4.0}, {"processors", 8.0}};
const Settings kFigure4Inputs = {
    {"latency_cycles", 5.0}, {"overhead_cycles", 2.0}, {"gap_cycles", 4.0}, {"processors", 8.0}};

Settings with(Settings settings, const Settings& more) {
    settings.insert(more.begin(), more.end());
    return settings;
}

TEST(LogpModels, AreAskedByTheseNames) {
    std::vector<std::string> names;
    for (const auto& model : logp_models()) {
        names.push_back(model->name());
    }
    EXPECT_THAT(names, ElementsAre("logp-point-to-point", "logp-long-message", "logp-unloaded-time",
                                   "logp-network-distance", "logp-broadcast", "logp-summation",
                                   "logp-summation-time", "bsp-superstep", "logp-fft", "logp-lu"));
}

TEST(LogpModels, SayWhatTheyAreEachNameOnceAndInputsAnsweredFor) {
    for (const auto& model : logp_models()) {
        EXPECT_THAT(model->source(), HasSubstr("LogP (1993)")) << model->name();
        std::set<std::string> seen;
        for (const Input* input : model->inputs()) {
            EXPECT_TRUE(seen.insert(input->name()).second) << model->name() << input->name();
            EXPECT_LE(input->sentence().size(), 60U) << model->name() << " " << input->name();
            EXPECT_FALSE(input->sentence().empty()) << model->name() << " " << input->name();
        }
        for (const Output* result : model->outputs()) {
            EXPECT_TRUE(seen.insert(result->name()).second) << model->name() << result->name();
            EXPECT_LE(result->sentence().size(), 60U) << model->name() << " " << result->name();
            EXPECT_FALSE(result->sentence().empty()) << model->name() << " " << result->name();
        }
    }
}

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
        Settings settings = with(kFigure3, own);
        EXPECT_FALSE(says_so(*solved(name, settings))) << name;  // g = 2o
        settings["overhead_cycles"] = 2.5;
        EXPECT_TRUE(says_so(*solved(name, settings))) << name;
    }
}

TEST(LogpModels, WantTheInputsThePaperFixesOnlyForItsExamples) {
    for (const auto& model : logp_models()) {
        EXPECT_THROW(model->solve(), ModelError) << model->name();
    }
}

// Numbers of every size, whole and not: an answer is finite (else the catalogue throws what is no
// ModelError), or it is refused with a line that says what is accepted.
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
    const auto model = solved("logp-point-to-point", {{"latency_cycles", 21.0},
                                                      {"send_overhead_cycles", 15.0},
                                                      {"receive_overhead_cycles", 122.0},
                                                      {"gap_cycles", 15.0},
                                                      {"work_cycles", 1000.0}});
    EXPECT_EQ(output(*model, "message_cycles"), 158.0);
    EXPECT_EQ(output(*model, "remote_read_cycles"), 316.0);
    EXPECT_EQ(output(*model, "iteration_cycles"), 1316.0);
    EXPECT_EQ(output(*model, "asynchronous_iteration_cycles"), 137.0);
    EXPECT_EQ(output(*model, "prefetch_interval_cycles"), 137.0);
    EXPECT_EQ(output(*model, "prefetch_overhead_cycles"), 137.0);
    EXPECT_EQ(output(*model, "capacity_messages"), 2.0);
    EXPECT_EQ(output(*model, "multithreading_limit"), 1.4);
    model->find_input("gap_cycles")->set(0.0);
    model->solve();
    EXPECT_TRUE(std::isnan(output(*model, "capacity_messages")));
    EXPECT_EQ(model->notes().size(), 1U);
}

TEST(LogpModels, LongMessage) {
    const auto model = solved("logp-long-message", {{"latency_cycles", 6.0},
                                                    {"overhead_cycles", 2.0},
                                                    {"gap_cycles", 4.0},
                                                    {"small_messages", 10.0},
                                                    {"work_cycles", 30.0}});
    EXPECT_EQ(output(*model, "message_cycles"), 46.0);
    EXPECT_EQ(output(*model, "synchronous_send_cycles"), 70.0);
    EXPECT_EQ(output(*model, "processor_busy_cycles"), 20.0);
    EXPECT_EQ(output(*model, "one_processor_cycles"), 50.0);
    EXPECT_EQ(output(*model, "two_processors_cycles"), 38.0);
    EXPECT_EQ(output(*model, "overhead_as_gap_cycles"), 70.0);
}

TEST(LogpModels, UnloadedTimeOfAPublishedMachineAndOfAnyOther) {
    const auto dash =
        solved("logp-unloaded-time", {{"message_bits", 160.0}, {"machine", std::string("Dash")}});
    EXPECT_NEAR(output(*dash, "message_cycles"), 53.6, 1e-9);
    EXPECT_NEAR(output(*dash, "message_nanoseconds"), 53.6 * 30.0, 1e-9);
    EXPECT_EQ(output(*dash, "overhead_cycles"), 15.0);
    EXPECT_NEAR(output(*dash, "latency_cycles"), 23.6, 1e-9);
    EXPECT_TRUE(std::isnan(output(*dash, "gap_cycles")));
    EXPECT_NEAR(column(table(*dash, "table_1"), 7).at(6), 246.4, 1e-9);
    const auto own = solved("logp-unloaded-time", {{"message_bits", 160.0},
                                                   {"cycle_nanoseconds", 25.0},
                                                   {"channel_bits", 4.0},
                                                   {"both_overheads_cycles", 132.0},
                                                   {"hop_cycles", 8.0},
                                                   {"hops", 9.3},
                                                   {"bisection_bits_per_cycle", 1.0}});
    EXPECT_NEAR(output(*own, "message_cycles"), 246.4, 1e-9);
    EXPECT_EQ(output(*own, "gap_cycles"), 160.0);
}

TEST(LogpModels, UnloadedTimeDoesNotIgnoreNumbersBesideAPublishedMachine) {
    const auto model = model_named("logp-unloaded-time");
    set(*model, {{"message_bits", 160.0}, {"machine", std::string("Dash")}, {"hops", 3.0}});
    try {
        model->solve();
        FAIL() << "the hops were ignored";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("machine is \"Dash\"; accepted: \"custom\""));
    }
}

TEST(LogpModels, NetworkDistance) {
    const auto torus = solved("logp-network-distance",
                              {{"processors", 1024.0}, {"network", std::string("2-D torus")}});
    EXPECT_EQ(output(*torus, "asymptotic_mean_hops"), 16.0);
    EXPECT_EQ(output(*torus, "mean_hops"), 16.0);
    EXPECT_EQ(output(*torus, "largest_hops"), 32.0);
    EXPECT_NEAR(output(*torus, "mean_hops_to_others"), 16.0 * 1024.0 / 1023.0, 1e-12);
    EXPECT_EQ(column(table(*torus, "networks"), 1).size(), 7U);
    const auto cube = solved("logp-network-distance",
                             {{"processors", 1024.0}, {"network", std::string("3-D mesh")}});
    EXPECT_NEAR(output(*cube, "asymptotic_mean_hops"), 10.08, 0.005);
    EXPECT_TRUE(std::isnan(output(*cube, "mean_hops")));
    EXPECT_THAT(cube->notes().front(), HasSubstr("it takes a cube"));
}

// LogP (1993), Figure 3.
TEST(LogpModels, Broadcast) {
    const auto model = solved("logp-broadcast", kFigure3);
    EXPECT_EQ(output(*model, "finish_cycles"), 24.0);
    EXPECT_EQ(output(*model, "binary_tree_cycles"), 30.0);
    EXPECT_EQ(output(*model, "binomial_tree_cycles"), 30.0);
    EXPECT_EQ(output(*model, "flat_cycles"), 34.0);
    EXPECT_EQ(output(*model, "pram_steps"), 3.0);
    EXPECT_EQ(output(*model, "bsp_cycles"), 58.0);  // seven messages are within one superstep
    EXPECT_EQ(output(*model, "bsp_supersteps"), 1.0);
    EXPECT_EQ(output(*model, "bsp_fan_out"), 7.0);
    EXPECT_THAT(column(table(*model, "processors"), 1),
                ElementsAre(0.0, 10.0, 14.0, 18.0, 20.0, 22.0, 24.0, 24.0));
    EXPECT_THAT(column(table(*model, "processors"), 2),
                ElementsAre(4.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0));
    EXPECT_THAT(column(table(*model, "sends"), 0),
                ElementsAre(0.0, 4.0, 8.0, 10.0, 12.0, 14.0, 14.0));
    model->find_input("hardware_barrier")->set(true);
    model->solve();
    // l = 10: two supersteps of two messages, whose start-up max(g_b h, l) leaves out.
    EXPECT_EQ(output(*model, "bsp_cycles"), 20.0);
}

// LogP (1993), Figure 4.
TEST(LogpModels, SummationBothWays) {
    const auto most = solved("logp-summation", with(kFigure4Inputs, {{"time_cycles", 28.0}}));
    EXPECT_EQ(output(*most, "values"), 79.0);
    EXPECT_EQ(output(*most, "one_processor_values"), 29.0);
    EXPECT_EQ(output(*most, "processors_used"), 8.0);
    EXPECT_THAT(column(table(*most, "schedule"), 2),
                ElementsAre(28.0, 18.0, 14.0, 10.0, 8.0, 6.0, 4.0, 4.0));
    const auto least = solved("logp-summation-time", with(kFigure4Inputs, {{"values", 79.0}}));
    EXPECT_EQ(output(*least, "time_cycles"), 28.0);
    EXPECT_EQ(output(*least, "most_values"), 79.0);
    EXPECT_EQ(output(*least, "binomial_tree_cycles"), 39.0);
    EXPECT_EQ(output(*least, "one_processor_cycles"), 78.0);
    EXPECT_EQ(output(*least, "pram_steps"), 12.0);
    EXPECT_GT(output(*least, "bsp_cycles"), 28.0);
    EXPECT_EQ(table(*least, "schedule").rows(), table(*most, "schedule").rows());
}

// LogP (1993), section 4.1.4, in microseconds.
TEST(LogpModels, Fft) {
    const auto model = solved("logp-fft", {{"latency_cycles", 6.0},
                                           {"overhead_cycles", 2.0},
                                           {"gap_cycles", 4.0},
                                           {"processors", 128.0},
                                           {"points", 1048576.0},
                                           {"butterfly_cycles", 4.5},
                                           {"point_cycles", 1.0},
                                           {"message_bytes", 16.0}});
    EXPECT_DOUBLE_EQ(output(*model, "asymptotic_bytes_per_cycle"), 3.2);
    EXPECT_EQ(output(*model, "computation_cycles"), 8192.0 * 20.0 * 4.5);
    EXPECT_EQ(output(*model, "hybrid_communication_cycles"), 4.0 * (8192.0 - 64.0) + 6.0);
    EXPECT_EQ(output(*model, "single_layout_communication_cycles"), 7.0 * (4.0 * 8192.0 + 6.0));
    EXPECT_EQ(output(*model, "pram_steps"), 8192.0 * 20.0);
    for (const Output* result : model->outputs()) {
        EXPECT_TRUE(result->value().has_value()) << result->name();
    }
    model->find_input("points")->set(256.0);
    model->solve();
    EXPECT_TRUE(std::isnan(output(*model, "hybrid_total_cycles")));
    EXPECT_TRUE(std::isnan(output(*model, "bsp_hybrid_cycles")));
    EXPECT_FALSE(std::isnan(output(*model, "single_layout_total_cycles")));
}

TEST(LogpModels, Lu) {
    const auto model = solved("logp-lu", {{"latency_cycles", 6.0},
                                          {"overhead_cycles", 0.0},
                                          {"gap_cycles", 4.0},
                                          {"processors", 16.0},
                                          {"rows", 64.0},
                                          {"step", 24.0}});
    EXPECT_EQ(output(*model, "step_computation_cycles"), 200.0);
    EXPECT_EQ(output(*model, "computation_cycles"), 63.0 * 64.0 * 127.0 / 48.0);
    EXPECT_THAT(column(table(*model, "layouts"), 1), ElementsAre(326.0, 166.0, 86.0));
    EXPECT_EQ(output(*model, "grid_total_cycles"),
              output(*model, "computation_cycles") + 4.0 * 64.0 * 63.0 / 4.0 + 63.0 * 6.0);
    const std::vector<double> blocked = column(table(*model, "load"), 1);
    EXPECT_EQ(blocked.front(), 16.0);
    EXPECT_EQ(blocked.back(), 1.0);
    for (const Output* result : model->outputs()) {
        EXPECT_TRUE(result->value().has_value()) << result->name();
    }
    model->find_input("processors")->set(8.0);
    model->solve();
    EXPECT_TRUE(std::isnan(output(*model, "grid_total_cycles")));
    EXPECT_EQ(table(*model, "layouts").rows().size(), 2U);
    EXPECT_TRUE(table(*model, "load").rows().empty());
}

TEST(LogpModels, BspSuperstep) {
    const auto model = solved(
        "bsp-superstep", with(kFigure3, {{"work_cycles", 100.0}, {"relation_messages", 30.0}}));
    EXPECT_EQ(output(*model, "bsp_gap_cycles"), 4.0);
    EXPECT_EQ(output(*model, "bsp_periodicity_cycles"), 58.0);
    EXPECT_EQ(output(*model, "superstep_cycles"), 120.0);
    EXPECT_EQ(output(*model, "least_work_cycles"), 120.0);
    model->find_input("relation_messages")->set(0.0);
    model->solve();
    EXPECT_EQ(output(*model, "superstep_cycles"), 100.0);
    EXPECT_EQ(output(*model, "least_work_cycles"), 58.0);
}

}  // namespace
}  // namespace weir::experiments::models
