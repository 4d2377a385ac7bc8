#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/records/document.h"

namespace weir::experiments::random_pages {

/// A number as shown in a sentence.
struct ShownNumber {
    std::size_t begin = 0;  ///< position in the sentence
    std::size_t end = 0;
    double value = 0.0;
    double rounding = 0.0;  ///< largest distance from the exact number
    bool is_whole = false;  ///< shown without decimals
    bool has_sign = false;
    bool is_percent = false;
    bool is_half_width = false;  ///< as in "± 1.0"
    bool is_bound = false;       ///< rounded up, as in "below 0.3 %"
    bool is_ratio = false;       ///< as in "3.9 times as much"
    bool is_count = false;       ///< as in "3 of 8 runs"
};

/// All numbers in a sentence, except those inside a word.
[[nodiscard]] std::vector<ShownNumber> numbers_in(std::string_view sentence);

/// Numbers and names in a page's tables, and in the CSV of its figures. Sentences of the page may
/// contain these.
class KnownNumbers {
  public:
    explicit KnownNumbers(const records::Document& page);

    /// The sentence with blanks in place of every name that contains digits: labels, files, places.
    [[nodiscard]] std::string without_names(std::string sentence) const;
    /// True if the shown number is in the tables, or follows from two numbers of one row or one
    /// column. Such a number may be their difference, their ratio, the percentage of one relative
    /// to the other, or a percentage of the column's sum. A count may also be any number up to a
    /// table's rows, or a number of the page's facts.
    [[nodiscard]] bool explain(const ShownNumber& shown) const;
    /// True if a listing or a paragraph of the page contains the number between the same two words.
    [[nodiscard]] bool quote(const std::string& sentence, const ShownNumber& shown) const;

  private:
    struct Numbers {
        std::vector<double> values;  ///< numbers of one row or one column
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
    std::vector<double> values_;      ///< all numbers of tables and figures, sorted
    std::vector<double> named_;       ///< numbers in labels and places: "exit cycles = 132"
    std::vector<double> counts_;      ///< numbers of the page's facts
    std::vector<std::string> names_;  ///< names with digits, the longest first
    std::vector<std::string> texts_;  ///< listings and paragraphs, with single blanks
    double most_rows_ = 0.0;
};

}  // namespace weir::experiments::random_pages
