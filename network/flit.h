#pragma once

#include <cstdint>

#include "hw/message.h"

namespace weir::network {

/// What moves over a channel in a cycle: flit_bytes of one message. The header flit carries the
/// destination; the bytes themselves lie in the message, which the flit names.
struct Flit {
    hw::MessageSlot message = 0;
    std::uint16_t destination = 0;
    bool is_header = false;
    bool is_tail = false;
};

}  // namespace weir::network
