#include "experiments/analyses/patterns/long_messages.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/analyses/patterns/iterations.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/trace/measurements/long_messages.h"

namespace weir::experiments::analyses {

namespace {

using trace::LongMessages;

using Part = std::function<trace::Summary(const LongMessages&)>;

// Adds the mean of a part over all messages that have this part, whatever their length; adds
// nothing if none has it.
void add_mean(records::Metrics& metrics, const std::string& name,
              const std::vector<LongMessages>& lengths, const Part& part) {
    double count = 0.0;
    double sum = 0.0;
    for (const LongMessages& length : lengths) {
        const trace::Summary summary = part(length);
        count += static_cast<double>(summary.count);
        sum += static_cast<double>(summary.count) * summary.mean_cycles;
    }
    if (count > 0.0) {
        metrics.emplace_back(name, sum / count);
    }
}

void add_model_inputs(const std::vector<LongMessages>& lengths, records::Measured& measured) {
    const auto add = [&](const char* name, const Part& part) {
        add_mean(measured.model_inputs, name, lengths, part);
    };
    // Adds the mean of a value that is equal for all messages of a length.
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
    add("body_send_cycles", &LongMessages::body_send);
    add("body_receive_cycles", &LongMessages::body_receive);
    add_of_each("least_gap_cycles_per_byte",
                [](const LongMessages& length) { return length.least_gap_cycles_per_byte; });
    add_of_each("first_byte_latency_cycles",
                [](const LongMessages& length) { return length.mean_unloaded_first_byte_cycles; });
    add_of_each("message_bytes", [](const LongMessages& length) {
        return static_cast<double>(length.message_bytes.count());
    });
    add_of_each("mean_hops", [](const LongMessages& length) { return length.mean_hops; });
}

// Adds metrics of long messages. G is measured on the longest messages, in which the wait of the
// first bytes matters least.
void add_parameters(const std::vector<LongMessages>& lengths, records::Measured& measured) {
    const LongMessageMetrics& m = long_message_metrics();
    const auto add_part = [&](const records::Metric& metric, trace::Summary LongMessages::*part) {
        add_mean(measured.metrics, metric.name(), lengths, part);
    };
    add_part(m.long_send_overhead_cycles, &LongMessages::send_overhead);
    add_part(m.long_receive_overhead_cycles, &LongMessages::receive_overhead);
    add_part(m.first_byte_latency_cycles, &LongMessages::first_byte_latency);
    add_part(m.header_to_dma_cycles, &LongMessages::header_to_dma);
    add_part(m.network_stopped_cycles, &LongMessages::network_stopped);
    const auto longest = std::max_element(
        lengths.begin(), lengths.end(),
        [](const auto& a, const auto& b) { return a.message_bytes < b.message_bytes; });
    add(measured.metrics, m.gap_cycles_per_byte, longest->mean_gap_cycles_per_byte);
    const auto iteration =
        records::find_metric(measured.metrics, iteration_metrics().cycles_per_iteration);
    if (iteration && lengths.size() == 1) {
        add(measured.metrics, m.iteration_cycles_per_byte,
            *iteration / static_cast<double>(lengths.front().body_bytes.count()));
    }
}

void add_single_message(const TracedRun& run, const LongMessages& length,
                        records::Measured& measured) {
    const SingleMessageMetrics& m = single_message_metrics();
    add(measured.metrics, m.sender_cycles, length.sender.mean_cycles);
    add(measured.metrics, m.end_to_end_cycles, length.end_to_end.mean_cycles);
    add(measured.metrics, m.bandwidth_bytes_per_cycle,
        static_cast<double>(length.message_bytes.count()) / length.end_to_end.mean_cycles);
    const auto course = trace::input_queue_course(run.trace, run.window);
    if (!course) {
        return;
    }
    add(measured.metrics, m.input_queue_peak_bytes, static_cast<double>(course->peak().count()));
    if (const auto drained = course->drained_bytes_per_cycle()) {
        add(measured.metrics, m.input_queue_drained_bytes_per_cycle, *drained);
    }
    if (const auto crossover = course->crossover_bytes()) {
        add(measured.metrics, m.crossover_bytes, static_cast<double>(crossover->count()));
    }
    auto& queue = (*measured.particulars)["input_queue"];
    queue = records::Particulars::array();
    for (const auto& [cycle, bytes] : course->until_caught_up()) {
        queue.push_back({cycle.count(), bytes.count()});
    }
}

}  // namespace

void measure_long_messages(const TracedRun& run, records::Measured& measured) {
    if (!run.has_intervals() || !run.trace.has("dma_transfers")) {
        return;
    }
    const std::vector<LongMessages> lengths =
        trace::long_messages(run.trace, run.window, run.handlers_wait_for_bodies);
    if (lengths.empty()) {
        return;
    }
    add_parameters(lengths, measured);
    add_model_inputs(lengths, measured);
    if (run.communication() == firmware::Communication::kSingle && lengths.size() == 1) {
        add_single_message(run, lengths.front(), measured);
    }
}

std::vector<std::pair<std::int64_t, std::int64_t>> input_queue(const records::PointResult& point) {
    return records::particular(point, "input_queue")
        .get<std::vector<std::pair<std::int64_t, std::int64_t>>>();
}

}  // namespace weir::experiments::analyses
