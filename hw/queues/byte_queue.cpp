#include "hw/queues/byte_queue.h"

namespace weir::hw {

void LevelIntegral::ramp(std::int64_t by, std::int64_t times, Cycles at) {
    change(by, at);
    // Each level of the ramp except the last one lasts one cycle.
    const std::int64_t lasting = times - 1;
    area_ += lasting * level_ + by * (lasting * (lasting - 1) / 2);
    if (lasting > 0) {
        peak_ = std::max(peak_, by > 0 ? level_ + by * (lasting - 1) : level_);
    }
    level_ += by * lasting;
    since_ = at + Cycles(lasting);
}

void ByteQueue::push(Bytes bytes, Cycles now) {
    settle(now - Cycles(1));
    sc_assert(held() + bytes <= capacity_);
    pushed_.write(pushed_.latest() + bytes.count(), now);
    byte_level_.change(bytes.count(), now + Cycles(1));
    trace_level(now);
    consumer_.wake(ahead_ == Ahead::kConsumer ? Bytes(pushed_.latest()) : held(), now);
    wake_other_end();
}

void ByteQueue::pop(Bytes bytes, Cycles now) {
    settle(now - Cycles(1));
    sc_assert(bytes <= held());
    popped_.write(popped_.latest() + bytes.count(), now);
    byte_level_.change(-bytes.count(), now + Cycles(1));
    trace_level(now);
    producer_.wake(ahead_ == Ahead::kProducer ? Bytes(popped_.latest()) : capacity_ - held(), now);
    wake_other_end();
}

void ByteQueue::schedule_next(const Moves& moves, Cycles now) {
    sc_assert(ahead_ != Ahead::kNobody && moves.first >= now);
    const bool is_waited_for = other_end().part != nullptr;
    if (is_waited_for) {
        settle(now - Cycles(1));
    }
    if (!go_on_with(moves)) {
        scheduled_.push_back(moves);
    }
    if (is_waited_for) {
        wake_by_schedule();
    }
}

Bytes ByteQueue::take_back(std::int64_t count) {
    Bytes bytes;
    while (count > 0) {
        Moves& last = scheduled_.back();
        const std::int64_t taken = std::min(count, last.count);
        bytes += taken * last.step;
        count -= taken;
        last.count -= taken;
        last.ends_message = false;
        if (last.count == 0) {
            scheduled_.pop_back();
        }
    }
    return bytes;
}

std::int64_t ByteQueue::moves_after(Cycles now) const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < scheduled_.size(); ++i) {
        const Moves& moves = scheduled_[i];
        count += std::clamp((moves.first - now).count() - 1 + moves.count, INT64_C(0), moves.count);
    }
    return count;
}

void ByteQueue::move_through(Cycles cycle) {
    while (!scheduled_.empty() && scheduled_.front().first <= cycle) {
        Moves& front = scheduled_.front();
        move(front, std::min(front.count, (cycle - front.first).count() + 1));
        if (front.count == 0) {
            scheduled_.pop_front();
        }
    }
    // The waiting side's wake-up was already requested, when the move was scheduled or when the
    // side began to wait.
    Waiting& waiting = other_end();
    if (waiting.part != nullptr && there_for_other_end() >= waiting.needed) {
        waiting.part = nullptr;
    }
}

void ByteQueue::move(Moves& moves, std::int64_t count) {
    const Cycles first = moves.first;
    const Cycles last = first + Cycles(count - 1);
    if (moves.begins_message) {
        moves.begins_message = false;
        messages_.push_back(moves.message);
        messages_begun_.write(messages_begun_.latest() + 1, first);
        message_level_.change(1, first + Cycles(1));
    }
    const std::int64_t step = moves.step.count();
    const std::int64_t by = ahead_ == Ahead::kConsumer ? -step : step;
    ClockedRegister<std::int64_t>& moved = ahead_ == Ahead::kConsumer ? popped_ : pushed_;
    // Writes the last move separately: in its cycle, the other side still sees the value before it.
    if (count > 1) {
        moved.write(moved.latest() + step * (count - 1), last - Cycles(1));
    }
    moved.write(moved.latest() + step, last);
    trace_moves(by, count, first);
    byte_level_.ramp(by, count, first + Cycles(1));
    moves.first += Cycles(count);
    moves.count -= count;
    if (moves.count == 0 && moves.ends_message) {
        messages_.pop_front();
        messages_ended_.write(messages_ended_.latest() + 1, last);
        message_level_.change(-1, last + Cycles(1));
        trace_level(last);
    }
}

// The waiting side is woken in the cycle after the scheduled move that meets its need.
void ByteQueue::wake_by_schedule() {
    const Waiting& waiting = other_end();
    if (waiting.part == nullptr) {
        return;
    }
    Bytes lacking = std::max(waiting.needed - there_for_other_end(), Bytes(1));
    for (std::size_t i = 0; i < scheduled_.size(); ++i) {
        const Moves& moves = scheduled_[i];
        const std::int64_t count = flits_of(lacking, moves.step).count();
        if (count <= moves.count) {
            waiting.part->wake_at(moves.first + Cycles(count));
            return;
        }
        lacking -= moves.count * moves.step;
    }
}

void ByteQueue::trace_moves(std::int64_t by, std::int64_t count, Cycles first) {
    if (level_trace_ == nullptr) {
        return;
    }
    for (std::int64_t i = 1; i <= count; ++i) {
        level_trace_->queue_level(node_, kind_, first + Cycles(i),
                                  Bytes(byte_level_.level() + i * by), message_level_.level());
    }
}

}  // namespace weir::hw
