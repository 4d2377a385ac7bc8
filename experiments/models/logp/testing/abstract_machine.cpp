#include "experiments/models/logp/testing/abstract_machine.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace weir::experiments::models {
namespace {

using Interval = std::pair<double, double>;

/// Whether two of the starts are less than `least` apart.
bool come_closer_than(double least, std::vector<double> starts) {
    std::sort(starts.begin(), starts.end());
    for (std::size_t i = 1; i < starts.size(); ++i) {
        if (starts[i] - starts[i - 1] < least) {
            return true;
        }
    }
    return false;
}

bool overlap(std::vector<Interval> busy) {
    std::sort(busy.begin(), busy.end());
    for (std::size_t i = 1; i < busy.size(); ++i) {
        if (busy[i].first < busy[i - 1].second) {
            return true;
        }
    }
    return false;
}

/// The largest number of intervals [first, second) that contain the same instant.
int most_at_once(const std::vector<Interval>& intervals) {
    std::vector<std::pair<double, int>> changes;
    for (const auto& [from, until] : intervals) {
        changes.emplace_back(from, 1);
        changes.emplace_back(until, -1);  // an end sorts before a start at the same time
    }
    std::sort(changes.begin(), changes.end());
    int now = 0;
    int most = 0;
    for (const auto& [time, change] : changes) {
        now += change;
        most = std::max(most, now);
    }
    return most;
}

int capacity(const LogpMachine& machine) {
    return machine.gap_cycles > 0.0
               ? static_cast<int>(std::ceil(machine.latency_cycles / machine.gap_cycles))
               : std::numeric_limits<int>::max();
}

}  // namespace

std::vector<std::string> broken_rules(const LogpMachine& machine,
                                      const std::vector<TimedMessage>& messages,
                                      const std::vector<TimedWork>& work) {
    struct Processor {
        std::vector<Interval> busy;
        std::vector<double> sends;
        std::vector<double> receptions;
        std::vector<Interval> on_their_way_from;
        std::vector<Interval> on_their_way_to;
    };
    std::map<int, Processor> processors;
    std::vector<std::string> broken;
    const double overhead = machine.overhead_cycles;
    for (const TimedMessage& message : messages) {
        const double enters = message.send_cycle + overhead;
        const double arrives = enters + machine.latency_cycles;
        if (message.receive_cycle < arrives) {
            broken.push_back("a message to " + std::to_string(message.to) +
                             " is taken before it arrives");
        }
        Processor& sender = processors[message.from];
        sender.sends.push_back(message.send_cycle);
        sender.busy.emplace_back(message.send_cycle, enters);
        sender.on_their_way_from.emplace_back(enters, arrives);
        Processor& receiver = processors[message.to];
        receiver.receptions.push_back(message.receive_cycle);
        receiver.busy.emplace_back(message.receive_cycle, message.receive_cycle + overhead);
        receiver.on_their_way_to.emplace_back(enters, arrives);
    }
    for (const TimedWork& piece : work) {
        processors[piece.processor].busy.emplace_back(piece.start_cycle, piece.end_cycle);
    }
    for (const auto& [number, processor] : processors) {
        const std::string name = "processor " + std::to_string(number);
        if (number < 0 || number >= machine.processors) {
            broken.push_back(name + " does not exist");
        }
        if (overlap(processor.busy)) {
            broken.push_back(name + " does two things at a time");
        }
        if (come_closer_than(machine.gap_cycles, processor.sends)) {
            broken.push_back(name + " sends again before the gap is over");
        }
        if (come_closer_than(machine.gap_cycles, processor.receptions)) {
            broken.push_back(name + " receives again before the gap is over");
        }
        if (most_at_once(processor.on_their_way_from) > capacity(machine) ||
            most_at_once(processor.on_their_way_to) > capacity(machine)) {
            broken.push_back(name + " has more messages on their way than the network takes");
        }
    }
    return broken;
}

std::int64_t run_sends(const LogpMachine& machine, const std::vector<std::vector<int>>& rows,
                       Arbitration arbitration) {
    const auto overhead = static_cast<std::int64_t>(machine.overhead_cycles);
    const auto latency = static_cast<std::int64_t>(machine.latency_cycles);
    const auto gap = static_cast<std::int64_t>(machine.gap_cycles);
    struct Processor {
        std::size_t next = 0;  // index of the next destination in its row
        std::int64_t busy_until = 0;
        std::int64_t next_send = 0;
        std::int64_t next_reception = 0;
        std::deque<std::int64_t>
            arrivals;  // arrivals of messages not yet received; sorted, as L is constant
    };
    std::vector<Processor> processors(rows.size());
    std::size_t to_take = 0;
    for (const auto& row : rows) {
        to_take += row.size();
    }
    std::int64_t last = 0;
    for (std::int64_t now = 0; to_take > 0; ++now) {
        for (Processor& processor : processors) {
            if (!processor.arrivals.empty() && processor.arrivals.front() <= now &&
                processor.busy_until <= now && processor.next_reception <= now) {
                processor.arrivals.pop_front();
                processor.busy_until = now + overhead;
                processor.next_reception = now + gap;
                last = now + overhead;
                --to_take;
            }
        }
        std::vector<std::size_t> order(rows.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (arbitration == Arbitration::kLongestWaiting) {
            std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
                return processors[left].next_send < processors[right].next_send;
            });
        }
        for (const std::size_t number : order) {
            Processor& processor = processors[number];
            if (processor.next == rows[number].size() || processor.busy_until > now ||
                processor.next_send > now) {
                continue;
            }
            Processor& receiver =
                processors[static_cast<std::size_t>(rows[number][processor.next])];
            const auto on_their_way = std::count_if(
                receiver.arrivals.begin(), receiver.arrivals.end(),
                [&](std::int64_t arrival) { return arrival <= now || arrival > now + overhead; });
            if (on_their_way >= capacity(machine)) {
                continue;
            }
            receiver.arrivals.push_back(now + overhead + latency);
            ++processor.next;
            processor.busy_until = now + overhead;
            processor.next_send = now + gap;
        }
    }
    return last;
}

}  // namespace weir::experiments::models
