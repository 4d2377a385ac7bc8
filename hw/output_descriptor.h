#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "hw/controller_registers.h"
#include "hw/message.h"

namespace weir::hw {

/// The 16 words in which a core composes a message, and how many of them it has stored since the
/// last launch. They are state: whoever interrupts a composition saves and restores them.
class OutputDescriptor {
  public:
    void store(std::uint32_t index, std::uint32_t word) {
        words_[index] = word;
        composed_words_ = std::max(composed_words_, index + 1);
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t index) const { return words_[index]; }
    [[nodiscard]] std::uint32_t composed_words() const { return composed_words_; }

    /// Whether the first `count` words are a message: as many as its header says, to a node there
    /// is.
    [[nodiscard]] bool holds_message(std::uint32_t count, std::int32_t node_count) const {
        return count >= 2 && count <= WEIR_DESCRIPTOR_WORDS && count <= composed_words_ &&
               WEIR_HEADER_WORDS(words_[0]) == count &&
               WEIR_HEADER_DESTINATION(words_[0]) < static_cast<std::uint32_t>(node_count);
    }
    /// Makes them `message` and starts a new composition.
    void launch(std::uint32_t count, Message& message) {
        message.destination = NodeId(static_cast<std::int32_t>(WEIR_HEADER_DESTINATION(words_[0])));
        message.word_count = static_cast<std::int32_t>(count);
        std::copy_n(words_.begin(), count, message.words.begin());
        message.bytes = Bytes(std::int64_t{count} * WEIR_WORD_BYTES);
        composed_words_ = 0;
    }

  private:
    std::array<std::uint32_t, WEIR_DESCRIPTOR_WORDS> words_{};
    std::uint32_t composed_words_ = 0;
};

/// Whether the address lies in the 16 words from `base` on: the descriptor's or the input window's.
inline bool in_words(std::uint32_t address, std::uint32_t base) {
    return address >= base && address < base + WEIR_DESCRIPTOR_WORDS * WEIR_WORD_BYTES;
}
inline std::uint32_t word_index(std::uint32_t address, std::uint32_t base) {
    return (address - base) / WEIR_WORD_BYTES;
}

}  // namespace weir::hw
