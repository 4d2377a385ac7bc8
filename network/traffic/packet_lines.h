#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "network/traffic/traffic_parameters.h"

namespace weir::network {

/// A text file with one packet, or pair of nodes, per line: numbers with commas or blanks between
/// them. A # begins a comment; a first line of words is a heading. Lines without a field are
/// skipped.
class PacketLines {
  public:
    static constexpr std::int64_t kLatestCycle = 1'000'000'000'000;

    /// `file` must outlive this object. Each character of `comment_signs` begins a comment.
    PacketLines(std::istream& file, std::string file_name, std::string comment_signs = "#");

    /// Reads the next line with fields; false at the end of the file. Throws TrafficFault for a
    /// line that is too long.
    [[nodiscard]] bool next();

    [[nodiscard]] std::size_t field_count() const { return fields_.size(); }
    /// The number in a field. Throws TrafficFault unless it is a whole number in the range.
    [[nodiscard]] std::int64_t number(std::size_t field, const char* what, std::int64_t least,
                                      std::int64_t most) const;
    /// The same for a number with decimals, or with an exponent.
    [[nodiscard]] double real(std::size_t field, const char* what, double least, double most) const;
    /// A fault with the text "file:line: what was found".
    [[nodiscard]] TrafficFault fault(const std::string& found, const std::string& accepted) const;
    /// A fault with the number of fields found, for example "3 fields".
    [[nodiscard]] TrafficFault fault_of_field_count(const std::string& accepted) const;

  private:
    std::istream& file_;
    std::string file_name_;
    std::string comment_signs_;
    int line_ = 0;
    bool may_be_heading_ = true;
    std::vector<std::string> fields_;
};

}  // namespace weir::network
