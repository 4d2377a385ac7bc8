#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/messages/message_pool.h"

namespace weir::network {

/// What moves over a channel in a cycle: flit_bytes of one message. The header flit carries the
/// destination, the message's length and its lot; the bytes themselves lie in the message, which
/// the flit names. Eight bytes, since buffers are made of them.
struct Flit {
    /// The longest message that a header can announce: more than any buffer of whole messages has
    /// room for, and nobody else asks.
    static constexpr std::int64_t kMostFlits = (1 << 13) - 1;

    hw::MessageSlot message = 0;
    std::uint16_t destination = 0;
    bool is_header : 1 = false;
    bool is_tail : 1 = false;
    /// Of a header: the flits of the message, itself and the tail too, as far as that can be said.
    /// Of another flit: what a faulty channel has done to it (faults/link_faults.h), 0 for nothing.
    std::uint16_t message_flits : 13 = 0;
    /// Of a header: what the message has drawn, where its routing lets it (Routing::lots).
    std::uint16_t lot : 1 = 0;

    static constexpr std::uint16_t kLost = 1;
    static constexpr std::uint16_t kFirstFlippedBit = 2;
    [[nodiscard]] bool is_damaged() const { return !is_header && message_flits != 0; }
    [[nodiscard]] bool is_lost() const { return !is_header && message_flits == kLost; }
    /// Of a damaged flit that is not lost.
    [[nodiscard]] int flipped_bit() const { return message_flits - kFirstFlippedBit; }

    /// The header of a message of so many flits.
    static Flit header(hw::MessageSlot message, std::uint16_t destination, std::int64_t flits,
                       std::uint16_t lot = 0) {
        Flit flit{message, destination, true, flits == 1};
        flit.message_flits = static_cast<std::uint16_t>(std::min(flits, kMostFlits)) & 0x1fffU;
        flit.lot = lot & 1U;
        return flit;
    }
};
static_assert(sizeof(Flit) == 8);

/// How many flits a message takes of which `tag` bytes travel beside the first: one at least.
inline hw::Flits flits_of_message(hw::Bytes message, hw::Bytes flit_bytes, hw::Bytes tag) {
    return std::max(hw::flits_of(message - tag, flit_bytes), hw::Flits(1));
}

}  // namespace weir::network
