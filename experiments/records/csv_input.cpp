#include "experiments/records/csv_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "hw/input_limits.h"
#include "hw/refusal.h"
#include "hw/text_streams.h"

namespace weir::experiments::records {

namespace {

// Largest number in results; larger ones would overflow in the computations of pages.
constexpr double kMost = 9.2e18;

// Within a quoted field, two quotes mean one quote.
std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields(1);
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool is_quote = line[i] == '"';
        if (is_quote && is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += line[i++];
        } else if (is_quote) {
            is_quoted = !is_quoted;
        } else if (line[i] == ',' && !is_quoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[i];
        }
    }
    return fields;
}

// Line without the carriage return of files from Windows.
std::string_view without_return(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

template <class Number>
bool read_whole(const std::string& text, Number& number) {
    const char* const end = text.data() + text.size();
    const auto [read, fault] = std::from_chars(text.data(), end, number);
    return fault == std::errc() && read == end;
}

}  // namespace

CsvInput::CsvInput(const std::filesystem::path& path, std::string_view columns)
    : path_(path.string()), columns_(fields_of(columns)) {
    hw::FileReader in(path);
    std::string line;
    if (!std::getline(in, line) || line != columns) {
        return;
    }
    read_rows(in, columns_.size());
}

CsvInput::CsvInput(const std::filesystem::path& path, const std::vector<std::string>& wanted)
    : path_(path.string()), columns_(wanted) {
    hw::FileReader in(path);
    hw::skip_byte_order_mark(in);
    std::string line;
    if (!hw::next_line(in, line, hw::kTableLimits)) {
        throw setup::UserFault({path_}, "the file can't be read, or is empty",
                               "a CSV table whose first line names its columns");
    }
    const std::vector<std::string> found = fields_of(without_return(line));
    std::vector<std::size_t> places;
    for (const std::string& column : wanted) {
        const auto place = std::find(found.begin(), found.end(), column);
        if (place == found.end()) {
            throw setup::UserFault({path_ + ":1"}, fmt::format("there is no column {}", column),
                                   fmt::format("{}", fmt::join(wanted, ",")));
        }
        places.push_back(place - found.begin());
    }
    read_rows(in, found.size());
    for (std::vector<std::string>& row : rows_) {
        std::vector<std::string> ordered;
        std::ranges::transform(places, std::back_inserter(ordered),
                               [&row](std::size_t place) { return row[place]; });
        row = std::move(ordered);
    }
}

void CsvInput::read_rows(std::istream& in, std::size_t fields) {
    std::string line;
    while (hw::next_line(in, line, hw::kTableLimits)) {
        if (const auto fault = hw::line_fault(line, hw::kTableLimits)) {
            throw setup::UserFault({fmt::format("{}:{}", path_, rows_.size() + 2)}, *fault);
        }
        rows_.push_back(fields_of(without_return(line)));
        if (rows_.back().size() != fields) {
            throw setup::UserFault(
                {fmt::format("{}:{}", path_, rows_.size() + 1)},
                fmt::format("the row has {} fields", rows_.back().size()),
                fmt::format("{} fields, one for each column of the first line", fields));
        }
    }
}

std::string CsvInput::text(std::size_t row, std::size_t column) const {
    return setup::with_utf8_escapes(rows_[row][column]);
}

double CsvInput::number(std::size_t row, std::size_t column, double least) const {
    const std::string& text = rows_[row][column];
    double number = 0.0;
    if (!read_whole(text, number) || !(number >= least) || !(std::abs(number) <= kMost)) {
        refuse(row, column, text, fmt::format("a number from {:g} to {:g}", least, kMost));
    }
    return number;
}

std::int64_t CsvInput::whole_number(std::size_t row, std::size_t column, std::int64_t least,
                                    std::int64_t most) const {
    const std::string& text = rows_[row][column];
    std::int64_t number = 0;
    if (!read_whole(text, number) || number < least || number > most) {
        refuse(row, column, text, fmt::format("a whole number from {} to {}", least, most));
    }
    return number;
}

std::string CsvInput::one_of(std::size_t row, std::size_t column,
                             std::span<const std::string> accepted) const {
    const std::string& text = rows_[row][column];
    if (std::find(accepted.begin(), accepted.end(), text) == accepted.end()) {
        refuse(row, column, text, fmt::format("{}", fmt::join(accepted, ", ")));
    }
    return text;
}

void CsvInput::refuse(std::size_t row, std::size_t column, const std::string& found,
                      const std::string& accepted) const {
    constexpr std::size_t kFirstRow = 2;  // rows begin below the header line
    throw setup::UserFault(
        {fmt::format("{}:{}", path_, row + kFirstRow)},
        fmt::format("column {}: the value is \"{}\"", columns_[column], hw::shortened(found)),
        accepted);
}

}  // namespace weir::experiments::records
