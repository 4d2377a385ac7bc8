#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/clock/clock_domain.h"
#include "hw/clock/clocked_register.h"
#include "hw/message.h"
#include "hw/queues/fifo.h"
#include "hw/statistics.h"
#include "hw/trace_probe.h"
#include "hw/units.h"

namespace weir::hw {

/// How full a queue was: the area under its level, kept by the queue itself.
class LevelIntegral {
  public:
    void change(std::int64_t by, Cycles at) {
        settle(at);
        level_ += by;
    }
    /// The same as `times` calls of change(), one a cycle, the first at `at`.
    void ramp(std::int64_t by, std::int64_t times, Cycles at);
    [[nodiscard]] std::int64_t level() const { return level_; }
    [[nodiscard]] std::int64_t area(Cycles until) const {
        return area_ + level_ * (until - since_).count();
    }
    /// The highest level that lasted for a cycle.
    [[nodiscard]] std::int64_t peak() const { return peak_; }

  private:
    void settle(Cycles at) {
        if (at > since_) {
            area_ += level_ * (at - since_).count();
            peak_ = level_ > peak_ ? level_ : peak_;
            since_ = at;
        }
    }
    std::int64_t level_ = 0;
    std::int64_t area_ = 0;
    std::int64_t peak_ = 0;
    Cycles since_{0};
};

/// A node's message queue: a memory of `capacity` bytes that holds messages in order, filled at one
/// end by one part and emptied at the other by another (LoGPC Section 2: 256 bytes each way).
///
/// In a cycle: what the producer puts in can be seen by the consumer from the next cycle on, and
/// the room the consumer makes can be seen by the producer from the next cycle on. A part that
/// finds too little room (or too few bytes) asks to be woken when there is enough with
/// expect_room() or expect_bytes().
///
/// A ramp stands for the calls of one end that moves the same number of bytes in every cycle: it
/// drains the queue (in place of pop()) or fills it (in place of push()), through a cycle up to
/// which the bytes or the room are known to be there. What the other end sees, when it is woken and
/// what is traced are the same as with the calls. The registers, and what is read below without
/// naming a cycle, follow when the other end acts or with settle_ramp().
class ByteQueue {
  public:
    ByteQueue(NodeId node, QueueKind kind, Bytes capacity, TraceSink* level_trace)
        : node_(node), kind_(kind), capacity_(capacity), level_trace_(level_trace) {}

    // The producer's end.
    [[nodiscard]] Bytes room(Cycles now) const {
        return capacity_ - Bytes(pushed_.latest() - popped_.read(now)) - unsettled(now);
    }
    /// Begins a message; its bytes follow with push(), and a message is in the queue from its
    /// first.
    void begin_message(MessageSlot message, Cycles now) {
        settle_ramp(now - Cycles(1));
        messages_.push_back(message);
        messages_begun_.write(messages_begun_.latest() + 1, now);
        message_level_.change(1, now + Cycles(1));
    }
    void push(Bytes bytes, Cycles now);
    /// How many messages had left before this cycle, of all that were begun.
    [[nodiscard]] std::int64_t messages_ended(Cycles now) const {
        return messages_ended_.read(now);
    }
    /// Wakes the producer in the next cycle, and then in the one after a pop() that leaves room for
    /// `needed`. Asked again before that, the smaller need counts.
    void expect_room(ClockedPart& producer, Bytes needed, Cycles now) {
        settle_ramp(now - Cycles(1));
        producer_.expect(producer, needed, now);
        wake_from_ramp();
    }

    // The consumer's end.
    [[nodiscard]] Bytes available(Cycles now) const {
        return Bytes(pushed_.read(now) - popped_.latest()) + unsettled(now);
    }
    /// Whether a message has begun to arrive at the head.
    [[nodiscard]] bool has_message(Cycles now) const {
        return messages_begun_.read(now) > messages_ended_.latest();
    }
    [[nodiscard]] MessageSlot front() const { return messages_.front(); }
    void pop(Bytes bytes, Cycles now);
    /// The front message has left.
    void end_message(Cycles now) {
        settle_ramp(now - Cycles(1));
        messages_.pop_front();
        messages_ended_.write(messages_ended_.latest() + 1, now);
        message_level_.change(-1, now + Cycles(1));
        trace_level(now);
    }
    /// Wakes the consumer in the next cycle, and then in the one after a push() with which `needed`
    /// bytes are there. Asked again before that, the smaller need counts.
    void expect_bytes(ClockedPart& consumer, Bytes needed, Cycles now) {
        settle_ramp(now - Cycles(1));
        consumer_.expect(consumer, needed, now);
        wake_from_ramp();
    }

    // A ramp; all but settle_ramp() at the end of cycle `now`.
    /// Drains the queue of `step` bytes in each of the cycles `now` + 1 to `through`.
    void begin_drain(Bytes step, Cycles now, Cycles through) {
        begin_ramp({step, true, now, through});
    }
    /// Fills the queue with `step` bytes in each of the cycles `now` + 1 to `through`.
    void begin_fill(Bytes step, Cycles now, Cycles through) {
        begin_ramp({step, false, now, through});
    }
    /// The ramp goes on through a later cycle.
    void extend_ramp(Cycles now, Cycles through);
    /// The ramp's end moves its bytes with push() or pop() again from the next cycle on.
    void end_ramp(Cycles now);
    /// Brings the registers to what they are after `cycle`, or after the last one of the ramp.
    void settle_ramp(Cycles cycle) {
        if (ramp_.step != Bytes(0)) [[unlikely]] {
            move_ramp(cycle);
        }
    }

    // For statistics, conservation and explanations.
    [[nodiscard]] Bytes capacity() const { return capacity_; }
    [[nodiscard]] Bytes held() const { return Bytes(pushed_.latest() - popped_.latest()); }
    [[nodiscard]] std::int64_t bytes_pushed() const { return pushed_.latest(); }
    [[nodiscard]] const Fifo<MessageSlot>& messages() const { return messages_; }
    [[nodiscard]] const LevelIntegral& byte_level() const { return byte_level_; }
    [[nodiscard]] const LevelIntegral& message_level() const { return message_level_; }

  private:
    // The part at one end, while it waits for what the part at the other end does.
    struct Waiting {
        ClockedPart* part = nullptr;
        Bytes needed;

        // The next cycle too: what the other end does in this one may already have been done. When
        // as little was asked for before, it would have woken the part.
        void expect(ClockedPart& asking, Bytes amount, Cycles now) {
            if (part == &asking && needed <= amount) {
                return;
            }
            part = &asking;
            needed = amount;
            asking.wake_at(now + Cycles(1));
        }
        void wake(Bytes there_are, Cycles now) {
            if (part != nullptr && there_are >= needed) {
                part->wake_at(now + Cycles(1));
                part = nullptr;
            }
        }
    };
    // What one end does in every cycle. A step of 0 stands for no ramp.
    struct Ramp {
        Bytes step;
        bool drains = false;
        Cycles settled;  ///< the last cycle whose step is in the registers
        Cycles through;
    };
    void begin_ramp(const Ramp& ramp);
    void move_ramp(Cycles cycle);
    void wake_from_ramp() {
        if (ramp_.step != Bytes(0)) [[unlikely]] {
            wake_beside_ramp();
        }
    }
    void wake_beside_ramp();
    void trace_ramp(std::int64_t by, std::int64_t cycles);

    // What the ramp has added before cycle `now` and the registers don't show.
    [[nodiscard]] Bytes unsettled(Cycles now) const {
        if (ramp_.step == Bytes(0)) [[likely]] {
            return Bytes(0);
        }
        const Cycles last = std::min(now - Cycles(1), ramp_.through);
        const std::int64_t cycles = std::max((last - ramp_.settled).count(), std::int64_t{0});
        return (ramp_.drains ? -cycles : cycles) * ramp_.step;
    }
    // The end that waits for what the ramp does, and how much of it there is.
    [[nodiscard]] Waiting& beside_ramp() { return ramp_.drains ? producer_ : consumer_; }
    [[nodiscard]] Bytes made_by_ramp() const { return ramp_.drains ? capacity_ - held() : held(); }

    void trace_level(Cycles now) {
        if (level_trace_ != nullptr) {
            level_trace_->queue_level(node_, kind_, now + Cycles(1), Bytes(byte_level_.level()),
                                      message_level_.level());
        }
    }

    NodeId node_;
    QueueKind kind_;
    Bytes capacity_;
    TraceSink* level_trace_;
    ClockedRegister<std::int64_t> pushed_;
    ClockedRegister<std::int64_t> popped_;
    ClockedRegister<std::int64_t> messages_begun_;
    ClockedRegister<std::int64_t> messages_ended_;
    Fifo<MessageSlot> messages_;
    Waiting producer_;
    Waiting consumer_;
    Ramp ramp_;
    LevelIntegral byte_level_;
    LevelIntegral message_level_;
};

}  // namespace weir::hw
