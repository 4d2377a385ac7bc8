#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hw/random_stream.h"
#include "hw/units.h"

namespace weir::experiments::bench {

/// Message that enters the network: cycle of its launch, destination and length.
struct Departure {
    std::int64_t cycle = 0;
    std::int32_t destination = 0;
    std::int32_t flits = 0;
};

/// Source of departures: those of each node in the order of time.
class Traffic {
  public:
    Traffic() = default;
    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;
    virtual ~Traffic() = default;

    /// The node's next departure, not earlier than its previous one; nullopt when the node sends no
    /// more.
    virtual std::optional<Departure> next(std::int32_t node) = 0;
};

/// Uniform random traffic to other nodes, independent of the network's state. In each cycle of a
/// node a packet begins with the probability that gives the load.
class UniformTraffic final : public Traffic {
  public:
    /// `load` is in flits per node and cycle, above 0 and below `packet_flits`.
    UniformTraffic(std::int32_t node_count, double load, std::int32_t packet_flits,
                   std::uint64_t seed);
    std::optional<Departure> next(std::int32_t node) override;

  private:
    struct Node {
        hw::RandomStream stream;
        std::int64_t last = -1;
    };
    std::int32_t packet_flits_;
    double log_of_no_packet_;  // logarithm of the probability that no packet begins in a cycle
    std::vector<Node> nodes_;
};

/// Traffic in a square corner of a larger square of nodes. The other nodes send nothing.
class CornerTraffic final : public Traffic {
  public:
    CornerTraffic(std::int32_t extent, std::int32_t corner, std::unique_ptr<Traffic> traffic)
        : extent_(extent), corner_(corner), traffic_(std::move(traffic)) {}

    std::optional<Departure> next(std::int32_t node) override;

  private:
    std::int32_t extent_;
    std::int32_t corner_;
    std::unique_ptr<Traffic> traffic_;
};

/// Recorded departures, those of each node in the order of time.
class RecordedTraffic final : public Traffic {
  public:
    explicit RecordedTraffic(std::vector<std::vector<Departure>> departures)
        : departures_(std::move(departures)), next_(departures_.size(), 0) {}

    std::optional<Departure> next(std::int32_t node) override {
        const std::size_t n = node;
        return next_[n] < departures_[n].size() ? std::optional(departures_[n][next_[n]++])
                                                : std::nullopt;
    }

  private:
    std::vector<std::vector<Departure>> departures_;
    std::vector<std::size_t> next_;
};

/// Digest of deliveries: one number per window of cycles, independent of the order of additions.
class DeliveryLog {
  public:
    static constexpr std::int64_t kWindowCycles = 1024;

    /// Adds the `sequence`-th message of `source`, whose tail arrived at `cycle`.
    void add(std::int32_t source, std::int64_t sequence, std::int64_t cycle) {
        const std::size_t window = cycle / kWindowCycles;
        if (window >= digests_.size()) {
            digests_.resize(window + 1, 0);
        }
        std::uint64_t z = static_cast<std::uint64_t>(cycle) * 0x9e37'79b9'7f4a'7c15 +
                          (static_cast<std::uint64_t>(source) << 40) +
                          static_cast<std::uint64_t>(sequence);
        z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
        z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
        digests_[window] += z ^ (z >> 31);
        ++count_;
    }
    [[nodiscard]] std::int64_t count() const { return count_; }
    /// True if both logs have the same deliveries up to the last whole window before `cycle`.
    [[nodiscard]] bool same_until(std::int64_t cycle, const DeliveryLog& other) const {
        const std::size_t windows = cycle / kWindowCycles;
        for (std::size_t w = 0; w < windows; ++w) {
            if (digest(w) != other.digest(w)) {
                return false;
            }
        }
        return true;
    }

  private:
    [[nodiscard]] std::uint64_t digest(std::size_t window) const {
        return window < digests_.size() ? digests_[window] : 0;
    }
    std::vector<std::uint64_t> digests_;
    std::int64_t count_ = 0;
};

}  // namespace weir::experiments::bench
