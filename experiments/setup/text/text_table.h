#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::experiments::setup {

/// A number for a person: whole ones whole, others with six digits.
[[nodiscard]] std::string number_text(double value);

/// The numbers of a column with as many decimals each, as long as that shows three digits of the
/// smallest and is not too long for the largest; what isn't there as `absent`.
[[nodiscard]] std::vector<std::string> column_text(std::span<const std::optional<double>> values,
                                                   const std::string& absent);

struct TextColumn {
    std::string name;    ///< in several lines where it is wider than what is below it
    std::string symbol;  ///< in the line below the name
    std::vector<std::string> cells;
    bool is_text = false;         ///< left-aligned, and broken into lines when it is too wide
    bool is_of_previous = false;  ///< in the same block as the column before it
};

[[nodiscard]] TextColumn column_of_text(std::string name);
[[nodiscard]] TextColumn column_of_numbers(std::string name);

/// A table that is 80 columns wide at most: what does not fit beside the first columns follows in
/// further blocks, each with the first `repeated` columns before it.
[[nodiscard]] std::string text_table(const std::vector<TextColumn>& columns, std::size_t repeated);
/// The same of rows, each with a cell for every column.
[[nodiscard]] std::string text_table(std::vector<TextColumn> columns,
                                     const std::vector<std::vector<std::string>>& rows,
                                     std::size_t repeated = 1);

/// A line of a table whose rows are shown one by one, in columns of these widths: the first is
/// left-aligned, the others hold numbers.
[[nodiscard]] std::string text_line(std::span<const std::size_t> widths,
                                    const std::vector<std::string>& cells);

/// A list of names, each with a text beside it. The names' column is as wide as the widest of
/// them, or as `width` says; a name that is wider stands in a line above its text.
[[nodiscard]] std::string text_list(const std::vector<std::pair<std::string, std::string>>& entries,
                                    std::size_t indent = 2, std::size_t width = 0);

}  // namespace weir::experiments::setup
