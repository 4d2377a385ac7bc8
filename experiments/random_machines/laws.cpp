#include "experiments/random_machines/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace weir::experiments::random_machines {

namespace {

using Broken = std::optional<std::string>;

bool is_finished(const EndedRun& run) { return run.end == nodes::RunEnd::kFinished; }

Broken conservation(const EndedRun& run) { return run.account.fault(is_finished(run)); }

bool is_handled(const hw::Message& message) { return message.times.handler_end < hw::kNever; }

// Each message is handled once. A message's identity has its source and a number that counts the
// source's messages. Losses by faulty hardware are known.
Broken each_once(const EndedRun& run) {
    std::int64_t lost = 0;
    std::set<hw::MessageId> seen;
    std::map<hw::NodeId, std::int64_t> last;
    for (const hw::Message& message : run.recorded.messages) {
        if (!seen.insert(message.id).second) {
            return fmt::format("{} arrived twice", described(message.id));
        }
        if (is_finished(run) && !is_handled(message) && ++lost > run.account.messages_lost) {
            return fmt::format("{} was not handled", described(message.id));
        }
        std::int64_t& highest = last.try_emplace(message.source, -1).first->second;
        highest = std::max(highest, message.id.sequence);
    }
    if (!is_finished(run)) {
        return std::nullopt;
    }
    std::int64_t sent = 0;
    for (const auto& [node, highest] : last) {
        sent += highest + 1;
    }
    const std::int64_t launched = run.account.messages_launched - run.protocol_packets;
    if (sent != static_cast<std::int64_t>(seen.size()) || sent != launched) {
        return fmt::format("{} messages were launched, {} numbers were used, {} messages arrived",
                           launched, sent, seen.size());
    }
    return std::nullopt;
}

// Stages of a message are in order. The other end of a queue sees a byte one cycle later.
Broken stages_in_order(const EndedRun& run) {
    using Times = hw::MessageTimes;
    using Stage = hw::Cycles Times::*;
    struct Pair {
        Stage first;
        Stage second;
        const char* what;
    };
    static constexpr std::array kPairs{
        Pair{&Times::compose, &Times::launch, "composed after its launch"},
        Pair{&Times::launch, &Times::network_entry, "in the network before its launch"},
        Pair{&Times::network_entry, &Times::tail_entry,
             "its tail entered the network before its header"},
        Pair{&Times::network_entry, &Times::first_arrival, "arrived before it entered the network"},
        Pair{&Times::tail_entry, &Times::tail_arrival, "its tail arrived before its tail entered"},
        Pair{&Times::first_arrival, &Times::header_arrival,
             "its header arrived before its first byte"},
        Pair{&Times::header_arrival, &Times::tail_arrival, "its tail arrived before its header"},
        Pair{&Times::header_arrival, &Times::notify, "notified before it arrived"},
        Pair{&Times::notify, &Times::handler_begin, "handled before the core was notified"},
        Pair{&Times::handler_begin, &Times::code_begin,
             "its handler's code began before its handler"},
        Pair{&Times::code_begin, &Times::code_end, "its handler's code ended before it began"},
        Pair{&Times::code_end, &Times::handler_end, "its handler ended before its handler's code"},
        Pair{&Times::receive_dma_begin, &Times::receive_dma_end,
             "its body was stored before its DMA transfer began"},
    };
    for (const hw::Message& message : run.recorded.messages) {
        for (const Pair& pair : kPairs) {
            const hw::Cycles first = message.times.*pair.first;
            const hw::Cycles second = message.times.*pair.second;
            if (second < hw::kNever && first < hw::kNever && second < first) {
                return fmt::format("{}: {}, cycles {} and {}", described(message.id), pair.what,
                                   first.count(), second.count());
            }
        }
        if (message.times.tail_arrival < hw::kNever &&
            message.times.header_arrival - message.times.launch < message.unloaded) {
            return fmt::format("{} took {} cycles, less than the {} of an empty network",
                               described(message.id),
                               (message.times.header_arrival - message.times.launch).count(),
                               message.unloaded.count());
        }
    }
    return std::nullopt;
}

const char* queue_name(hw::QueueKind queue) {
    return queue == hw::QueueKind::kOutput ? "output" : "input";
}

using QueuePlace = std::pair<hw::NodeId, hw::QueueKind>;

// Little's law, L = lambda W, multiplied by the run's cycles: a queue's count of message-cycles is
// the sum of its messages' times in it. Skipped with packets of a coherence protocol, which use the
// queues but leave no record.
Broken littles_law(const EndedRun& run) {
    if (!is_finished(run) || run.protocol_packets > 0) {
        return std::nullopt;
    }
    std::map<QueuePlace, std::int64_t> residence;
    for (const hw::Message& message : run.recorded.messages) {
        const hw::MessageTimes& times = message.times;
        residence[{message.source, hw::QueueKind::kOutput}] +=
            (times.tail_entry - times.launch).count() + 1;
        if (is_handled(message)) {
            const hw::Cycles into =
                run.checks_arrivals ? times.header_arrival : times.first_arrival;
            residence[{message.destination, hw::QueueKind::kInput}] +=
                (times.dispose - into).count() - 1;
        }
    }
    for (const QueueCount& count : run.queues) {
        const std::int64_t stayed = residence[{count.node, count.queue}];
        if (stayed != count.message_cycles) {
            return fmt::format(
                "node {}'s {} queue counted {} message-cycles, but its messages stayed in it for "
                "{}",
                count.node.index(), queue_name(count.queue), count.message_cycles, stayed);
        }
    }
    return std::nullopt;
}

// The area under the reported levels equals the queue's own count.
Broken levels_add_up(const EndedRun& run) {
    struct Area {
        std::int64_t bytes = 0;
        std::int64_t messages = 0;
        RecordedRun::Level last{};
    };
    std::map<QueuePlace, Area> areas;
    const auto advance = [](Area& area, hw::Cycles until) {
        const std::int64_t cycles = (until - area.last.cycle).count();
        area.bytes += area.last.bytes.count() * cycles;
        area.messages += area.last.messages * cycles;
    };
    for (const RecordedRun::Level& level : run.recorded.levels) {
        Area& area = areas[{level.node, level.queue}];
        advance(area, level.cycle);
        area.last = level;
    }
    for (const QueueCount& count : run.queues) {
        Area& area = areas[{count.node, count.queue}];
        advance(area, run.cycles);
        if (area.bytes != count.byte_cycles || area.messages != count.message_cycles) {
            return fmt::format(
                "node {}'s {} queue reported levels of {} byte-cycles and {} message-cycles, and "
                "counted {} and {}",
                count.node.index(), queue_name(count.queue), area.bytes, area.messages,
                count.byte_cycles, count.message_cycles);
        }
    }
    return std::nullopt;
}

// Each node's thread is in exactly one state, from the first cycle to the last.
Broken states_follow_one_another(const EndedRun& run) {
    std::vector<RecordedRun::Interval> intervals = run.recorded.intervals;
    const auto place = [](const RecordedRun::Interval& interval) {
        return std::tuple(interval.node, interval.begin);
    };
    std::sort(intervals.begin(), intervals.end(),
              [&place](const auto& a, const auto& b) { return place(a) < place(b); });
    std::map<hw::NodeId, hw::Cycles> until;
    for (const RecordedRun::Interval& interval : intervals) {
        hw::Cycles& end = until[interval.node];
        if (interval.begin != end || interval.end <= interval.begin) {
            return fmt::format(
                "node {}'s core is in a state from {} to {}, but was in another one until {}",
                interval.node.index(), interval.begin.count(), interval.end.count(), end.count());
        }
        end = interval.end;
    }
    for (const auto& [node, end] : until) {
        if (end != run.cycles) {
            return fmt::format("node {}'s core is in no state from {} to the end, {}", node.index(),
                               end.count(), run.cycles.count());
        }
    }
    return std::nullopt;
}

// The answer is right, or faults of the hardware explain a wrong one.
Broken right_answer(const EndedRun& run) {
    return run.wrong_answer.empty() || !run.faults.empty() ? std::nullopt
                                                           : Broken(run.wrong_answer);
}

// A deadlock of the network alone must be foretold by the proof. Other deadlocks involve nodes that
// do not take in arriving messages, because of their program or receive mode. For these the report
// must show a cycle.
Broken deadlock_is_foretold(const EndedRun& run) {
    const bool is_stuck =
        run.end == nodes::RunEnd::kDeadlock || run.end == nodes::RunEnd::kNoProgress;
    const bool names_cycle = run.explanation.find("a cycle of parts") != std::string::npos;
    const bool says_fault =
        !run.faults.empty() && run.explanation.find(run.faults) != std::string::npos;
    if (!is_stuck || says_fault ||
        (names_cycle && (run.proof_allows_deadlock || run.ends_hold_back))) {
        return std::nullopt;
    }
    return run.explanation;
}

// No thread and no access to shared memory waits beyond the machine's own limit.
Broken nobody_starves(const EndedRun& run) {
    return run.end == nodes::RunEnd::kStarved && !run.lacks_relief ? Broken(run.explanation)
                                                                   : std::nullopt;
}

Broken refusals_are_bounded(const EndedRun& run) {
    return run.most_refusals > run.allowed_refusals && !run.lacks_relief
               ? Broken(fmt::format("a request for a shared line was refused {} times, but this "
                                    "machine allows {}",
                                    run.most_refusals, run.allowed_refusals))
               : std::nullopt;
}

}  // namespace

const std::vector<Law>& laws() {
    static const std::vector<Law> all{
        {"conservation", "all flits, bytes and messages that entered have left or are still inside",
         conservation},
        {"each once", "every message that was launched is handled once, or known to be lost",
         each_once},
        {"deadlock", "a run ends, or the proof or the report explains the deadlock",
         deadlock_is_foretold},
        {"starvation", "no thread, and no access to shared memory, waits beyond the limit",
         nobody_starves},
        {"refusals", "no request is refused more often than the machine allows",
         refusals_are_bounded},
        {"right answer",
         "the program's answer is right, or faults of the hardware explain a wrong one",
         right_answer},
        {"stages", "a message passes its stages in order, and no faster than without contention",
         stages_in_order},
        {"Little", "the message-cycles that a queue counts are its messages' times in it",
         littles_law},
        {"levels", "the fill levels that a queue reports agree with its counters", levels_add_up},
        {"states", "a core is in exactly one state at a time", states_follow_one_another},
    };
    return all;
}

std::optional<Violation> broken_law(const EndedRun& run) {
    for (const Law& law : laws()) {
        if (const auto what = law.broken(run)) {
            return Violation{law.name, *what};
        }
    }
    return std::nullopt;
}

}  // namespace weir::experiments::random_machines
