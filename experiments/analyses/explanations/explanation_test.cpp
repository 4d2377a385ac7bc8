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
    // LogGP has no round trips of short messages.
    EXPECT_EQ(explained({}, round_trip()).size(), explained_model_names().size() - 1);
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

// Bodies of 1,000 bytes on 4 x 8 nodes. A body leaves in 700 cycles, 250 of them behind handlers.
const records::Metrics kBodyInputs{
    {"long_send_overhead_cycles", 25.0}, {"long_receive_overhead_cycles", 129.0},
    {"first_byte_latency_cycles", 8.0},  {"message_bytes", 1000.0},
    {"header_to_dma_cycles", 95.5},      {"mean_hops", 4.0},
    {"least_gap_cycles_per_byte", 0.5},  {"body_send_cycles", 700.0},
    {"body_receive_cycles", 410.0},      {"program_work_cycles", 5000.0},
    {"messages_per_node", 0.0},          {"bodies_per_node", 4.0}};

Case of_bodies(firmware::Communication communication) {
    Case asked;
    asked.communication = communication;
    asked.pattern.body_bytes = 992.0;
    asked.pattern.phases = 2.0;
    return asked;
}

std::vector<Explanation> explained_bodies(const Case& asked, const std::string& metric,
                                          const records::Metrics& parts, double measured,
                                          const records::Metrics& inputs = kBodyInputs) {
    return explain_predictions(predict(explained_model_names(), inputs, {}, asked.program()),
                               {.metric = metric,
                                .measured_cycles = measured,
                                .parts = parts,
                                .measured_inputs = inputs,
                                .given_inputs = {}},
                               asked.program());
}

records::Metrics delivery_of_bodies() {
    return {{"compute", 10.0},  {"send", 25.0}, {"blocked", 0.0}, {"dma", 450.0}, {"wait", 0.0},
            {"handler", 541.0}, {"saves", 3.0}, {"trap", 0.0},    {"done", 6.0}};
}

// LoGPC Section 5.1.3, against each state of the processor.
TEST(BodyExplanationTest, ARemapOfBodiesIsSplitByItsTransfers) {
    const records::Metrics parts = delivery_of_bodies();
    const std::vector<Explanation> all = explained_bodies(
        of_bodies(firmware::Communication::kOneWay), "cycles_per_iteration", parts, sum_of(parts));
    ASSERT_EQ(all.size(), 3U);
    for (const Explanation& explanation : all) {
        expect_sum(explanation);
        EXPECT_NEAR(explanation.unexplained_cycles, 0.0, 1e-9);
    }
    const Explanation& loggp = of_model(all, "loggp");
    EXPECT_NEAR(part(loggp, "work"), -10.0, 1e-9);
    EXPECT_NEAR(part(loggp, "overlap"), 250.0, 1e-9);
    // o_s + (B - 1 - a) G - (o_rl + (B - 1 - a) G - 95.5).
    EXPECT_NEAR(part(loggp, "body_receive"), -129.0 + 95.5, 1e-9);
    // Both directions: 700 - 499.5, and 410 - 400.
    EXPECT_NEAR(part(loggp, "network_contention"), -200.5 - 10.0, 1e-9);
    // The handler's other cycles: 541 - 410 - 129.
    EXPECT_NEAR(part(loggp, "service_times"), -2.0, 1e-9);
    EXPECT_GT(part(of_model(all, "logpc"), "network_contention"),
              part(loggp, "network_contention") + 100.0);
}

TEST(BodyExplanationTest, ASlowByteIsNoContention) {
    records::Metrics inputs = kBodyInputs;
    inputs[6].second = 0.7;  // least_gap_cycles_per_byte
    const records::Metrics parts = delivery_of_bodies();
    const std::vector<Explanation> all =
        explained_bodies(of_bodies(firmware::Communication::kOneWay), "cycles_per_iteration", parts,
                         sum_of(parts), inputs);
    const Explanation& loggp = of_model(all, "loggp");
    EXPECT_NEAR(part(loggp, "gap_per_byte"), -0.2 * (999.0 + 991.0), 1e-6);
    EXPECT_NEAR(loggp.unexplained_cycles, 0.0, 1e-9);
}

// W + n (o_s + (B - 1) G + (B - 1 - a) G), and L at the end of each of two phases.
TEST(BodyExplanationTest, AProgramIsSplitByItsStates) {
    const records::Metrics parts{{"compute", 5000.0}, {"send", 100.0}, {"blocked", 7.0},
                                 {"dma", 1800.0},     {"wait", 900.0}, {"synchronize", 50.0},
                                 {"handler", 2200.0}, {"done", 300.0}};
    const Case asked = of_bodies(firmware::Communication::kProgram);
    const std::vector<Explanation> all =
        explained_bodies(asked, "makespan_cycles", parts, sum_of(parts));
    ASSERT_EQ(all.size(), 3U);
    for (const Explanation& explanation : all) {
        expect_sum(explanation);
        EXPECT_NEAR(explanation.unexplained_cycles, 0.0, 1e-9);
    }
    const Explanation& loggp = of_model(all, "loggp");
    EXPECT_DOUBLE_EQ(loggp.predicted_cycles, 5000.0 + 4 * (25.0 + 999.0 / 2 + 991.0 / 2) + 2 * 8.0);
    EXPECT_NEAR(part(loggp, "phases"), 16.0 - 950.0, 1e-9);
    EXPECT_NEAR(part(loggp, "run_ends"), -300.0, 1e-9);
    EXPECT_NEAR(part(loggp, "queues"), -7.0, 1e-9);
    EXPECT_NEAR(part(loggp, "overlap"), 4 * 700.0 - 1800.0, 1e-9);
}

// Sends and receives that do not hold the processor cost o_s and o_r.
TEST(BodyExplanationTest, BodiesThatMoveBesideTheProgramCostTheirOverheads) {
    Case asked = of_bodies(firmware::Communication::kProgram);
    asked.view.sends_block = false;
    asked.view.receives_block = false;
    records::Metrics inputs = kBodyInputs;
    inputs[8].second = 0.0;  // body_receive_cycles
    const records::Metrics parts{
        {"compute", 5000.0}, {"send", 100.0}, {"dma", 30.0}, {"wait", 900.0}, {"handler", 600.0}};
    const std::vector<Explanation> all =
        explained_bodies(asked, "makespan_cycles", parts, sum_of(parts), inputs);
    const Explanation& loggp = of_model(all, "loggp");
    EXPECT_DOUBLE_EQ(loggp.predicted_cycles, 5000.0 + 4 * (25.0 + 129.0) + 16.0);
    EXPECT_NEAR(part(loggp, "phases"), 16.0 - 930.0, 1e-9);
    EXPECT_NEAR(part(loggp, "service_times"), 4 * 129.0 - 600.0, 1e-9);
    EXPECT_NEAR(loggp.unexplained_cycles, 0.0, 1e-9);
}

// LoGPC (2) with the interrupt as the limit: 25 + 8 + a G + 129 + B Gm.
TEST(BodyExplanationTest, ASingleBodyLacksTheTimeToItsDmaEngine) {
    records::Metrics inputs = kBodyInputs;
    inputs[3].second = 500.0;  // message_bytes
    const double network = 25.0 + 8.0 + 4.0;
    const double memory = 500.0 * 11 / 32;
    const std::vector<Explanation> all =
        explained_bodies(of_bodies(firmware::Communication::kSingle), "end_to_end_cycles", {},
                         network + 95.5 + memory + 6.0, inputs);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_DOUBLE_EQ(all.front().predicted_cycles, network + 129.0 + memory);
    EXPECT_NEAR(part(all.front(), "body_receive"), 129.0 - 95.5, 1e-9);
    EXPECT_NEAR(all.front().unexplained_cycles, -6.0, 1e-9);
}

TEST(BodyExplanationTest, DmaEnginesHaveTheirOwnIdealMachine) {
    const Configuration configuration{{"controller.input_queue_bytes", std::int64_t{256}},
                                      {"controller.output_queue_bytes", std::int64_t{256}},
                                      {"dma.setup_cycles", std::int64_t{10}},
                                      {"memory_port.beat_bytes", std::int64_t{8}},
                                      {"memory_port.beat_cycles", std::int64_t{2}}};
    const IdealisedAssumptions idealised = idealised_assumptions(configuration);
    ASSERT_EQ(idealised.assumptions.size(), 2U);
    EXPECT_EQ(idealised.assumptions[0]->name, "queues");
    ASSERT_EQ(idealised.settings[0].size(), 1U);
    EXPECT_EQ(idealised.settings[0][0].key, "controller.input_queue_bytes");
    EXPECT_EQ(idealised.assumptions[1]->name, "memory_port");
    Configuration short_messages = configuration;
    short_messages.erase(short_messages.begin() + 2);
    EXPECT_EQ(idealised_assumptions(short_messages).assumptions.size(), 1U);
    EXPECT_EQ(idealised_assumptions(short_messages).settings[0].size(), 2U);
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
    const auto with_handlers = [&](const char* style, double squared_cv) {
        return names(idealised_assumptions(
            {{"workload.style", style}, {"workload.handler_squared_cv", squared_cv}}));
    };
    EXPECT_EQ(with_handlers("synchronous", 2.0), std::vector<std::string>({"service_times"}));
    EXPECT_EQ(with_handlers("synchronous", 0.0), std::vector<std::string>());
    EXPECT_EQ(with_handlers("asynchronous", 2.0), std::vector<std::string>());
    EXPECT_EQ(names(idealised_assumptions({{"network.copies", std::int64_t{1}}})),
              std::vector<std::string>({"network_contention"}));
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
