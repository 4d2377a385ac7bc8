#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir::experiments::trace {

// Encoding of numbers in a trace's log. A column of a block is stored as offsets from its least
// value. Each offset has as many bytes as the largest one needs, low byte first. An absent value
// (kAbsent) has its own offset.

/// Bytes that are not a column, or too few of them.
class DamagedBytes : public std::runtime_error {
  public:
    DamagedBytes() : std::runtime_error("damaged bytes") {}
};

/// Reads from the front of a text. Throws DamagedBytes if too few bytes are left.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] bool at_end() const { return bytes_.empty(); }
    /// Number of `bytes` bytes, 1 to 8.
    [[nodiscard]] std::uint64_t number(std::size_t bytes);
    [[nodiscard]] std::string_view text(std::size_t bytes);

  private:
    std::string_view bytes_;
};

void append_number(std::string& out, std::uint64_t value, std::size_t bytes);

void append_column(std::string& out, std::span<const std::int64_t> values);

/// Reads as many values as `values` has elements; append_column() must have written the same
/// number. Throws DamagedBytes.
void read_column(ByteReader& in, std::span<std::int64_t> values);

}  // namespace weir::experiments::trace
