#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "hw/random_stream.h"
#include "hw/tracing/trace_probe.h"
#include "network/testing/recorded_stops.h"

/// Nodes of a network that move their bytes in bursts, and record what they observe.
namespace weir::network::testing {

inline std::int64_t number(hw::RandomStream& random, std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

/// Pace of a node: bursts of up to `burst` bytes with pauses between them.
struct Pace {
    hw::Bytes burst;
    std::int64_t shortest_pause = 1;
    std::int64_t longest_pause = 1;
    std::int64_t bursts_a_stop = 0;  // mean number of bursts between long pauses; 0: no long pauses

    [[nodiscard]] hw::Cycles pause(hw::RandomStream& random) const {
        if (bursts_a_stop != 0 && number(random, 1, bursts_a_stop) == 1) {
            return hw::Cycles(number(random, 50, 600));
        }
        return hw::Cycles(number(random, shortest_pause, longest_pause));
    }
    static Pace drawn(hw::RandomStream& random, hw::Bytes most_bytes) {
        const std::int64_t longest = number(random, 0, 2) == 0 ? number(random, 1, 60) : 1;
        const std::int64_t shortest = number(random, 0, 1) == 0 ? longest : 1;
        return {hw::Bytes(number(random, 1, most_bytes.count())), shortest, longest,
                number(random, 0, 3) == 0 ? number(random, 3, 40) : 0};
    }
};

/// Observations of a node, with their cycles.
using Findings = std::vector<std::int64_t>;

/// Puts messages into an output queue, one burst at a time.
class BurstSource final : public hw::ClockedPart {
  public:
    BurstSource(hw::ClockDomain& domain, hw::MessagePool& messages, hw::ByteQueue& queue, Pace pace,
                hw::RandomStream random)
        : ClockedPart(domain), messages_(messages), queue_(queue), pace_(pace), random_(random) {}

    void send(hw::MessageSlot message) {
        to_send_.push_back(message);
        wake_at(hw::Cycles(0));
    }
    void tick(hw::Cycles now) override {
        if (now < next_ || now >= dies || sent_ == to_send_.size()) {
            return;
        }
        const hw::Message& message = messages_[to_send_[sent_]];
        const hw::Bytes burst = std::min(pace_.burst, message.bytes - pushed_of_message_);
        const hw::Bytes room = queue_.room(now);
        if (room < burst) {
            if (!waits_) {
                found.insert(found.end(), {now.count(), -1, room.count()});
            }
            waits_ = true;
            queue_.expect_room(*this, burst, now);
            return;
        }
        waits_ = false;
        found.insert(found.end(), {now.count(), room.count()});
        if (pushed_of_message_ == hw::Bytes(0)) {
            queue_.begin_message(to_send_[sent_], now);
        }
        queue_.push(burst, now);
        pushed_of_message_ += burst;
        if (pushed_of_message_ == message.bytes) {
            pushed_of_message_ = hw::Bytes(0);
            ++sent_;
        }
        next_ = now + pace_.pause(random_);
        wake_at(next_);
    }
    Findings found;
    hw::Cycles dies = hw::kNever;  // cycle from which the source does nothing

  private:
    hw::MessagePool& messages_;
    hw::ByteQueue& queue_;
    Pace pace_;
    hw::RandomStream random_;
    std::vector<hw::MessageSlot> to_send_;
    std::size_t sent_ = 0;
    hw::Bytes pushed_of_message_;
    hw::Cycles next_{0};
    bool waits_ = false;
};

/// Removes arrived messages from an input queue, one burst at a time.
class BurstSink final : public hw::ClockedPart {
  public:
    BurstSink(hw::ClockDomain& domain, hw::MessagePool& messages, hw::ByteQueue& queue, Pace pace,
              hw::RandomStream random)
        : ClockedPart(domain), messages_(messages), queue_(queue), pace_(pace), random_(random) {
        wake_at(hw::Cycles(0));
    }
    void tick(hw::Cycles now) override {
        if (now < next_ || now >= dies) {
            return;
        }
        if (!queue_.has_message(now)) {
            queue_.expect_bytes(*this, hw::Bytes(1), now);
            return;
        }
        const hw::Message& message = messages_[queue_.front()];
        const hw::Bytes burst = std::min(pace_.burst, message.bytes - popped_of_message_);
        const hw::Bytes available = queue_.available(now);
        if (available < burst) {
            if (!waits_) {
                found.insert(found.end(), {now.count(), -1, available.count()});
            }
            waits_ = true;
            queue_.expect_bytes(*this, burst, now);
            return;
        }
        waits_ = false;
        found.insert(found.end(), {now.count(), available.count()});
        queue_.pop(burst, now);
        popped_of_message_ += burst;
        if (popped_of_message_ == message.bytes) {
            popped_of_message_ = hw::Bytes(0);
            queue_.end_message(now);
        }
        next_ = now + pace_.pause(random_);
        wake_at(next_);
    }
    Findings found;
    hw::Cycles dies = hw::kNever;  // cycle from which the sink does nothing

  private:
    hw::MessagePool& messages_;
    hw::ByteQueue& queue_;
    Pace pace_;
    hw::RandomStream random_;
    hw::Bytes popped_of_message_;
    hw::Cycles next_{0};
    bool waits_ = false;
};

/// Records a queue's level at the last report of each cycle.
class LevelRows final : public hw::TraceSink {
  public:
    void message(const hw::Message&) override {}
    void core_interval(hw::NodeId, hw::CoreState, hw::Cycles, hw::Cycles, hw::MessageId) override {}
    void queue_level(hw::NodeId, hw::QueueKind, hw::Cycles cycle, hw::Bytes bytes,
                     std::int64_t messages) override {
        if (!rows.empty() && rows.back()[0] == cycle.count()) {
            rows.pop_back();
        }
        rows.push_back({cycle.count(), bytes.count(), messages});
    }
    void dma_transfer(const hw::DmaTransfer&) override {}
    void stall(const hw::Stall&) override {}
    void mark(hw::NodeId, std::string_view, hw::Cycles, std::int64_t) override {}

    std::vector<std::array<std::int64_t, 3>> rows;
};

struct EndNode {
    EndNode(hw::ClockDomain& domain, hw::MessagePool& messages, hw::NodeId node,
            hw::Bytes output_bytes, hw::Bytes input_bytes, const Pace& source_pace,
            const Pace& sink_pace, std::uint64_t seed)
        : output_queue(node, hw::QueueKind::kOutput, output_bytes, &output_levels),
          input_queue(node, hw::QueueKind::kInput, input_bytes, &input_levels),
          source(domain, messages, output_queue, source_pace,
                 hw::RandomStream(seed, node, "source")),
          sink(domain, messages, input_queue, sink_pace, hw::RandomStream(seed, node, "sink")) {}

    LevelRows output_levels;
    LevelRows input_levels;
    RecordedStops stops;
    hw::ByteQueue output_queue;
    hw::ByteQueue input_queue;
    BurstSource source;
    BurstSink sink;
};

}  // namespace weir::network::testing
