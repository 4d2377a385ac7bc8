#include "experiments/run/measured_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "experiments/run/memory_transfers.h"
#include "experiments/run/predictions.h"
#include "experiments/run/processor_use.h"
#include "experiments/trace/delivery_breakdown.h"
#include "experiments/trace/long_messages.h"
#include "experiments/trace/measurements.h"
#include "experiments/trace/round_trip_breakdown.h"
#include "experiments/trace/trace_database.h"
#include "firmware/kernels/boundary_exchange/boundary_exchange.h"
#include "firmware/kernels/fft/fft.h"
#include "firmware/kernels/memory_transfer/memory_transfer.h"
#include "hw/controller_registers.h"

namespace weir::experiments::run {

namespace {

constexpr int kMostArgumentWords = WEIR_DESCRIPTOR_WORDS - 2;

std::string with_words(const char* metric, std::int64_t argument_words) {
    return std::string(metric) + "_" + std::to_string(argument_words);
}

// Mean and squared coefficient of variation of the handlers' times in the window.
void add_handler_times(const trace::TraceDatabase& database, trace::CycleWindow window,
                       Measured& measured) {
    trace::Statement statement(
        database,
        "SELECT COUNT(*), AVG(t), AVG(t * t) FROM (SELECT handler_end_cycle - handler_begin_cycle "
        "AS t FROM messages WHERE " +
            trace::inside_window("handler_end_cycle", window) + ")");
    if (!statement.step() || statement.integer(0) == 0) {
        return;
    }
    const double mean = statement.real(1);
    measured.metrics.emplace_back("messages_measured", static_cast<double>(statement.integer(0)));
    measured.metrics.emplace_back("handler_cycles", mean);
    measured.model_inputs.emplace_back("handler_cycles", mean);
    measured.model_inputs.emplace_back("handler_squared_cv",
                                       std::max(0.0, statement.real(2) / (mean * mean) - 1.0));
}

// The models' o_r is that of an interrupt which saves nothing.
void add_logp_parameters(const std::vector<trace::LogpParameters>& parameters, hw::Cycles saves,
                         bool tells_interrupted_sends, Measured& measured) {
    double messages = 0.0;
    double latency = 0.0;
    double unloaded = 0.0;
    double without_hops = 0.0;
    double sends = 0.0;
    double send_overhead = 0.0;
    double receive_overhead = 0.0;
    double bytes = 0.0;
    for (const trace::LogpParameters& p : parameters) {
        const auto count = static_cast<double>(p.messages);
        messages += count;
        latency += count * p.latency.mean_cycles;
        unloaded += count * p.mean_unloaded_latency_cycles;
        without_hops += count * p.mean_latency_without_hops_cycles;
        receive_overhead += count * p.receive_overhead_without_sends.mean_cycles;
        bytes += count * static_cast<double>(p.message_bytes.count());
        sends += static_cast<double>(p.send_overhead.count);
        send_overhead += static_cast<double>(p.send_overhead.count) * p.send_overhead.mean_cycles;
        if (p.send_overhead.count > 0) {  // some send was not interrupted
            measured.metrics.emplace_back(with_words("send_overhead_cycles", p.argument_words),
                                          p.send_overhead.mean_cycles);
        }
        measured.metrics.emplace_back(with_words("receive_overhead_cycles", p.argument_words),
                                      p.receive_overhead_without_sends.mean_cycles);
    }
    if (messages == 0.0) {
        return;
    }
    measured.metrics.emplace_back("latency_cycles", latency / messages);
    measured.metrics.emplace_back("latency_without_hops_cycles", without_hops / messages);
    measured.model_inputs.emplace_back("latency_cycles", unloaded / messages);
    if (sends > 0.0 || tells_interrupted_sends) {
        measured.model_inputs.emplace_back("send_overhead_cycles",
                                           sends > 0.0 ? send_overhead / sends : 0.0);
    }
    measured.model_inputs.emplace_back(
        "receive_overhead_cycles",
        (receive_overhead - static_cast<double>(saves.count())) / messages);
    measured.model_inputs.emplace_back("message_bytes", bytes / messages);
}

void add_round_trip(const trace::RoundTripBreakdown& breakdown, Measured& measured) {
    if (breakdown.iterations == 0) {
        return;
    }
    measured.metrics.emplace_back("cycles_per_iteration", breakdown.mean_cycles);
    measured.metrics.emplace_back("iterations_measured", static_cast<double>(breakdown.iterations));
    for (const auto& part : breakdown.parts) {
        measured.round_trip.emplace_back(part.name, part.mean_cycles);
    }
    const auto part = [&measured](const char* name) {
        return find_metric(measured.round_trip, name).value_or(0.0);
    };
    measured.metrics.emplace_back(
        "network_contention_cycles",
        (part("request_network_contention") + part("reply_network_contention")) / 2.0);
    measured.metrics.emplace_back(
        "processor_contention_cycles",
        part("interference") + part("request_queueing") + part("reply_queueing"));
    for (const char* name : {"interference", "request_queueing", "reply_queueing"}) {
        measured.metrics.emplace_back(std::string(name) + "_cycles", part(name));
    }
    measured.model_inputs.emplace_back("work_cycles", part("compute") + part("wait"));
    measured.model_inputs.emplace_back("thread_cycles",
                                       part("compute") + part("wait") + part("request_send"));
}

// LoPC Section 5: of all clients of a workpile together.
void add_throughput(const MeasurementContext& context, Measured& measured) {
    const auto clients = find_metric(context.kernel_facts, "clients");
    const auto cycles = find_metric(measured.metrics, "cycles_per_iteration");
    if (clients && cycles) {
        measured.metrics.emplace_back("requests_per_cycle", *clients / *cycles);
    }
}

// A program that sends without waiting: all processors' cycles for each message handled.
void add_deliveries(const trace::DeliveryBreakdown& breakdown, Measured& measured) {
    if (breakdown.messages == 0) {
        return;
    }
    measured.metrics.emplace_back("cycles_per_iteration", breakdown.cycles_per_message);
    for (const auto& part : breakdown.parts) {
        measured.round_trip.emplace_back(part.name, part.mean_cycles);
        if (part.name == "blocked" || part.name == "saves") {
            measured.metrics.emplace_back(part.name + "_cycles", part.mean_cycles);
        }
    }
    measured.model_inputs.emplace_back("work_cycles",
                                       find_metric(measured.round_trip, "compute").value_or(0.0));
}

// Where the time of a program of its own went, the mean of all nodes.
void add_core_states(const trace::TraceDatabase& database, const MeasurementContext& context,
                     Measured& measured) {
    for (const trace::CoreStateShare& share : trace::core_state_share(database, context.window)) {
        auto part = std::find_if(measured.round_trip.begin(), measured.round_trip.end(),
                                 [&share](const auto& p) { return p.first == share.state; });
        if (part == measured.round_trip.end()) {
            measured.round_trip.emplace_back(share.state, 0.0);
            part = measured.round_trip.end() - 1;
        }
        part->second += static_cast<double>(share.total.count()) / context.node_count;
    }
    measured.metrics.emplace_back("blocked_cycles",
                                  find_metric(measured.round_trip, "blocked").value_or(0.0));
}

// From the first mark of one name to the last of the other; nothing where no node marked the end.
std::optional<hw::Cycles> cycles_between(const trace::TraceDatabase& database,
                                         const char* first_mark, const char* last_mark) {
    const std::vector<std::string> names = trace::mark_names(database);
    if (std::find(names.begin(), names.end(), last_mark) == names.end()) {
        return std::nullopt;
    }
    hw::Cycles begin = hw::kNever;
    hw::Cycles end(0);
    for (const trace::MarkSpan& span : trace::mark_spans(database, first_mark)) {
        begin = std::min(begin, span.first);
    }
    for (const trace::MarkSpan& span : trace::mark_spans(database, last_mark)) {
        end = std::max(end, span.last);
    }
    return end - begin;
}

// LoPC Figure 8: all nodes' time from the first begin to the last end, a non-zero; n/m of Section
// 3.1.1; and how unevenly the non-zeros lie.
void add_product_time(const trace::TraceDatabase& database, const MeasurementContext& context,
                      Measured& measured) {
    const auto nonzeros = find_metric(context.kernel_facts, "nonzeros");
    const auto cycles = cycles_between(database, "product begins", "product ends");
    if (nonzeros && cycles) {
        measured.metrics.emplace_back("cycles_per_nonzero", static_cast<double>(cycles->count()) *
                                                                context.node_count / *nonzeros);
    }
    const auto gets = find_metric(context.kernel_facts, "remote_nonzeros");
    const auto most = find_metric(context.kernel_facts, "most_nonzeros");
    if (nonzeros && gets && most) {
        measured.metrics.emplace_back("gets_per_nonzero", *gets / *nonzeros);
        measured.metrics.emplace_back("most_nonzeros_over_mean",
                                      *most * context.node_count / *nonzeros);
    }
}

// LoGPC Section 5.2.1: M, the time in which the whole Diamond DAG is evaluated; and the same of a
// boundary exchange and of programs of their own.
void add_makespan(const trace::TraceDatabase& database, const MeasurementContext& context,
                  Measured& measured) {
    using firmware::BoundaryExchange;
    for (const auto& [begin, end] : {std::pair("dag begins", "dag ends"),
                                     std::pair(BoundaryExchange::kBegin, BoundaryExchange::kEnd),
                                     std::pair(firmware::kProgramBegins, firmware::kProgramEnds)}) {
        if (const auto cycles = cycles_between(database, begin, end)) {
            measured.metrics.emplace_back("makespan_cycles", static_cast<double>(cycles->count()));
        }
    }
    const auto makespan = find_metric(measured.metrics, "makespan_cycles");
    const auto operations = find_metric(context.kernel_facts, "operations_per_node");
    if (makespan && operations) {
        measured.metrics.emplace_back("cycles_per_operation", *makespan / *operations);
    }
}

// All the time from marks of one name to those of another, where each begin has its end.
struct MarkedTime {
    double cycles = 0.0;
    std::int64_t spans = 0;
};

MarkedTime marked_time(const trace::TraceDatabase& database, const std::string& begin,
                       const std::string& end) {
    trace::Statement statement(database, "SELECT COUNT(*) / 2, SUM(CASE name WHEN '" + end +
                                             "' THEN cycle ELSE -cycle END) FROM marks WHERE name "
                                             "IN ('" +
                                             begin + "', '" + end + "')");
    MarkedTime time;
    if (statement.step() && statement.integer(0) > 0) {
        time = {static_cast<double>(statement.integer(1)), statement.integer(0)};
    }
    return time;
}

// Memory logP's o + l: the measured repetitions of all of a kernel's transfers, a byte moved.
void add_transfer_time(const trace::TraceDatabase& database, const MeasurementContext& context,
                       Measured& measured) {
    using firmware::MemoryTransfer;
    const MarkedTime time = marked_time(database, MemoryTransfer::kBegin, MemoryTransfer::kEnd);
    const auto bytes = find_metric(context.kernel_facts, "bytes_moved");
    if (bytes && time.spans > 0) {
        measured.metrics.emplace_back("cycles_per_byte", time.cycles / *bytes);
    }
}

// The phases of a boundary exchange, the mean of all nodes' steps.
void add_exchange_phases(const trace::TraceDatabase& database, Measured& measured) {
    for (const std::string phase : firmware::BoundaryExchange::kPhases) {
        const MarkedTime time = marked_time(database, phase + "_begin", phase + "_end");
        if (time.spans > 0) {
            measured.metrics.emplace_back("exchange_" + phase + "_cycles",
                                          time.cycles / static_cast<double>(time.spans));
        }
    }
}

// LogP Figures 6 and 8: the remap of an FFT, the mean of all nodes. What is left of a node's own
// time is computation, whoever it ends before.
void add_remap(const trace::TraceDatabase& database, const MeasurementContext& context,
               Measured& measured) {
    using firmware::Fft;
    const MarkedTime time = marked_time(database, Fft::kRemapBegins, Fft::kRemapEnds);
    const auto bytes = find_metric(context.kernel_facts, "remap_bytes");
    const MarkedTime whole =
        marked_time(database, firmware::kProgramBegins, firmware::kProgramEnds);
    if (!bytes || time.spans == 0 || whole.spans != time.spans) {
        return;
    }
    const double cycles = time.cycles / static_cast<double>(time.spans);
    measured.metrics.emplace_back("remap_cycles", cycles);
    measured.metrics.emplace_back("remap_bytes_per_cycle", *bytes / cycles);
    measured.metrics.emplace_back("remap_megabytes_per_second",
                                  *bytes / cycles * context.processor_mhz);
    measured.metrics.emplace_back("remap_over_compute", time.cycles / (whole.cycles - time.cycles));
}

// Records for a hot node and for the others: from the first store of a record's message to the end
// of its handler, and when the last of them was done.
void add_records(const trace::TraceDatabase& database, const MeasurementContext& context,
                 Measured& measured) {
    const auto hot_node = find_metric(context.kernel_facts, "hot_node");
    if (!hot_node) {
        return;
    }
    for (const auto& [name, is_hot] : {std::pair("hot", true), std::pair("other", false)}) {
        trace::Statement rows(database,
                              std::string("SELECT count(*), avg(handler_end_cycle - "
                                          "compose_cycle), max(handler_end_cycle) FROM messages "
                                          "WHERE parent_message_id IS NULL AND destination_node ") +
                                  (is_hot ? "= ?1" : "<> ?1"));
        rows.bind(1, static_cast<std::int64_t>(*hot_node));
        if (rows.step() && rows.integer(0) > 0) {
            measured.metrics.emplace_back(std::string(name) + "_record_cycles", rows.real(1));
            measured.metrics.emplace_back(std::string(name) + "_records_done_cycles", rows.real(2));
        }
    }
}

constexpr std::size_t kTenths = 10;

std::string idle_in_tenth(std::size_t tenth) {
    return "idle_percent_tenth_" + std::to_string(tenth + 1);
}

// LogP Section 4.2: how many processors are idle, all the time and in each tenth of it.
void add_idle_processors(const trace::TraceDatabase& database, const MeasurementContext& context,
                         Measured& measured) {
    const auto makespan = find_metric(measured.metrics, "makespan_cycles");
    if (!makespan || !find_metric(context.kernel_facts, "lu_layout")) {
        return;
    }
    const trace::CycleWindow whole{hw::Cycles(0), hw::Cycles(std::llround(*makespan))};
    const auto percent = [&context](const ProcessorUse& use) {
        return 100.0 * use.idle / context.node_count;
    };
    measured.metrics.emplace_back("idle_percent",
                                  percent(processor_use(database, whole, 1).front()));
    const std::vector<ProcessorUse> tenths = processor_use(database, whole, kTenths);
    for (std::size_t i = 0; i < kTenths; ++i) {
        measured.metrics.emplace_back(idle_in_tenth(i), percent(tenths[i]));
    }
    trace::Statement messages(database, "SELECT count(*) FROM messages");
    const auto steps = find_metric(context.kernel_facts, "operations_per_node");
    if (messages.step() && steps) {
        measured.metrics.emplace_back("messages_per_operation",
                                      static_cast<double>(messages.integer(0)) / *steps);
    }
}

// A mean over messages with a body of any length, of those that have the part: added when some do.
void add_mean(Metrics& metrics, const char* name, const std::vector<trace::LongMessages>& lengths,
              const std::function<trace::Summary(const trace::LongMessages&)>& part) {
    double count = 0.0;
    double sum = 0.0;
    for (const trace::LongMessages& length : lengths) {
        const trace::Summary summary = part(length);
        count += static_cast<double>(summary.count);
        sum += static_cast<double>(summary.count) * summary.mean_cycles;
    }
    if (count > 0.0) {
        metrics.emplace_back(name, sum / count);
    }
}

void add_long_message_inputs(const std::vector<trace::LongMessages>& lengths, Measured& measured) {
    using trace::LongMessages;
    const auto add = [&](const char* name, const auto& part) {
        add_mean(measured.model_inputs, name, lengths, part);
    };
    // What is one number of all messages of a length.
    const auto add_of_each = [&](const char* name, const auto& value) {
        add(name, [&value](const LongMessages& length) {
            trace::Summary summary;
            summary.count = length.messages;
            summary.mean_cycles = value(length);
            return summary;
        });
    };
    add("long_send_overhead_cycles", &LongMessages::send_overhead);
    add("long_receive_overhead_cycles", &LongMessages::receive_overhead);
    add("header_to_dma_cycles", &LongMessages::header_to_dma);
    add_of_each("first_byte_latency_cycles",
                [](const LongMessages& length) { return length.mean_unloaded_first_byte_cycles; });
    add_of_each("message_bytes", [](const LongMessages& length) {
        return static_cast<double>(length.message_bytes.count());
    });
    add_of_each("mean_hops", [](const LongMessages& length) { return length.mean_hops; });
}

// LoGPC Table 2, over messages with a body of any length; G where it matters least what the first
// bytes wait for, of the longest. One length's whole trip where there is but one.
void add_long_messages(const std::vector<trace::LongMessages>& lengths, Measured& measured) {
    using trace::LongMessages;
    const auto add = [&](const char* name, trace::Summary LongMessages::*part) {
        add_mean(measured.metrics, name, lengths, part);
    };
    add("long_send_overhead_cycles", &LongMessages::send_overhead);
    add("long_receive_overhead_cycles", &LongMessages::receive_overhead);
    add("first_byte_latency_cycles", &LongMessages::first_byte_latency);
    add("header_to_dma_cycles", &LongMessages::header_to_dma);
    add("network_stopped_cycles", &LongMessages::network_stopped);
    const auto longest = std::max_element(
        lengths.begin(), lengths.end(),
        [](const auto& a, const auto& b) { return a.message_bytes < b.message_bytes; });
    measured.metrics.emplace_back("gap_cycles_per_byte", longest->mean_gap_cycles_per_byte);
    const auto iteration = find_metric(measured.metrics, "cycles_per_iteration");
    if (iteration && lengths.size() == 1) {
        measured.metrics.emplace_back(
            "iteration_cycles_per_byte",
            *iteration / static_cast<double>(lengths.front().body_bytes.count()));
    }
}

// One long message's whole trip, with nothing else at work.
void add_single_message(const trace::TraceDatabase& database, trace::CycleWindow window,
                        const trace::LongMessages& length, Measured& measured) {
    measured.metrics.emplace_back("sender_cycles", length.sender.mean_cycles);
    measured.metrics.emplace_back("end_to_end_cycles", length.end_to_end.mean_cycles);
    measured.metrics.emplace_back("drain_after_tail_cycles", length.drain_after_tail.mean_cycles);
    measured.metrics.emplace_back(
        "bandwidth_bytes_per_cycle",
        static_cast<double>(length.message_bytes.count()) / length.end_to_end.mean_cycles);
    const auto course = trace::input_queue_course(database, window);
    if (!course) {
        return;
    }
    measured.metrics.emplace_back("input_queue_peak_bytes",
                                  static_cast<double>(course->peak().count()));
    if (const auto drained = course->drained_bytes_per_cycle()) {
        measured.metrics.emplace_back("input_queue_drained_bytes_per_cycle", *drained);
    }
    if (const auto crossover = course->crossover_bytes()) {
        measured.metrics.emplace_back("crossover_bytes", static_cast<double>(crossover->count()));
    }
    for (const auto& [cycle, bytes] : course->until_caught_up()) {
        measured.input_queue.emplace_back(cycle.count(), bytes.count());
    }
}

// A remap with long messages from the first cycle to the last body in memory: the time a program
// sees, where cycles_per_iteration is while all nodes are at work.
void add_whole_run(const trace::TraceDatabase& database, const MeasurementContext& context,
                   Measured& measured) {
    const auto body_bytes = find_metric(context.kernel_facts, "body_bytes");
    const auto iterations = find_metric(context.kernel_facts, "iterations");
    const bool is_asked = context.communication == firmware::Communication::kOneWay && body_bytes &&
                          iterations && context.window.end >= hw::kNever;
    if (!is_asked) {
        return;
    }
    trace::Statement last(database, "SELECT max(receive_dma_end_cycle) FROM messages");
    if (!last.step() || last.is_null(0)) {
        return;
    }
    measured.metrics.emplace_back(
        "whole_run_cycles_per_byte",
        static_cast<double>(last.integer(0)) / (*iterations * *body_bytes));
}

// A remap with short messages in a given order, from the first cycle to the end of the last
// handler.
void add_whole_exchange(const trace::TraceDatabase& database, const MeasurementContext& context,
                        Measured& measured) {
    const bool is_asked = context.communication == firmware::Communication::kOneWay &&
                          find_metric(context.kernel_facts, "same_destination_at_once") &&
                          context.window.end >= hw::kNever;
    if (!is_asked) {
        return;
    }
    trace::Statement last(database, "SELECT max(handler_end_cycle) FROM messages");
    if (last.step() && !last.is_null(0)) {
        measured.metrics.emplace_back("whole_run_cycles", static_cast<double>(last.integer(0)));
    }
}

// Messages without replies are counted up to a cycle: where no thread said that it ended, until the
// last was handled.
trace::CycleWindow with_end(const trace::TraceDatabase& database, const MeasurementContext& context,
                            trace::CycleWindow window) {
    trace::Statement last(database, "SELECT max(handler_end_cycle) FROM messages");
    if (context.communication == firmware::Communication::kOneWay && window.end >= hw::kNever &&
        last.step() && !last.is_null(0)) {
        window.end = hw::Cycles(last.integer(0) + 1);
    }
    return window;
}

trace::CycleWindow steady_window(const trace::TraceDatabase& database, trace::CycleWindow window) {
    const std::vector<std::string> names = trace::mark_names(database);
    if (std::find(names.begin(), names.end(), "steady state ends") != names.end()) {
        for (const trace::MarkSpan& span : trace::mark_spans(database, "steady state ends")) {
            window.end = std::min(window.end, span.first);
        }
    }
    return window;
}

// Iterations in the order in which they end, whichever node's they are: with request and reply what
// each took, else what all nodes' cycles were since the end of the one before.
struct IterationSeries {
    std::vector<double> cycles;
    std::vector<hw::Cycles> ends;
};

IterationSeries iteration_series(const trace::TraceDatabase& database,
                                 const MeasurementContext& context, trace::CycleWindow window) {
    IterationSeries series;
    if (context.communication == firmware::Communication::kRequestReply) {
        for (const trace::RoundTrip& trip : trace::round_trips(database, window)) {
            series.cycles.push_back(static_cast<double>((trip.end - trip.begin).count()));
            series.ends.push_back(trip.end);
        }
        return series;
    }
    hw::Cycles before = window.begin;
    for (const hw::Cycles end : trace::delivery_ends(database, window)) {
        series.cycles.push_back(static_cast<double>((end - before).count()) * context.node_count);
        series.ends.push_back(end);
        before = end;
    }
    return series;
}

// What iterations took where a trace does not say what cores did: not where their time went.
void add_iterations(const trace::TraceDatabase& database, const MeasurementContext& context,
                    trace::CycleWindow window, Measured& measured) {
    const bool has_replies = context.communication == firmware::Communication::kRequestReply;
    if (!has_replies && context.communication != firmware::Communication::kOneWay) {
        return;
    }
    const IterationSeries series = iteration_series(database, context, window);
    if (series.cycles.empty()) {
        return;
    }
    const auto count = static_cast<double>(series.cycles.size());
    const double sum =
        has_replies ? std::accumulate(series.cycles.begin(), series.cycles.end(), 0.0)
                    : static_cast<double>((window.end - window.begin).count()) * context.node_count;
    measured.metrics.emplace_back("cycles_per_iteration", sum / count);
    if (has_replies) {
        measured.metrics.emplace_back("iterations_measured", count);
    }
}

// How sure cycles_per_iteration is, and the window behind the warm-up.
trace::CycleWindow add_interval(const trace::TraceDatabase& database,
                                const MeasurementContext& context, trace::CycleWindow window,
                                Measured& measured) {
    const IterationSeries series = iteration_series(database, context, window);
    const statistics::SteadyState state = statistics::steady_state(
        series.cycles, context.interval->batches, context.interval->detects_warm_up);
    if (state.warm_up > 0) {
        window.begin = series.ends[state.warm_up];
    }
    const bool has_replies = context.communication == firmware::Communication::kRequestReply;
    measured.interval =
        steady_interval("cycles_per_iteration", has_replies ? "iterations" : "messages", state);
    measured.interval->measured_from_cycle = window.begin.count();
    return window;
}

}  // namespace

Measured measure(const std::filesystem::path& trace_file, const MeasurementContext& context) {
    return measure(trace::TraceDatabase::open(trace_file), context);
}

Measured measure(const trace::TraceDatabase& database, const MeasurementContext& context) {
    trace::CycleWindow window =
        with_end(database, context, steady_window(database, context.window));
    Measured measured;
    if (context.interval) {
        window = add_interval(database, context, window, measured);
    }
    const bool has_intervals = database.has("core_intervals");
    if (!has_intervals) {
        add_iterations(database, context, window, measured);
    } else if (context.communication == firmware::Communication::kOneWay) {
        add_deliveries(trace::delivery_breakdown(database, window), measured);
    } else if (context.communication == firmware::Communication::kRequestReply) {
        add_round_trip(trace::round_trip_breakdown(database, window), measured);
    }
    if (context.communication == firmware::Communication::kRequestReply) {
        add_throughput(context, measured);
    }
    if (context.communication == firmware::Communication::kProgram && has_intervals) {
        add_core_states(database, context, measured);
    }
    add_whole_run(database, context, measured);
    add_whole_exchange(database, context, measured);
    add_product_time(database, context, measured);
    add_makespan(database, context, measured);
    add_transfer_time(database, context, measured);
    add_exchange_phases(database, measured);
    add_remap(database, context, measured);
    add_records(database, context, measured);
    if (has_intervals) {
        add_idle_processors(database, context, measured);
    }
    const bool has_engines = has_intervals && database.has("dma_transfers");
    const std::vector<trace::LongMessages> lengths =
        has_engines ? trace::long_messages(database, window, context.handlers_wait_for_bodies)
                    : std::vector<trace::LongMessages>{};
    if (!lengths.empty()) {
        add_long_messages(lengths, measured);
        add_long_message_inputs(lengths, measured);
    }
    if (context.communication == firmware::Communication::kSingle && lengths.size() == 1) {
        add_single_message(database, window, lengths.front(), measured);
    }
    add_logp_parameters(trace::logp_parameters(database, window),
                        trace::save_cycles(database, window), has_intervals, measured);
    add_handler_times(database, window, measured);
    const trace::Gaps gaps = trace::gaps(database, window);
    if (gaps.sender.count > 0) {
        measured.metrics.emplace_back("sender_gap_cycles",
                                      static_cast<double>(gaps.sender.minimum.count()));
    }
    if (gaps.receiver.count > 0) {
        measured.metrics.emplace_back("receiver_gap_cycles",
                                      static_cast<double>(gaps.receiver.minimum.count()));
    }
    return measured;
}

std::vector<std::string> known_metrics() {
    std::vector<std::string> names{"cycles_per_iteration",
                                   "cycles_per_nonzero",
                                   "gets_per_nonzero",
                                   "most_nonzeros_over_mean",
                                   "cycles_per_byte",
                                   "makespan_cycles",
                                   "cycles_per_operation",
                                   "requests_per_cycle",
                                   "remap_cycles",
                                   "remap_bytes_per_cycle",
                                   "remap_megabytes_per_second",
                                   "remap_over_compute",
                                   "hot_record_cycles",
                                   "other_record_cycles",
                                   "hot_records_done_cycles",
                                   "other_records_done_cycles",
                                   "messages_per_operation",
                                   "idle_percent",
                                   "long_send_overhead_cycles",
                                   "long_receive_overhead_cycles",
                                   "first_byte_latency_cycles",
                                   "header_to_dma_cycles",
                                   "network_stopped_cycles",
                                   "gap_cycles_per_byte",
                                   "iteration_cycles_per_byte",
                                   "whole_run_cycles",
                                   "whole_run_cycles_per_byte",
                                   "sender_cycles",
                                   "end_to_end_cycles",
                                   "drain_after_tail_cycles",
                                   "bandwidth_bytes_per_cycle",
                                   "input_queue_peak_bytes",
                                   "input_queue_drained_bytes_per_cycle",
                                   "crossover_bytes",
                                   "over_other_point_percent",
                                   "latency_cycles",
                                   "latency_without_hops_cycles",
                                   "network_contention_cycles",
                                   "processor_contention_cycles",
                                   "handler_cycles",
                                   "sender_gap_cycles",
                                   "blocked_cycles",
                                   "saves_cycles",
                                   "receiver_gap_cycles",
                                   "messages_measured",
                                   "iterations_measured",
                                   "interference_cycles",
                                   "request_queueing_cycles",
                                   "reply_queueing_cycles"};
    for (const std::string phase : firmware::BoundaryExchange::kPhases) {
        names.push_back("exchange_" + phase + "_cycles");
    }
    for (std::size_t tenth = 0; tenth < kTenths; ++tenth) {
        names.push_back(idle_in_tenth(tenth));
    }
    const std::vector<std::string> of_transfers = known_transfer_metrics();
    names.insert(names.end(), of_transfers.begin(), of_transfers.end());
    for (int words = 0; words <= kMostArgumentWords; ++words) {
        names.push_back(with_words("send_overhead_cycles", words));
        names.push_back(with_words("receive_overhead_cycles", words));
    }
    for (const std::string& model : known_models()) {
        for (const char* asked : {"", "_given"}) {
            for (const char* what :
                 {"", "_contention", "_interference", "_request_queueing", "_reply_queueing"}) {
                names.push_back(model + asked + what + "_over_measured_percent");
            }
            names.push_back(model + asked + "_bounds_exceeded_cycles");
        }
    }
    return names;
}

}  // namespace weir::experiments::run
