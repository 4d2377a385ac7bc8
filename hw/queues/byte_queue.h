#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/clock/clock_domain.h"
#include "hw/clock/clocked_register.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/fifo.h"
#include "hw/statistics.h"
#include "hw/tracing/trace_probe.h"
#include "hw/units.h"

namespace weir::hw {

/// Occupancy of a queue over time: the integral of its level, and its peak.
class LevelIntegral {
  public:
    void change(std::int64_t by, Cycles at) {
        settle(at);
        level_ += by;
    }
    /// Equals `times` calls of change(), one per cycle, the first at `at`.
    void ramp(std::int64_t by, std::int64_t times, Cycles at);
    [[nodiscard]] std::int64_t level() const { return level_; }
    [[nodiscard]] std::int64_t area(Cycles until) const {
        return area_ + level_ * (until - since_).count();
    }
    /// Highest level that lasted for a cycle.
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

/// A node's message queue: a memory of `capacity` bytes that holds messages in order. One part, the
/// producer, fills it, and another one, the consumer, empties it (LoGPC Section 2: 256 bytes in
/// each direction).
///
/// In a cycle: the consumer sees pushed bytes from the next cycle on, and the producer sees freed
/// room from the next cycle on. A part that finds too little room or too few bytes requests a
/// wake-up with expect_room() or expect_bytes().
///
/// Working ahead: a side that knows its moves in later cycles may schedule() them, if their bytes
/// or room are certain to be there. The other side's view, its wake-ups and the trace are the same
/// as with a call in each cycle. The registers, and the results of functions without a cycle, are
/// updated when the other side acts, or by settle().
class ByteQueue {
  public:
    ByteQueue(NodeId node, QueueKind kind, Bytes capacity, TraceSink* level_trace)
        : node_(node), kind_(kind), capacity_(capacity), level_trace_(level_trace) {}

    // Functions of the producer.
    [[nodiscard]] Bytes room(Cycles now) const {
        return capacity_ - Bytes(pushed_.latest() - popped_.read(now)) +
               (ahead_ == Ahead::kConsumer ? unsettled(now) : Bytes(0));
    }
    /// Begins a message; its bytes follow with push(). The message is in the queue from its first
    /// byte on.
    void begin_message(MessageSlot message, Cycles now) {
        settle(now - Cycles(1));
        messages_.push_back(message);
        messages_begun_.write(messages_begun_.latest() + 1, now);
        message_level_.change(1, now + Cycles(1));
    }
    void push(Bytes bytes, Cycles now);
    /// Number of messages, of all that were begun, that had left before this cycle.
    [[nodiscard]] std::int64_t messages_ended(Cycles now) const {
        return messages_ended_.read(now);
    }
    /// Wakes the producer in the next cycle, and again in the one after a pop() that leaves room
    /// for `needed`. The smallest of several pending requests counts.
    void expect_room(ClockedPart& producer, Bytes needed, Cycles now) {
        settle(now - Cycles(1));
        producer_.expect(producer, needed, capacity_ - held(), now);
        wake_other_end();
    }

    // Functions of the consumer.
    [[nodiscard]] Bytes available(Cycles now) const {
        return Bytes(pushed_.read(now) - popped_.latest()) +
               (ahead_ == Ahead::kProducer ? unsettled(now) : Bytes(0));
    }
    /// True when a message has begun to arrive at the head.
    [[nodiscard]] bool has_message(Cycles now) {
        settle(now - Cycles(1));
        return messages_begun_.read(now) > messages_ended_.latest();
    }
    [[nodiscard]] MessageSlot front() const { return messages_.front(); }
    void pop(Bytes bytes, Cycles now);
    /// Removes the message at the head.
    void end_message(Cycles now) {
        settle(now - Cycles(1));
        messages_.pop_front();
        messages_ended_.write(messages_ended_.latest() + 1, now);
        message_level_.change(-1, now + Cycles(1));
        trace_level(now);
    }
    /// Wakes the consumer in the next cycle, and again in the one after the push() that completes
    /// `needed` bytes. The smallest of several pending requests counts.
    void expect_bytes(ClockedPart& consumer, Bytes needed, Cycles now) {
        settle(now - Cycles(1));
        consumer_.expect(consumer, needed, held(), now);
        wake_other_end();
    }

    // The side that works ahead; fixed before the run.
    enum class Ahead : std::uint8_t { kNobody, kProducer, kConsumer };
    void work_ahead(Ahead end) { ahead_ = end; }
    /// Moves in consecutive cycles: `step` bytes in each of `count` cycles. The first move is in
    /// cycle `first`, which is not before `now` and lies after all moves scheduled earlier. A
    /// producer may begin a message with the first move; a consumer may end the message at the head
    /// with the last one.
    struct Moves {
        Cycles first;
        std::int64_t count = 1;
        Bytes step;
        bool begins_message = false;
        bool ends_message = false;
        MessageSlot message = 0;  ///< slot of the message that the first move begins
    };
    void schedule(const Moves& moves, Cycles now) {
        if (other_end().part != nullptr || !go_on_with(moves)) {
            schedule_next(moves, now);
        }
    }
    /// Cancels the last `count` moves, which must all lie in later cycles, and returns their bytes.
    /// Wake-ups already requested for these moves are not cancelled.
    Bytes take_back(std::int64_t count);
    /// Number of scheduled moves after cycle `now`; each takes one cycle.
    [[nodiscard]] std::int64_t moves_after(Cycles now) const;
    /// For a consumer: total number of bytes pushed before this cycle.
    [[nodiscard]] Bytes pushed_before(Cycles now) const { return Bytes(pushed_.read(now)); }
    /// For a consumer: total number of messages begun before this cycle, and the slot of one that
    /// has not left.
    [[nodiscard]] std::int64_t messages_begun(Cycles now) const {
        return messages_begun_.read(now);
    }
    [[nodiscard]] MessageSlot message_begun_as(std::int64_t number) const {
        return messages_[number - messages_ended_.latest()];
    }
    /// For a producer: total number of bytes popped before this cycle.
    [[nodiscard]] Bytes popped_before(Cycles now) const { return Bytes(popped_.read(now)); }
    /// Wakes a side in the cycle after the one in which the total number of bytes pushed, or
    /// popped, reaches `total`.
    void expect_pushed(ClockedPart& consumer, Bytes total, Cycles now) {
        expect_total(consumer_, consumer, total, Bytes(pushed_.latest()), now);
    }
    void expect_popped(ClockedPart& producer, Bytes total, Cycles now) {
        expect_total(producer_, producer, total, Bytes(popped_.latest()), now);
    }
    /// Updates the registers to their state after `cycle`.
    void settle(Cycles cycle) {
        if (!scheduled_.empty() && scheduled_.front().first <= cycle) {
            move_through(cycle);
        }
    }

    // Functions for statistics, checks of conservation, and reports of waiting parts.
    [[nodiscard]] Bytes capacity() const { return capacity_; }
    [[nodiscard]] Bytes held() const { return Bytes(pushed_.latest() - popped_.latest()); }
    [[nodiscard]] std::int64_t bytes_pushed() const { return pushed_.latest(); }
    [[nodiscard]] std::int64_t bytes_popped() const { return popped_.latest(); }
    [[nodiscard]] const Fifo<MessageSlot>& messages() const { return messages_; }
    [[nodiscard]] const LevelIntegral& byte_level() const { return byte_level_; }
    [[nodiscard]] const LevelIntegral& message_level() const { return message_level_; }

  private:
    // A part that waits for the other side.
    struct Waiting {
        ClockedPart* part = nullptr;
        Bytes needed;

        // Wakes the part in the next cycle, when it sees the other side's moves of the current
        // cycle. No effect if it already waits for this amount or less: those moves then wake it.
        void expect(ClockedPart& asking, Bytes amount, Bytes there_are, Cycles now) {
            if (there_are < amount) {
                if (part == &asking && needed <= amount) {
                    return;
                }
                part = &asking;
                needed = amount;
            }
            asking.wake_at(now + Cycles(1));
        }
        void wake(Bytes there_are, Cycles now) {
            if (part != nullptr && there_are >= needed) {
                part->wake_at(now + Cycles(1));
                part = nullptr;
            }
        }
    };
    // Waits until the number of bytes moved since the start of the run is `total`; for a side that
    // works ahead.
    static void expect_total(Waiting& waiting, ClockedPart& asking, Bytes total, Bytes there_are,
                             Cycles now) {
        if (there_are >= total) {  // the total is reached in this cycle
            asking.wake_at(now + Cycles(1));
            return;
        }
        waiting.part = &asking;
        waiting.needed = total;
    }
    // Extends the last scheduled moves by `moves`, if these continue them.
    [[nodiscard]] bool go_on_with(const Moves& moves) {
        if (scheduled_.empty()) {
            return false;
        }
        Moves& last = scheduled_.back();
        const bool goes_on = last.first + Cycles(last.count) == moves.first &&
                             last.step == moves.step && !last.ends_message && !moves.begins_message;
        if (goes_on) {
            last.count += moves.count;
            last.ends_message = moves.ends_message;
        }
        return goes_on;
    }
    [[gnu::noinline]] void schedule_next(const Moves& moves, Cycles now);
    [[gnu::noinline]] void move_through(Cycles cycle);
    void move(Moves& moves, std::int64_t count);
    void trace_moves(std::int64_t by, std::int64_t count, Cycles first);
    // Requests the wake-up that the scheduled moves will cause.
    void wake_other_end() {
        if (!scheduled_.empty()) {
            wake_by_schedule();
        }
    }
    void wake_by_schedule();

    // Bytes scheduled for cycles before `now` that are not yet in the registers.
    [[nodiscard]] Bytes unsettled(Cycles now) const {
        Bytes bytes;
        for (std::size_t i = 0; i < scheduled_.size(); ++i) {
            const std::int64_t cycles = (now - scheduled_[i].first).count();
            if (cycles <= 0) {
                break;
            }
            bytes += std::min(cycles, scheduled_[i].count) * scheduled_[i].step;
        }
        return bytes;
    }
    // The side that waits for scheduled moves, and the bytes or room that it has.
    [[nodiscard]] Waiting& other_end() {
        return ahead_ == Ahead::kConsumer ? producer_ : consumer_;
    }
    [[nodiscard]] Bytes there_for_other_end() const {
        return ahead_ == Ahead::kConsumer ? capacity_ - held() : held();
    }

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
    Ahead ahead_ = Ahead::kNobody;
    Fifo<Moves> scheduled_;
    LevelIntegral byte_level_;
    LevelIntegral message_level_;
};

}  // namespace weir::hw
