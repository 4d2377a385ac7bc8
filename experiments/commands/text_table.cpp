#include "experiments/commands/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "experiments/config/wrapped_text.h"

namespace weir::experiments::commands {

namespace {

constexpr int kDigits = 6;
constexpr int kMostDecimals = 8;
constexpr double kLargestPlain = 1e15;
constexpr double kSmallestPlain = 1e-4;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowestText = 16;
constexpr std::size_t kWidestKey = 30;

bool is_whole(double value) {
    return std::trunc(value) == value && std::abs(value) < kLargestPlain;
}

/// The power of ten of the first digit.
int magnitude(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

std::string in_plain(double value, int decimals) {
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
    return is_zero && text.front() == '-' ? text.substr(1) : text;
}

/// Decimals that suit all of the numbers; nothing when none do.
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
    const int decimals = std::max({1, kDigits - 1 - largest, 2 - smallest});
    const bool suits = decimals <= kMostDecimals && largest + decimals <= 2 * kDigits;
    return suits ? std::optional(decimals) : std::nullopt;
}

/// How many of the last decimals are zeros in all of the numbers.
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

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
    std::istringstream in(config::wrapped(text, "", "", width));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines.empty() ? std::vector<std::string>{""} : lines;
}

std::size_t natural_width(const TextColumn& column) {
    std::size_t width = std::max(config::width_of(column.name), config::width_of(column.symbol));
    for (const std::string& cell : column.cells) {
        width = std::max(width, config::width_of(cell));
    }
    return width;
}

struct PlacedColumn {
    const TextColumn* column;
    std::size_t width;
};

std::string padded(const std::string& text, const PlacedColumn& placed) {
    const std::size_t used = config::width_of(text);
    const std::string blanks(placed.width > used ? placed.width - used : 0, ' ');
    return placed.column->is_text ? text + blanks : blanks + text;
}

void add_line(std::string line, std::string& page) {
    line.erase(line.find_last_not_of(' ') + 1);
    page += line + "\n";
}

/// One row, in as many lines as its longest cell needs.
void add_row(const std::vector<PlacedColumn>& block, const std::vector<std::string>& cells,
             std::string& page) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 1;
    for (std::size_t i = 0; i < block.size(); ++i) {
        lines.push_back(block[i].column->is_text ? lines_of(cells[i], block[i].width)
                                                 : std::vector<std::string>{cells[i]});
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
    bool any_symbol = false;
    for (const PlacedColumn& placed : block) {
        names.push_back(placed.column->name);
        symbols.push_back(placed.column->symbol);
        any_symbol = any_symbol || !placed.column->symbol.empty();
    }
    add_row(block, names, page);
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
        return fmt::format("{:.{}g}", value, kDigits);
    }
    std::string text = in_plain(value, std::max(1, kDigits - 1 - magnitude(value)));
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

std::string text_table(const std::vector<TextColumn>& columns, std::size_t repeated) {
    repeated = std::min(repeated, columns.size());
    std::vector<PlacedColumn> first;
    std::size_t first_width = 0;
    for (std::size_t i = 0; i < repeated; ++i) {
        const std::size_t natural = natural_width(columns[i]);
        first.push_back(
            {&columns[i], columns[i].is_text ? std::min(natural, kWidestKey) : natural});
        first_width += kGap + first.back().width;
    }
    const std::size_t room =
        std::max(config::kPageColumns, first_width + kGap + kNarrowestText) - first_width;
    std::string page;
    std::vector<PlacedColumn> block = first;
    std::size_t used = 0;
    const auto finish_block = [&] {
        page += page.empty() ? "" : "\n";
        add_block(block, page);
        block = first;
        used = 0;
    };
    for (std::size_t i = repeated; i < columns.size(); ++i) {
        const std::size_t natural = natural_width(columns[i]);
        const std::size_t narrowest =
            std::min(natural, std::max(kNarrowestText, config::width_of(columns[i].name)));
        const std::size_t needed = kGap + (columns[i].is_text ? narrowest : natural);
        if (block.size() > repeated && used + needed > room) {
            finish_block();
        }
        const std::size_t left = room - std::min(room, used + needed);
        block.push_back({&columns[i], std::min(natural, needed - kGap + left)});
        used += kGap + block.back().width;
    }
    if (!block.empty()) {
        finish_block();
    }
    return page;
}

}  // namespace weir::experiments::commands
