#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw/messages/message.h"

namespace weir::hw {

using MessageSlot = std::uint32_t;

/// All messages in flight, in slots that are reused once a message is done. A message keeps its
/// address while in flight.
///
/// In a machine of several tiles (ClockTiles), each tile's thread has a pool. A message gets its
/// slot from the sender's pool, and returns it to the receiver's. The slots are shared by all
/// tiles: any pool finds any message.
class MessagePool {
  public:
    MessagePool();
    /// The pool of a further tile, with the same slots as `other`; to be made before any message.
    explicit MessagePool(MessagePool& other);
    ~MessagePool();
    MessagePool(const MessagePool&) = delete;
    MessagePool& operator=(const MessagePool&) = delete;

    MessageSlot allocate() {
        if (free_.empty()) {
            get_slots();
        }
        const MessageSlot slot = free_.back();
        free_.pop_back();
        ++allocated_;
        (*this)[slot] = Message{};
        return slot;
    }
    void release(MessageSlot slot) {
        Message& message = (*this)[slot];
        message.id = MessageId{};
        if (message.body_bytes > Bytes(0)) {
            body_of(slot) = {};
        }
        --allocated_;
        free_.push_back(slot);
        if (free_.size() >= 2 * kBlock && is_shared()) {
            give_slots_back();
        }
    }
    Message& operator[](MessageSlot slot) {
        return blocks_[slot / kBlock]->messages[slot % kBlock];
    }
    const Message& operator[](MessageSlot slot) const {
        return blocks_[slot / kBlock]->messages[slot % kBlock];
    }
    /// Bytes of a message's body in flight, filled by the sending DMA engine. Queues and channels
    /// only count the bytes.
    std::vector<std::uint8_t>& body(MessageSlot slot) {
        std::vector<std::uint8_t>& bytes = body_of(slot);
        const std::size_t length = (*this)[slot].body_bytes.count();
        if (bytes.size() != length) {
            bytes.resize(length);
        }
        return bytes;
    }

    // Number of messages of all tiles; to be called while no tile runs.
    [[nodiscard]] std::size_t in_use() const;
    template <class Visit>
    void for_each(Visit visit) {
        for (MessageSlot slot = 0; slot < slot_count(); ++slot) {
            if ((*this)[slot].id.valid()) {
                visit((*this)[slot]);
            }
        }
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (MessageSlot slot = 0; slot < slot_count(); ++slot) {
            if ((*this)[slot].id.valid()) {
                visit((*this)[slot]);
            }
        }
    }

  private:
    static constexpr std::size_t kBlock = 64;
    struct Block {
        std::array<Message, kBlock> messages;
        std::array<std::vector<std::uint8_t>, kBlock> bodies;
    };
    struct Slots;

    std::vector<std::uint8_t>& body_of(MessageSlot slot) {
        return blocks_[slot / kBlock]->bodies[slot % kBlock];
    }
    [[nodiscard]] bool is_shared() const;
    [[nodiscard]] MessageSlot slot_count() const;
    [[gnu::cold, gnu::noinline]] void get_slots();
    [[gnu::cold, gnu::noinline]] void give_slots_back();

    std::shared_ptr<Slots> slots_;
    const std::unique_ptr<Block>* blocks_ = nullptr;  // the list of blocks, shared by all tiles
    std::vector<MessageSlot> free_;                   // free slots of this tile
    std::int64_t allocated_ = 0;  // slots allocated minus slots released in this tile
};

}  // namespace weir::hw
