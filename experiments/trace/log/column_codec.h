#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir::experiments::trace {

// How numbers lie in a trace's log: a column of a block as offsets from its least value, in as few
// bytes each as the largest offset needs. Bytes of a number go low byte first. What is absent
// (kAbsent) takes an offset of its own.

/// Bytes that are no column, or too few of them.
class DamagedBytes : public std::runtime_error {
  public:
    DamagedBytes() : std::runtime_error("damaged bytes") {}
};

/// Takes bytes from the front of a text. Throws DamagedBytes where there are too few.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] bool at_end() const { return bytes_.empty(); }
    /// A number of so many bytes, 1 to 8.
    [[nodiscard]] std::uint64_t number(std::size_t bytes);
    [[nodiscard]] std::string_view text(std::size_t bytes);

  private:
    std::string_view bytes_;
};

void append_number(std::string& out, std::uint64_t value, std::size_t bytes);

void append_column(std::string& out, std::span<const std::int64_t> values);

/// Fills `values` with as many as append_column() was given. Throws DamagedBytes.
void read_column(ByteReader& in, std::span<std::int64_t> values);

}  // namespace weir::experiments::trace
