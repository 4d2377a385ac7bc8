#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hw/messages/message.h"
#include "hw/units.h"

namespace weir::hw {

/// A packet of the coherence protocol, as it travels: a header word whose operation says which it
/// is, the line's address, and the line's bytes where the packet carries them. The second word has
/// room for the line's full/empty bits, since a line's address ends in four zeros. A packet that
/// names a third node, or a count, has a word more behind these two; one of a fetch-and-op has that
/// word and one of data.
struct ProtocolPacket {
    static constexpr std::size_t kLineWords = 4;

    NodeId node;                  ///< to which it goes, or from which it has come
    std::uint32_t operation = 0;  ///< below WEIR_PROTOCOL_OPERATION
    std::uint32_t address = 0;
    bool has_line = false;
    bool has_word = false;                   ///< the first of `line` alone, behind an operand
    std::uint8_t empty_words = 0;            ///< of the line: a bit each, the first word's lowest
    std::optional<std::uint16_t> operand{};  ///< the third node, or the count
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

/// What shares a message controller's queues with the messages: the part of a node that keeps its
/// memory coherent. The controller asks it in its own ticks; what is answered changes at the end of
/// a cycle only, and with the calls below.
class ProtocolPort {
  public:
    ProtocolPort() = default;
    ProtocolPort(const ProtocolPort&) = delete;
    ProtocolPort& operator=(const ProtocolPort&) = delete;
    virtual ~ProtocolPort() = default;

    /// Whether it takes a packet in this cycle.
    [[nodiscard]] virtual bool may_receive() const = 0;
    /// A packet has left the input queue.
    virtual void receive(const ProtocolPacket& packet) = 0;
    /// The next packet that is to go into the output queue; null while there is none.
    [[nodiscard]] virtual const ProtocolPacket* to_send() const = 0;
    /// It is there.
    virtual void sent() = 0;
};

}  // namespace weir::hw
