#include "experiments/trace/exports/perfetto_export.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "experiments/trace/rows/trace_schema.h"

namespace weir::experiments::trace {

namespace {

constexpr std::int64_t kPicosecondsPerNanosecond = 1000;

std::string json_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string message_text(hw::MessageId id) { return describe_message(stored_message_id(id)); }

/// Members of a JSON object, separated by commas.
class JsonMembers {
  public:
    void add(std::string_view key, std::int64_t value) { add_raw(key, std::to_string(value)); }
    void add(std::string_view key, std::string_view value) { add_raw(key, json_text(value)); }
    /// Adds the duration from one stage to another, if the message reached both.
    void add_cycles(std::string_view key, hw::Cycles from, hw::Cycles to) {
        if (from < hw::kNever && to < hw::kNever) {
            add(key, (to - from).count());
        }
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    void add_raw(std::string_view key, std::string_view value) {
        text_ += fmt::format("{}{}:{}", text_.empty() ? "" : ",", json_text(key), value);
    }

    std::string text_;
};

void add_message(JsonMembers& members, const hw::Message& message) {
    members.add("message", message_text(message.id));
    members.add("from_node", message.source.index());
    members.add("to_node", message.destination.index());
    members.add("message_bytes", message.bytes.count());
    if (message.body_bytes > hw::Bytes(0)) {
        members.add("body_bytes", message.body_bytes.count());
    }
    members.add("argument_words", message.word_count - 2);
    members.add("sent_by",
                message.parent.valid() ? "handler of " + message_text(message.parent) : "thread");
    members.add("hops", message.hops);
    members.add("restored_words", message.restored_words);
}

/// Durations of a message's stages, from its first store to the end of its handler.
void add_trip_parts(JsonMembers& members, const hw::Message& message) {
    const hw::MessageTimes& times = message.times;
    members.add_cycles("send_cycles", times.compose, times.launch);
    members.add("send_blocked_cycles", message.launch_blocked.count());
    members.add("network_unloaded_cycles", message.unloaded.count());
    members.add_cycles("network_contention_cycles", times.launch + message.unloaded,
                       times.header_arrival);
    members.add_cycles("notify_cycles", times.header_arrival, times.notify);
    members.add_cycles("queueing_cycles", times.notify, times.handler_begin);
    members.add_cycles("entry_and_dispatch_cycles", times.handler_begin, times.code_begin);
    members.add_cycles("code_cycles", times.code_begin, times.code_end);
    members.add_cycles("exit_cycles", times.code_end, times.handler_end);
    members.add_cycles("receive_dma_cycles", times.receive_dma_begin, times.receive_dma_end);
    if (times.receive_dma_end > times.handler_end) {
        members.add_cycles("receive_dma_after_handler_cycles", times.handler_end,
                           times.receive_dma_end);
    }
}

class EventWriter {
  public:
    EventWriter(const Timeline& timeline, TimeScale scale, ExportFile& file)
        : timeline_(timeline), scale_(std::move(scale)), file_(file) {}

    /// Writes all events. Viewers draw events of equal times in file order: an outer slice comes
    /// before those inside it.
    std::int64_t write() {
        text_ = "{\"traceEvents\":[";
        name_nodes();
        timeline_.for_each_slice([this](const Timeline::Slice& slice) { write_slice(slice); });
        timeline_.for_each_handler_send(
            [this](const Timeline::HandlerSend& send) { write_send(send); });
        timeline_.for_each_dma_slice(
            [this](const Timeline::DmaSlice& slice) { write_transfer(slice); });
        timeline_.for_each_stall([this](const Timeline::StallSlice& slice) { write_stall(slice); });
        timeline_.for_each_transaction(
            [this](const Timeline::TransactionSlice& slice) { write_transaction(slice); });
        timeline_.for_each_coherence_trap(
            [this](const Timeline::CoherenceTrapSlice& slice) { write_coherence_trap(slice); });
        timeline_.for_each_line_state(
            [this](const Timeline::LineStateSlice& slice) { write_line_state(slice); });
        timeline_.for_each_queue_level(
            [this](const Timeline::QueueLevel& level) { write_level(level); });
        timeline_.for_each_mark([this](const Timeline::Mark& mark) { write_mark(mark); });
        timeline_.for_each_handler_send(
            [this](const Timeline::HandlerSend& send) { write_reply_arrow(send); });
        timeline_.for_each_trip([this](const Timeline::Trip& trip) { write_arrow(trip); });
        timeline_.for_each_body_trip(
            [this](const Timeline::BodyTrip& trip) { write_body_arrow(trip); });
        text_ += "\n],\n\"otherData\":{" + other_data() + "}}\n";
        file_.write(text_);
        return events_;
    }

  private:
    static std::int64_t process_of(hw::NodeId node) { return node.index() + 1; }

    /// Thread id, unique in the machine. A core's thread id equals its process id, which viewers
    /// take for the main thread.
    [[nodiscard]] std::int64_t thread_of(hw::NodeId node, Track track) const {
        return static_cast<std::int64_t>(track) * timeline_.node_count() + process_of(node);
    }

    [[nodiscard]] std::int64_t nanoseconds(hw::Cycles cycle) const {
        // Picoseconds of long runs with slow clocks can exceed 64 bits.
        const std::int64_t whole = scale_.cycle_picoseconds / kPicosecondsPerNanosecond;
        const std::int64_t rest = scale_.cycle_picoseconds % kPicosecondsPerNanosecond;
        return cycle.count() * whole + cycle.count() * rest / kPicosecondsPerNanosecond;
    }

    [[nodiscard]] std::string time(hw::Cycles cycle) const {
        return microseconds_text(nanoseconds(cycle));
    }

    void append(std::string_view event) {
        constexpr std::size_t kChunkBytes = 1 << 16;
        text_ += std::exchange(is_first_, false) ? "\n" : ",\n";
        text_ += event;
        if (text_.size() >= kChunkBytes) {
            file_.write(text_);
            text_.clear();
        }
    }

    void append_event(std::string_view event) {
        events_ += 1;
        append(event);
    }

    void name_nodes() {
        for (std::int32_t index = 0; index < timeline_.node_count(); ++index) {
            const hw::NodeId node(index);
            append(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},)"
                               R"("args":{{"name":"node {}"}}}})",
                               process_of(node), index));
            append(fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{},)"
                               R"("args":{{"sort_index":{}}}}})",
                               process_of(node), index));
        }
    }

    void name_track(hw::NodeId node, Track track) {
        if (!named_.insert({node, track}).second) {
            return;
        }
        append(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},)"
                           R"("args":{{"name":"{}"}}}})",
                           process_of(node), thread_of(node, track), track_name(track)));
        append(fmt::format(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},)"
                           R"("args":{{"sort_index":{}}}}})",
                           process_of(node), thread_of(node, track), static_cast<int>(track)));
    }

    void write_slice(std::string_view name, hw::NodeId node, Track track, CycleWindow cycles,
                     const JsonMembers& members) {
        name_track(node, track);
        append_event(fmt::format(
            R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
            json_text(name), process_of(node), thread_of(node, track), time(cycles.begin),
            microseconds_text(nanoseconds(cycles.end) - nanoseconds(cycles.begin)),
            members.text()));
    }

    void write_slice(const Timeline::Slice& slice) {
        JsonMembers members;
        add_span(members, slice.whole);
        if (slice.facts != nullptr) {
            add_message(members, *slice.facts);
            add_trip_parts(members, *slice.facts);
        } else if (slice.message.valid()) {
            members.add("message", message_text(slice.message));
        }
        write_slice(slice.name, slice.node, slice.track, slice.cycles, members);
    }

    void write_send(const Timeline::HandlerSend& send) {
        JsonMembers members;
        add_span(members, send.whole);
        add_message(members, send.message);
        members.add("send_blocked_cycles", send.message.launch_blocked.count());
        write_slice("send", send.message.source, send.track, send.cycles, members);
    }

    void write_transfer(const Timeline::DmaSlice& slice) {
        const hw::DmaTransfer& transfer = slice.transfer;
        JsonMembers members;
        add_span(members, {transfer.begin, transfer.end});
        members.add("bytes", transfer.bytes.count());
        members.add("port_wait_cycles", transfer.port_wait.count());
        members.add("queue_wait_cycles", transfer.queue_wait.count());
        if (slice.facts != nullptr) {
            add_message(members, *slice.facts);
        } else {
            members.add("message", message_text(transfer.message));
        }
        write_slice(track_name(slice.track), transfer.node, slice.track, slice.cycles, members);
    }

    void write_stall(const Timeline::StallSlice& slice) {
        JsonMembers members;
        add_span(members, {slice.stall.begin, slice.stall.end});
        if (slice.stall.waiting.valid()) {
            members.add("waiting", message_text(slice.stall.waiting));
        }
        if (slice.stall.holder.valid()) {
            members.add("waits_for", message_text(slice.stall.holder));
        }
        write_slice(track_name(slice.track), slice.stall.node, slice.track, slice.cycles, members);
    }

    void write_transaction(const Timeline::TransactionSlice& slice) {
        const hw::SharedTransaction& one = slice.transaction;
        JsonMembers members;
        add_span(members, slice.whole);
        members.add("home_node", one.home.index());
        members.add("is_prefetch", one.is_prefetch ? 1 : 0);
        members.add("busy_replies", one.busy_replies);
        members.add("invalidations", one.invalidations);
        members.add("is_trapped", one.is_trapped ? 1 : 0);
        members.add_cycles("until_asked_cycles", one.begin, one.asked);
        members.add_cycles("request_cycles", one.asked, one.home_arrival);
        members.add_cycles("home_wait_cycles", one.home_arrival, one.home_begin);
        members.add_cycles("invalidation_cycles", one.first_invalidation, one.last_acknowledgement);
        members.add_cycles("home_cycles", one.home_begin, one.reply);
        members.add_cycles("reply_cycles", one.reply, one.fill);
        members.add_cycles("until_used_cycles", one.fill, one.use);
        write_apart(fmt::format("{} 0x{:x}", slice.request, one.line), "shared line", one.node,
                    slice.cycles, members);
    }

    void write_coherence_trap(const Timeline::CoherenceTrapSlice& slice) {
        JsonMembers members;
        add_span(members, slice.whole);
        members.add("requesting_node", slice.trap.requester.index());
        members.add("packets", slice.trap.packets);
        members.add_cycles("until_software_looks_cycles", slice.trap.raised, slice.trap.begin);
        write_apart(fmt::format("software: {} 0x{:x}", slice.request, slice.trap.line),
                    "coherence trap", slice.trap.node, slice.cycles, members);
    }

    /// All states of a line in a node's cache share one row of the viewer; the line's states at its
    /// home share another.
    void write_line_state(const Timeline::LineStateSlice& slice) {
        const hw::LineState& entered = slice.entered;
        const bool is_home = entered.pointers != hw::LineState::kOfCache;
        const auto id =
            line_rows_.try_emplace({entered.node, entered.line, is_home}, line_rows_.size() + 1)
                .first->second;
        JsonMembers members;
        add_span(members, slice.whole);
        if (is_home) {
            members.add("pointers", entered.pointers);
        }
        write_apart(fmt::format("0x{:x} {}", entered.line, slice.state), "line state", entered.node,
                    slice.cycles, members, static_cast<std::int64_t>(id));
    }

    /// Writes a slice that may overlap others of its kind, so that viewers draw each slice in its
    /// own row.
    void write_apart(std::string_view name, std::string_view kind, hw::NodeId node,
                     CycleWindow cycles, const JsonMembers& members) {
        write_apart(name, kind, node, cycles, members, ++slices_apart_);
    }
    /// Writes a slice into the row `id` of its kind.
    void write_apart(std::string_view name, std::string_view kind, hw::NodeId node,
                     CycleWindow cycles, const JsonMembers& members, std::int64_t id) {
        const std::string both =
            fmt::format(R"("name":{},"cat":"{}","id":{},"pid":{},"tid":{})", json_text(name), kind,
                        id, process_of(node), thread_of(node, Track::kCore));
        append_event(fmt::format(R"({{"ph":"b",{},"ts":{},"args":{{{}}}}})", both,
                                 time(cycles.begin), members.text()));
        append(fmt::format(R"({{"ph":"e",{},"ts":{}}})", both, time(cycles.end)));
    }

    static void add_span(JsonMembers& members, CycleWindow span) {
        members.add("begin_cycle", span.begin.count());
        members.add("cycles", (span.end - span.begin).count());
    }

    void write_level(const Timeline::QueueLevel& level) {
        append_event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"bytes":{}}}}})",
                                 json_text(fmt::format("{} queue", level.queue)),
                                 process_of(level.node), time(level.cycle), level.bytes.count()));
    }

    void write_mark(const Timeline::Mark& mark) {
        name_track(mark.node, Track::kCore);
        append_event(fmt::format(R"({{"ph":"i","s":"t","name":{},"pid":{},"tid":{},"ts":{},)"
                                 R"("args":{{"cycle":{},"occurrence":{},"value":{}}}}})",
                                 json_text(mark.name), process_of(mark.node),
                                 thread_of(mark.node, Track::kCore), time(mark.cycle),
                                 mark.cycle.count(), mark.occurrence, mark.value));
    }

    void write_reply_arrow(const Timeline::HandlerSend& send) {
        const bool handler_begins_inside = send.handler_begin >= timeline_.window().begin;
        if (!handler_begins_inside || send.handler_begin >= send.whole.begin) {
            return;  // no slice exists that the arrow could start from
        }
        if (send.cycles.begin != send.whole.begin) {
            return;  // the send continues after a trap; its arrow leads to the part before the trap
        }
        write_arrow_ends("reply", {send.message.source, send.track, send.handler_begin},
                         {send.message.source, send.track, send.whole.begin});
    }

    void write_arrow(const Timeline::Trip& trip) {
        write_arrow_ends("message", {trip.message.source, trip.from_track, trip.departure},
                         {trip.message.destination, trip.to_track, trip.handler_begin});
    }

    void write_body_arrow(const Timeline::BodyTrip& trip) {
        write_arrow_ends("body", {trip.source, Track::kSendDma, trip.gather_begin},
                         {trip.destination, Track::kReceiveDma, trip.scatter_begin});
    }

    struct ArrowEnd {
        hw::NodeId node;
        Track track;
        hw::Cycles cycle;
    };

    /// Viewers attach each end of an arrow to the innermost slice of its track at that time.
    void write_arrow_ends(std::string_view name, const ArrowEnd& from, const ArrowEnd& to) {
        arrows_ += 1;
        append_event(fmt::format(
            R"({{"ph":"s","cat":"{0}","name":"{0}","id":{1},"pid":{2},"tid":{3},"ts":{4}}})", name,
            arrows_, process_of(from.node), thread_of(from.node, from.track), time(from.cycle)));
        append_event(fmt::format(
            R"({{"ph":"f","bp":"e","cat":"{0}","name":"{0}","id":{1},"pid":{2},)"
            R"("tid":{3},"ts":{4}}})",
            name, arrows_, process_of(to.node), thread_of(to.node, to.track), time(to.cycle)));
    }

    [[nodiscard]] std::string other_data() const {
        JsonMembers members;
        members.add("time_scale", scale_.text());
        members.add("begin_cycle", timeline_.window().begin.count());
        members.add("end_cycle", timeline_.window().end.count());
        for (const auto& [key, value] : timeline_.run_info()) {
            members.add("run." + key, value);
        }
        return members.text();
    }

    const Timeline& timeline_;
    TimeScale scale_;
    ExportFile& file_;
    std::string text_;
    bool is_first_ = true;
    std::int64_t events_ = 0;
    std::int64_t arrows_ = 0;
    std::int64_t slices_apart_ = 0;
    // Number of the viewer's row, by node, line, and whether the states are those at the home.
    std::map<std::tuple<hw::NodeId, std::int64_t, bool>, std::size_t> line_rows_;
    std::set<std::pair<hw::NodeId, Track>> named_;
};

}  // namespace

std::int64_t export_to_perfetto(const Timeline& timeline, const TimeScale& scale,
                                ExportFile& file) {
    return EventWriter(timeline, perfetto_time_scale(scale), file).write();
}

TimeScale perfetto_time_scale(const TimeScale& scale) {
    if (scale.cycle_picoseconds >= kPicosecondsPerNanosecond) {
        return scale;
    }
    return {.source = "trace events have whole nanoseconds, and the cycle is shorter"};
}

std::string microseconds_text(std::int64_t nanoseconds) {
    std::string text = fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
    const double read = std::strtod(text.c_str(), nullptr) * 1000.0;
    if (static_cast<std::int64_t>(read) < nanoseconds) {
        return text + "1";
    }
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

}  // namespace weir::experiments::trace
