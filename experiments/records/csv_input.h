#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::records {

/// A table that a run has left as CSV (RFC 4180, a row a line), and that others may have written to
/// since. Each reader throws setup::UserFault, with file, line and column, for what is not as it
/// says.
class CsvInput {
  public:
    /// `columns` is the first line. A file that is not there or begins otherwise, as one of another
    /// version does, has no rows.
    CsvInput(const std::filesystem::path& path, std::string_view columns);

    [[nodiscard]] std::size_t rows() const { return rows_.size(); }
    /// A field, with what is no UTF-8 as escapes; columns are numbered from 0.
    [[nodiscard]] std::string text(std::size_t row, std::size_t column) const;
    /// A finite number of at least `least`.
    [[nodiscard]] double number(std::size_t row, std::size_t column, double least = 0.0) const;
    [[nodiscard]] std::int64_t whole_number(std::size_t row, std::size_t column,
                                            std::int64_t least = 0,
                                            std::int64_t most = INT64_MAX) const;

  private:
    [[noreturn]] void refuse(std::size_t row, std::size_t column, const std::string& found,
                             const std::string& accepted) const;

    std::string path_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace weir::experiments::records
