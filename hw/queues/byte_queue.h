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
/// An end that knows what it will do in cycles to come may work ahead: schedule() stands for its
/// calls in those cycles, for which the bytes or the room are known to be there. What the other end
/// sees, when it is woken and what is traced are the same as with the calls. The registers, and
/// what is read below without naming a cycle, follow when the other end acts or with settle().
class ByteQueue {
  public:
    ByteQueue(NodeId node, QueueKind kind, Bytes capacity, TraceSink* level_trace)
        : node_(node), kind_(kind), capacity_(capacity), level_trace_(level_trace) {}

    // The producer's end.
    [[nodiscard]] Bytes room(Cycles now) const {
        return capacity_ - Bytes(pushed_.latest() - popped_.read(now)) +
               (ahead_ == Ahead::kConsumer ? unsettled(now) : Bytes(0));
    }
    /// Begins a message; its bytes follow with push(), and a message is in the queue from its
    /// first.
    void begin_message(MessageSlot message, Cycles now) {
        settle(now - Cycles(1));
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
        settle(now - Cycles(1));
        producer_.expect(producer, needed, capacity_ - held(), now);
        wake_other_end();
    }

    // The consumer's end.
    [[nodiscard]] Bytes available(Cycles now) const {
        return Bytes(pushed_.read(now) - popped_.latest()) +
               (ahead_ == Ahead::kProducer ? unsettled(now) : Bytes(0));
    }
    /// Whether a message has begun to arrive at the head.
    [[nodiscard]] bool has_message(Cycles now) {
        settle(now - Cycles(1));
        return messages_begun_.read(now) > messages_ended_.latest();
    }
    [[nodiscard]] MessageSlot front() const { return messages_.front(); }
    void pop(Bytes bytes, Cycles now);
    /// The front message has left.
    void end_message(Cycles now) {
        settle(now - Cycles(1));
        messages_.pop_front();
        messages_ended_.write(messages_ended_.latest() + 1, now);
        message_level_.change(-1, now + Cycles(1));
        trace_level(now);
    }
    /// Wakes the consumer in the next cycle, and then in the one after a push() with which `needed`
    /// bytes are there. Asked again before that, the smaller need counts.
    void expect_bytes(ClockedPart& consumer, Bytes needed, Cycles now) {
        settle(now - Cycles(1));
        consumer_.expect(consumer, needed, held(), now);
        wake_other_end();
    }

    // An end that works ahead, from before the run on.
    enum class Ahead : std::uint8_t { kNobody, kProducer, kConsumer };
    void work_ahead(Ahead end) { ahead_ = end; }
    /// The end's next moves: `step` bytes in each of `count` cycles, one after the other, behind
    /// all that it has scheduled before and not before `now`. With the first one a message begins
    /// (of a producer), or with the last one the front message has left (of a consumer).
    struct Moves {
        Cycles first;
        std::int64_t count = 1;
        Bytes step;
        bool begins_message = false;
        bool ends_message = false;
        MessageSlot message = 0;  ///< that begins
    };
    void schedule(const Moves& moves, Cycles now) {
        if (other_end().part != nullptr || !go_on_with(moves)) {
            schedule_next(moves, now);
        }
    }
    /// Takes back the last `count` of these moves, one a cycle, all in cycles to come. Whoever
    /// was to be woken for them is woken without need. Returns their bytes.
    Bytes take_back(std::int64_t count);
    /// How many of these moves, each of a cycle, come after cycle `now`.
    [[nodiscard]] std::int64_t moves_after(Cycles now) const;
    /// Of a consumer: the bytes that were put in before this cycle, since the beginning.
    [[nodiscard]] Bytes pushed_before(Cycles now) const { return Bytes(pushed_.read(now)); }
    /// Of a consumer: the messages that were begun before this cycle, since the beginning; and one
    /// of these that has not left.
    [[nodiscard]] std::int64_t messages_begun(Cycles now) const {
        return messages_begun_.read(now);
    }
    [[nodiscard]] MessageSlot message_begun_as(std::int64_t number) const {
        return messages_[number - messages_ended_.latest()];
    }
    /// Of a producer: the bytes that were taken out before this cycle, since the beginning.
    [[nodiscard]] Bytes popped_before(Cycles now) const { return Bytes(popped_.read(now)); }
    /// Wakes the end in the cycle after the one with which so many bytes were put in, or taken out,
    /// since the beginning.
    void expect_pushed(ClockedPart& consumer, Bytes total, Cycles now) {
        expect_total(consumer_, consumer, total, Bytes(pushed_.latest()), now);
    }
    void expect_popped(ClockedPart& producer, Bytes total, Cycles now) {
        expect_total(producer_, producer, total, Bytes(popped_.latest()), now);
    }
    /// Brings the registers to what they are after `cycle`.
    void settle(Cycles cycle) {
        if (!scheduled_.empty() && scheduled_.front().first <= cycle) {
            move_through(cycle);
        }
    }

    // For statistics, conservation and explanations.
    [[nodiscard]] Bytes capacity() const { return capacity_; }
    [[nodiscard]] Bytes held() const { return Bytes(pushed_.latest() - popped_.latest()); }
    [[nodiscard]] std::int64_t bytes_pushed() const { return pushed_.latest(); }
    [[nodiscard]] std::int64_t bytes_popped() const { return popped_.latest(); }
    [[nodiscard]] const Fifo<MessageSlot>& messages() const { return messages_; }
    [[nodiscard]] const LevelIntegral& byte_level() const { return byte_level_; }
    [[nodiscard]] const LevelIntegral& message_level() const { return message_level_; }

  private:
    // The part at one end, while it waits for what the part at the other end does.
    struct Waiting {
        ClockedPart* part = nullptr;
        Bytes needed;

        // The next cycle too, unless it waits for as little already. What the other end has done in
        // this one is seen then, and is not waited for: it woke who was to be woken.
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
    // An end that works ahead counts from the beginning.
    static void expect_total(Waiting& waiting, ClockedPart& asking, Bytes total, Bytes there_are,
                             Cycles now) {
        if (there_are >= total) {  // in this cycle
            asking.wake_at(now + Cycles(1));
            return;
        }
        waiting.part = &asking;
        waiting.needed = total;
    }
    // Makes the last moves longer by these if they follow them.
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
    // Asks for the wake-up of the end that waits for what the other one has scheduled.
    void wake_other_end() {
        if (!scheduled_.empty()) {
            wake_by_schedule();
        }
    }
    void wake_by_schedule();

    // What is scheduled for the cycles before `now` and not seen in the registers.
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
    // The end that waits for what is scheduled, and how much of it there is.
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
