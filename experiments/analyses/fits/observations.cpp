#include "experiments/analyses/fits/observations.h"

#include <algorithm>
#include <cmath>

namespace weir::experiments::analyses {

namespace {

using trace::ProgramTimes;
using trace::TimedMessage;

// Number of sends that waited, from which g can be told.
constexpr std::size_t kLeastWaitingSends = 5;
// A send waited if it took longer than an undisturbed one by more than the clock's rounding.
constexpr double kRoundingCycles = 1.0;
// Number of sizes that show whether the time of a body is a straight line of its size.
constexpr std::size_t kSizesOfLine = 3;
// Further sizes are used from this fraction of the largest size on: a quarter.
constexpr std::int64_t kLongBodyShare = 4;
// Largest relative half width of g: intervals that differ more have other causes.
constexpr double kMostGapError = 0.1;

double cycles(hw::Cycles duration) { return static_cast<double>(duration.count()); }

// Mean of undisturbed durations; empty without durations.
std::optional<Estimated> undisturbed_mean(std::vector<double> durations) {
    if (durations.empty()) {
        return std::nullopt;
    }
    return statistics::undisturbed_mean(std::move(durations));
}

std::optional<Estimated> plain_mean(const std::vector<double>& durations) {
    return durations.empty() ? std::nullopt
                             : std::optional(statistics::mean_of_durations(durations));
}

// Durations of handlers, in the order of their messages. A handler that interrupted a send is
// disturbed: it also saves and restores the words composed so far. A mean without such handlers
// would favour kinds that rarely interrupt a send, such as those of replies. So each takes the
// duration of another handler of its kind: for a message of that size, with as many sends.
class HandlerDurations {
  public:
    using Kind = std::pair<hw::Bytes, int>;

    void add(Kind kind, double duration, bool is_disturbed) {
        kinds_.emplace_back(kind, is_disturbed ? std::nullopt : std::optional(duration));
        if (!is_disturbed) {
            undisturbed_[kind].push_back(duration);
            count_ += 1;
        }
    }

    [[nodiscard]] std::optional<Estimated> estimate(
        Estimated (*measure)(std::span<const double>)) const {
        const std::vector<double> durations = all();
        if (durations.empty()) {
            return std::nullopt;
        }
        Estimated estimate = measure(durations);
        if (estimate.count == 0) {
            return std::nullopt;
        }
        // Only the undisturbed ones are observations.
        estimate.half_width *=
            std::sqrt(static_cast<double>(durations.size()) / static_cast<double>(count_));
        estimate.count = count_;
        return estimate;
    }

  private:
    [[nodiscard]] std::vector<double> all() const {
        std::map<Kind, std::size_t> taken;
        std::vector<double> durations;
        for (const auto& [kind, duration] : kinds_) {
            const auto others = undisturbed_.find(kind);
            if (duration) {
                durations.push_back(*duration);
            } else if (others != undisturbed_.end()) {
                durations.push_back(others->second[taken[kind]++ % others->second.size()]);
            }
        }
        return durations;
    }

    std::vector<std::pair<Kind, std::optional<double>>> kinds_;
    std::map<Kind, std::vector<double>> undisturbed_;
    std::size_t count_ = 0;
};

// Message of a thread to which a chain of handlers' sends goes back.
const TimedMessage& root_of(const ProgramTimes& run, const TimedMessage& message) {
    const TimedMessage* root = &message;
    // A handler's send begins after that of its request, so the chain ends.
    while (root->request != TimedMessage::kNone) {
        root = &run.messages[root->request];
    }
    return *root;
}

// Number of sends in each message's handler.
std::vector<int> sends_in_handlers(const ProgramTimes& run) {
    std::vector<int> sends(run.messages.size());
    for (const TimedMessage& message : run.messages) {
        if (message.request != TimedMessage::kNone) {
            sends[message.request] += 1;
        }
    }
    return sends;
}

// Trips from one node of a pair to the other and back, each from the end of a send to the begin of
// its handler.
struct TripsOfPair {
    std::int64_t hops_there = 0;
    std::int64_t hops_back = 0;
    std::vector<double> there;
    std::vector<double> back;

    // Halves of sums of two trips, one in each direction, the shortest ones first. The difference
    // of the nodes' clocks cancels in a sum.
    [[nodiscard]] std::vector<double> half_sums() {
        std::sort(there.begin(), there.end());
        std::sort(back.begin(), back.end());
        std::vector<double> sums;
        for (std::size_t i = 0; i < std::min(there.size(), back.size()); ++i) {
            sums.push_back((there[i] + back[i]) / 2.0);
        }
        return sums;
    }
};

}  // namespace

Observations::Observations(std::span<const ProgramTimes> runs, MessageKind kind)
    : runs_(runs), kind_(kind) {
    for (const ProgramTimes& run : runs_) {
        node_count_ = std::max(node_count_, run.node_count);
    }
    for_each([this](const ProgramTimes& /*run*/, const TimedMessage& message) {
        messages_ += 1;
        sizes_[message.bytes] += 1;
    });
    measure_overheads();
    for (auto& [bytes, size] : of_size_) {
        measure_latency(bytes, size);
    }
}

bool Observations::is_of_kind(const TimedMessage& message) const {
    return (message.body_bytes > hw::Bytes(0)) == (kind_ == MessageKind::kWithBody);
}

template <class Visit>
void Observations::for_each(const Visit& visit) const {
    for (const ProgramTimes& run : runs_) {
        for (const TimedMessage& message : run.messages) {
            if (is_of_kind(message)) {
                visit(run, message);
            }
        }
    }
}

void Observations::measure_overheads() {
    struct Durations {
        std::vector<double> sends;
        HandlerDurations handlers;
    };
    std::map<hw::Bytes, Durations> sizes;
    for (const ProgramTimes& run : runs_) {
        const std::vector<int> sends = sends_in_handlers(run);
        for (std::size_t i = 0; i < run.messages.size(); ++i) {
            const TimedMessage& message = run.messages[i];
            if (!is_of_kind(message)) {
                continue;
            }
            Durations& size = sizes[message.bytes];
            if (!message.send_was_interrupted) {
                size.sends.push_back(cycles(message.send_end - message.send_begin));
            }
            size.handlers.add({message.bytes, sends[i]},
                              cycles(message.handler_end - message.handler_begin) -
                                  static_cast<double>(message.reply_cycles),
                              message.interrupted_a_send);
        }
    }
    for (auto& [bytes, durations] : sizes) {
        of_size_[bytes].send_overhead = undisturbed_mean(std::move(durations.sends));
        of_size_[bytes].receive_overhead =
            durations.handlers.estimate(&statistics::mean_of_durations);
    }
}

Observations::TripsByHops Observations::trips(hw::Bytes bytes) const {
    std::map<std::pair<hw::NodeId, hw::NodeId>, TripsOfPair> pairs;
    for_each([&](const ProgramTimes& /*run*/, const TimedMessage& message) {
        // A message that waited for another one's handler does not show its trip.
        if (message.bytes != bytes || message.waited_for_handler ||
            message.source == message.destination) {
            return;
        }
        const bool is_there = message.source < message.destination;
        TripsOfPair& pair = pairs[std::minmax(message.source, message.destination)];
        (is_there ? pair.hops_there : pair.hops_back) = message.hops;
        (is_there ? pair.there : pair.back)
            .push_back(cycles(message.handler_begin - message.send_end));
    });
    TripsByHops found;
    found.is_two_way = std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) {
        return !pair.second.there.empty() && !pair.second.back.empty();
    });
    for (auto& [nodes, pair] : pairs) {
        std::vector<double> sums = pair.half_sums();
        double hops = static_cast<double>(pair.hops_there + pair.hops_back) / 2.0;
        if (!found.is_two_way) {
            sums = pair.there.empty() ? pair.back : pair.there;
            hops *= 2.0;
        }
        if (!sums.empty()) {
            found.hops_of_pairs.push_back(hops);
            std::vector<double>& all = found.durations[hops];
            all.insert(all.end(), sums.begin(), sums.end());
        }
    }
    return found;
}

void Observations::measure_latency(hw::Bytes bytes, OfSize& size) {
    TripsByHops found = trips(bytes);
    needs_common_clock_ = needs_common_clock_ || !found.is_two_way;
    std::map<double, std::vector<double>>& durations_by_hops = found.durations;
    const std::vector<double>& hops_of_pairs = found.hops_of_pairs;
    for (auto& [hops, durations] : durations_by_hops) {
        size.latency_by_hops[hops] = *undisturbed_mean(std::move(durations));
    }
    if (hops_of_pairs.empty()) {
        return;
    }
    // L is the mean over all pairs of nodes, of which the run may have used only some.
    std::vector<double> latencies;
    double of_trips = 0.0;
    std::size_t count = 0;
    for (const double hops : hops_of_pairs) {
        latencies.push_back(size.latency_by_hops.at(hops).mean);
        of_trips += size.latency_by_hops.at(hops).half_width;
    }
    for (const auto& [hops, latency] : size.latency_by_hops) {
        count += latency.count;
    }
    const auto nodes = static_cast<double>(node_count_);
    Estimated mean = statistics::mean_of_population(latencies, nodes * (nodes - 1.0) / 2.0);
    mean.half_width = std::hypot(mean.half_width, of_trips / static_cast<double>(latencies.size()));
    mean.count = count;
    size.latency = mean;
}

std::optional<Estimated> Observations::mean_over_sizes(
    std::optional<Estimated> OfSize::*part) const {
    double weights = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    std::size_t count = 0;
    for (const auto& [bytes, size] : of_size_) {
        if (const std::optional<Estimated>& known = size.*part) {
            const auto weight = static_cast<double>(sizes_.at(bytes));
            weights += weight;
            sum += weight * known->mean;
            squares += weight * known->half_width * weight * known->half_width;
            count += known->count;
        }
    }
    return weights == 0.0
               ? std::nullopt
               : std::optional(Estimated{sum / weights, std::sqrt(squares) / weights, count});
}

std::optional<Estimated> Observations::send_overhead() const {
    return mean_over_sizes(&OfSize::send_overhead);
}

std::optional<Estimated> Observations::receive_overhead() const {
    return mean_over_sizes(&OfSize::receive_overhead);
}

std::optional<Estimated> Observations::latency() const { return mean_over_sizes(&OfSize::latency); }

std::optional<Estimated> Observations::send_overhead(hw::Bytes bytes) const {
    return of_size_.at(bytes).send_overhead;
}

std::optional<Estimated> Observations::receive_overhead(hw::Bytes bytes) const {
    return of_size_.at(bytes).receive_overhead;
}

std::optional<Estimated> Observations::latency(hw::Bytes bytes) const {
    return of_size_.at(bytes).latency;
}

std::optional<statistics::LineFit> Observations::latency_over_hops() const {
    const auto most =
        std::max_element(sizes_.begin(), sizes_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == sizes_.end()) {
        return std::nullopt;
    }
    std::vector<statistics::LinePoint> points;
    for (const auto& [hops, latency] : of_size_.at(most->first).latency_by_hops) {
        const double error = latency.half_width / 2.0;
        points.push_back({hops, latency.mean, error * error});
    }
    return statistics::line_fit(points);
}

double Observations::send_cycles(hw::Bytes bytes) const {
    const auto found = of_size_.find(bytes);
    return found != of_size_.end() && found->second.send_overhead
               ? found->second.send_overhead->mean
               : 0.0;
}

std::optional<Estimated> Observations::measured_service(
    Estimated (*measure)(std::span<const double>)) const {
    HandlerDurations durations;
    for (const ProgramTimes& run : runs_) {
        std::vector<double> waits(run.messages.size());
        const std::vector<int> sends = sends_in_handlers(run);
        for (const TimedMessage& message : run.messages) {
            if (message.request != TimedMessage::kNone && is_of_kind(message)) {
                waits[message.request] +=
                    std::max(0.0, cycles(message.send_end - message.send_begin) -
                                      send_cycles(message.bytes));
            }
        }
        for (std::size_t i = 0; i < run.messages.size(); ++i) {
            const TimedMessage& message = run.messages[i];
            if (is_of_kind(message)) {
                durations.add({message.bytes, sends[i]},
                              cycles(message.handler_end - message.handler_begin) - waits[i],
                              message.interrupted_a_send);
            }
        }
    }
    return durations.estimate(measure);
}

std::optional<Estimated> Observations::service() const {
    return measured_service(&statistics::mean_of_durations);
}

std::optional<Estimated> Observations::service_variation() const {
    return measured_service(&statistics::squared_variation);
}

std::optional<Estimated> Observations::work() const {
    std::vector<double> works;
    for (const ProgramTimes& run : runs_) {
        // Time at which each request's last reply was handled at the requesting node.
        std::vector<hw::Cycles> answered(run.messages.size(), hw::Cycles(-1));
        for (const TimedMessage& message : run.messages) {
            const TimedMessage& root = root_of(run, message);
            if (&root != &message && root.source == message.destination) {
                hw::Cycles& end = answered[&root - run.messages.data()];
                end = std::max(end, message.handler_end);
            }
        }
        for (std::size_t node = 0; node < run.sent_by_thread.size(); ++node) {
            const std::vector<std::size_t>& sent = run.sent_by_thread[node];
            const std::vector<std::size_t>& handled = run.handled[node];
            auto next = handled.begin();
            for (std::size_t i = 1; i < sent.size(); ++i) {
                const hw::Cycles begin = answered[sent[i - 1]];
                const hw::Cycles end = run.messages[sent[i]].send_begin;
                if (begin < hw::Cycles(0) || end < begin) {
                    continue;  // the thread did not wait for a reply
                }
                hw::Cycles work = end - begin;
                while (next != handled.end() && run.messages[*next].handler_begin < begin) {
                    ++next;
                }
                for (; next != handled.end() && run.messages[*next].handler_begin < end; ++next) {
                    work -= run.messages[*next].handler_end - run.messages[*next].handler_begin;
                }
                works.push_back(std::max(0.0, cycles(work)));
            }
        }
    }
    return plain_mean(works);
}

std::optional<Estimated> Observations::gap() const {
    std::vector<double> gaps;
    for (const ProgramTimes& run : runs_) {
        for (const std::vector<std::size_t>& sent : run.sent_by_thread) {
            for (std::size_t i = 1; i < sent.size(); ++i) {
                const TimedMessage& message = run.messages[sent[i]];
                const double send = cycles(message.send_end - message.send_begin);
                if (is_of_kind(message) && !message.send_was_interrupted &&
                    !message.waited_for_handler &&
                    send > send_cycles(message.bytes) + kRoundingCycles) {
                    gaps.push_back(cycles(message.send_end - run.messages[sent[i - 1]].send_end));
                }
            }
        }
    }
    if (gaps.size() < kLeastWaitingSends) {
        return std::nullopt;
    }
    // Sends may have waited for a receiver only. No two sends are closer than g, so an interval
    // that is shorter than the estimate shows this.
    const std::optional<Estimated> gap = undisturbed_mean(std::move(gaps));
    return gap->half_width < kMostGapError * gap->mean &&
                   *least_send_interval() >= gap->mean - gap->half_width - kRoundingCycles
               ? gap
               : std::nullopt;
}

std::optional<double> Observations::least_send_interval() const {
    std::optional<double> least;
    for (const ProgramTimes& run : runs_) {
        for (const std::vector<std::size_t>& sent : run.sent_by_thread) {
            for (std::size_t i = 1; i < sent.size(); ++i) {
                const double interval =
                    cycles(run.messages[sent[i]].send_end - run.messages[sent[i - 1]].send_end);
                least = std::min(least.value_or(interval), interval);
            }
        }
    }
    return least;
}

std::map<hw::Bytes, std::vector<double>> Observations::body_durations() const {
    std::map<hw::Bytes, std::vector<double>> sizes;
    for_each([&sizes](const ProgramTimes& /*run*/, const TimedMessage& message) {
        if (!message.waited_for_handler && message.body_stored < hw::kNever) {
            sizes[message.body_bytes].push_back(
                cycles(message.body_stored - message.handler_begin));
        }
    });
    // The end of a short body may have arrived before its handler began.
    while (sizes.size() > kSizesOfLine &&
           kLongBodyShare * sizes.begin()->first.count() < sizes.rbegin()->first.count()) {
        sizes.erase(sizes.begin());
    }
    return sizes;
}

std::optional<Estimated> Observations::gap_per_byte() const {
    std::vector<statistics::LinePoint> points;
    std::size_t count = 0;
    for (auto& [bytes, durations] : body_durations()) {
        const Estimated duration = statistics::densest_duration(durations);
        const double error = duration.half_width / 2.0;
        points.push_back({static_cast<double>(bytes.count()), duration.mean, error * error});
        count += duration.count;
    }
    // Bodies move in bursts of several bytes, so a time is up to a burst from the line. Sizes
    // beyond two show this distance, and it widens the interval.
    const std::optional<statistics::LineFit> line = statistics::line_fit(points);
    return line ? std::optional(Estimated{line->slope, line->slope_half_width, count})
                : std::nullopt;
}

bool Observations::has_few_body_sizes() const {
    return kind_ == MessageKind::kWithBody && body_durations().size() < kSizesOfLine;
}

double Observations::message_cycles(const TimedMessage& message) {
    return message.body_bytes > hw::Bytes(0) ? cycles(message.body_stored - message.send_begin)
                                             : cycles(message.handler_end - message.send_begin) -
                                                   static_cast<double>(message.reply_cycles);
}

}  // namespace weir::experiments::analyses
