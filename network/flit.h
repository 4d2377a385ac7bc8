#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/messages/message_pool.h"

namespace weir::network {

/// Unit of transfer over a channel: flit_bytes of one message. The header flit carries the
/// destination, the message's length and its lot. The message holds the bytes themselves; the flit
/// names its slot. Twelve bytes long, since buffers are arrays of flits.
struct Flit {
    /// Longest message length that a header can carry. No buffer that must hold whole messages is
    /// larger; only routers with such buffers read the length.
    static constexpr std::int64_t kMostFlits = (1 << 13) - 1;

    hw::MessageSlot message = 0;
    std::uint16_t destination = 0;
    bool is_header : 1 = false;
    bool is_tail : 1 = false;
    /// In a header: flits of the message, header and tail included, limited to kMostFlits. In
    /// another flit: damage by a faulty channel (faults/link_faults.h), 0 if intact.
    std::uint16_t message_flits : 13 = 0;
    /// In a header: the lot drawn for the message, which chooses among its routes (Routing::lots).
    std::uint16_t lot = 0;

    static constexpr std::uint16_t kLost = 1;
    static constexpr std::uint16_t kFirstFlippedBit = 2;
    [[nodiscard]] bool is_damaged() const { return !is_header && message_flits != 0; }
    [[nodiscard]] bool is_lost() const { return !is_header && message_flits == kLost; }
    /// Number of the flipped bit. The flit must be damaged and not lost.
    [[nodiscard]] int flipped_bit() const { return message_flits - kFirstFlippedBit; }

    /// Header of a message of `flits` flits.
    static Flit header(hw::MessageSlot message, std::uint16_t destination, std::int64_t flits,
                       std::uint16_t lot = 0) {
        Flit flit{message, destination, true, flits == 1};
        flit.message_flits = static_cast<std::uint16_t>(std::min(flits, kMostFlits)) & 0x1fffU;
        flit.lot = lot;
        return flit;
    }
};
static_assert(sizeof(Flit) == 12);

/// Number of flits of a message, at least one. `tag` bytes travel beside the first flit, in
/// addition to its flit_bytes.
inline hw::Flits flits_of_message(hw::Bytes message, hw::Bytes flit_bytes, hw::Bytes tag) {
    return std::max(hw::flits_of(message - tag, flit_bytes), hw::Flits(1));
}

}  // namespace weir::network
