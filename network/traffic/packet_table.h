#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/messages/message_pool.h"
#include "hw/units.h"

namespace weir::network {

/// A packet that has left its source's queue.
struct Packet {
    std::int32_t source = 0;
    std::int32_t destination = 0;
    hw::Flits flits{1};
    hw::Cycles generated{0};
    hw::Cycles injected{0};  ///< its header left the source
    bool is_tagged = false;  ///< generated in the measurement phase
};

/// The packets on their way, by the number their flits carry. Numbers are used again; nothing that
/// is measured depends on them.
class PacketTable {
  public:
    hw::MessageSlot add(const Packet& packet) {
        if (free_.empty()) {
            packets_.push_back(packet);
            return static_cast<hw::MessageSlot>(packets_.size() - 1);
        }
        const hw::MessageSlot slot = free_.back();
        free_.pop_back();
        packets_[slot] = packet;
        return slot;
    }
    void remove(hw::MessageSlot slot) { free_.push_back(slot); }
    [[nodiscard]] const Packet& operator[](hw::MessageSlot slot) const { return packets_[slot]; }
    [[nodiscard]] std::size_t in_use() const { return packets_.size() - free_.size(); }

  private:
    std::vector<Packet> packets_;
    std::vector<hw::MessageSlot> free_;
};

}  // namespace weir::network
