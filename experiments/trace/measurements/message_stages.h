#pragma once

#include <array>

#include "hw/messages/message.h"

namespace weir::experiments::trace {

/// Times of a message's stages, in the order of the columns of the messages table.
inline constexpr std::array kMessageStages{
    &hw::MessageTimes::compose,        &hw::MessageTimes::launch,
    &hw::MessageTimes::network_entry,  &hw::MessageTimes::send_dma_end,
    &hw::MessageTimes::tail_entry,     &hw::MessageTimes::first_arrival,
    &hw::MessageTimes::header_arrival, &hw::MessageTimes::tail_arrival,
    &hw::MessageTimes::notify,         &hw::MessageTimes::handler_begin,
    &hw::MessageTimes::code_begin,     &hw::MessageTimes::receive_dma_begin,
    &hw::MessageTimes::code_end,       &hw::MessageTimes::receive_dma_end,
    &hw::MessageTimes::dispose,        &hw::MessageTimes::handler_end,
};

}  // namespace weir::experiments::trace
