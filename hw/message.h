#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "hw/controller_registers.h"
#include "hw/units.h"

namespace weir::hw {

/// The identity of a message: its sender and the number of messages that sender launched before.
/// It does not depend on what other nodes do, so it names the same message in every run.
struct MessageId {
    NodeId source;
    std::int64_t sequence = -1;
    [[nodiscard]] bool valid() const { return sequence >= 0; }
    constexpr auto operator<=>(const MessageId&) const = default;
};

/// When a message passed each stage of its trip, in cycles from the start of the run; kNever where
/// it has not. The order is that of the trip.
struct MessageTimes {
    Cycles compose = kNever;         ///< the core issued the first store to the output descriptor
    Cycles launch = kNever;          ///< the launch completed; the message is in the output queue
    Cycles network_entry = kNever;   ///< its first flit left the output queue
    Cycles tail_entry = kNever;      ///< its last flit left the output queue
    Cycles first_arrival = kNever;   ///< its first flit entered the input queue
    Cycles header_arrival = kNever;  ///< the last flit of its 8-byte header entered the input queue
    Cycles tail_arrival = kNever;    ///< its last flit entered the input queue
    Cycles notify = kNever;          ///< the controller is ready to interrupt for it
    Cycles handler_begin = kNever;   ///< the core entered the interrupt for it
    Cycles body_begin = kNever;      ///< dispatch done, its own handler's code begins
    Cycles body_end = kNever;        ///< its own handler's code has returned
    Cycles dispose = kNever;         ///< it left the input queue
    Cycles handler_end = kNever;     ///< the core left the interrupt
};

/// A message on its trip: what is on the wire, and what the trace says of it.
struct Message {
    MessageId id;
    MessageId parent;  ///< the message whose handler sent this one; invalid for the thread's own
    NodeId source;
    NodeId destination;
    std::int32_t word_count = 0;
    std::array<std::uint32_t, WEIR_DESCRIPTOR_WORDS> words{};  ///< header, handler, arguments
    Bytes bytes;                                               ///< length on the wire
    std::int32_t hops = 0;
    Cycles unloaded;           ///< launch to last header flit at the other end, nothing in the way
    Cycles launch_blocked{0};  ///< cycles the launch waited for room in the output queue
    std::int32_t restored_words = 0;  ///< descriptor words saved and restored for an interrupt
    MessageTimes times;
};

using MessageSlot = std::uint32_t;

/// All messages on their way, in slots that are used again once a message is done.
class MessagePool {
  public:
    MessageSlot allocate() {
        if (free_.empty()) {
            messages_.emplace_back();
            return static_cast<MessageSlot>(messages_.size() - 1);
        }
        const MessageSlot slot = free_.back();
        free_.pop_back();
        messages_[slot] = Message{};
        return slot;
    }
    void release(MessageSlot slot) {
        messages_[slot].id = MessageId{};
        free_.push_back(slot);
    }
    Message& operator[](MessageSlot slot) { return messages_[slot]; }
    [[nodiscard]] std::size_t in_use() const { return messages_.size() - free_.size(); }

    template <class Visit>
    void for_each(Visit visit) const {
        for (const Message& message : messages_) {
            if (message.id.valid()) {
                visit(message);
            }
        }
    }

  private:
    std::deque<Message> messages_;
    std::vector<MessageSlot> free_;
};

}  // namespace weir::hw
