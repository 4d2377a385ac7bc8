#pragma once

#include <cstddef>
#include <string_view>

namespace weir::hw {

/// Position of a reader in a text, with its place for messages: line and column, from 1. A column
/// is a character in UTF-8.
class TextCursor {
  public:
    explicit TextCursor(std::string_view text) : text_(text) {}

    /// Position in bytes.
    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool is_at_end() const { return at_ == text_.size(); }
    [[nodiscard]] int line() const { return line_; }
    [[nodiscard]] int column() const { return column_; }

    /// Moves forward by a number of bytes, which the text must have.
    void advance(std::size_t bytes) {
        for (const std::size_t end = at_ + bytes; at_ < end; ++at_) {
            if (text_[at_] == '\n') {
                ++line_;
                column_ = 1;
            } else if (!continues_character(text_[at_])) {
                ++column_;
            }
        }
    }

    /// True for a byte of a character in UTF-8 that is not its first.
    [[nodiscard]] static bool continues_character(char byte) {
        return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    int column_ = 1;
};

}  // namespace weir::hw
