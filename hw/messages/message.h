#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hw/controller/controller_registers.h"
#include "hw/units.h"

namespace weir::hw {

/// Identity of a message: its sender, and the number of messages that the sender had launched
/// before. This number does not depend on other nodes, so it names the same message in every run.
struct MessageId {
    NodeId source;
    std::int64_t sequence = -1;
    [[nodiscard]] bool valid() const { return sequence >= 0; }
    constexpr auto operator<=>(const MessageId&) const = default;
};

/// Name of a message for users: "message 7 of node 3".
inline std::string described(const MessageId& message) {
    return "message " + std::to_string(message.sequence) + " of node " +
           std::to_string(message.source.index());
}

/// Time of each stage of a message's trip, in cycles from the start of the run; kNever for a stage
/// not reached. The members are in the order of the trip.
struct MessageTimes {
    Cycles compose = kNever;         ///< the core issued the first store to the output descriptor
    Cycles launch = kNever;          ///< the launch completed; the message is in the output queue
    Cycles network_entry = kNever;   ///< its first flit left the output queue
    Cycles send_dma_end = kNever;    ///< last byte of the body was read from memory
    Cycles tail_entry = kNever;      ///< its last flit left the output queue
    Cycles first_arrival = kNever;   ///< its first flit entered the input queue
    Cycles header_arrival = kNever;  ///< the last flit of its 8-byte header entered the input queue
    Cycles tail_arrival = kNever;    ///< its last flit entered the input queue
    Cycles notify = kNever;          ///< the controller is ready to interrupt for it
    Cycles handler_begin = kNever;   ///< the core entered the interrupt for it
    Cycles code_begin = kNever;      ///< dispatch done, its own handler's code begins
    Cycles receive_dma_begin = kNever;  ///< receiving DMA for the body was set up
    Cycles code_end = kNever;           ///< its own handler's code has returned
    Cycles receive_dma_end = kNever;    ///< last byte of the body was written to memory
    Cycles dispose = kNever;            ///< it left the input queue
    Cycles handler_end = kNever;        ///< the core left the interrupt
};

/// A message in transit: its contents, and its data for the trace.
struct Message {
    MessageId id;
    MessageId parent;  ///< the message whose handler sent this one; invalid for a message sent by
                       ///< the thread
    NodeId source;
    NodeId destination;
    std::int32_t word_count = 0;
    std::array<std::uint32_t, WEIR_DESCRIPTOR_WORDS> words{};  ///< header, handler, arguments
    Bytes bytes;       ///< length in the network, with the body
    Bytes body_bytes;  ///< part of `bytes` that DMA engines move from memory to memory
    std::int32_t hops = 0;
    Cycles unloaded;           ///< uncontended time from launch to arrival of the last header flit
    Cycles launch_blocked{0};  ///< cycles the launch waited for room in the output queue
    std::int32_t restored_words = 0;  ///< descriptor words saved and restored for an interrupt
    MessageTimes times;

    /// True for a packet of the coherence protocol, which no program sees.
    [[nodiscard]] bool is_of_protocol() const {
        return WEIR_HEADER_OPERATION(words[0]) >= WEIR_PROTOCOL_OPERATION;
    }
};

}  // namespace weir::hw
