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

/// Cell of a table: text, and the exact number behind it, by which tables are sorted.
struct TableCell {
    std::string text;
    std::optional<double> value;
    std::optional<double> half_width;  ///< half width of its 95 % confidence interval
    /// Emphasis of the cell.
    enum class Mark : std::uint8_t { kNone, kGood, kBad, kQuiet } mark = Mark::kNone;
};

[[nodiscard]] TableCell text_cell(std::string text, TableCell::Mark mark = TableCell::Mark::kNone);
/// Number with four significant digits, for example "438.3".
[[nodiscard]] TableCell number_cell(double value);
/// Number with four significant digits; a dash if there is no value.
[[nodiscard]] TableCell number_cell(const std::optional<double>& value);
/// Number without decimals, for example "1638".
[[nodiscard]] TableCell whole_cell(double value);
/// Mean with its confidence interval, for example "438.3 ± 1.0".
[[nodiscard]] TableCell interval_cell(double mean, const std::optional<double>& half_width);
/// Percentage with its sign, for example "+3.4 %" if `percent` is 3.4.
[[nodiscard]] TableCell percent_cell(double percent);
[[nodiscard]] TableCell absent_cell();

struct TableColumn {
    std::string name;
    std::string explanation;  ///< explanation of the column, shown on request; may be empty
    bool is_number = false;   ///< right-aligned
    /// The column belongs to the previous one and stays beside it when a table is split.
    bool is_of_previous = false;
    /// True for the column with the status of each row's runs. A cell without a mark means that all
    /// runs ended well and gave metrics.
    bool is_status = false;
};

[[nodiscard]] TableColumn text_column(std::string name);
[[nodiscard]] TableColumn number_column(std::string name, std::string explanation = "");
/// Column "status": how the runs of a row ended.
[[nodiscard]] TableColumn status_column();
/// Column "off": deviation of the previous column from the measured or published value.
[[nodiscard]] TableColumn off_column(std::string explanation);

/// Declaration that the exact numbers of some cells sum to the number of another cell. A cell
/// without a number counts as 0.
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
    std::vector<std::vector<TableCell>> rows;  ///< rows of the table, each with one cell per column
    std::vector<TableSum> sums = {};           ///< declared sums, verified by tests of pages
    /// Number of leading key columns, which identify a row. A table too wide for a terminal is
    /// split into blocks; each block repeats the key columns.
    std::size_t keys = 1;
};

/// Declares that in each of `columns` the last row's number, if it has one, is the sum of all other
/// rows.
void declare_last_row_as_sum(Table& table, const std::vector<std::size_t>& columns);
/// Declares that in the last row the columns `parts` sum to column `total`.
void declare_sum_in_last_row(Table& table, const std::vector<std::size_t>& parts,
                             std::size_t total);

struct Paragraph {
    std::string text;
};

/// Text that is shown with its line ends and spaces.
struct Listing {
    std::string text;
};

using Block = std::variant<Paragraph, Table, Figure, Listing, PlaybackFigure>;

struct Section {
    std::string title;
    std::vector<Block> blocks;
    std::vector<Section> parts;
    bool is_folded = false;  ///< the section is collapsed until the reader expands it
    /// The section is on the HTML page only, not on the text page.
    bool is_left_out_of_text = false;
};

/// Section with one table; empty if the table has no rows.
[[nodiscard]] std::optional<Section> section_of(std::string title, Table table);

/// Order of entries that a finding's sentences claim. An entry differs significantly from all
/// entries of later places. Entries that share a place have no claimed order.
struct Ranking {
    struct Entry {
        std::string name;
        std::size_t place = 0;
        /// Values by seed; a single value if only a mean is known.
        std::vector<double> values;
        std::optional<double> half_width;  ///< half width of the mean's 95 % confidence interval
    };
    std::string what;      ///< name of the order, for example "least cycles per iteration"
    bool is_most = false;  ///< entries with the greatest values come first
    std::vector<Entry> entries;
};

/// Sentences about one subject of a page, with their numbers, most important first.
struct Finding {
    std::string about;  ///< subject of the sentences; may be empty
    std::vector<std::string> sentences;
    std::vector<Ranking> rankings = {};  ///< orders that the sentences claim
};

/// Content of a page, before it is written for a terminal (pages/text_page.h) or as HTML.
struct Document {
    std::string title;
    std::string description;
    std::vector<Finding> findings;  ///< sentences at the beginning of the page
    /// Program, machine and other conditions of the runs: name and value.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<Section> sections;
    /// Seconds after which a browser reloads the page; 0: never.
    int refresh_seconds = 0;
};

/// Numbers the figures in order, and names each after its number and title, for example
/// "figure-03-cycles-per-iteration".
void name_figures(Document& document);

/// Gives all charts of one metric, subject and scale the same range of values. A chart that shares
/// these with no other chart keeps its own range.
void share_value_axes(Document& document);

/// Figures in the order of the page.
[[nodiscard]] std::vector<const Figure*> figures_of(const Document& document);

/// Name for files and links: the text's letters and digits in lower case, with single hyphens for
/// all else.
[[nodiscard]] std::string hyphenated(std::string_view text);

}  // namespace weir::experiments::records
