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

/// Exception for bytes that are not a stored column, or end too early.
class DamagedBytes : public std::runtime_error {
  public:
    DamagedBytes() : std::runtime_error("damaged bytes") {}
};

/// Reads numbers and texts from the front of a byte string. Throws DamagedBytes if too few bytes
/// are left.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] bool at_end() const { return bytes_.empty(); }
    /// Next number, stored in `bytes` bytes, 1 to 8.
    [[nodiscard]] std::uint64_t number(std::size_t bytes);
    [[nodiscard]] std::string_view text(std::size_t bytes);

  private:
    std::string_view bytes_;
};

void append_number(std::string& out, std::uint64_t value, std::size_t bytes);

void append_column(std::string& out, std::span<const std::int64_t> values);

/// Reads a column of as many values as `values` has elements and append_column() has written.
/// Throws DamagedBytes if the bytes are not such a column.
void read_column(ByteReader& in, std::span<std::int64_t> values);

}  // namespace weir::experiments::trace
