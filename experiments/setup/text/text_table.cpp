#include "experiments/setup/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/setup/text/wrapped_text.h"
#include "hw/text_streams.h"

namespace weir::experiments::setup {

namespace {

constexpr int kSignificantDigits = 6;
constexpr int kMostDecimals = 8;
constexpr double kLargestPlain = 1e15;
constexpr double kSmallestPlain = 1e-4;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowestText = 16;
constexpr std::size_t kWidestKey = 30;
constexpr std::size_t kWidthOfKeys = 48;  // greatest width of all repeated columns together

bool is_whole(double value) {
    return std::trunc(value) == value && std::abs(value) < kLargestPlain;
}

/// Power of ten of the first digit.
int magnitude(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

std::string in_plain(double value, int decimals) {
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
    return is_zero && text.front() == '-' ? text.substr(1) : text;
}

/// Number of decimals that suits all numbers; empty if none does.
std::optional<int> common_decimals(std::span<const std::optional<double>> values) {
    bool all_whole = true;
    int largest = -400;
    int smallest = 400;
    for (const std::optional<double>& value : values) {
        if (value && *value != 0.0) {
            all_whole = all_whole && is_whole(*value);
            largest = std::max(largest, magnitude(*value));
            smallest = std::min(smallest, magnitude(*value));
        }
    }
    if (all_whole) {
        return 0;
    }
    const int decimals = std::max({1, kSignificantDigits - 1 - largest, 2 - smallest});
    const bool suits = decimals <= kMostDecimals && largest + decimals <= 2 * kSignificantDigits;
    return suits ? std::optional(decimals) : std::nullopt;
}

/// Number of last decimals that are zero in all numbers.
int common_zeros(std::span<const std::optional<double>> values, int decimals) {
    int zeros = decimals;
    for (const std::optional<double>& value : values) {
        if (value) {
            const std::string text = in_plain(*value, decimals);
            const std::size_t last = text.find_last_not_of('0');
            zeros = std::min(zeros, static_cast<int>(text.size() - 1 - last));
        }
    }
    return zeros;
}

/// Length in bytes of the first `columns` columns; a character of several bytes is not divided.
std::size_t bytes_of(const std::string& text, std::size_t columns) {
    std::size_t bytes = 0;
    while (bytes < text.size() && width_of(text.substr(0, bytes + 1)) <= columns) {
        ++bytes;
    }
    return bytes;
}

/// Lines of a cell. A word wider than the line is divided, a path behind one of its slashes.
std::vector<std::string> cell_lines(const std::string& text, std::size_t width) {
    if (width_of(text) <= width) {
        return {text};
    }
    hw::TextReader in(wrapped(text, "", "", width));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        while (width_of(line) > width) {
            std::size_t bytes = bytes_of(line, width);
            if (const std::size_t slash = line.rfind('/', bytes - 1); slash != std::string::npos) {
                bytes = slash + 1;
            }
            lines.push_back(line.substr(0, bytes));
            line.erase(0, bytes);
        }
        lines.push_back(line);
    }
    return lines;
}

std::size_t longest_word(const std::string& text) {
    hw::TextReader words(text);
    std::size_t longest = 0;
    for (std::string word; words >> word;) {
        longest = std::max(longest, width_of(word));
    }
    return longest;
}

/// Width of the widest value, the symbol and the name; a name of several words may be broken into
/// lines.
std::size_t natural_width(const TextColumn& column) {
    std::size_t width =
        std::max({std::min(width_of(column.name), kNarrowestText),
                  std::min(longest_word(column.name), kWidestKey), width_of(column.symbol)});
    for (const std::string& cell : column.cells) {
        width = std::max(width, width_of(cell));
    }
    return width;
}

struct PlacedColumn {
    const TextColumn* column;
    std::size_t width;
};

std::string padded(const std::string& text, const PlacedColumn& placed) {
    const std::size_t used = width_of(text);
    const std::string blanks(placed.width > used ? placed.width - used : 0, ' ');
    return placed.column->is_text ? text + blanks : blanks + text;
}

void add_line(std::string line, std::string& page) {
    line.erase(line.find_last_not_of(' ') + 1);
    page += line + "\n";
}

/// Adds one row, with as many lines as its longest cell needs.
void add_row(const std::vector<PlacedColumn>& block, const std::vector<std::string>& cells,
             std::string& page) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 1;
    for (std::size_t i = 0; i < block.size(); ++i) {
        lines.push_back(cell_lines(cells[i], block[i].width));
        height = std::max(height, lines.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
        std::string text;
        for (std::size_t i = 0; i < block.size(); ++i) {
            text += std::string(kGap, ' ') +
                    padded(line < lines[i].size() ? lines[i][line] : "", block[i]);
        }
        add_line(text, page);
    }
}

void add_block(const std::vector<PlacedColumn>& block, std::string& page) {
    std::vector<std::string> names;
    std::vector<std::string> symbols;
    bool any_name = false;
    bool any_symbol = false;
    for (const PlacedColumn& placed : block) {
        names.push_back(placed.column->name);
        symbols.push_back(placed.column->symbol);
        any_name = any_name || !placed.column->name.empty();
        any_symbol = any_symbol || !placed.column->symbol.empty();
    }
    if (any_name) {
        add_row(block, names, page);
    }
    if (any_symbol) {
        add_row(block, symbols, page);
    }
    for (std::size_t row = 0; row < block.front().column->cells.size(); ++row) {
        std::vector<std::string> cells;
        cells.reserve(block.size());
        for (const PlacedColumn& placed : block) {
            cells.push_back(placed.column->cells[row]);
        }
        add_row(block, cells, page);
    }
}

}  // namespace

std::string number_text(double value) {
    if (is_whole(value)) {
        return in_plain(value, 0);
    }
    if (std::abs(value) >= kLargestPlain || std::abs(value) < kSmallestPlain) {
        return fmt::format("{:.{}g}", value, kSignificantDigits);
    }
    std::string text = in_plain(value, std::max(1, kSignificantDigits - 1 - magnitude(value)));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}

std::vector<std::string> column_text(std::span<const std::optional<double>> values,
                                     const std::string& absent) {
    std::optional<int> decimals = common_decimals(values);
    if (decimals) {
        *decimals -= common_zeros(values, *decimals);
    }
    std::vector<std::string> cells;
    for (const std::optional<double>& value : values) {
        if (!value) {
            cells.push_back(absent);
        } else {
            cells.push_back(decimals ? in_plain(*value, *decimals) : number_text(*value));
        }
    }
    return cells;
}

TextColumn column_of_text(std::string name) { return {std::move(name), "", {}, true}; }
TextColumn column_of_numbers(std::string name) { return {std::move(name), "", {}}; }

std::string text_table(const std::vector<TextColumn>& columns, std::size_t repeated) {
    repeated = std::min(repeated, columns.size());
    std::vector<PlacedColumn> first;
    std::size_t first_width = 0;
    const std::size_t widest = repeated > 1 ? kWidthOfKeys / repeated : kWidestKey;
    for (std::size_t i = 0; i < repeated; ++i) {
        const std::size_t natural = natural_width(columns[i]);
        const std::size_t width = columns[i].is_text ? std::min(natural, widest) : natural;
        if (i > 0 && first_width + kGap + width + kGap + kNarrowestText > kPageColumns) {
            repeated = i;
            break;
        }
        first.push_back({&columns[i], width});
        first_width += kGap + width;
    }
    const std::size_t room =
        std::max(kPageColumns, first_width + kGap + kNarrowestText) - first_width;
    std::string page;
    std::vector<PlacedColumn> block = first;
    std::size_t used = 0;
    const auto finish_block = [&] {
        page += page.empty() ? "" : "\n";
        add_block(block, page);
        block = first;
        used = 0;
    };
    // Least width of a column, with the gap before it.
    const auto needed_by = [&](const TextColumn& column) {
        const std::size_t natural = natural_width(column);
        const std::size_t narrowest =
            std::min(natural, std::max(kNarrowestText, longest_word(column.name)));
        return kGap + std::min(room - kGap, column.is_text ? narrowest : natural);
    };
    for (std::size_t i = repeated; i < columns.size(); ++i) {
        const std::size_t needed = needed_by(columns[i]);
        std::size_t together = needed;
        for (std::size_t j = i + 1; j < columns.size() && columns[j].is_of_previous; ++j) {
            together += needed_by(columns[j]);
        }
        if (block.size() > repeated && used + together > room) {
            finish_block();
        }
        const std::size_t left = room - std::min(room, used + needed);
        block.push_back({&columns[i], std::min(natural_width(columns[i]), needed - kGap + left)});
        used += kGap + block.back().width;
    }
    if (!block.empty()) {
        finish_block();
    }
    return page;
}

std::string text_table(std::vector<TextColumn> columns,
                       const std::vector<std::vector<std::string>>& rows, std::size_t repeated) {
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            columns[i].cells.push_back(row[i]);
        }
    }
    return text_table(columns, repeated);
}

std::string text_line(std::span<const std::size_t> widths, const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const TextColumn column{.name = {}, .symbol = {}, .cells = {}, .is_text = i == 0};
        line += padded(cells[i], {&column, widths[i]});
    }
    std::string page;
    add_line(std::move(line), page);
    return page;
}

std::string text_list(const std::vector<std::pair<std::string, std::string>>& entries,
                      std::size_t indent, std::size_t width) {
    if (width == 0) {
        for (const auto& [name, text] : entries) {
            width = std::max(width, width_of(name));
        }
    }
    std::string page;
    const std::string below(indent + width + kGap, ' ');
    for (const auto& [name, text] : entries) {
        const std::string begin = std::string(indent, ' ') + name;
        const std::size_t used = width_of(begin);
        page += used + kGap > below.size()
                    ? begin + "\n" + wrapped(text, below, below)
                    : wrapped(text, begin + std::string(below.size() - used, ' '), below);
    }
    return page;
}

}  // namespace weir::experiments::setup
