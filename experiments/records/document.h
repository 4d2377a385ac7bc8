#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/records/figure.h"
#include "experiments/records/playback.h"

namespace weir::experiments::records {

/// A cell: what a person reads, and the exact number behind it that tables are sorted by.
struct TableCell {
    std::string text;
    std::optional<double> value;
    std::optional<double> half_width;  ///< of its 95 % confidence interval
    /// How it stands out.
    enum class Mark : std::uint8_t { kNone, kGood, kBad, kQuiet } mark = Mark::kNone;
};

[[nodiscard]] TableCell text_cell(std::string text, TableCell::Mark mark = TableCell::Mark::kNone);
/// "438.3"; four digits of the number.
[[nodiscard]] TableCell number_cell(double value);
/// The same, or a dash where there is none.
[[nodiscard]] TableCell number_cell(const std::optional<double>& value);
/// "1638"; without decimals.
[[nodiscard]] TableCell whole_cell(double value);
/// "438.3 ± 1.0"
[[nodiscard]] TableCell interval_cell(double mean, const std::optional<double>& half_width);
/// "+3.4 %"; the value is the number of per cent.
[[nodiscard]] TableCell percent_cell(double percent);
[[nodiscard]] TableCell absent_cell();

struct TableColumn {
    std::string name;
    std::string explanation;      ///< shown on request; may be empty
    bool is_number = false;       ///< right-aligned
    bool is_of_previous = false;  ///< says something of the column before it, beside which it stays
    /// How the runs of a row ended: a cell without a mark says that all of them ended well, and
    /// that the row has what they measured.
    bool is_status = false;
};

[[nodiscard]] TableColumn text_column(std::string name);
[[nodiscard]] TableColumn number_column(std::string name, std::string explanation = "");
/// "status"
[[nodiscard]] TableColumn status_column();
/// "off": how far the column before it is from what was measured, or published.
[[nodiscard]] TableColumn off_column(std::string explanation);

/// Cells whose exact numbers are parts of another cell's; a cell without a number is a part of 0.
struct TableSum {
    struct Place {
        std::size_t row = 0;
        std::size_t column = 0;
    };
    std::vector<Place> parts;
    Place total;
};

struct Table {
    std::string caption;
    std::vector<TableColumn> columns;
    std::vector<std::vector<TableCell>> rows;  ///< as many cells as columns
    std::vector<TableSum> sums = {};           ///< what of it is parts of what
    /// The first so many columns say what a row is of: they stand in each block of a table that is
    /// too wide for a terminal.
    std::size_t keys = 1;
};

/// Declares that in each of these columns the rows sum to the last one, where that has a number.
void declare_last_row_as_sum(Table& table, const std::vector<std::size_t>& columns);
/// Declares that in the last row some columns sum to another one.
void declare_sum_in_last_row(Table& table, const std::vector<std::size_t>& parts,
                             std::size_t total);

struct Paragraph {
    std::string text;
};

/// Text whose lines and blanks count.
struct Listing {
    std::string text;
};

using Block = std::variant<Paragraph, Table, Figure, Listing, PlaybackFigure>;

struct Section {
    std::string title;
    std::vector<Block> blocks;
    std::vector<Section> parts;
    bool is_folded = false;            ///< opened on request
    bool is_left_out_of_text = false;  ///< only the HTML page has it
};

/// A section of one table; nothing where the table has no rows.
[[nodiscard]] std::optional<Section> section_of(std::string title, Table table);

/// An order that sentences claim: everything is told from what has a later place, and nothing is
/// claimed of the order of what shares a place.
struct Ranking {
    struct Entry {
        std::string name;
        std::size_t place = 0;
        std::vector<double> values;        ///< by seed; a single one where only a mean is known
        std::optional<double> half_width;  ///< of the 95 % interval of that mean
    };
    std::string what;      ///< "least cycles per iteration"
    bool is_most = false;  ///< the greatest values come first
    std::vector<Entry> entries;
};

/// What was found, in sentences made of its numbers, those that matter most first.
struct Finding {
    std::string about;  ///< what they are of; may be empty
    std::vector<std::string> sentences;
    std::vector<Ranking> rankings = {};  ///< that the sentences claim
};

/// A page before it is written as one, for a terminal (pages/text_page.h) or as HTML.
struct Document {
    std::string title;
    std::string description;
    std::vector<Finding> findings;  ///< what the page begins with
    /// What was run, by what: a name and a value each.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<Section> sections;
    /// A browser reads the page again after so many seconds; 0: it does not.
    int refresh_seconds = 0;
};

/// Numbers the figures in their order and names each after its number and title:
/// "figure-03-cycles-per-iteration".
void name_figures(Document& document);

/// Gives all charts of one metric, subject and scale the same range of values. A chart without a
/// partner keeps its own.
void share_value_axes(Document& document);

/// In the order of the page.
[[nodiscard]] std::vector<const Figure*> figures_of(const Document& document);

/// Letters and digits of a text, with single hyphens for the rest: a name for files and links.
[[nodiscard]] std::string hyphenated(std::string_view text);

}  // namespace weir::experiments::records
