#include "hw/messages/message_pool.h"

#include <mutex>
#include <stdexcept>

namespace weir::hw {

struct MessagePool::Slots {
    // The list of blocks must keep its address while threads read it. It is therefore reserved at
    // full length: the messages would fill 80 GB before the list is full. Only the part in use
    // takes memory.
    static constexpr std::size_t kMostSharedBlocks = std::size_t{1} << 22;

    std::mutex mutex;
    std::vector<std::unique_ptr<Block>> blocks;
    std::vector<MessageSlot> spare;  // free slots that tiles have given back
    std::vector<const MessagePool*> pools;
};

MessagePool::MessagePool() : slots_(std::make_shared<Slots>()) { slots_->pools.push_back(this); }

MessagePool::MessagePool(MessagePool& other) : slots_(other.slots_) {
    slots_->pools.push_back(this);
    slots_->blocks.reserve(Slots::kMostSharedBlocks);
    blocks_ = other.blocks_ = slots_->blocks.data();
}

MessagePool::~MessagePool() { std::erase(slots_->pools, this); }

bool MessagePool::is_shared() const { return slots_->pools.size() > 1; }

MessageSlot MessagePool::slot_count() const {
    return static_cast<MessageSlot>(slots_->blocks.size() * kBlock);
}

std::size_t MessagePool::in_use() const {
    std::int64_t count = 0;
    for (const MessagePool* pool : slots_->pools) {
        count += pool->allocated_;
    }
    return count;
}

// The lowest slot is taken first.
void MessagePool::get_slots() {
    const std::lock_guard lock(slots_->mutex);
    std::vector<MessageSlot>& spare = slots_->spare;
    if (spare.size() >= kBlock) {
        free_.assign(spare.end() - std::ptrdiff_t{kBlock}, spare.end());
        spare.resize(spare.size() - kBlock);
        return;
    }
    if (is_shared() && slots_->blocks.size() == Slots::kMostSharedBlocks) {
        throw std::length_error("too many messages are in flight");
    }
    free_.reserve(2 * kBlock);
    slots_->blocks.push_back(std::make_unique<Block>());
    if (!is_shared()) {  // a shared list stays in place, since other threads read it
        blocks_ = slots_->blocks.data();
    }
    const MessageSlot end = slot_count();
    for (MessageSlot i = 1; i <= kBlock; ++i) {
        free_.push_back(end - i);
    }
}

void MessagePool::give_slots_back() {
    const std::lock_guard lock(slots_->mutex);
    slots_->spare.insert(slots_->spare.end(), free_.end() - std::ptrdiff_t{kBlock}, free_.end());
    free_.resize(free_.size() - kBlock);
}

}  // namespace weir::hw
