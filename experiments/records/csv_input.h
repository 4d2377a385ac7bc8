#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::records {

/// Reader of a CSV table of a run (RFC 4180, one row per line), which may have been edited since.
/// Each reader throws setup::UserFault with file, line and column for an invalid value.
class CsvInput {
  public:
    /// `columns` is the expected first line. A missing file, or one whose first line differs (such
    /// as from another version of Weir), reads as a table without rows.
    CsvInput(const std::filesystem::path& path, std::string_view columns);

    /// A table from elsewhere, with these columns in any order among others. They are numbered in
    /// the order of `wanted`. Throws setup::UserFault for a missing file or column.
    CsvInput(const std::filesystem::path& path, const std::vector<std::string>& wanted);

    [[nodiscard]] std::size_t rows() const { return rows_.size(); }
    /// Text of a field; bytes that are not UTF-8 become escapes. Columns are numbered from 0.
    [[nodiscard]] std::string text(std::size_t row, std::size_t column) const;
    /// Number in a field, which must be finite and at least `least`.
    [[nodiscard]] double number(std::size_t row, std::size_t column, double least = 0.0) const;
    [[nodiscard]] std::int64_t whole_number(std::size_t row, std::size_t column,
                                            std::int64_t least = 0,
                                            std::int64_t most = INT64_MAX) const;

    /// Text of a field, which must be one of these.
    [[nodiscard]] std::string one_of(std::size_t row, std::size_t column,
                                     std::span<const std::string> accepted) const;

  private:
    void read_rows(std::istream& in, std::size_t fields);
    [[noreturn]] void refuse(std::size_t row, std::size_t column, const std::string& found,
                             const std::string& accepted) const;

    std::string path_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace weir::experiments::records
