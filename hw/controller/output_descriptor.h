#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/controller/controller_registers.h"
#include "hw/dma/dma_engine.h"
#include "hw/messages/message.h"

namespace weir::hw {

/// Contents of a store to WEIR_LAUNCH.
struct LaunchRequest {
    explicit LaunchRequest(std::uint32_t value)
        : operands(WEIR_LAUNCH_OPERANDS(value)),
          words(std::max(operands, std::uint32_t{WEIR_LAUNCH_WORDS(value)})),
          interrupts(WEIR_LAUNCH_INTERRUPTS(value) != 0) {}

    [[nodiscard]] bool has_body() const { return words > operands; }
    [[nodiscard]] Bytes operand_bytes() const {
        return Bytes(std::int64_t{operands} * WEIR_WORD_BYTES);
    }

    std::uint32_t operands;  ///< number of words of header, handler address and arguments
    std::uint32_t words;     ///< number of operands and of words of the body's pairs
    bool interrupts;         ///< interrupt when the body's last byte has been read
};

/// The 16 words in which a core composes a message, and the number of words stored since the last
/// launch. Interrupts must save and restore both.
class OutputDescriptor {
  public:
    void store(std::uint32_t index, std::uint32_t word) {
        words_[index] = word;
        composed_words_ = std::max(composed_words_, index + 1);
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t index) const { return words_[index]; }
    [[nodiscard]] std::uint32_t composed_words() const { return composed_words_; }

    /// Reason why the descriptor can't be launched; empty where it can. The number of operands must
    /// match the header, the destination must exist, and the other words must be pairs that the DMA
    /// engine can move.
    [[nodiscard]] std::optional<std::string> fault(const LaunchRequest& request,
                                                   std::int32_t node_count,
                                                   const DmaMemory& memory) const {
        if (request.operands < 2 || request.words > WEIR_DESCRIPTOR_WORDS ||
            request.words > composed_words_ || WEIR_HEADER_WORDS(words_[0]) != request.operands) {
            return "the descriptor does not hold as many words as the launch or the header says";
        }
        if (WEIR_HEADER_OPERATION(words_[0]) >= WEIR_PROTOCOL_OPERATION) {
            return "its operation is one of the coherence protocol's";
        }
        if (WEIR_HEADER_DESTINATION(words_[0]) >= static_cast<std::uint32_t>(node_count)) {
            return "there is no node " + std::to_string(WEIR_HEADER_DESTINATION(words_[0]));
        }
        if ((request.words - request.operands) % 2 != 0) {
            return "the last address of the body has no length";
        }
        for (const DmaEngine::Piece& piece : pieces(request)) {
            if (auto wrong = memory.fault(piece.address, Bytes(piece.bytes))) {
                return wrong;
            }
        }
        return std::nullopt;
    }
    /// Ranges of memory from which the body is gathered.
    [[nodiscard]] std::vector<DmaEngine::Piece> pieces(const LaunchRequest& request) const {
        std::vector<DmaEngine::Piece> pieces;
        for (std::uint32_t i = request.operands; i + 1 < request.words; i += 2) {
            pieces.push_back({words_[i], words_[i + 1]});
        }
        return pieces;
    }
    [[nodiscard]] NodeId destination() const {
        return NodeId(static_cast<std::int32_t>(WEIR_HEADER_DESTINATION(words_[0])));
    }
    /// Copies the descriptor to `message` and starts a new composition.
    void launch(const LaunchRequest& request, Message& message) {
        message.destination = destination();
        message.word_count = static_cast<std::int32_t>(request.operands);
        std::copy_n(words_.begin(), request.operands, message.words.begin());
        for (const DmaEngine::Piece& piece : pieces(request)) {
            message.body_bytes += Bytes(piece.bytes);
        }
        message.bytes = request.operand_bytes() + message.body_bytes;
        composed_words_ = 0;
    }

  private:
    std::array<std::uint32_t, WEIR_DESCRIPTOR_WORDS> words_{};
    std::uint32_t composed_words_ = 0;
};

/// True for an address in the 16 words from `base` on: the descriptor's or the input window's.
inline bool in_words(std::uint32_t address, std::uint32_t base) {
    return address >= base && address < base + WEIR_DESCRIPTOR_WORDS * WEIR_WORD_BYTES;
}
inline std::uint32_t word_index(std::uint32_t address, std::uint32_t base) {
    return (address - base) / WEIR_WORD_BYTES;
}

}  // namespace weir::hw
