#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::experiments::setup {

/// Number for readers: whole numbers in full, others with six digits.
[[nodiscard]] std::string number_text(double value);

/// Numbers of a column with the same number of decimals each. The smallest number shows three
/// digits, unless the largest number then becomes too long. Missing values are shown as `absent`.
[[nodiscard]] std::vector<std::string> column_text(std::span<const std::optional<double>> values,
                                                   const std::string& absent);

struct TextColumn {
    std::string name;    ///< heading, broken into lines where it is wider than the values
    std::string symbol;  ///< symbol in the line below the name
    std::vector<std::string> cells;
    bool is_text = false;         ///< left-aligned, and broken into lines if too wide
    bool is_of_previous = false;  ///< kept in the same block as the previous column
};

[[nodiscard]] TextColumn column_of_text(std::string name);
[[nodiscard]] TextColumn column_of_numbers(std::string name);

/// Table of at most 80 columns on a terminal. Columns that do not fit follow in further blocks,
/// which repeat the first `repeated` columns.
[[nodiscard]] std::string text_table(const std::vector<TextColumn>& columns, std::size_t repeated);
/// The same table from rows; each row has a cell for every column.
[[nodiscard]] std::string text_table(std::vector<TextColumn> columns,
                                     const std::vector<std::vector<std::string>>& rows,
                                     std::size_t repeated = 1);

/// One line of a table that is printed row by row, in columns of these widths. The first column is
/// left-aligned, the others hold numbers.
[[nodiscard]] std::string text_line(std::span<const std::size_t> widths,
                                    const std::vector<std::string>& cells);

/// List of names with a text beside each. The column of names is as wide as the widest name, or
/// `width` wide; a wider name has its text on the next line.
[[nodiscard]] std::string text_list(const std::vector<std::pair<std::string, std::string>>& entries,
                                    std::size_t indent = 2, std::size_t width = 0);

}  // namespace weir::experiments::setup
