#include "experiments/analyses/explanations/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "experiments/analyses/compared_models/compared_model.h"

namespace weir::experiments::analyses {
namespace {

using records::Explanation;

// A synchronous remap on 32 nodes with two arguments (LoGPC Table 1) and 200 cycles of work.
const records::Metrics kInputs{{"work_cycles", 200.0},
                               {"thread_cycles", 215.0},
                               {"latency_cycles", 21.0},
                               {"send_overhead_cycles", 15.0},
                               {"handler_cycles", 129.5},
                               {"receive_overhead_cycles", 122.0},
                               {"message_bytes", 16.0},
                               {"handler_squared_cv", 0.25},
                               {"request_handler_cycles", 137.0},
                               {"reply_handler_cycles", 122.0},
                               {"request_handler_squared_cv", 0.5},
                               {"reply_handler_squared_cv", 0.0}};

// Parts of a round trip. The reply leaves 42 cycles before the end of its handler.
records::Metrics round_trip(double contention = 3.0) {
    return {{"compute", 200.0},
            {"wait", 0.0},
            {"request_send", 15.0},
            {"interference", 70.0},
            {"request_network_unloaded", 11.0},
            {"request_network_contention", contention},
            {"request_notify", 10.0},
            {"request_queueing", 40.0},
            {"request_handler", 80.0},
            {"reply_send", 15.0},
            {"reply_network_unloaded", 11.0},
            {"reply_network_contention", 1.0},
            {"reply_notify", 10.0},
            {"reply_queueing", 20.0},
            {"reply_handler", 122.0}};
}

double sum_of(const records::Metrics& parts) {
    double sum = 0.0;
    for (const auto& [name, cycles] : parts) {
        sum += cycles;
    }
    return sum;
}

MachineView machine() {
    MachineView view;
    view.mesh_extents = {8, 4};
    return view;
}

struct Case {
    MachineView view = machine();
    firmware::Communication communication = firmware::Communication::kRequestReply;
    firmware::MessagePattern pattern;

    [[nodiscard]] AskedProgram program() const {
        return {analysis_of(""), view, communication, pattern};
    }
};

std::vector<Explanation> explained(const Case& asked, const records::Metrics& parts,
                                   const records::Metrics& given = {},
                                   const records::Metrics& inputs = kInputs) {
    return explain_predictions(predict(explained_model_names(), inputs, given, asked.program()),
                               {.metric = "cycles_per_iteration",
                                .measured_cycles = sum_of(parts),
                                .parts = parts,
                                .measured_inputs = inputs,
                                .given_inputs = given},
                               asked.program());
}

const Explanation& of_model(const std::vector<Explanation>& all, const std::string& model) {
    for (const Explanation& explanation : all) {
        if (explanation.model == model) {
            return explanation;
        }
    }
    throw std::logic_error("no explanation of " + model);
}

double part(const Explanation& explanation, const std::string& assumption) {
    for (const records::ExplainedPart& each : explanation.parts) {
        if (each.assumption == assumption) {
            return each.cycles;
        }
    }
    return 0.0;
}

std::vector<std::string> named(const Explanation& explanation) {
    std::vector<std::string> names;
    for (const records::ExplainedPart& each : explanation.parts) {
        if (each.is_named) {
            names.push_back(each.assumption);
        }
    }
    return names;
}

void expect_sum(const Explanation& explanation) {
    double sum = explanation.unexplained_cycles;
    for (const records::ExplainedPart& each : explanation.parts) {
        sum += each.cycles;
    }
    EXPECT_NEAR(sum, explanation.error_cycles(), 1e-9) << explanation.model;
}

Case with_servers() {
    Case asked;
    asked.pattern.servers = 5.0;
    asked.pattern.clients = 27.0;
    return asked;
}

Case one_way() {
    Case asked;
    asked.communication = firmware::Communication::kOneWay;
    return asked;
}

// An explanation exists only if the values without corrections give the model's own prediction.
TEST(ExplanationTest, ValuesWithoutCorrectionsAreEachModelsPrediction) {
    EXPECT_EQ(explained({}, round_trip()).size(), explained_model_names().size());
    Case beside;
    beside.view.receive_mode = nodes::ReceiveMode::kProtocolProcessor;
    static_cast<void>(of_model(explained(beside, round_trip()), "lopc"));
    Case forwarded;
    forwarded.pattern.visits_per_request = 3.0;
    static_cast<void>(of_model(explained(forwarded, round_trip()), "lopc"));
    static_cast<void>(of_model(explained(forwarded, round_trip()), "lopc_schweitzer"));
    for (const char* model : {"logp", "lopc"}) {
        static_cast<void>(of_model(explained(with_servers(), round_trip()), model));
    }
    const records::Metrics delivery{{"compute", 200.0}, {"send", 15.0}, {"handler", 122.0}};
    for (const char* model : {"logp", "plogp", "logpc", "logpc_cycles"}) {
        static_cast<void>(of_model(explained(one_way(), delivery), model));
    }
}

TEST(ExplanationTest, PartsSumToTheError) {
    for (const Case& asked : {Case{}, with_servers()}) {
        for (const Explanation& explanation : explained(asked, round_trip())) {
            expect_sum(explanation);
        }
    }
    for (const Explanation& explanation : explained({}, round_trip())) {
        EXPECT_NEAR(explanation.unexplained_cycles, 0.0, 1e-6) << explanation.model;
    }
}

// The parts that no equation of a model contains are those of the trace.
TEST(ExplanationTest, LogpLacksEachWaitOfTheTrace) {
    const std::vector<Explanation> all = explained({}, round_trip());
    const Explanation& logp = of_model(all, "logp");
    EXPECT_NEAR(part(logp, "arrivals"), -60.0, 1e-6);
    EXPECT_NEAR(part(logp, "interference"), -70.0, 1e-6);
    EXPECT_NEAR(part(logp, "network_contention"), -4.0, 1e-6);
    EXPECT_NEAR(part(logp, "reply_at_end"), 42.0, 1e-6);
    EXPECT_EQ(named(logp).size(), 3U);
}

// Planted causes, each in the trace alone.
TEST(ExplanationTest, APlantedCauseHasTheLargestPart) {
    records::Metrics slow = round_trip(200.0);
    EXPECT_EQ(of_model(explained({}, slow), "lopc").parts.front().assumption, "network_contention");
    records::Metrics bursty = round_trip();
    bursty[7].second = 300.0;  // request_queueing
    EXPECT_EQ(of_model(explained({}, bursty), "lopc").parts.front().assumption, "arrivals");
    records::Metrics given = kInputs;
    given[1].second = 15.0;  // the file's own work
    EXPECT_EQ(of_model(explained({}, round_trip(), given), "lopc_given").parts.front().assumption,
              "work");
}

// The variation of handlers changes the waits by Pollaczek and Khinchine's factor (1 + C^2)/2.
TEST(ExplanationTest, VariationOfHandlersIsNotTakenForArrivals) {
    records::Metrics inputs = kInputs;
    inputs[10].second = 8.0;  // request_handler_squared_cv
    const std::vector<Explanation> all = explained({}, round_trip(), {}, inputs);
    EXPECT_LT(part(of_model(all, "md1"), "service_times"), -50.0);
}

TEST(ExplanationTest, OneWayMessagesAreSplitByStates) {
    const records::Metrics delivery{{"compute", 200.0}, {"send", 15.0}, {"blocked", 40.0},
                                    {"dma", 0.0},       {"wait", 0.0},  {"handler", 122.0},
                                    {"saves", 9.0},     {"trap", 0.0},  {"done", 5.0}};
    const std::vector<Explanation> all = explained(one_way(), delivery);
    const Explanation& logp = of_model(all, "logp");
    EXPECT_NEAR(part(logp, "queues"), -40.0, 1e-9);
    EXPECT_NEAR(part(logp, "interference"), -9.0, 1e-9);
    EXPECT_NEAR(part(logp, "run_ends"), -5.0, 1e-9);
    EXPECT_NEAR(logp.unexplained_cycles, 0.0, 1e-9);
    EXPECT_EQ(named(logp), std::vector<std::string>({"queues"}));
}

TEST(ExplanationTest, MechanismsAreThoseOfTheMachine) {
    const Configuration alewife{{"controller.input_queue_bytes", std::int64_t{256}},
                                {"controller.output_queue_bytes", std::int64_t{256}},
                                {"network.model", "wormhole"},
                                {"core.cache_interference_cycles", std::int64_t{0}},
                                {"memory.caches", std::int64_t{0}},
                                {"run.warm_up", "automatic"},
                                {"run.warmup_cycles", std::int64_t{0}}};
    const auto names = [](const IdealisedAssumptions& idealised) {
        std::vector<std::string> all;
        for (const Assumption* assumption : idealised.assumptions) {
            all.push_back(assumption->name);
        }
        return all;
    };
    EXPECT_EQ(names(idealised_assumptions(alewife)),
              std::vector<std::string>({"run_ends", "queues"}));
    EXPECT_EQ(names(idealised_assumptions({{"core.cache_interference_cycles", std::int64_t{5}},
                                           {"run.warm_up", "automatic"},
                                           {"run.warmup_cycles", std::int64_t{1000}}})),
              std::vector<std::string>({"memory"}));
    EXPECT_EQ(names(idealised_assumptions({{"network.model", "delay"}})),
              std::vector<std::string>());
}

// The errors on four machines: as it ran, without queues, without misses, without both.
TEST(ExplanationTest, MachinesAndModelAreJoined) {
    const auto machine_of = [](double predicted, double measured) {
        return Explanation{.model = "lopc",
                           .predicted_cycles = predicted,
                           .measured_cycles = measured,
                           .parts = {{.assumption = "arrivals", .cycles = 3.0}},
                           .unexplained_cycles = 1.0};
    };
    const IdealisedAssumptions idealised = idealised_assumptions(
        {{"controller.input_queue_bytes", std::int64_t{256}}, {"memory.caches", std::int64_t{1}}});
    const Explanation joined =
        joined_explanation(idealised, {machine_of(100.0, 160.0), machine_of(100.0, 120.0),
                                       machine_of(100.0, 150.0), machine_of(102.0, 98.0)});
    EXPECT_EQ(joined.idealised_machines, 3);
    // Queues: half of (-60 + 20) and of (-50 - 4); misses: half of (-60 + 50) and of (-20 - 4).
    EXPECT_DOUBLE_EQ(part(joined, "queues"), -47.0);
    EXPECT_DOUBLE_EQ(part(joined, "memory"), -17.0);
    EXPECT_DOUBLE_EQ(part(joined, "arrivals"), 3.0);
    expect_sum(joined);
    EXPECT_EQ(named(joined), std::vector<std::string>({"queues", "memory"}));
}

// Corrections can be applied in the order of the registry.
TEST(ExplanationTest, AssumptionsStandBehindThoseThatTheyInclude) {
    for (std::size_t i = 0; i < assumptions().size(); ++i) {
        for (std::size_t j = i; j < assumptions().size(); ++j) {
            EXPECT_FALSE(comes_before(assumptions()[j], assumptions()[i]))
                << assumptions()[j].name << " " << assumptions()[i].name;
        }
        EXPECT_TRUE(assumptions()[i].correct != nullptr || !assumptions()[i].settings.empty());
    }
}

}  // namespace
}  // namespace weir::experiments::analyses
