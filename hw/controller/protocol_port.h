#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hw/messages/message.h"
#include "hw/units.h"

namespace weir::hw {

/// A packet of the coherence protocol, as transmitted. Its words are:
/// 1. the header, whose operation is the type of the packet;
/// 2. the line's address; the four lowest bits, zero in any line's address, are the line's
///    full/empty bits;
/// 3. a third node or a count, for packets with an operand;
/// 4. the line's four words, or the one data word of a fetch-and-op.
struct ProtocolPacket {
    static constexpr std::size_t kLineWords = 4;

    NodeId node;                  ///< destination of a packet to send, source of a received one
    std::uint32_t operation = 0;  ///< type of the packet; less than WEIR_PROTOCOL_OPERATION
    std::uint32_t address = 0;
    bool has_line = false;
    bool has_word = false;         ///< carries only the first word of `line`, behind the operand
    std::uint8_t empty_words = 0;  ///< bit i: word i of the line is empty
    std::optional<std::uint16_t> operand{};  ///< third node, or count
    std::array<std::uint32_t, kLineWords> line{};

    [[nodiscard]] std::int32_t words() const {
        return 2 + (operand ? 1 : 0) +
               (has_line   ? static_cast<std::int32_t>(kLineWords)
                : has_word ? 1
                           : 0);
    }
    [[nodiscard]] std::uint32_t second_word() const { return address | empty_words; }
    void set_second_word(std::uint32_t word) {
        constexpr std::uint32_t kWords = (1U << kLineWords) - 1;
        address = word & ~kWords;
        empty_words = static_cast<std::uint8_t>(word & kWords);
    }
    [[nodiscard]] Bytes bytes() const { return Bytes(std::int64_t{words()} * WEIR_WORD_BYTES); }
};

/// The coherent memory of a node, as seen by the message controller whose queues it shares. The
/// controller calls it in its own ticks. The results of may_receive() and to_send() change only at
/// the end of a cycle, and by receive() and sent().
class ProtocolPort {
  public:
    ProtocolPort() = default;
    ProtocolPort(const ProtocolPort&) = delete;
    ProtocolPort& operator=(const ProtocolPort&) = delete;
    virtual ~ProtocolPort() = default;

    /// True if the coherent memory takes a packet in this cycle.
    [[nodiscard]] virtual bool may_receive() const = 0;
    /// Takes a packet that has left the input queue.
    virtual void receive(const ProtocolPacket& packet) = 0;
    /// Next packet for the output queue; null while there is none.
    [[nodiscard]] virtual const ProtocolPacket* to_send() const = 0;
    /// Reports that the packet of to_send() is in the output queue.
    virtual void sent() = 0;
};

}  // namespace weir::hw
