#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "experiments/statistics/line_fit.h"
#include "experiments/statistics/undisturbed.h"
#include "experiments/trace/measurements/program_times.h"

namespace weir::experiments::analyses {

/// Estimate of a number with its 95 % interval.
using Estimated = statistics::MeanOfDurations;

/// Kind of messages that a model describes.
enum class MessageKind : std::uint8_t { kShort, kWithBody };

/// Durations of messages of one kind, from programs' times of one or several runs of one machine.
///
/// A duration is taken without waits: interrupted sends are left out, and of the others the
/// undisturbed ones are used (statistics/undisturbed.h). A handler that interrupted a send counts
/// as another handler of its kind.
class Observations {
  public:
    Observations(std::span<const trace::ProgramTimes> runs, MessageKind kind);

    [[nodiscard]] std::int64_t messages() const { return messages_; }
    [[nodiscard]] std::int64_t node_count() const { return node_count_; }
    [[nodiscard]] MessageKind kind() const { return kind_; }
    [[nodiscard]] bool is_of_kind(const trace::TimedMessage& message) const;
    /// Number of messages of each size.
    [[nodiscard]] const std::map<hw::Bytes, std::int64_t>& sizes() const { return sizes_; }

    // Means over all messages; empty if no message tells them.

    /// o_s: time of a send.
    [[nodiscard]] std::optional<Estimated> send_overhead() const;
    /// o_r: time of a handler without its sends.
    [[nodiscard]] std::optional<Estimated> receive_overhead() const;
    /// L: time from the end of a send to the begin of the handler. The difference of two nodes'
    /// clocks cancels in the sum of a message and one back, so L is half of this sum.
    [[nodiscard]] std::optional<Estimated> latency() const;
    /// True if no two nodes sent to each other. Then L relies on clocks that agree.
    [[nodiscard]] bool needs_common_clock() const { return needs_common_clock_; }
    /// Latency over the distance in hops, for the most frequent size.
    [[nodiscard]] std::optional<statistics::LineFit> latency_over_hops() const;
    /// S_o: time of a handler with its sends, without their waits.
    [[nodiscard]] std::optional<Estimated> service() const;
    /// C^2 of S_o.
    [[nodiscard]] std::optional<Estimated> service_variation() const;
    /// Time of a thread from the end of a reply's handler to the next request, without the handlers
    /// between.
    [[nodiscard]] std::optional<Estimated> work() const;
    /// g: time between the ends of a node's sends, if the second one waited although the receiver
    /// was idle.
    [[nodiscard]] std::optional<Estimated> gap() const;
    /// Least time between the ends of two sends of a node, an upper bound of g.
    [[nodiscard]] std::optional<double> least_send_interval() const;
    /// G: slope of the time from the begin of a body's handler to the end of the body, over the
    /// size. It is a line through the three largest sizes and all others from a quarter of the
    /// largest on. Both times are by the receiver's clock.
    [[nodiscard]] std::optional<Estimated> gap_per_byte() const;
    /// True if bodies have two sizes or fewer: their times do not show how far they are from a
    /// line.
    [[nodiscard]] bool has_few_body_sizes() const;

    // The same for one size.
    [[nodiscard]] std::optional<Estimated> send_overhead(hw::Bytes bytes) const;
    [[nodiscard]] std::optional<Estimated> receive_overhead(hw::Bytes bytes) const;
    [[nodiscard]] std::optional<Estimated> latency(hw::Bytes bytes) const;

    /// Time of a message that residuals compare. It begins with the send, and ends with the body or
    /// the handler; the handler's sends are left out.
    [[nodiscard]] static double message_cycles(const trace::TimedMessage& message);

  private:
    struct OfSize {
        std::optional<Estimated> send_overhead;
        std::optional<Estimated> receive_overhead;
        std::optional<Estimated> latency;
        std::map<double, Estimated> latency_by_hops;  ///< means of both directions
    };

    /// Trips of messages of one size, there and back, by their distance, without differences of
    /// clocks.
    struct TripsByHops {
        bool is_two_way = false;  ///< false: messages in one direction, as no others exist
        std::map<double, std::vector<double>> durations;
        std::vector<double> hops_of_pairs;  ///< distance of each pair of nodes
    };
    [[nodiscard]] TripsByHops trips(hw::Bytes bytes) const;

    /// Times from the begin of a handler to the end of the body, for the sizes that tell G. Waits
    /// in the network make them longer, and a late begin of the handler makes them shorter.
    [[nodiscard]] std::map<hw::Bytes, std::vector<double>> body_durations() const;
    void measure_overheads();
    void measure_latency(hw::Bytes bytes, OfSize& size);
    [[nodiscard]] std::optional<Estimated> mean_over_sizes(
        std::optional<Estimated> OfSize::*part) const;
    [[nodiscard]] double send_cycles(hw::Bytes bytes) const;
    [[nodiscard]] std::optional<Estimated> measured_service(
        Estimated (*measure)(std::span<const double>)) const;
    /// Calls `visit` with the run and each message of the kind.
    template <class Visit>
    void for_each(const Visit& visit) const;

    std::span<const trace::ProgramTimes> runs_;
    MessageKind kind_;
    std::int64_t messages_ = 0;
    std::int64_t node_count_ = 0;
    bool needs_common_clock_ = false;
    std::map<hw::Bytes, std::int64_t> sizes_;
    std::map<hw::Bytes, OfSize> of_size_;
};

}  // namespace weir::experiments::analyses
