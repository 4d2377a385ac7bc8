#include "experiments/analyses/patterns/messages.h"

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/trace/measurements/delivery_breakdown.h"
#include "experiments/trace/measurements/measurements.h"
#include "hw/controller/controller_registers.h"

namespace weir::experiments::analyses {

namespace {

constexpr int kMostArgumentWords = WEIR_DESCRIPTOR_WORDS - 2;

// Sums over messages of all lengths, weighted by their number.
struct LogpSums {
    double messages = 0.0;
    double latency = 0.0;
    double unloaded = 0.0;
    double without_hops = 0.0;
    double sends = 0.0;
    double send_overhead = 0.0;
    double receive_overhead = 0.0;
    double bytes = 0.0;

    void add(const trace::LogpParameters& p) {
        const auto count = static_cast<double>(p.messages);
        messages += count;
        latency += count * p.latency.mean_cycles;
        unloaded += count * p.mean_unloaded_latency_cycles;
        without_hops += count * p.mean_latency_without_hops_cycles;
        receive_overhead += count * p.receive_overhead_without_sends.mean_cycles;
        bytes += count * static_cast<double>(p.message_bytes.count());
        sends += static_cast<double>(p.send_overhead.count);
        send_overhead += static_cast<double>(p.send_overhead.count) * p.send_overhead.mean_cycles;
    }
};

// The models' o_r is that of an interrupt without a save of a partly composed message.
void add_logp_parameters(const TracedRun& run, records::Measured& measured) {
    const MessageMetrics& m = message_metrics();
    LogpSums sums;
    for (const trace::LogpParameters& p : trace::logp_parameters(run.trace, run.window)) {
        sums.add(p);
        // A foreign trace may have messages with more words than a controller's descriptor holds.
        if (p.argument_words < 0 || p.argument_words > kMostArgumentWords) {
            continue;
        }
        const auto words = static_cast<std::size_t>(p.argument_words);
        if (p.send_overhead.count > 0) {  // the trace has an uninterrupted send of this size
            add(measured.metrics, m.send_overhead_cycles[words], p.send_overhead.mean_cycles);
        }
        add(measured.metrics, m.receive_overhead_cycles[words],
            p.receive_overhead_without_sends.mean_cycles);
    }
    if (sums.messages == 0.0) {
        return;
    }
    const auto saves = static_cast<double>(trace::save_cycles(run.trace, run.window).count());
    add(measured.metrics, m.latency_cycles, sums.latency / sums.messages);
    add(measured.metrics, m.latency_without_hops_cycles, sums.without_hops / sums.messages);
    measured.model_inputs.emplace_back("latency_cycles", sums.unloaded / sums.messages);
    if (sums.sends > 0.0 || run.has_intervals()) {
        measured.model_inputs.emplace_back(
            "send_overhead_cycles", sums.sends > 0.0 ? sums.send_overhead / sums.sends : 0.0);
    }
    measured.model_inputs.emplace_back("receive_overhead_cycles",
                                       (sums.receive_overhead - saves) / sums.messages);
    measured.model_inputs.emplace_back("message_bytes", sums.bytes / sums.messages);
}

// Mean and squared coefficient of variation of handlers' times.
struct HandlerTimes {
    double handled = 0.0;
    double sum = 0.0;
    double sum_of_squares = 0.0;

    void add(const trace::MessageRow& message) {
        const auto cycles = trace::between(message.times.handler_begin, message.times.handler_end);
        if (cycles.is_known()) {
            const auto each = static_cast<double>(cycles.count());
            handled += 1.0;
            sum += each;
            sum_of_squares += each * each;
        }
    }
    [[nodiscard]] double mean() const { return handled > 0.0 ? sum / handled : 0.0; }
    [[nodiscard]] double squared_cv() const {
        return std::max(0.0, sum_of_squares / handled / (mean() * mean()) - 1.0);
    }
    void add_to(records::Metrics& inputs, const std::string& whose) const {
        inputs.emplace_back(whose + "handler_cycles", mean());
        inputs.emplace_back(whose + "handler_squared_cv", squared_cv());
    }
};

// True for each message whose handler sends: a request that is answered or forwarded.
std::vector<bool> has_answer(const trace::Trace& trace) {
    std::vector<bool> answered(trace.messages.size());
    for (const trace::MessageRow& message : trace.messages) {
        if (const trace::MessageRow* request =
                message.parent.valid() ? trace.find(message.parent) : nullptr) {
            answered[trace.index_of(*request)] = true;
        }
    }
    return answered;
}

void add_handler_times(const TracedRun& run, records::Measured& measured) {
    double messages = 0.0;
    HandlerTimes all;
    HandlerTimes requests;
    HandlerTimes replies;
    const std::vector<bool> answered = has_answer(run.trace);
    for (const trace::MessageRow& message : run.trace.messages) {
        if (trace::lies_in(run.window, message.times.handler_end)) {
            messages += 1.0;
            all.add(message);
            (answered[run.trace.index_of(message)] ? requests : replies).add(message);
        }
    }
    if (messages == 0.0) {
        return;
    }
    const MessageMetrics& m = message_metrics();
    add(measured.metrics, m.messages_measured, messages);
    add(measured.metrics, m.handler_cycles, all.mean());
    all.add_to(measured.model_inputs, "");
    if (requests.handled > 0.0 && replies.handled > 0.0) {
        requests.add_to(measured.model_inputs, "request_");
        replies.add_to(measured.model_inputs, "reply_");
    }
}

}  // namespace

MessageMetrics::MessageMetrics()
    : send_overhead_cycles(
          *this, records::whole_numbers(0, kMostArgumentWords),
          [](const std::string& words) { return "send_overhead_cycles_" + words; }, "cycles",
          [](const std::string& words) {
              return "Time of an uninterrupted send of a " + words + "-argument message";
          },
          "LoGPC Table 1: o_s"),
      receive_overhead_cycles(
          *this, records::whole_numbers(0, kMostArgumentWords),
          [](const std::string& words) { return "receive_overhead_cycles_" + words; }, "cycles",
          [](const std::string& words) {
              return "Time of the interrupt and handler of a " + words +
                     "-argument message, without the handler's own sends";
          },
          "LoGPC Table 1: o_r") {}

void measure_messages(const TracedRun& run, records::Measured& measured) {
    add_logp_parameters(run, measured);
    const network::CycleHistogram latencies = trace::latencies(run.trace, run.window);
    if (latencies.count() > 0) {
        message_metrics().latency_percentiles.add_to(measured.metrics, latencies);
    }
    add_handler_times(run, measured);
    const trace::Gaps gaps = trace::gaps(run.trace, run.window);
    if (gaps.sender.count > 0) {
        add(measured.metrics, message_metrics().sender_gap_cycles,
            static_cast<double>(gaps.sender.minimum.count()));
    }
    if (gaps.receiver.count > 0) {
        add(measured.metrics, message_metrics().receiver_gap_cycles,
            static_cast<double>(gaps.receiver.minimum.count()));
    }
}

}  // namespace weir::experiments::analyses
