#include "firmware/shared_memory.h"

#include <algorithm>
#include <string>

#include "firmware/kernel.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr hw::Cycles kTestAndBranch(2);
// Offset in bytes of a record's word, which follows its value.
constexpr std::uint32_t kRecordWord = 8;

}  // namespace

std::uint32_t SharedAllocator::allocate(hw::NodeId home, std::uint32_t bytes,
                                        nodes::CallPlace call) {
    nodes::require_node(home, static_cast<std::int32_t>(used_.size()), call);
    return take(home, used_[home], bytes);
}

std::uint32_t SharedAllocator::allocate(hw::NodeId home, std::uint32_t bytes,
                                        HomePlacement placement, std::uint32_t before,
                                        nodes::CallPlace call) {
    if (placement == HomePlacement::kAligned) {
        return allocate(home, bytes, call);
    }
    nodes::require_node(home, static_cast<std::int32_t>(used_.size()), call);
    const std::int64_t used = used_[home];
    const std::int64_t own = whole_lines(before) + home.index() * whole_lines(bytes);
    return take(home, std::max(used, own), bytes);
}

std::uint32_t SharedAllocator::take(hw::NodeId home, std::int64_t begin, std::uint32_t bytes) {
    const std::int64_t end = begin + whole_lines(bytes);
    if (end > shape_.shared_bytes.count()) {
        throw InputFault("coherence.shared_bytes",
                         "found " + std::to_string(shape_.shared_bytes.count()) +
                             ", and the program's data take " + std::to_string(end) +
                             " bytes at node " + std::to_string(home.index()),
                         "at least " + std::to_string((end + 4095) / 4096 * 4096));
    }
    used_[home] = static_cast<std::uint32_t>(end);
    return static_cast<std::uint32_t>(begin);
}

// A yielding thread waits for some cycles, so that its core switches to another context.
nodes::Processor::Awaiter Spinner::look_again(std::uint32_t address) const {
    return yields ? processor.wait_until(processor.now() + kTestAndBranch)
                  : processor.compute_to_ask_again(kTestAndBranch, address);
}

Task spin_while(Spinner spinner, std::uint32_t address, std::uint32_t value) {
    for (;;) {
        const std::uint32_t word = co_await spinner.processor.load(address);
        if (word != value) {
            co_return;
        }
        co_await spinner.look_again(address);
    }
}

Task spin_until(Spinner spinner, std::uint32_t address, std::uint32_t value) {
    for (;;) {
        const std::uint32_t word = co_await spinner.processor.load(address);
        if (word == value) {
            co_return;
        }
        co_await spinner.look_again(address);
    }
}

TreeBarrier::TreeBarrier(SharedAllocator& allocator, std::int32_t nodes)
    : nodes_(nodes), arrived_(nodes), released_(nodes) {
    for (std::int32_t node = 1; node < nodes; ++node) {
        arrived_[node] = allocator.line(hw::NodeId((node - 1) / kChildren));
        released_[node] = allocator.line(hw::NodeId(node));
    }
}

TreeBarrier::Children TreeBarrier::children_of(std::int32_t node) const {
    const std::int32_t first = node * kChildren + 1;
    return {first, std::min(first + kChildren, nodes_)};
}

Task TreeBarrier::meet(nodes::Processor& processor, std::uint32_t meeting) const {
    const std::int32_t self = processor.node().index();
    const auto [first, end] = children_of(self);
    for (std::int32_t child = first; child < end; ++child) {
        co_await spin_until({processor}, arrived(child), meeting);
    }
    if (self != 0) {
        co_await processor.store(arrived(self), meeting);
        co_await spin_until({processor}, released(self), meeting);
    }
    for (std::int32_t child = first; child < end; ++child) {
        co_await processor.store(released(child), meeting);
    }
}

TreeReduction::TreeReduction(SharedAllocator& allocator, std::int32_t nodes)
    : TreeBarrier(allocator, nodes), brought_(nodes), taken_(nodes) {
    for (std::int32_t node = 1; node < nodes; ++node) {
        brought_[node] = allocator.line(hw::NodeId((node - 1) / kChildren));
        taken_[node] = allocator.line(hw::NodeId(node));
    }
}

Task TreeReduction::load(nodes::Processor& processor, std::uint32_t address, Record& record) {
    record.value = co_await processor.load_real(address);
    record.word = co_await processor.load(address + kRecordWord);
}

Task TreeReduction::store(nodes::Processor& processor, std::uint32_t address, Record record) {
    co_await processor.store_real(address, record.value);
    co_await processor.store(address + kRecordWord, record.word);
}

Task TreeReduction::reduce(nodes::Processor& processor, std::uint32_t meeting, Record& record,
                           Combine combine, hw::Cycles combine_cycles) const {
    const std::int32_t self = processor.node().index();
    const auto [first, end] = children_of(self);
    for (std::int32_t child = first; child < end; ++child) {
        co_await spin_until({processor}, arrived(child), meeting);
        Record other;
        co_await load(processor, brought_[child], other);
        co_await processor.compute(combine_cycles);
        record = combine(record, other);
    }
    if (self != 0) {
        co_await store(processor, brought_[self], record);
        co_await processor.store(arrived(self), meeting);
        co_await spin_until({processor}, released(self), meeting);
        co_await load(processor, taken_[self], record);
    }
    for (std::int32_t child = first; child < end; ++child) {
        co_await store(processor, taken_[child], record);
        co_await processor.store(released(child), meeting);
    }
}

SharedLock::SharedLock(LockKind kind, SharedAllocator& allocator, hw::NodeId home,
                       std::int32_t nodes, std::int32_t threads_per_node)
    : kind_(kind), threads_per_node_(threads_per_node), lock_(allocator.line(home)) {
    if (kind == LockKind::kQueue) {
        for (std::int32_t i = 0; i < nodes * threads_per_node; ++i) {
            places_.push_back(allocator.line(hw::NodeId(i / threads_per_node)));
        }
    }
}

Task SharedLock::acquire(Spinner spinner) const {
    if (kind_ == LockKind::kQueue) {
        co_await join_queue(spinner);
        co_return;
    }
    for (;;) {
        if (kind_ == LockKind::kTestAndTestAndSet) {
            co_await spin_while(spinner, lock_, 1);
        }
        const std::uint32_t was_held = co_await spinner.processor.exchange(lock_, 1);
        if (was_held == 0) {
            co_return;
        }
        co_await spinner.look_again(lock_);
    }
}

Task SharedLock::release(Spinner spinner) const {
    if (kind_ == LockKind::kQueue) {
        co_await leave_queue(spinner);
    } else {
        co_await spinner.processor.store(lock_, 0);
    }
}

Task SharedLock::join_queue(Spinner spinner) const {
    const std::uint32_t place = own_place(spinner);
    co_await spinner.processor.store(place + kNext, 0);
    co_await spinner.processor.store(place + kWaits, 1);
    const std::uint32_t before = co_await spinner.processor.exchange(lock_, place);
    if (before != 0) {
        co_await spinner.processor.store(before + kNext, place);
        co_await spin_while(spinner, place + kWaits, 1);
    }
}

// Releases the queue lock without compare-and-swap. A holder whose entry names no successor
// exchanges the queue's tail for 0. If a thread has joined meanwhile, threads that join before the
// tail is restored go first.
Task SharedLock::leave_queue(Spinner spinner) const {
    const std::uint32_t place = own_place(spinner);
    std::uint32_t next = co_await spinner.processor.load(place + kNext);
    if (next == 0) {
        const std::uint32_t last = co_await spinner.processor.exchange(lock_, 0);
        if (last == place) {
            co_return;
        }
        const std::uint32_t came_meanwhile = co_await spinner.processor.exchange(lock_, last);
        co_await spin_while(spinner, place + kNext, 0);
        next = co_await spinner.processor.load(place + kNext);
        if (came_meanwhile != 0) {
            co_await spinner.processor.store(came_meanwhile + kNext, next);
            co_return;
        }
    }
    co_await spinner.processor.store(next + kWaits, 0);
}

}  // namespace weir::firmware
