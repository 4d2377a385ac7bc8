#include "hw/byte_queue.h"

namespace weir::hw {

void ByteQueue::push(Bytes bytes, Cycles now) {
    sc_assert(held() + bytes <= capacity_);
    pushed_.write(pushed_.latest() + bytes.count(), now);
    byte_level_.change(bytes.count(), now + Cycles(1));
    trace_level(now);
    consumer_.wake(held(), now);
}

void ByteQueue::pop(Bytes bytes, Cycles now) {
    sc_assert(bytes <= held());
    popped_.write(popped_.latest() + bytes.count(), now);
    byte_level_.change(-bytes.count(), now + Cycles(1));
    trace_level(now);
    producer_.wake(capacity_ - held(), now);
}

}  // namespace weir::hw
