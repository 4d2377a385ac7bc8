#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::experiments::pages {

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

/// A table that is 80 columns wide at most: what does not fit beside the first columns follows in
/// further blocks, each with the first `repeated` columns before it.
[[nodiscard]] std::string text_table(const std::vector<TextColumn>& columns, std::size_t repeated);

}  // namespace weir::experiments::pages
