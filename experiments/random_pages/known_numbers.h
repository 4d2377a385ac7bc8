#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/records/document.h"

namespace weir::experiments::random_pages {

/// A number as a sentence shows it.
struct ShownNumber {
    std::size_t begin = 0;  ///< in its sentence
    std::size_t end = 0;
    double value = 0.0;
    double rounding = 0.0;  ///< at most so far from the number behind it
    bool is_whole = false;  ///< without decimals
    bool has_sign = false;
    bool is_percent = false;
    bool is_half_width = false;  ///< "± 1.0"
    bool is_bound = false;       ///< "below 0.3 %": rounded up
    bool is_ratio = false;       ///< "3.9 times as much"
    bool is_count = false;       ///< "3 of 8 runs"
};

/// All numbers of a sentence but those that are part of a word.
[[nodiscard]] std::vector<ShownNumber> numbers_in(std::string_view sentence);

/// Numbers and names in a page's tables, and in the CSV behind its figures: sentences may say them.
class KnownNumbers {
  public:
    explicit KnownNumbers(const records::Document& page);

    /// The sentence with blanks for every name that has digits in it: labels, files, places.
    [[nodiscard]] std::string without_names(std::string sentence) const;
    /// Whether a number of the tables is shown so, or follows from two numbers of one row or one
    /// column: their difference, their ratio, or how many per cent one is of the other, or of the
    /// column's sum. A count is at most as large as a table, or a number of the page's facts.
    [[nodiscard]] bool explain(const ShownNumber& shown) const;
    /// Whether a listing or a paragraph of the page has it, between the same two words.
    [[nodiscard]] bool quote(const std::string& sentence, const ShownNumber& shown) const;

  private:
    struct Numbers {
        std::vector<double> values;  ///< of one row, or of one column
        bool is_column = false;
    };
    void add(const records::Section& section);
    void add(const records::Table& table);
    void add(const records::Figure& figure);
    void add_name(const std::string& text);
    void add_lines(const std::vector<std::vector<std::vector<double>>>& cells);
    [[nodiscard]] bool is_known(const ShownNumber& shown) const;
    [[nodiscard]] bool follows(const ShownNumber& shown, const Numbers& line) const;

    std::vector<Numbers> lines_;
    std::vector<double> half_widths_;
    std::vector<double> values_;      ///< sorted
    std::vector<double> named_;       ///< in labels and places: "exit cycles = 132"
    std::vector<double> counts_;      ///< of the page's facts
    std::vector<std::string> names_;  ///< longest first
    std::vector<std::string> texts_;  ///< listings and paragraphs, with single blanks
    double most_rows_ = 0.0;
};

}  // namespace weir::experiments::random_pages
