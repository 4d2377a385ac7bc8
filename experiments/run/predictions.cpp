#include "experiments/run/predictions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "experiments/models/logp/broadcast.h"
#include "experiments/models/logp/logp.h"
#include "experiments/models/logp/lu.h"
#include "experiments/models/logp/summation.h"
#include "experiments/models/logpc/diamond_dag.h"
#include "experiments/models/logpc/loggp_long_message.h"
#include "experiments/models/logpc/logpc_long_message.h"
#include "experiments/models/logpc/logpc_network.h"
#include "experiments/models/logpc/logpc_short_messages.h"
#include "experiments/models/logpc/mean_distance.h"
#include "experiments/models/lopc/lopc_all_to_any.h"
#include "experiments/models/lopc/lopc_client_server.h"
#include "experiments/models/lopc/lopc_general.h"
#include "experiments/models/lopc/lopc_mva.h"
#include "experiments/models/model_error.h"
#include "firmware/kernels/broadcast/broadcast_tree.h"
#include "firmware/kernels/lu/lu_layout.h"
#include "hw/controller_registers.h"

namespace weir::experiments::run {

namespace {

// Takes inputs by name and remembers which were taken.
class Inputs {
  public:
    explicit Inputs(const Metrics& metrics) : metrics_(metrics) {}

    double take(const char* name) {
        const std::optional<double> value = find_metric(metrics_, name);
        if (value && !find_metric(taken_, name)) {
            taken_.emplace_back(name, *value);
        }
        if (!value) {
            missing_ = name;
        }
        return value.value_or(models::kNotGiven);
    }
    [[nodiscard]] bool has(const char* name) const {
        return find_metric(metrics_, name).has_value();
    }
    [[nodiscard]] const Metrics& taken() const { return taken_; }
    /// One that was asked for and is not there; empty where there is none.
    [[nodiscard]] const std::string& missing() const { return missing_; }

  private:
    const Metrics& metrics_;
    Metrics taken_;
    std::string missing_;
};

models::LogpInputs logp_inputs(Inputs& inputs) {
    return {inputs.take("latency_cycles"), inputs.take("send_overhead_cycles"),
            inputs.take("receive_overhead_cycles")};
}

int processors(const PredictionContext& context) {
    return std::accumulate(context.mesh_extents.begin(), context.mesh_extents.end(), 1,
                           std::multiplies<>());
}

void require_handlers_that_interrupt(const PredictionContext& context) {
    if (context.receive_mode == nodes::ReceiveMode::kPolling) {
        throw models::ModelError("its handlers interrupt the thread, and here the thread polls");
    }
    if (context.receive_mode == nodes::ReceiveMode::kProtocolProcessor) {
        throw models::ModelError(
            "its handlers interrupt the thread, and here they run on a protocol processor");
    }
}

models::LopcInputs lopc_inputs(Inputs& inputs, const PredictionContext& context) {
    if (context.receive_mode == nodes::ReceiveMode::kPolling) {
        throw models::ModelError(
            "its handlers interrupt the thread or run beside it, and here the thread polls");
    }
    models::LopcInputs lopc;
    lopc.processors = processors(context);
    lopc.work_cycles =
        inputs.has("thread_cycles") ? inputs.take("thread_cycles") : inputs.take("work_cycles");
    lopc.network_cycles = inputs.take("latency_cycles");
    lopc.handler_cycles = inputs.take("handler_cycles");
    lopc.handler_squared_cv =
        inputs.has("handler_squared_cv") ? inputs.take("handler_squared_cv") : 0.0;
    lopc.protocol_processor = context.receive_mode == nodes::ReceiveMode::kProtocolProcessor;
    return lopc;
}

// --- Clients and servers
// --------------------------------------------------------------------------

std::optional<int> servers(const PredictionContext& context) {
    const auto count = find_metric(context.kernel_facts, "servers");
    return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

/// Nodes that a request visits before its reply.
double visits_per_request(const PredictionContext& context) {
    return find_metric(context.kernel_facts, "visits_per_request").value_or(1.0);
}

void require_all_to_all(const PredictionContext& context) {
    if (servers(context)) {
        throw models::ModelError("its nodes all ask one another, and here clients ask servers");
    }
}

void require_one_visit(const PredictionContext& context) {
    if (visits_per_request(context) > 1.0) {
        throw models::ModelError("its requests are replied to by the first node they visit");
    }
}

// LoPC Section 5: its own machine, and where the best number of servers is, (18).
double lopc_client_server(const models::LopcInputs& all_to_any, int servers, Metrics& details) {
    const models::LopcClientServerInputs inputs{
        .processors = all_to_any.processors,
        .work_cycles = all_to_any.work_cycles,
        .network_cycles = all_to_any.network_cycles,
        .handler_cycles = all_to_any.handler_cycles,
        .handler_squared_cv = all_to_any.handler_squared_cv};
    const models::LopcClientServerSolution solution =
        models::solve_lopc_client_server(inputs, servers);
    details.emplace_back("request_queueing_cycles", solution.server_queueing_cycles);
    details.emplace_back("processor_contention_cycles", solution.server_queueing_cycles);
    details.emplace_back("requests_per_cycle", solution.requests_per_cycle);
    details.emplace_back("best_servers", models::lopc_best_servers(inputs).servers);
    return solution.response_cycles;
}

// LogP knows no queues: a turn takes what it takes unloaded, or as long as the servers need for
// all clients' turns, whichever is more (LoPC Section 5's bounds).
double logp_client_server(const models::LogpInputs& logp, double work_cycles, int servers,
                          const PredictionContext& context, Metrics& details) {
    const double clients = processors(context) - servers;
    const double service = logp.receive_overhead_cycles + logp.send_overhead_cycles;
    const double turn =
        std::max(models::logp_round_trip_cycles(logp, work_cycles), clients * service / servers);
    details.emplace_back("requests_per_cycle", clients / turn);
    return turn;
}

models::LopcGeneralInputs lopc_general(const models::LopcInputs& lopc, models::LopcVisits visits) {
    models::LopcGeneralInputs general;
    general.visits = std::move(visits);
    general.work_cycles = {lopc.work_cycles};
    general.network_cycles = lopc.network_cycles;
    general.handler_cycles = lopc.handler_cycles;
    general.handler_squared_cv = lopc.handler_squared_cv;
    general.protocol_processor = lopc.protocol_processor;
    return general;
}

// LoPC Appendix A: requests that are handed on, to any other node alike. All nodes are as the
// first; a request queues at each visit.
double lopc_multi_hop(const models::LopcInputs& lopc, double visits, Metrics& details) {
    const models::LopcGeneralSolution solution = models::solve_lopc_general(
        lopc_general(lopc, models::lopc_all_to_any_visits(lopc.processors, visits)));
    const models::LopcNode& node = solution.nodes.front();
    const double interference = node.thread_response_cycles - lopc.work_cycles;
    const double at_requests = visits * (node.request_response_cycles - lopc.handler_cycles);
    const double at_reply = node.reply_response_cycles - lopc.handler_cycles;
    details.emplace_back("interference_cycles", interference);
    details.emplace_back("request_queueing_cycles", at_requests);
    details.emplace_back("reply_queueing_cycles", at_reply);
    details.emplace_back("processor_contention_cycles", interference + at_requests + at_reply);
    return solution.response_cycles;
}

double lopc(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    const models::LopcInputs lopc = lopc_inputs(inputs, context);
    if (const auto serving = servers(context)) {
        return lopc_client_server(lopc, *serving, details);
    }
    if (visits_per_request(context) > 1.0) {
        return lopc_multi_hop(lopc, visits_per_request(context), details);
    }
    const models::LopcSolution solution = models::solve_lopc_all_to_any(lopc);
    const models::LopcContention& contention = solution.contention;
    details.emplace_back("interference_cycles", contention.interference_cycles);
    details.emplace_back("request_queueing_cycles", contention.request_queueing_cycles);
    details.emplace_back("reply_queueing_cycles", contention.reply_queueing_cycles);
    details.emplace_back("processor_contention_cycles", contention.total_cycles());
    if (lopc.handler_squared_cv == 0.0 && !lopc.protocol_processor) {  // those that (9) is for
        const models::LopcBounds bounds = models::lopc_response_bounds(lopc);
        details.emplace_back("lower_bound_cycles", bounds.lower_cycles);
        details.emplace_back("upper_bound_cycles", bounds.upper_cycles);
    }
    return solution.response_cycles;
}

// Every node asks every other alike.
double lopc_schweitzer(Inputs& inputs, const PredictionContext& context, Metrics& /*details*/) {
    require_all_to_all(context);
    const models::LopcInputs lopc = lopc_inputs(inputs, context);
    const auto visits =
        models::lopc_all_to_any_visits(lopc.processors, visits_per_request(context));
    return models::solve_lopc_bard_schweitzer(lopc_general(lopc, visits)).response_cycles;
}

double lopc_rule_of_thumb(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    require_all_to_all(context);
    require_one_visit(context);
    require_handlers_that_interrupt(context);
    const models::LogpInputs logp = logp_inputs(inputs);
    details.emplace_back("processor_contention_cycles",
                         models::lopc_rule_of_thumb_contention_cycles(logp));
    return models::lopc_rule_of_thumb_round_trip_cycles(logp, inputs.take("work_cycles"));
}

constexpr double kAsPrinted = 1.0;  // cycles a byte of a channel; G in the others

// Equation (11), and with locality (12).
double mean_distance_per_dimension(const PredictionContext& context) {
    const double span = find_metric(context.kernel_facts, "span_nodes").value_or(0.0);
    if (span == 0.0) {
        return models::mesh_mean_distance_per_dimension(context.mesh_extents);
    }
    const double hops = models::mean_hops_to_numbered_neighbours({.extents = context.mesh_extents},
                                                                 static_cast<int>(span),
                                                                 models::NumberingEnds::kEndAround);
    return hops / static_cast<double>(context.mesh_extents.size());
}

models::LogpcNetworkInputs network_inputs(Inputs& inputs, const PredictionContext& context,
                                          double channel_cycles_per_byte) {
    if (!context.network_contends) {
        throw models::ModelError(
            R"(its network contends, and here network.model is "delay" or "logp")");
    }
    if (!context.is_plain_mesh) {
        throw models::ModelError("its network is a mesh like Alewife's, and here it is another");
    }
    models::LogpcNetworkInputs network;
    network.dimensions = static_cast<int>(context.mesh_extents.size());
    network.mean_distance_per_dimension = mean_distance_per_dimension(context);
    network.message_bytes = inputs.take("message_bytes");
    network.channel_cycles_per_byte = channel_cycles_per_byte;
    return network;
}

double logpc_round_trip(Inputs& inputs, const PredictionContext& context, Metrics& details,
                        double channel_cycles_per_byte) {
    require_all_to_all(context);
    require_one_visit(context);
    require_handlers_that_interrupt(context);
    const models::LogpcShortMessages solution =
        models::solve_logpc_synchronous(logp_inputs(inputs), inputs.take("work_cycles"),
                                        network_inputs(inputs, context, channel_cycles_per_byte));
    details.emplace_back("network_contention_cycles", solution.network.contention_cycles);
    details.emplace_back("processor_contention_cycles", solution.processor_contention_cycles);
    return solution.iteration_cycles;
}

double logp_round_trip(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    const models::LogpInputs logp = logp_inputs(inputs);
    const double work = inputs.take("work_cycles");
    if (const auto serving = servers(context)) {
        return logp_client_server(logp, work, *serving, context, details);
    }
    // Its messages one after the other, a visit each and the reply.
    const double two_messages = models::logp_round_trip_cycles(logp, 0.0);
    return work + (visits_per_request(context) + 1.0) * two_messages / 2.0;
}

// --- Programs of their own ----------------------------------------------------------------------

// The o of LogP's schedules is one for sending and receiving: here their mean, which leaves L + 2o
// as it is.
models::LogpMachine logp_machine(const models::LogpInputs& logp, const PredictionContext& context) {
    return {.latency_cycles = logp.latency_cycles,
            .overhead_cycles = (logp.send_overhead_cycles + logp.receive_overhead_cycles) / 2.0,
            .gap_cycles = context.gap_cycles,
            .processors = processors(context)};
}

double logp_broadcast(const models::LogpMachine& machine, firmware::TreeKind tree) {
    switch (tree) {
        case firmware::TreeKind::kOptimal:
            return models::logp_optimal_broadcast(machine).finish_cycles;
        case firmware::TreeKind::kBinary:
            return models::logp_binary_tree_broadcast(machine).finish_cycles;
        case firmware::TreeKind::kBinomial:
            return models::logp_binomial_broadcast(machine).finish_cycles;
        case firmware::TreeKind::kFlat:
            return models::logp_flat_broadcast(machine).finish_cycles;
    }
    return 0.0;
}

double logp_summation(const models::LogpMachine& machine, firmware::TreeKind tree, double values) {
    const models::SummationMachine summing{.latency_cycles = std::llround(machine.latency_cycles),
                                           .overhead_cycles = std::llround(machine.overhead_cycles),
                                           .gap_cycles = std::llround(machine.gap_cycles),
                                           .processors = machine.processors};
    const auto count = static_cast<std::int64_t>(values);
    if (tree == firmware::TreeKind::kOptimal) {
        return static_cast<double>(models::logp_least_summation_cycles(summing, count));
    }
    if (tree == firmware::TreeKind::kBinomial) {
        return static_cast<double>(models::logp_binomial_summation_cycles(summing, count));
    }
    throw models::ModelError("it has a time for the optimal and the binomial tree only");
}

// Remote reads by V threads of each node (LogP Section 3.2): each takes 2L + 4o and its work, V of
// them at a time, but no less than the processor is busy for, its own and another's read, 4o and
// work, and no less than two messages' gaps.
double logp_reads(const models::LogpMachine& machine, const PredictionContext& context,
                  double threads) {
    const double reads = find_metric(context.kernel_facts, "operations_per_node").value_or(0.0);
    const double work = find_metric(context.kernel_facts, "thread_work_cycles").value_or(0.0);
    const double busy = 4.0 * machine.overhead_cycles + work;
    const double turn = 2.0 * machine.latency_cycles + busy;
    return reads * std::max({turn / threads, busy, 2.0 * machine.gap_cycles});
}

// LU (LogP Section 4.2; models/logp/lu.h): a value takes g there, and here a message has several;
// an operation takes a cycle, and an update here its two loads, its store and update_cycles. Where
// a grid's elements don't lie evenly the busiest processor of each step counts.
double logp_lu(const models::LogpMachine& machine, const PredictionContext& context,
               Metrics& details) {
    using firmware::LuLayoutKind;
    const auto fact = [&context](const char* name) {
        return find_metric(context.kernel_facts, name).value_or(models::kNotGiven);
    };
    const double message_cycles = std::max(machine.gap_cycles, 2.0 * machine.overhead_cycles);
    models::LuInputs inputs;
    inputs.machine = machine;
    inputs.machine.latency_cycles += 2.0 * machine.overhead_cycles;  // of a step's first message
    inputs.machine.overhead_cycles = 0.0;
    inputs.machine.gap_cycles = message_cycles / fact("lu_values_per_message");
    inputs.rows = static_cast<std::int64_t>(fact("lu_rows"));
    const models::LuTotals totals = models::solve_logp_lu(inputs);
    const auto kind = static_cast<LuLayoutKind>(fact("lu_layout"));
    const bool is_grid = kind == LuLayoutKind::kBlockedGrid || kind == LuLayoutKind::kScatteredGrid;
    if (is_grid && !totals.layouts.grid) {
        throw models::ModelError("its grid has as many rows of processors as columns, and here " +
                                 std::to_string(machine.processors) + " are no square");
    }
    const models::LuCost& cost = kind == LuLayoutKind::kBad      ? totals.layouts.bad
                                 : kind == LuLayoutKind::kColumn ? totals.layouts.column
                                                                 : *totals.layouts.grid;
    const double operations =
        kind == LuLayoutKind::kBlockedGrid     ? *totals.blocked_grid_computation_cycles
        : kind == LuLayoutKind::kScatteredGrid ? *totals.scattered_grid_computation_cycles
                                               : cost.computation_cycles;
    const double update =
        fact("lu_update_cycles") + 2.0 * context.double_load_cycles + context.double_store_cycles;
    const double computation = operations / 2.0 * update;
    details.emplace_back("communication_cycles", cost.communication_cycles);
    details.emplace_back("computation_cycles", computation);
    return cost.communication_cycles + computation;
}

// Records for a hot node (LoGPC Section 5): as long as a sender takes for its own, or as the
// busiest node is for all that it gets and sends, whichever is more. Nothing contends.
double logp_records(const models::LogpInputs& logp, const PredictionContext& context) {
    const auto fact = [&context](const char* name) {
        return find_metric(context.kernel_facts, name).value_or(0.0);
    };
    const double work = fact("record_work_cycles");
    const double both = logp.send_overhead_cycles + logp.receive_overhead_cycles;
    const double records = fact("operations_per_node");
    if (fact("is_synchronous") > 0.0) {
        const double turn = models::logp_round_trip_cycles(logp, work);
        return std::max(records * turn, fact("busiest_node_records") * both +
                                            fact("busiest_node_sends") * (work + both));
    }
    const double busiest = fact("busiest_node_records") * logp.receive_overhead_cycles +
                           fact("busiest_node_sends") * (work + logp.send_overhead_cycles);
    const double sender = records * (work + logp.send_overhead_cycles);
    return std::max(sender, busiest) + logp.latency_cycles;
}

// Which node sends how much of its records to which (hot_spot.h, producer_consumer.h).
models::LopcVisits visits_of_records(const PredictionContext& context) {
    const auto fact = [&context](const char* name) {
        return find_metric(context.kernel_facts, name);
    };
    const auto nodes = static_cast<std::size_t>(processors(context));
    models::LopcVisits visits(nodes);
    if (const auto share = fact("hot_share")) {
        const auto hot = static_cast<std::size_t>(fact("hot_node").value_or(0.0));
        for (std::size_t i = 0; i < nodes; ++i) {
            const double to_hot = i == hot ? 0.0 : *share;
            for (std::size_t k = 0; k < nodes; ++k) {
                visits.row(i)[k] = i == k ? 0.0 : (1.0 - to_hot) / static_cast<double>(nodes - 1);
            }
            visits.row(i)[hot] += to_hot;
        }
        return visits;
    }
    const auto consumers = static_cast<std::size_t>(fact("consumers").value_or(0.0));
    const auto hot_producers = static_cast<std::size_t>(fact("hot_producers").value_or(0.0));
    for (std::size_t i = consumers; i < nodes; ++i) {
        if (i - consumers < hot_producers) {  // which of them they are makes no difference
            visits.row(i)[0] = 1.0;
            continue;
        }
        for (std::size_t k = 1; k < consumers; ++k) {
            visits.row(i)[k] = 1.0 / static_cast<double>(consumers - 1);
        }
    }
    return visits;
}

// As long as the slowest thread takes for all its records, but the hot node's: what that has left
// then it sends alone.
double lopc_program(Inputs& inputs, const PredictionContext& context, Metrics& /*details*/) {
    const auto synchronous = find_metric(context.kernel_facts, "is_synchronous");
    if (!synchronous) {
        throw models::ModelError("it is not asked about this program");
    }
    if (*synchronous == 0.0) {
        throw models::ModelError("its threads wait for replies, and here nobody waits");
    }
    if (find_metric(context.kernel_facts, "body_bytes")) {
        throw models::ModelError("its messages are short, and here they have bodies");
    }
    const auto fact = [&context](const char* name) {
        return find_metric(context.kernel_facts, name).value_or(models::kNotGiven);
    };
    models::LopcInputs lopc = lopc_inputs(inputs, context);
    lopc.work_cycles = fact("record_work_cycles") + inputs.take("send_overhead_cycles");
    const models::LopcGeneralSolution solution =
        models::solve_lopc_general(lopc_general(lopc, visits_of_records(context)));
    const auto hot = static_cast<std::size_t>(fact("hot_node"));
    double slowest = 0.0;
    for (std::size_t i = 0; i < solution.nodes.size(); ++i) {
        slowest = std::max(slowest, i == hot ? 0.0 : solution.nodes[i].response_cycles);
    }
    const double others = fact("operations_per_node") * slowest;
    const models::LopcNode& hot_node = solution.nodes[hot];
    const double left =
        hot_node.asks ? fact("operations_per_node") - others / hot_node.response_cycles : 0.0;
    return others + std::max(left, 0.0) * hot_node.contention_free_cycles;
}

double logp_program(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    if (find_metric(context.kernel_facts, "hot_node")) {
        if (find_metric(context.kernel_facts, "body_bytes")) {
            throw models::ModelError("its messages are short, and here they have bodies");
        }
        return logp_records(logp_inputs(inputs), context);
    }
    const models::LogpMachine machine = logp_machine(logp_inputs(inputs), context);
    if (const auto tree = find_metric(context.kernel_facts, "broadcast_tree")) {
        return logp_broadcast(machine, static_cast<firmware::TreeKind>(*tree));
    }
    const auto values = find_metric(context.kernel_facts, "values");
    if (const auto tree = find_metric(context.kernel_facts, "summation_tree"); tree && values) {
        return logp_summation(machine, static_cast<firmware::TreeKind>(*tree), *values);
    }
    if (const auto threads = find_metric(context.kernel_facts, "reading_threads")) {
        return logp_reads(machine, context, *threads);
    }
    if (find_metric(context.kernel_facts, "lu_layout")) {
        return logp_lu(machine, context, details);
    }
    throw models::ModelError("it is not asked about this program");
}

// Nobody waits, so nothing queues that costs a processor time (LoGPC Section 5.1.2). A protocol
// processor takes what arrives while the thread sends: the slower of the two sets the pace.
//
// Where the network has a gap g and all nodes send in the same order, those that wait for a
// destination take turns, g apart, and it is P/2 times g a message of each node (LogP Section
// 4.1.2; models/logp/fft.h, naive_in_turn_cycles).
double logp_one_way(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    const models::LogpInputs logp = logp_inputs(inputs);
    const double work = inputs.take("work_cycles");
    const double both = models::logp_asynchronous_iteration_cycles(logp);
    const double at_processor =
        context.receive_mode == nodes::ReceiveMode::kProtocolProcessor
            ? std::max(work + logp.send_overhead_cycles, logp.receive_overhead_cycles)
            : work + both;
    const auto at_once = find_metric(context.kernel_facts, "same_destination_at_once");
    const double turns = at_once.value_or(0.0) > 0.0 ? processors(context) / 2.0 : 1.0;
    const double iteration = std::max(at_processor, turns * context.gap_cycles);
    const auto iterations = find_metric(context.kernel_facts, "iterations");
    if (iterations && context.gap_cycles > 0.0) {
        details.emplace_back("whole_run_cycles", *iterations * iteration + logp.latency_cycles);
    }
    return iteration;
}

double logpc_one_way(Inputs& inputs, const PredictionContext& context, Metrics& details,
                     double channel_cycles_per_byte) {
    const models::LogpInputs logp = logp_inputs(inputs);
    const models::LogpcShortMessages solution = models::solve_logpc_asynchronous(
        logp, network_inputs(inputs, context, channel_cycles_per_byte), inputs.take("work_cycles"));
    details.emplace_back("network_contention_cycles", solution.network.contention_cycles);
    return logp_one_way(inputs, context, details);
}

// --- Messages with a body -----------------------------------------------------------------------

constexpr double kHeaderBytes = WEIR_HEADER_BYTES;  // a: the interrupt follows it

bool has_bodies(const PredictionContext& context) {
    return find_metric(context.kernel_facts, "body_bytes").value_or(0.0) > 0.0;
}

models::LoggpMachine loggp_machine(Inputs& inputs, const PredictionContext& context) {
    models::LoggpMachine machine;
    machine.send_overhead_cycles = inputs.take("long_send_overhead_cycles");
    machine.latency_cycles = inputs.take("first_byte_latency_cycles");
    machine.receive_overhead_cycles = inputs.take("long_receive_overhead_cycles");
    machine.gap_cycles_per_byte = context.channel_cycles_per_byte;
    machine.memory_gap_cycles_per_byte = context.memory_cycles_per_byte;
    machine.header_bytes = kHeaderBytes;
    return machine;
}

// LoGPC Figure 3: what arrives between the header and the DMA's start has to find room, or the
// network stops; then the queue falls at the difference of the rates.
void add_input_queue(double header_to_dma, double message_bytes, const PredictionContext& context,
                     Metrics& details) {
    const double rate = 1.0 / context.channel_cycles_per_byte;
    const double arrived = std::min(kHeaderBytes + rate * header_to_dma, message_bytes);
    details.emplace_back("input_queue_peak_bytes", std::min(arrived, context.input_queue_bytes));
    details.emplace_back("network_stopped_cycles",
                         std::max(0.0, arrived - context.input_queue_bytes) / rate);
    details.emplace_back("input_queue_drained_bytes_per_cycle",
                         1.0 / context.memory_cycles_per_byte - rate);
}

double one_long_message(Inputs& inputs, const PredictionContext& context, Metrics& details,
                        double notify_cycles) {
    require_handlers_that_interrupt(context);
    models::LoggpMachine machine = loggp_machine(inputs, context);
    machine.receive_overhead_cycles += notify_cycles;
    const double bytes = inputs.take("message_bytes");
    const models::LoggpLongMessage message = models::solve_loggp_long_message(machine, bytes);
    details.emplace_back("sender_cycles", message.sender_cycles);
    details.emplace_back("bandwidth_bytes_per_cycle", message.bytes_per_cycle);
    add_input_queue(inputs.take("header_to_dma_cycles"), bytes, context, details);
    if (const auto crossover = models::loggp_bandwidth(machine).crossover_bytes) {
        details.emplace_back("crossover_bytes", *crossover);
    }
    return message.end_to_end_cycles;
}

double loggp_alone(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    return one_long_message(inputs, context, details, 0.0);
}

double loggp_alone_with_notify(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    return one_long_message(inputs, context, details, context.notify_cycles);
}

// O_s and O_r of Section 5 are sums of what the processor waits for.
void require_blocking_bodies(const PredictionContext& context) {
    require_handlers_that_interrupt(context);
    if (!context.bodies_block) {
        throw models::ModelError(
            "its sends and receives of long messages hold the processor, and here they do not");
    }
}

models::LogpcRemap long_remap(Inputs& inputs, const PredictionContext& context,
                              double channel_cycles_per_byte) {
    require_blocking_bodies(context);
    models::LogpcRemapInputs remap;
    remap.send_overhead_cycles = inputs.take("long_send_overhead_cycles");
    remap.header_bytes = kHeaderBytes;
    remap.gap_cycles_per_byte = context.channel_cycles_per_byte;
    remap.network = network_inputs(inputs, context, channel_cycles_per_byte);
    return models::solve_logpc_long_remap(remap);
}

double loggp_remap(Inputs& inputs, const PredictionContext& context, Metrics& /*details*/) {
    return long_remap(inputs, context, kAsPrinted).exact_iteration_cycles;
}

double logpc_remap(Inputs& inputs, const PredictionContext& context, Metrics& details,
                   double channel_cycles_per_byte) {
    const models::LogpcRemap remap = long_remap(inputs, context, channel_cycles_per_byte);
    details.emplace_back("network_contention_cycles", remap.exact_network.contention_cycles);
    return remap.exact_network.intermessage_cycles;
}

models::DiamondDagInputs diamond_dag(Inputs& inputs, const PredictionContext& context) {
    require_blocking_bodies(context);
    const auto fact = [&context](const char* name) {
        return find_metric(context.kernel_facts, name).value_or(models::kNotGiven);
    };
    if (!find_metric(context.kernel_facts, "rows")) {
        throw models::ModelError("it speaks of Diamond DAG, and here is another program");
    }
    if (fact("rows") != fact("columns")) {
        throw models::ModelError("its DAG has as many rows as columns, and here there are " +
                                 std::to_string(static_cast<std::int64_t>(fact("rows"))) + " and " +
                                 std::to_string(static_cast<std::int64_t>(fact("columns"))));
    }
    models::DiamondDagInputs dag;
    dag.processors = processors(context);
    dag.tasks_per_side = static_cast<int>(fact("rows"));
    dag.blocks = static_cast<int>(fact("blocks"));
    dag.task_cycles = fact("task_cycles");
    dag.aggregation_cycles_per_value = fact("aggregation_cycles_per_value");
    dag.message_bytes = inputs.take("message_bytes");
    dag.send_overhead_cycles = inputs.take("long_send_overhead_cycles");
    dag.latency_cycles = inputs.take("first_byte_latency_cycles");
    dag.gap_cycles_per_byte = context.channel_cycles_per_byte;
    dag.header_bytes = kHeaderBytes;
    return dag;
}

double loggp_pipeline(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    const models::DiamondDag dag = models::solve_diamond_dag(diamond_dag(inputs, context));
    details.emplace_back("communication_to_computation", dag.communication_to_computation);
    return dag.makespan_cycles;
}

// The mapping counts by the mean distance of its messages.
double logpc_pipeline(Inputs& inputs, const PredictionContext& context, Metrics& details,
                      double channel_cycles_per_byte) {
    const models::DiamondDagInputs dag = diamond_dag(inputs, context);
    models::LogpcNetworkInputs network = network_inputs(inputs, context, channel_cycles_per_byte);
    network.mean_distance_per_dimension = inputs.take("mean_hops") / network.dimensions;
    const models::DiamondDagContention contention =
        models::solve_diamond_dag_contention(dag, network);
    details.emplace_back("network_contention_cycles", contention.network.contention_cycles);
    return contention.makespan_cycles;
}

// --- Who is asked -------------------------------------------------------------------------------

double only_with_replies(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                         Metrics& /*details*/) {
    throw models::ModelError("its threads wait for replies, and here nobody waits");
}

double only_with_messages(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                          Metrics& /*details*/) {
    throw models::ModelError("it speaks of messages, and here are none");
}

double only_steady_states(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                          Metrics& /*details*/) {
    throw models::ModelError("it speaks of a steady state, and here is a program of its own");
}

double only_short_messages(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                           Metrics& /*details*/) {
    throw models::ModelError("its messages are short, and here they have bodies");
}

double only_long_messages(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                          Metrics& /*details*/) {
    throw models::ModelError("its messages are long, and here they have no bodies");
}

double only_of_one_message(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                           Metrics& /*details*/) {
    throw models::ModelError("it speaks of one message alone, and here are many");
}

double only_of_many_messages(Inputs& /*inputs*/, const PredictionContext& /*context*/,
                             Metrics& /*details*/) {
    throw models::ModelError("it speaks of contention, and here is one message alone");
}

/// A model that a file can name, and how each kind of communication is asked about. `details` are
/// what it says besides the cycles of main_metric().
struct KnownModel {
    using Ask = double (*)(Inputs& inputs, const PredictionContext& context, Metrics& details);
    const char* name;
    Ask round_trip;
    Ask one_way;
    Ask long_one_way = only_short_messages;
    Ask single = only_short_messages;
    Ask pipeline = only_short_messages;
    Ask program = only_steady_states;

    [[nodiscard]] Ask about(const PredictionContext& context) const {
        switch (context.communication) {
            case firmware::Communication::kRequestReply:
                return has_bodies(context) ? only_short_messages : round_trip;
            case firmware::Communication::kOneWay:
                return has_bodies(context) ? long_one_way : one_way;
            case firmware::Communication::kSingle:
                return single;
            case firmware::Communication::kPipeline:
                return pipeline;
            case firmware::Communication::kProgram:
                return program;
            case firmware::Communication::kNone:
                return only_with_messages;
        }
        return round_trip;
    }
};

// LoGPC's models with a channel taken for B cycles by B bytes, as printed, and for G B.
using AskWithChannel = double (*)(Inputs& inputs, const PredictionContext& context,
                                  Metrics& details, double channel_cycles_per_byte);

template <AskWithChannel model>
double as_printed(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    return model(inputs, context, details, kAsPrinted);
}

template <AskWithChannel model>
double in_cycles(Inputs& inputs, const PredictionContext& context, Metrics& details) {
    return model(inputs, context, details, context.channel_cycles_per_byte);
}

constexpr std::array kModels{
    KnownModel{.name = "logp",
               .round_trip = logp_round_trip,
               .one_way = logp_one_way,
               .program = logp_program},
    KnownModel{
        .name = "lopc", .round_trip = lopc, .one_way = only_with_replies, .program = lopc_program},
    KnownModel{"lopc_schweitzer", lopc_schweitzer, only_with_replies},
    KnownModel{"lopc_rule_of_thumb", lopc_rule_of_thumb, only_with_replies},
    KnownModel{"logpc", as_printed<logpc_round_trip>, as_printed<logpc_one_way>,
               as_printed<logpc_remap>, only_of_many_messages, as_printed<logpc_pipeline>},
    KnownModel{"logpc_cycles", in_cycles<logpc_round_trip>, in_cycles<logpc_one_way>,
               in_cycles<logpc_remap>, only_of_many_messages, in_cycles<logpc_pipeline>},
    KnownModel{"loggp", only_long_messages, only_long_messages, loggp_remap, loggp_alone,
               loggp_pipeline},
    KnownModel{"loggp_notify", only_long_messages, only_long_messages, only_of_one_message,
               loggp_alone_with_notify, only_of_one_message},
};

Prediction ask(const std::string& name_in_file, const std::string& name, const Metrics& given,
               const PredictionContext& context) {
    const KnownModel& model =
        *std::find_if(kModels.begin(), kModels.end(),
                      [&](const KnownModel& known) { return known.name == name_in_file; });
    Prediction prediction;
    prediction.model = name;
    Inputs inputs(given);
    try {
        Metrics details;
        const double cycles = model.about(context)(inputs, context, details);
        if (std::isnan(cycles) && !inputs.missing().empty()) {  // a trace that does not say it
            throw models::ModelError(inputs.missing() + " was not measured");
        }
        prediction.metrics.emplace_back(main_metric(context.communication), cycles);
        const auto nonzeros = find_metric(context.kernel_facts, "nonzeros");
        const auto remote = find_metric(context.kernel_facts, "remote_nonzeros");
        if (nonzeros && remote) {
            prediction.metrics.emplace_back("cycles_per_nonzero", cycles * *remote / *nonzeros);
        }
        const auto operations = find_metric(context.kernel_facts, "operations_per_node");
        if (operations && context.communication == firmware::Communication::kProgram) {
            prediction.metrics.emplace_back("cycles_per_operation", cycles / *operations);
        }
        const auto body_bytes = find_metric(context.kernel_facts, "body_bytes");
        if (body_bytes && context.communication == firmware::Communication::kOneWay) {
            prediction.metrics.emplace_back("iteration_cycles_per_byte", cycles / *body_bytes);
        }
        prediction.metrics.insert(prediction.metrics.end(), details.begin(), details.end());
    } catch (const models::ModelError& error) {
        prediction.metrics.clear();
        prediction.not_applicable = error.what();
    }
    prediction.inputs = inputs.taken();
    return prediction;
}

}  // namespace

const char* main_metric(firmware::Communication communication) {
    switch (communication) {
        case firmware::Communication::kSingle:
            return "end_to_end_cycles";
        case firmware::Communication::kPipeline:
        case firmware::Communication::kProgram:
            return "makespan_cycles";
        case firmware::Communication::kNone:
            return "cycles_per_byte";
        default:
            return "cycles_per_iteration";
    }
}

std::vector<Prediction> predict(std::span<const std::string> models, const Metrics& measured_inputs,
                                const Metrics& given_inputs, const PredictionContext& context) {
    std::vector<Prediction> predictions;
    for (const std::string& model : models) {
        predictions.push_back(ask(model, model, measured_inputs, context));
        if (measured_inputs.empty()) {
            predictions.back().not_applicable = "no message was handled in the measured time";
        }
        if (!given_inputs.empty()) {
            predictions.push_back(ask(model, model + "_given", given_inputs, context));
        }
    }
    return predictions;
}

const std::vector<std::string>& known_models() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(kModels.size());
        for (const KnownModel& model : kModels) {
            all.emplace_back(model.name);
        }
        return all;
    }();
    return names;
}

const std::vector<std::string>& known_model_inputs() {
    static const std::vector<std::string> names{"latency_cycles",
                                                "send_overhead_cycles",
                                                "receive_overhead_cycles",
                                                "handler_cycles",
                                                "handler_squared_cv",
                                                "work_cycles",
                                                "message_bytes",
                                                "long_send_overhead_cycles",
                                                "long_receive_overhead_cycles",
                                                "first_byte_latency_cycles",
                                                "header_to_dma_cycles",
                                                "mean_hops"};
    return names;
}

}  // namespace weir::experiments::run
