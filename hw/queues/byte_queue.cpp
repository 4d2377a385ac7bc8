#include "hw/queues/byte_queue.h"

namespace weir::hw {

void LevelIntegral::ramp(std::int64_t by, std::int64_t times, Cycles at) {
    change(by, at);
    // Every level after the first change but the last lasts a cycle.
    const std::int64_t lasting = times - 1;
    area_ += lasting * level_ + by * (lasting * (lasting - 1) / 2);
    if (lasting > 0) {
        peak_ = std::max(peak_, by > 0 ? level_ + by * (lasting - 1) : level_);
    }
    level_ += by * lasting;
    since_ = at + Cycles(lasting);
}

void ByteQueue::push(Bytes bytes, Cycles now) {
    settle_ramp(now - Cycles(1));
    sc_assert(held() + bytes <= capacity_);
    pushed_.write(pushed_.latest() + bytes.count(), now);
    byte_level_.change(bytes.count(), now + Cycles(1));
    trace_level(now);
    consumer_.wake(held(), now);
    wake_from_ramp();
}

void ByteQueue::pop(Bytes bytes, Cycles now) {
    settle_ramp(now - Cycles(1));
    sc_assert(bytes <= held());
    popped_.write(popped_.latest() + bytes.count(), now);
    byte_level_.change(-bytes.count(), now + Cycles(1));
    trace_level(now);
    producer_.wake(capacity_ - held(), now);
    wake_from_ramp();
}

void ByteQueue::begin_ramp(const Ramp& ramp) {
    sc_assert(ramp_.step == Bytes(0) && ramp.step > Bytes(0) && ramp.through > ramp.settled);
    ramp_ = ramp;
    wake_from_ramp();
}

void ByteQueue::extend_ramp(Cycles now, Cycles through) {
    settle_ramp(now);
    sc_assert(through > ramp_.through);
    ramp_.through = through;
    wake_from_ramp();
}

void ByteQueue::end_ramp(Cycles now) {
    settle_ramp(now);
    ramp_ = {};
}

void ByteQueue::move_ramp(Cycles cycle) {
    const Cycles last = std::min(cycle, ramp_.through);
    const std::int64_t cycles = (last - ramp_.settled).count();
    if (cycles <= 0) {
        return;
    }
    const std::int64_t step = ramp_.step.count();
    const std::int64_t by = ramp_.drains ? -step : step;
    ClockedRegister<std::int64_t>& moved = ramp_.drains ? popped_ : pushed_;
    // The last two cycles' writes: in the last one the other end still sees what stood before.
    if (cycles > 1) {
        moved.write(moved.latest() + step * (cycles - 1), last - Cycles(1));
    }
    moved.write(moved.latest() + step, last);
    trace_ramp(by, cycles);
    byte_level_.ramp(by, cycles, ramp_.settled + Cycles(2));
    ramp_.settled = last;
    // Its wake-up was asked for when it became known.
    Waiting& waiting = beside_ramp();
    if (waiting.part != nullptr && made_by_ramp() >= waiting.needed) {
        waiting.part = nullptr;
    }
}

// Asks for the wake-up of the part at the other end in the cycle after the step that meets its
// need, when the ramp is known to come so far.
void ByteQueue::wake_beside_ramp() {
    const Waiting& waiting = beside_ramp();
    if (waiting.part == nullptr) {
        return;
    }
    const std::int64_t lacking = (waiting.needed - made_by_ramp()).count();
    const std::int64_t step = ramp_.step.count();
    const std::int64_t steps = lacking <= step ? 1 : (lacking + step - 1) / step;
    const Cycles met = ramp_.settled + Cycles(steps);
    if (met <= ramp_.through) {
        waiting.part->wake_at(met + Cycles(1));
    }
}

void ByteQueue::trace_ramp(std::int64_t by, std::int64_t cycles) {
    if (level_trace_ == nullptr) {
        return;
    }
    for (std::int64_t i = 1; i <= cycles; ++i) {
        level_trace_->queue_level(node_, kind_, ramp_.settled + Cycles(i + 1),
                                  Bytes(byte_level_.level() + i * by), message_level_.level());
    }
}

}  // namespace weir::hw
