#include "experiments/trace/measurements/long_messages.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace weir::experiments::trace {

namespace {

bool has_body(const MessageRow& message) { return message.body_bytes > hw::Bytes(0); }

/// Facts about a message with a body from tables other than `messages`.
struct BodyFacts {
    std::int64_t handler_sends = 0;
    CycleTotal stopped;
    MaybeCycles send_port_wait;
    MaybeCycles receive_port_wait;
};

MaybeCycles with(MaybeCycles so_far, hw::Cycles more) {
    return so_far.is_known() ? so_far + MaybeCycles(more) : MaybeCycles(more);
}

// Facts about each message, in the order of the table `messages`.
std::vector<BodyFacts> body_facts(const Trace& trace) {
    std::vector<BodyFacts> facts(trace.messages.size());
    const auto of = [&](hw::MessageId id) -> BodyFacts* {
        const MessageRow* message = id.valid() ? trace.find(id) : nullptr;
        return message == nullptr ? nullptr : &facts[trace.index_of(*message)];
    };
    const std::vector<std::int64_t> sends = handler_send_cycles(trace);
    for (std::size_t i = 0; i < sends.size(); ++i) {
        facts[i].handler_sends = sends[i];
    }
    for (const hw::Stall& stall : trace.stalls) {
        BodyFacts* message = of(stall.waiting);
        if (message != nullptr && stall.place == hw::StallPlace::kInputQueue) {
            message->stopped.add((stall.end - stall.begin).count());
        }
    }
    for (const hw::DmaTransfer& transfer : trace.dma_transfers) {
        if (BodyFacts* message = of(transfer.message)) {
            MaybeCycles& wait = transfer.engine == hw::DmaKind::kSend ? message->send_port_wait
                                                                      : message->receive_port_wait;
            wait = with(wait, transfer.port_wait);
        }
    }
    return facts;
}

/// Sums over the messages of one length in the network.
struct Lengthwise {
    hw::Bytes body_bytes;
    std::int64_t messages = 0;
    std::int64_t interrupted = 0;
    CycleTotal hops;
    Summarized send;
    Summarized receive;
    Summarized first_byte;
    Summarized unloaded;
    Summarized header;
    Summarized header_to_dma;
    Summarized sender;
    Summarized body_send;
    Summarized body_receive;
    Summarized end_to_end;
    Summarized stopped;
    Summarized send_port_wait;
    Summarized receive_port_wait;
    double gap_sum = 0.0;
    double least_gap = 0.0;
    std::int64_t gaps = 0;

    void add(const MessageRow& message, const BodyFacts& facts, bool was_interrupted,
             bool handlers_wait) {
        const hw::MessageTimes& times = message.times;
        const MaybeCycles one(1);
        body_bytes = std::max(body_bytes, message.body_bytes);
        messages += 1;
        interrupted += was_interrupted ? 1 : 0;
        hops.add(message.hops);
        if (!was_interrupted) {
            send.add(between(times.compose, times.launch) - MaybeCycles(message.launch_blocked));
        }
        const MaybeCycles waited = waited_for_dma(times, handlers_wait);
        receive.add(between(times.handler_begin, times.handler_end) -
                    MaybeCycles(facts.handler_sends) - waited);
        body_receive.add(waited);
        first_byte.add(between(times.launch, times.first_arrival));
        unloaded.add(MaybeCycles(message.unloaded));
        header.add(between(times.first_arrival, times.header_arrival));
        header_to_dma.add(between(times.header_arrival, times.receive_dma_begin));
        sender.add(between(times.compose, times.tail_entry) + one);
        body_send.add(between(times.launch, times.tail_entry) + one);
        end_to_end.add(between(times.compose, times.receive_dma_end));
        stopped.add(MaybeCycles(facts.stopped.count()));
        send_port_wait.add(facts.send_port_wait);
        receive_port_wait.add(facts.receive_port_wait);
        const MaybeCycles arrival = between(times.first_arrival, times.tail_arrival);
        if (arrival.is_known() && message.bytes > hw::Bytes(1)) {
            const double gap = static_cast<double>(arrival.count()) /
                               static_cast<double>((message.bytes - hw::Bytes(1)).count());
            least_gap = gaps == 0 ? gap : std::min(least_gap, gap);
            gap_sum += gap;
            gaps += 1;
        }
    }

    // Duration of the receiving DMA transfer, if the handler waited for the transfer; otherwise 0.
    static MaybeCycles waited_for_dma(const hw::MessageTimes& times, bool handlers_wait) {
        const bool waited = handlers_wait && times.handler_end < hw::kNever &&
                            times.receive_dma_begin < hw::kNever &&
                            times.handler_end >= times.receive_dma_end &&
                            times.receive_dma_begin >= times.handler_begin;
        return waited ? between(times.receive_dma_begin, times.receive_dma_end) : MaybeCycles(0);
    }

    [[nodiscard]] LongMessages measured(hw::Bytes message_bytes) const {
        const auto count = static_cast<double>(messages);
        return {.message_bytes = message_bytes,
                .body_bytes = body_bytes,
                .mean_hops = static_cast<double>(hops.count()) / count,
                .messages = messages,
                .interrupted_sends = interrupted,
                .send_overhead = send.summary(),
                .receive_overhead = receive.summary(),
                .first_byte_latency = first_byte.summary(),
                .mean_unloaded_first_byte_cycles =
                    header.summary().count == 0
                        ? 0.0
                        : unloaded.summary().mean_cycles -
                              static_cast<double>(header.summary().minimum.count()),
                .header_to_dma = header_to_dma.summary(),
                .sender = sender.summary(),
                .body_send = body_send.summary(),
                .end_to_end = end_to_end.summary(),
                .network_stopped = stopped.summary(),
                .body_receive = body_receive.summary(),
                .send_port_wait = send_port_wait.summary(),
                .receive_port_wait = receive_port_wait.summary(),
                .mean_gap_cycles_per_byte = gaps == 0 ? 0.0 : gap_sum / static_cast<double>(gaps),
                .least_gap_cycles_per_byte = least_gap};
    }
};

}  // namespace

std::vector<LongMessages> long_messages(const Trace& trace, CycleWindow window,
                                        bool handlers_wait) {
    if (std::none_of(trace.messages.begin(), trace.messages.end(), has_body)) {
        return {};
    }
    const std::vector<BodyFacts> facts = body_facts(trace);
    IntervalCursor intervals(trace);
    std::map<hw::Bytes, Lengthwise> lengths;
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        const MessageRow& message = trace.messages[i];
        if (!has_body(message) || !lies_in(window, message.times.receive_dma_end)) {
            continue;
        }
        lengths[message.bytes].add(message, facts[i],
                                   send_was_interrupted(trace, intervals, message), handlers_wait);
    }
    std::vector<LongMessages> measured;
    measured.reserve(lengths.size());
    for (const auto& [bytes, length] : lengths) {
        measured.push_back(length.measured(bytes));
    }
    return measured;
}

hw::Bytes QueueCourse::peak() const {
    hw::Bytes peak;
    for (const Level& level : levels) {
        peak = std::max(peak, level.bytes);
    }
    return peak;
}

// The first burst may be shorter than the others: it ends at an aligned address of memory.
std::vector<QueueCourse::Level> QueueCourse::bursts_without_wait() const {
    std::vector<Level> bursts;
    std::optional<hw::Cycles> first_gap;
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const bool is_burst = levels[i].bytes < levels[i - 1].bytes && levels[i].cycle > dma_begin;
        if (!is_burst) {
            continue;
        }
        if (bursts.size() > 1) {
            const hw::Cycles gap = levels[i].cycle - bursts.back().cycle;
            if (gap > first_gap.value_or(gap)) {
                break;
            }
            first_gap = gap;
        }
        bursts.push_back(levels[i]);
    }
    return bursts;
}

std::optional<double> QueueCourse::drained_bytes_per_cycle() const {
    const std::vector<Level> bursts = bursts_without_wait();
    if (bursts.size() < 4) {
        return std::nullopt;
    }
    const Level& first = bursts[1];
    const Level& last = bursts.back();
    return static_cast<double>((first.bytes - last.bytes).count()) /
           static_cast<double>((last.cycle - first.cycle).count());
}

// True if the engine, after its bursts without a wait, has caught up with the network before the
// tail arrives.
bool QueueCourse::catches_up() const {
    const std::vector<Level> bursts = bursts_without_wait();
    return bursts.size() > 2 && bursts.back().cycle < tail_arrival &&
           bursts.back().bytes < bursts[1].bytes;
}

std::optional<hw::Bytes> QueueCourse::crossover_bytes() const {
    const double bytes_per_cycle = static_cast<double>(message_bytes.count()) /
                                   static_cast<double>((tail_arrival + hw::Cycles(1)).count());
    if (!catches_up()) {
        return std::nullopt;
    }
    const hw::Cycles caught_up = bursts_without_wait().back().cycle;
    return hw::Bytes(std::llround(bytes_per_cycle * static_cast<double>(caught_up.count())));
}

std::vector<QueueCourse::Level> QueueCourse::until_caught_up() const {
    const std::vector<Level> bursts = bursts_without_wait();
    const hw::Cycles end = bursts.empty() ? dma_end : bursts.back().cycle;
    std::vector<Level> part;
    std::copy_if(levels.begin(), levels.end(), std::back_inserter(part),
                 [end](const Level& level) { return level.cycle <= end; });
    return part;
}

std::optional<QueueCourse> input_queue_course(const Trace& trace, CycleWindow window) {
    const MessageRow* first = nullptr;
    for (const MessageRow& message : trace.messages) {
        const hw::MessageTimes& passed = message.times;
        const bool is_whole =
            std::max({passed.first_arrival, passed.header_arrival, passed.receive_dma_begin,
                      passed.tail_arrival}) < hw::kNever;
        if (has_body(message) && is_whole && lies_in(window, passed.receive_dma_end) &&
            (first == nullptr || passed.first_arrival < first->times.first_arrival)) {
            first = &message;
        }
    }
    if (first == nullptr) {
        return std::nullopt;
    }
    const hw::MessageTimes& times = first->times;
    const auto since_first = [&times](hw::Cycles time) { return time - times.first_arrival; };
    QueueCourse course{.message_bytes = first->bytes,
                       .header_arrival = since_first(times.header_arrival),
                       .dma_begin = since_first(times.receive_dma_begin),
                       .tail_arrival = since_first(times.tail_arrival),
                       .dma_end = since_first(times.receive_dma_end)};
    for (const QueueLevelRow& level : trace.queue_levels) {
        if (level.node == first->destination && level.queue == hw::QueueKind::kInput &&
            level.cycle > times.first_arrival && level.cycle <= times.receive_dma_end) {
            course.levels.push_back({since_first(level.cycle), level.bytes});
        }
    }
    return course.levels.empty() ? std::nullopt : std::optional(std::move(course));
}

}  // namespace weir::experiments::trace
