#include "experiments/analyses/predict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/logpc/logpc_short_messages.h"
#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/queueing/md1_all_to_any.h"
#include "hw/testing/names.h"

namespace weir::experiments::analyses {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using weir::testing::Names;

// LoGPC Table 1 with two arguments; no work.
const records::Metrics kTable1{
    {"latency_cycles", 21.0},  {"send_overhead_cycles", 15.0}, {"receive_overhead_cycles", 122.0},
    {"handler_cycles", 129.5}, {"work_cycles", 0.0},           {"message_bytes", 16.0}};

/// Program and machine for which models predict.
struct PredictionContext : MachineView {
    std::string kernel;  ///< name of a kernel with an analysis of its own, or empty
    firmware::Communication communication = firmware::Communication::kRequestReply;
    firmware::MessagePattern pattern;
    nlohmann::ordered_json facts = nlohmann::ordered_json::object();
};

PredictionContext on_mesh(std::vector<int> extents) {
    PredictionContext context;
    context.mesh_extents = std::move(extents);
    return context;
}
const PredictionContext kAlewife = on_mesh({8, 4});

AskedProgram asked(const PredictionContext& context) {
    return {analysis_of(context.kernel), context, context.communication, context.pattern,
            context.facts};
}

records::Prediction predict_one(const std::string& model, const records::Metrics& inputs,
                                const PredictionContext& context = kAlewife) {
    const std::vector<std::string> models{model};
    std::vector<records::Prediction> predictions = predict(models, inputs, {}, asked(context));
    EXPECT_EQ(predictions.size(), 1U);
    EXPECT_EQ(predictions.front().model, model);
    return predictions.front();
}

double cycles(const records::Prediction& prediction) {
    EXPECT_EQ(prediction.not_applicable, "");
    return records::find_metric(prediction.metrics, "cycles_per_iteration").value_or(-1.0);
}

// 2 (o_s + L + o_r) = 316 without contention (LoGPC Section 5.1.1).
TEST(PredictionsTest, LogpOnTable1) {
    const records::Prediction logp = predict_one("logp", kTable1);
    EXPECT_DOUBLE_EQ(cycles(logp), 316.0);
    EXPECT_EQ(logp.metrics.size(), 1U);
}

// C_r = o_r + o_s = 137 in addition: 453 (LoGPC Section 5.1.1).
TEST(PredictionsTest, RuleOfThumbOnTable1) {
    const records::Prediction rule = predict_one("lopc_rule_of_thumb", kTable1);
    EXPECT_DOUBLE_EQ(cycles(rule), 453.0);
    EXPECT_DOUBLE_EQ(records::find_metric(rule.metrics, "processor_contention_cycles").value(),
                     137.0);
}

// M/D/1 takes LoPC's inputs except for the variation of the handlers.
TEST(PredictionsTest, Md1TakesTheInputsOfLopc) {
    records::Metrics inputs = kTable1;
    inputs.emplace_back("thread_cycles", 15.0);
    inputs.emplace_back("handler_squared_cv", 0.01);
    const records::Prediction md1 = predict_one("md1", inputs);
    const models::Md1Solution solution = models::solve_md1_all_to_any({15.0, 21.0, 129.5});
    EXPECT_DOUBLE_EQ(cycles(md1), solution.response_cycles);
    EXPECT_DOUBLE_EQ(records::find_metric(md1.metrics, "processor_contention_cycles").value(),
                     solution.contention.total_cycles());
    EXPECT_THAT(md1.inputs, ElementsAre(Pair("thread_cycles", 15.0), Pair("latency_cycles", 21.0),
                                        Pair("handler_cycles", 129.5)));
}

TEST(PredictionsTest, LogpcAddsContentionOfProcessorAndNetworkToLogp) {
    const records::Prediction logpc = predict_one("logpc", kTable1);
    const double processor =
        records::find_metric(logpc.metrics, "processor_contention_cycles").value();
    const double network = records::find_metric(logpc.metrics, "network_contention_cycles").value();
    EXPECT_GT(processor, 0.0);
    EXPECT_GT(network, 0.0);
    EXPECT_DOUBLE_EQ(cycles(logpc), 316.0 + processor + 2.0 * network);
}

// Messages to nodes i - 1 and i + 1 make 1.94 hops rather than 3.875 (LoGPC Section 3.3). Their k_d
// is below 1, which the network's model refuses. With destinations up to 4 numbers away, k_d is 1.4
// rather than 1.9.
TEST(PredictionsTest, LogpcTakesTheDistanceOfALocalRemap) {
    PredictionContext context = kAlewife;
    context.pattern.span_nodes = 4.0;
    const auto contention = [](const records::Prediction& logpc) {
        return records::find_metric(logpc.metrics, "network_contention_cycles").value();
    };
    EXPECT_LT(contention(predict_one("logpc", kTable1, context)),
              contention(predict_one("logpc", kTable1)));
    context.pattern.span_nodes = 1.0;
    EXPECT_THAT(predict_one("logpc", kTable1, context).not_applicable,
                HasSubstr("mean_distance_per_dimension (k_d) is 0.96875"));
}

TEST(PredictionsTest, LogpcIsNotForMeshesWithoutDistances) {
    const records::Prediction logpc = predict_one("logpc", kTable1, on_mesh({2}));
    EXPECT_TRUE(logpc.metrics.empty());
    EXPECT_THAT(logpc.not_applicable, HasSubstr("mean_distance_per_dimension (k_d) is 0.5"));
}

// LoPC's W is the thread's whole time, including its sends. The measured time of the thread takes
// precedence over the measured work.
TEST(PredictionsTest, LopcTakesTheThreadsWholeTimeWhenKnown) {
    records::Metrics inputs = kTable1;
    const double work_alone = cycles(predict_one("lopc", inputs));
    inputs.emplace_back("thread_cycles", 15.0);
    const double with_send = cycles(predict_one("lopc", inputs));
    EXPECT_GT(with_send, work_alone);

    models::LopcInputs lopc;
    lopc.processors = 32;
    lopc.work_cycles = 15.0;
    lopc.network_cycles = 21.0;
    lopc.handler_cycles = 129.5;
    lopc.handler_squared_cv = 0.0;
    EXPECT_DOUBLE_EQ(with_send, models::solve_lopc_all_to_any(lopc).response_cycles);
}

TEST(PredictionsTest, InputsAreThoseTheModelAskedFor) {
    using ::testing::UnorderedElementsAre;
    EXPECT_THAT(
        predict_one("logp", kTable1).inputs,
        UnorderedElementsAre(Pair("latency_cycles", 21.0), Pair("send_overhead_cycles", 15.0),
                             Pair("receive_overhead_cycles", 122.0), Pair("work_cycles", 0.0)));
    EXPECT_THAT(predict_one("lopc", kTable1).inputs,
                UnorderedElementsAre(Pair("latency_cycles", 21.0), Pair("handler_cycles", 129.5),
                                     Pair("work_cycles", 0.0)));
}

TEST(PredictionsTest, MissingInputIsNamedAndNotMadeUp) {
    const records::Prediction logp =
        predict_one("logp", {{"latency_cycles", 21.0}, {"work_cycles", 0.0}});
    EXPECT_TRUE(logp.metrics.empty());
    EXPECT_THAT(logp.not_applicable, HasSubstr("send_overhead_cycles"));
    for (const auto& [name, value] : logp.inputs) {
        EXPECT_EQ(records::find_metric({{"latency_cycles", 21.0}, {"work_cycles", 0.0}}, name),
                  value);
    }
}

TEST(PredictionsTest, GivenInputsAreAskedBesideTheMeasuredOnes) {
    const std::vector<std::string> models{"logp", "lopc_rule_of_thumb"};
    records::Metrics given = kTable1;
    given.front().second = 31.0;
    const std::vector<records::Prediction> predictions =
        predict(models, kTable1, given, asked(kAlewife));
    ASSERT_EQ(predictions.size(), 4U);
    EXPECT_EQ(predictions[0].model, "logp");
    EXPECT_EQ(predictions[1].model, "logp_given");
    EXPECT_EQ(predictions[2].model, "lopc_rule_of_thumb");
    EXPECT_EQ(predictions[3].model, "lopc_rule_of_thumb_given");
    EXPECT_DOUBLE_EQ(cycles(predictions[0]), 316.0);
    EXPECT_DOUBLE_EQ(cycles(predictions[1]), 336.0);
    EXPECT_DOUBLE_EQ(cycles(predictions[3]), 473.0);
}

TEST(PredictionsTest, ARunWithoutMessagesPredictsNothing) {
    const records::Prediction logp = predict_one("logp", {});
    EXPECT_TRUE(logp.metrics.empty());
    EXPECT_THAT(logp.not_applicable, Names("message"));
}

// Only non-zeros with elements on other nodes take a round trip.
TEST(PredictionsTest, SparseProductTakesARoundTripForEachRemoteNonzero) {
    PredictionContext context = kAlewife;
    context.kernel = "spmv";
    context.facts = {
        {"rows", 20.0}, {"nonzeros", 200.0}, {"remote_nonzeros", 150.0}, {"most_nonzeros", 10.0}};
    const records::Prediction logp = predict_one("logp", kTable1, context);
    EXPECT_DOUBLE_EQ(records::find_metric(logp.metrics, "cycles_per_nonzero").value(),
                     316.0 * 0.75);
}

// The thread sends while its protocol processor receives; the slower limits the rate.
TEST(PredictionsTest, OneWayMessagesTakeTheSlowerOfThreadAndProtocolProcessor) {
    PredictionContext context = kAlewife;
    context.communication = firmware::Communication::kOneWay;
    EXPECT_DOUBLE_EQ(cycles(predict_one("logp", kTable1, context)), 137.0);
    context.receive_mode = nodes::ReceiveMode::kProtocolProcessor;
    EXPECT_DOUBLE_EQ(cycles(predict_one("logp", kTable1, context)), 122.0);
    records::Metrics much_work = kTable1;
    std::find_if(much_work.begin(), much_work.end(), [](const auto& metric) {
        return metric.first == "work_cycles";
    })->second = 400.0;
    EXPECT_DOUBLE_EQ(cycles(predict_one("logp", much_work, context)), 415.0);
}

// LogP Section 4.1: a message takes the longer of a node's processor time and the gap. In naive
// order each message takes P/2 gaps. With n/P - n/P^2 messages and L, this is the time of the whole
// remap in models/logp/algorithms/fft.cpp.
TEST(PredictionsTest, OneWayMessagesOnANetworkWithAGap) {
    PredictionContext context = kAlewife;
    context.communication = firmware::Communication::kOneWay;
    context.gap_cycles = 100.0;
    EXPECT_DOUBLE_EQ(cycles(predict_one("logp", kTable1, context)), 137.0);
    context.gap_cycles = 150.0;
    context.pattern.iterations = 62.0;
    const records::Prediction staggered = predict_one("logp", kTable1, context);
    EXPECT_DOUBLE_EQ(cycles(staggered), 150.0);
    EXPECT_DOUBLE_EQ(records::find_metric(staggered.metrics, "whole_run_cycles").value(),
                     62 * 150.0 + 21);
    context.pattern.has_same_order = true;
    const records::Prediction naive = predict_one("logp", kTable1, context);
    EXPECT_DOUBLE_EQ(cycles(naive), 16 * 150.0);
    // P (P - 1) / 2 times n/P^2 = 2 messages, g apart, plus L.
    EXPECT_DOUBLE_EQ(records::find_metric(naive.metrics, "whole_run_cycles").value(),
                     32 * 31 / 2 * 2 * 150.0 + 21);
}

// Each model answers only if its assumptions hold, and otherwise names the one that fails.
TEST(PredictionsTest, AModelDoesNotApplyWhereItsAssumptionsFail) {
    const auto why_not = [](const char* model, const PredictionContext& context) {
        const records::Prediction prediction = predict_one(model, kTable1, context);
        EXPECT_EQ(prediction.metrics.empty(), !prediction.not_applicable.empty());
        return prediction.not_applicable;
    };
    PredictionContext polling = kAlewife;
    polling.receive_mode = nodes::ReceiveMode::kPolling;
    for (const char* model : {"lopc", "lopc_schweitzer", "lopc_rule_of_thumb", "md1", "logpc"}) {
        EXPECT_THAT(why_not(model, polling), Names("polls")) << model;
    }
    EXPECT_EQ(why_not("logp", polling), "");

    PredictionContext beside = kAlewife;
    beside.receive_mode = nodes::ReceiveMode::kProtocolProcessor;
    EXPECT_EQ(why_not("lopc", beside), "");
    EXPECT_THAT(why_not("lopc_rule_of_thumb", beside), Names("interrupt", "protocol"));

    PredictionContext one_way = kAlewife;
    one_way.communication = firmware::Communication::kOneWay;
    EXPECT_THAT(why_not("lopc", one_way), Names("replies", "waits"));
    EXPECT_EQ(why_not("logpc", one_way), "");

    PredictionContext no_routers = kAlewife;
    no_routers.network_contends = false;
    EXPECT_THAT(why_not("logpc", no_routers), HasSubstr("network.model is \"delay\""));
}

// A byte holds a channel for a cycle as printed, and for half a cycle by G.
TEST(PredictionsTest, LogpcHasASecondFormThatCountsChannelCycles) {
    const records::Prediction printed = predict_one("logpc", kTable1);
    const records::Prediction in_cycles = predict_one("logpc_cycles", kTable1);
    EXPECT_LT(records::find_metric(in_cycles.metrics, "network_contention_cycles").value(),
              0.5 * records::find_metric(printed.metrics, "network_contention_cycles").value());
    EXPECT_GT(records::find_metric(in_cycles.metrics, "network_contention_cycles").value(), 0.0);
}

// LoPC Appendix A: four nodes to visit and the reply make five messages.
TEST(PredictionsTest, ARequestThatVisitsSeveralNodesTakesAMessageForEach) {
    PredictionContext context = kAlewife;
    context.pattern.visits_per_request = 4.0;
    EXPECT_DOUBLE_EQ(cycles(predict_one("logp", kTable1, context)), 5.0 * (15 + 21 + 122));
    const records::Prediction lopc = predict_one("lopc", kTable1, context);
    double contention = 0.0;
    for (const char* part : {"interference", "request_queueing", "reply_queueing"}) {
        contention += records::find_metric(lopc.metrics, std::string(part) + "_cycles").value();
    }
    EXPECT_GT(contention, 0.0);
    EXPECT_NEAR(cycles(lopc), 5.0 * (21.0 + 129.5) + contention, 1e-6);
    EXPECT_LT(cycles(predict_one("lopc_schweitzer", kTable1, context)), cycles(lopc));
    for (const char* model : {"lopc_rule_of_thumb", "logpc"}) {
        EXPECT_THAT(predict_one(model, kTable1, context).not_applicable,
                    Names("requests", "visit"));
    }
    // One visit is the request and reply of the closed form.
    context.pattern.visits_per_request = 1.0;
    EXPECT_DOUBLE_EQ(cycles(predict_one("lopc", kTable1, context)),
                     cycles(predict_one("lopc", kTable1)));
}

// LogP Section 4.2 with two values in a message: a step takes 2 (n - k) g/2 + L and 2 (n - k)^2/P.
// The sums of n - k and its square are 2,016 and 85,344 for n = 64.
TEST(ProgramPredictionsTest, LuTakesTheStepsOfSection42) {
    const records::Metrics inputs{
        {"latency_cycles", 6.0}, {"send_overhead_cycles", 0.0}, {"receive_overhead_cycles", 0.0}};
    PredictionContext context = on_mesh({4, 4});
    context.kernel = "lu";
    context.gap_cycles = 4.0;
    context.double_load_cycles = 0.0;
    context.double_store_cycles = 0.0;
    context.communication = firmware::Communication::kProgram;
    const auto makespan = [&](int layout) {
        context.facts = {{"layout", layout},
                         {"rows", 64.0},
                         {"update_cycles", 2.0},
                         {"values_per_message", 2.0}};
        return records::find_metric(predict_one("logp", inputs, context).metrics, "makespan_cycles")
            .value_or(-1.0);
    };
    const double even = 2.0 * 85'344 / 16;
    EXPECT_DOUBLE_EQ(makespan(0), 2.0 * 2016 * 2 + 63 * 6 + even);
    EXPECT_DOUBLE_EQ(makespan(1), 2016 * 2 + 63 * 6 + even);
    EXPECT_GT(makespan(2), makespan(3));
    EXPECT_GT(makespan(3), 2.0 * 2016 / 4 * 2 + 63 * 6 + even);
    context.mesh_extents = {4, 2};
    EXPECT_THAT(predict_one("logp", inputs, context).not_applicable, Names("grid", "8"));
}

TEST(ProgramPredictionsTest, RecordsTakeAsLongAsTheirSendersOrTheHotNode) {
    PredictionContext context = kAlewife;
    context.kernel = "hot-spot";
    context.communication = firmware::Communication::kProgram;
    context.pattern.operations_per_node = 10.0;
    const auto makespan = [&](const char* model, double hot_node_records, bool is_synchronous) {
        context.facts = {{"hot_node", 0.0},
                         {"busiest_node_records", hot_node_records},
                         {"busiest_node_sends", 10.0},
                         {"is_synchronous", is_synchronous},
                         {"work_cycles", 0.0},
                         {"hot_share", hot_node_records == 10.0 ? 0.0 : 0.3},
                         {"consumers", 0.0},
                         {"hot_producers", 0.0}};
        return records::find_metric(predict_one(model, kTable1, context).metrics, "makespan_cycles")
            .value_or(-1.0);
    };
    EXPECT_DOUBLE_EQ(makespan("logp", 10, true), 10 * 316.0);
    EXPECT_DOUBLE_EQ(makespan("logp", 100, true), 110 * 137.0);
    EXPECT_DOUBLE_EQ(makespan("logp", 10, false), 10 * 137.0 + 21);
    EXPECT_DOUBLE_EQ(makespan("logp", 100, false), 100 * 122.0 + 10 * 15.0 + 21);
    // Without a hot share all nodes are as in the closed form; with one, round trips are longer.
    models::LopcInputs lopc;
    lopc.processors = 32;
    lopc.work_cycles = 15.0;
    lopc.network_cycles = 21.0;
    lopc.handler_cycles = 129.5;
    lopc.handler_squared_cv = 0.0;
    const double alike = 10 * models::solve_lopc_all_to_any(lopc).response_cycles;
    EXPECT_NEAR(makespan("lopc", 10, true), alike, 1e-3);
    EXPECT_GT(makespan("lopc", 100, true), 2 * alike);
    EXPECT_EQ(makespan("lopc", 100, false), -1.0);
    EXPECT_THAT(predict_one("lopc", kTable1, context).not_applicable, Names("replies", "waits"));
}

// Bard-Schweitzer lies between LogP and LoPC's own approximation.
TEST(PredictionsTest, SchweitzerPredictsLessContentionThanLopc) {
    EXPECT_LT(cycles(predict_one("lopc_schweitzer", kTable1)),
              cycles(predict_one("lopc", kTable1)));
    EXPECT_GT(cycles(predict_one("lopc_schweitzer", kTable1)), 316.0);
}

TEST(PredictionsTest, BoundsAreGivenWhereHandlersAreConstant) {
    const records::Prediction lopc = predict_one("lopc", kTable1);
    EXPECT_DOUBLE_EQ(records::find_metric(lopc.metrics, "lower_bound_cycles").value(),
                     2.0 * 21.0 + 2.0 * 129.5);
    EXPECT_DOUBLE_EQ(records::find_metric(lopc.metrics, "upper_bound_cycles").value(),
                     2.0 * 21.0 + 3.46 * 129.5);
    records::Metrics varying = kTable1;
    varying.emplace_back("handler_squared_cv", 1.0);
    EXPECT_FALSE(records::find_metric(predict_one("lopc", varying).metrics, "lower_bound_cycles"));
}

TEST(PredictionsTest, EveryKnownModelAnswersOrSaysWhyNot) {
    std::set<std::string> names;
    for (const std::string& model : compared_model_names()) {
        EXPECT_TRUE(names.insert(model).second) << model;
        EXPECT_FALSE(compared_model(model).sentence.empty()) << model;
        const records::Prediction asked = predict_one(model, kTable1);
        EXPECT_NE(asked.metrics.empty(), asked.not_applicable.empty()) << model;
        if (!asked.metrics.empty()) {
            EXPECT_GE(cycles(asked), 316.0) << model;
        }
    }
    for (const char* model : {"lopc_channels", "multithreading"}) {
        EXPECT_THAT(predict_one(model, kTable1).not_applicable, Names("shared", "messages"));
    }
    EXPECT_THAT(predict_one("lopc_nonblocking", kTable1).not_applicable, Names("outstanding"));
}

// --- Messages with a body -----------------------------------------------------------------------

// LoGPC Table 2, for messages of 1,000 bytes.
const records::Metrics kTable2{
    {"long_send_overhead_cycles", 25.0},     {"first_byte_latency_cycles", 8.0},
    {"long_receive_overhead_cycles", 129.0}, {"message_bytes", 1000.0},
    {"header_to_dma_cycles", 94.0},          {"mean_hops", 4.0}};

PredictionContext of_long_messages(firmware::Communication communication) {
    PredictionContext context = kAlewife;
    context.communication = communication;
    context.pattern.body_bytes = 992.0;
    return context;
}

double predicted(const records::Prediction& prediction, const char* metric) {
    return records::find_metric(prediction.metrics, metric).value_or(-1.0);
}

TEST(LongMessagePredictionsTest, OneMessageIsEquationTwoOfLogpc) {
    const PredictionContext context = of_long_messages(firmware::Communication::kSingle);
    const records::Prediction loggp = predict_one("loggp", kTable2, context);
    // The larger term ends the message: the network's last byte, 25 + 8 + 999/2, or the DMA after
    // the interrupt, 129 + 4 + 343.75.
    EXPECT_DOUBLE_EQ(predicted(loggp, "end_to_end_cycles"), 532.5);
    EXPECT_DOUBLE_EQ(predicted(loggp, "sender_cycles"), 524.5);
    EXPECT_DOUBLE_EQ(predicted(loggp, "bandwidth_bytes_per_cycle"), 1000.0 / 532.5);
    EXPECT_NEAR(predicted(loggp, "crossover_bytes"), (129.0 + 4.0 + 0.5) / (0.5 - 11.0 / 32), 1e-9);
    records::Metrics shorter = kTable2;
    shorter[3].second = 500.0;
    EXPECT_DOUBLE_EQ(predicted(predict_one("loggp", shorter, context), "end_to_end_cycles"),
                     25.0 + 8.0 + 129.0 + 4.0 + 500.0 * 11 / 32);
    EXPECT_DOUBLE_EQ(predicted(predict_one("loggp_notify", shorter, context), "end_to_end_cycles"),
                     25.0 + 8.0 + 139.0 + 4.0 + 500.0 * 11 / 32);
}

TEST(LongMessagePredictionsTest, TheInputQueueFillsUntilTheDmaStarts) {
    PredictionContext context = of_long_messages(firmware::Communication::kSingle);
    const records::Prediction loggp = predict_one("loggp", kTable2, context);
    EXPECT_DOUBLE_EQ(predicted(loggp, "input_queue_peak_bytes"), 8.0 + 2 * 94.0);
    EXPECT_DOUBLE_EQ(predicted(loggp, "network_stopped_cycles"), 0.0);
    EXPECT_DOUBLE_EQ(predicted(loggp, "input_queue_drained_bytes_per_cycle"), 32.0 / 11 - 2.0);
    context.input_queue_bytes = 128.0;
    const records::Prediction stopped = predict_one("loggp", kTable2, context);
    EXPECT_DOUBLE_EQ(predicted(stopped, "input_queue_peak_bytes"), 128.0);
    EXPECT_DOUBLE_EQ(predicted(stopped, "network_stopped_cycles"), (8.0 + 2 * 94.0 - 128.0) / 2);
}

TEST(LongMessagePredictionsTest, RemapIsSendAndReceiveInTurn) {
    const PredictionContext context = of_long_messages(firmware::Communication::kOneWay);
    const records::Prediction loggp = predict_one("loggp", kTable2, context);
    EXPECT_DOUBLE_EQ(cycles(loggp), 25.0 + 999.0 / 2 + 991.0 / 2);
    EXPECT_DOUBLE_EQ(predicted(loggp, "iteration_cycles_per_byte"), cycles(loggp) / 992.0);
    // Section 5.1.3 gives 2.22 B, by (13) with k_d over all pairs of the mesh.
    EXPECT_NEAR(cycles(predict_one("logpc", kTable2, context)) / 1000.0, 2.22, 0.05);
    EXPECT_GT(cycles(predict_one("logpc", kTable2, context)),
              cycles(predict_one("logpc_cycles", kTable2, context)));
}

// LogP Section 4.1.1: an exchange takes (P - 1) max(g, 2o) + L; in the naive order (2P - 3) g + L.
TEST(ProgramPredictionsTest, AnAllPairsExchangeIsTheRemapOfSection41) {
    PredictionContext context = of_long_messages(firmware::Communication::kProgram);
    context.kernel = "all-pairs";
    context.facts = {{"sent_bytes", 1240.0}};
    context.pattern.body_bytes = 0.0;
    context.pattern.operations_per_node = 10.0;
    const auto exchange = [&context](const char* model, const records::Metrics& inputs) {
        return predicted(predict_one(model, inputs, context), "cycles_per_operation");
    };
    EXPECT_DOUBLE_EQ(exchange("logp", kTable1), 31 * 137.0 + 21);
    EXPECT_DOUBLE_EQ(predicted(predict_one("logp", kTable1, context), "exchange_bytes_per_cycle"),
                     124.0 / (31 * 137.0 + 21));
    context.gap_cycles = 200.0;
    EXPECT_DOUBLE_EQ(exchange("logp", kTable1), 31 * 200.0 + 21);
    context.pattern.has_same_order = true;
    EXPECT_DOUBLE_EQ(exchange("logp", kTable1), 61 * 200.0 + 21);
    EXPECT_THAT(predict_one("loggp", kTable2, context).not_applicable, Names("long", "bodies"));
    context.pattern.body_bytes = 992.0;
    EXPECT_DOUBLE_EQ(exchange("loggp", kTable2), 31 * (25.0 + 999.0 / 2 + 991.0 / 2) + 8);
    EXPECT_THAT(predict_one("logp", kTable2, context).not_applicable, Names("short", "bodies"));
}

// A strip is 4 rows of 64 points, each 3 x 3 + 10 + 4 cycles. Then two rows of 64 values are sent,
// each 3 + 2 + o_s + o_r cycles, and L follows.
TEST(ProgramPredictionsTest, JacobiIsAStripAndTwoRows) {
    PredictionContext context = kAlewife;
    context.kernel = "jacobi";
    context.communication = firmware::Communication::kProgram;
    context.facts = {
        {"points", 256.0}, {"values", 128.0}, {"arithmetic_cycles", 10.0}, {"loop_cycles", 2.0}};
    context.pattern.operations_per_node = 10.0;
    const records::Prediction logp = predict_one("logp", kTable1, context);
    EXPECT_DOUBLE_EQ(predicted(logp, "computation_cycles"), 10 * 256 * 23.0);
    EXPECT_DOUBLE_EQ(predicted(logp, "row_exchange_cycles"), 128 * 142.0 + 21);
    EXPECT_DOUBLE_EQ(predicted(logp, "makespan_cycles"), 10 * (256 * 23.0 + 128 * 142.0 + 21));
    context.pattern.body_bytes = 512.0;
    EXPECT_THAT(predict_one("logp", kTable1, context).not_applicable, Names("short", "bodies"));
}

TEST(LongMessagePredictionsTest, DiamondDagIsItsMakespan) {
    PredictionContext context = of_long_messages(firmware::Communication::kPipeline);
    context.kernel = "diamond-dag";
    context.facts = {{"rows", 1024.0},
                     {"columns", 1024.0},
                     {"blocks", 64.0},
                     {"task_cycles", 100.0},
                     {"aggregation_cycles_per_value", 0.0}};
    const records::Prediction loggp = predict_one("loggp", kTable2, context);
    const double work = 51'200.0;
    const double send = 25.0 + 999.0 / 2;
    const double receive = 991.0 / 2;
    EXPECT_DOUBLE_EQ(
        predicted(loggp, "makespan_cycles"),
        work + 12.0 + 30 * (receive + work + 12.0) + 63 * (send + work + receive) + receive + work);
    EXPECT_GT(predicted(predict_one("logpc", kTable2, context), "makespan_cycles"),
              predicted(loggp, "makespan_cycles"));
    // (15) has no interrupts, so that it also applies to nodes that poll.
    context.receive_mode = nodes::ReceiveMode::kPolling;
    EXPECT_EQ(predicted(predict_one("loggp", kTable2, context), "makespan_cycles"),
              predicted(loggp, "makespan_cycles"));
    context.facts["columns"] = 512.0;
    EXPECT_THAT(predict_one("loggp", kTable2, context).not_applicable, Names("DAG", "1024", "512"));
}

TEST(LongMessagePredictionsTest, SumsAreOfSendsAndReceivesThatBlock) {
    for (const auto communication :
         {firmware::Communication::kOneWay, firmware::Communication::kPipeline}) {
        PredictionContext context = of_long_messages(communication);
        if (communication == firmware::Communication::kPipeline) {
            context.kernel = "diamond-dag";
        }
        context.sends_block = false;
        EXPECT_THAT(predict_one("loggp", kTable2, context).not_applicable,
                    Names("long", "processor"));
        context.sends_block = true;
        context.receive_mode = nodes::ReceiveMode::kProtocolProcessor;
        EXPECT_THAT(predict_one("logpc", kTable2, context).not_applicable,
                    Names("interrupt", "protocol"));
    }
}

TEST(LongMessagePredictionsTest, ModelsOfOtherMessagesSaySo) {
    const auto why_not = [](const char* model, firmware::Communication communication) {
        return predict_one(model, kTable2, of_long_messages(communication)).not_applicable;
    };
    using firmware::Communication;
    for (const Communication communication : {Communication::kRequestReply, Communication::kOneWay,
                                              Communication::kSingle, Communication::kPipeline}) {
        EXPECT_THAT(why_not("logp", communication), Names("short", "bodies"));
    }
    EXPECT_THAT(why_not("logpc", Communication::kSingle), Names("contention", "alone"));
    for (const char* model : {"logp", "lopc", "logpc", "loggp", "loggp_notify"}) {
        EXPECT_THAT(why_not(model, Communication::kNone), Names("messages", "none"));
    }
    EXPECT_THAT(why_not("loggp_notify", Communication::kOneWay), Names("alone", "many"));
    EXPECT_THAT(predict_one("loggp", kTable1).not_applicable, Names("long", "bodies"));
}

}  // namespace
}  // namespace weir::experiments::analyses
