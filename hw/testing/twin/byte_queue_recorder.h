#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <utility>

#include "hw/clock/clock_domain.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "hw/queues/byte_queue_twin.h"
#include "hw/testing/twin/twin.h"
#include "hw/units.h"

namespace weir::hw::twin {

/// Byte `place` of a message, as queues carry it: words with their lowest byte first, then the
/// body.
[[nodiscard]] inline std::uint8_t byte_of(MessagePool& messages, MessageSlot slot,
                                          std::int64_t place) {
    const Message& message = messages[slot];
    const std::int64_t words = (message.bytes - message.body_bytes).count();
    if (place < words) {
        return static_cast<std::uint8_t>(message.words[place / WEIR_WORD_BYTES] >>
                                         (8 * (place % WEIR_WORD_BYTES)));
    }
    return messages.body(slot)[place - words];
}

/// Records the ports of byte_queue.sv in a run of the model. It reads the queue's counters at the
/// end of each cycle, and the state that both sides will see in the next cycle. The bytes are those
/// of the model's messages.
///
/// The clock must not sleep (clock.sleeping = false), or `until` must say how long the recorder
/// wakes itself in each cycle.
class ByteQueueRecorder final : public ClockedPart {
  public:
    ByteQueueRecorder(ClockDomain& domain, ByteQueue& queue, MessagePool& messages,
                      const ByteQueuePorts& ports, Cycles until = kNever)
        : ClockedPart(domain),
          queue_(queue),
          messages_(messages),
          widths_(ports),
          until_(until),
          recording_(ports_of(queue, ports)) {
        look_at_outputs(Cycles(0));
        if (until_ != kNever) {
            wake_at(Cycles(0));
        }
    }

    void tick(Cycles now) override {
        if (now < until_) {
            domain().after_ticks(*this);
        }
    }
    void end_of_cycle(Cycles now) override {
        const Cycles next = now + Cycles(1);
        queue_.settle(now);
        look_at_inputs(next);
        recording_.end_cycle();
        look_at_outputs(next);
        if (until_ != kNever && next < until_) {
            wake_at(next);
        }
    }
    [[nodiscard]] const PortRecording& recording() const { return recording_; }
    [[nodiscard]] Twin twin() const { return byte_queue_twin(queue_.capacity(), widths_); }
    /// Most bytes pushed in a cycle so far.
    [[nodiscard]] std::int64_t most_pushed() const { return most_pushed_; }

  private:
    enum PortNumber : std::size_t {
        kPushBytes,
        kPushData,
        kBeginMessages,
        kBegun,
        kRoom,
        kAvailable,
        kFrontData,
        kHasMessage,
        kFront,
        kPopBytes,
        kEndMessage
    };
    // A message in the queue, and its number of bytes that were pushed.
    struct Inside {
        MessageSlot slot = 0;
        std::int64_t pushed = 0;
    };

    static std::uint64_t known_of(const Message& message) {
        return static_cast<std::uint64_t>(message.word_count) |
               static_cast<std::uint64_t>(message.body_bytes.count()) << kByteQueueWordsBits;
    }
    static std::vector<Port> ports_of(const ByteQueue& queue, const ByteQueuePorts& widths) {
        const int count = std::bit_width(static_cast<std::uint64_t>(queue.capacity().count()));
        return {
            {"push_bytes", count, Direction::kInput},
            {"push_data", static_cast<int>(8 * widths.push_bytes), Direction::kInput},
            {"begin_messages", 2, Direction::kInput},
            {"begun", static_cast<int>(kByteQueueMessageBits * widths.begins), Direction::kInput},
            {"room", count, Direction::kOutput},
            {"available", count, Direction::kOutput},
            {"front_data", static_cast<int>(8 * widths.pop_bytes), Direction::kOutput},
            {"has_message", 1, Direction::kOutput},
            {"front", kByteQueueMessageBits, Direction::kOutput},
            {"pop_bytes", count, Direction::kInput},
            {"end_message", 1, Direction::kInput}};
    }

    void look_at_inputs(Cycles next) {
        const std::int64_t pushed = queue_.pushed_before(next).count() - pushed_;
        const std::int64_t popped = queue_.popped_before(next).count() - popped_;
        const std::int64_t begun = queue_.messages_begun(next) - begun_;
        const std::int64_t ended = queue_.messages_ended(next) - ended_;
        pushed_ += pushed;
        popped_ += popped;
        begun_ += begun;
        ended_ += ended;
        recording_.set(kPushBytes, pushed);
        recording_.set(kPopBytes, popped);
        recording_.set(kBeginMessages, begun);
        recording_.set(kEndMessage, ended);
        most_pushed_ = std::max(most_pushed_, pushed);
        popped_of_front_ += popped;
        if (ended > 0) {
            inside_.pop_front();
            popped_of_front_ = 0;
        }
        for (std::int64_t i = 0; i < begun; ++i) {
            const MessageSlot slot = queue_.messages()[queue_.messages().size() - begun + i];
            inside_.push_back({slot});
            recording_.set(kBegun, known_of(messages_[slot]),
                           static_cast<int>(kByteQueueMessageBits * i), kByteQueueMessageBits);
        }
        for (std::int64_t i = 0; i < pushed; ++i) {
            const auto filling =
                std::find_if(inside_.begin(), inside_.end(), [&](const Inside& inside) {
                    return inside.pushed < messages_[inside.slot].bytes.count();
                });
            recording_.set(kPushData, byte_of(messages_, filling->slot, filling->pushed++),
                           static_cast<int>(8 * i), 8);
        }
    }
    // Room, bytes and head, as both sides will see them in cycle `now`.
    void look_at_outputs(Cycles now) {
        const std::int64_t available = queue_.available(now).count();
        recording_.set(kRoom, queue_.room(now).count());
        recording_.set(kAvailable, available);
        recording_.set(kHasMessage, queue_.has_message(now) ? 1 : 0);
        std::int64_t shown = 0;
        if (queue_.has_message(now)) {
            recording_.set(kFront, known_of(messages_[queue_.front()]));
            const std::int64_t left = messages_[queue_.front()].bytes.count() - popped_of_front_;
            shown = std::min({available, left, widths_.pop_bytes});
        } else {
            recording_.ignore(kFront, 0, kByteQueueMessageBits);
        }
        for (std::int64_t i = 0; i < shown; ++i) {
            recording_.set(kFrontData, byte_of(messages_, queue_.front(), popped_of_front_ + i),
                           static_cast<int>(8 * i), 8);
        }
        recording_.ignore(kFrontData, static_cast<int>(8 * shown),
                          static_cast<int>(8 * (widths_.pop_bytes - shown)));
    }

    ByteQueue& queue_;
    MessagePool& messages_;
    ByteQueuePorts widths_;
    Cycles until_;
    PortRecording recording_;
    std::deque<Inside> inside_;
    std::int64_t pushed_ = 0;
    std::int64_t popped_ = 0;
    std::int64_t begun_ = 0;
    std::int64_t ended_ = 0;
    std::int64_t popped_of_front_ = 0;
    std::int64_t most_pushed_ = 0;
};

}  // namespace weir::hw::twin
