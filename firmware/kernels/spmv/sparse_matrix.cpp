#include "firmware/kernels/spmv/sparse_matrix.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

#include "firmware/kernel.h"
#include "hw/input_limits.h"
#include "hw/random_stream.h"
#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

struct Entry {
    std::int32_t row;
    std::int32_t column;
    double value;
};

SparseMatrix by_rows(std::int32_t rows, std::int32_t columns, std::vector<Entry> entries) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    SparseMatrix matrix;
    matrix.rows = rows;
    matrix.columns = columns;
    matrix.row_begin.assign(rows + 1, 0);
    const Entry* last = nullptr;
    for (const Entry& entry : entries) {
        if (last != nullptr && last->row == entry.row && last->column == entry.column) {
            matrix.value.back() += entry.value;
            continue;
        }
        last = &entry;
        matrix.column.push_back(entry.column);
        matrix.value.push_back(entry.value);
        ++matrix.row_begin[entry.row + 1];
    }
    for (std::int32_t row = 0; row < rows; ++row) {
        matrix.row_begin[row + 1] += matrix.row_begin[row];
    }
    return matrix;
}

// Reads a Matrix Market file line by line, so that every fault can name its line.
class MatrixMarketReader {
  public:
    explicit MatrixMarketReader(const std::string& path) : path_(path), file_(path) {
        std::error_code ignored;
        if (!file_ || std::filesystem::is_directory(path, ignored)) {
            throw InputFault(path, "this file can't be read", "a Matrix Market file");
        }
        hw::skip_byte_order_mark(file_);
    }

    SparseMatrix read() {
        read_banner();
        read_sizes();
        std::vector<Entry> entries = is_array_ ? read_array() : read_coordinates();
        if (next_data_line()) {
            fail("there is more after the " + std::to_string(entry_count_) +
                 " entries the size line promises");
        }
        return by_rows(rows_, columns_, std::move(entries));
    }

  private:
    [[noreturn]] void fail(const std::string& found, const std::string& accepted = {}) const {
        throw InputFault(path_ + ":" + std::to_string(line_number_), found, accepted);
    }

    bool next_line() {
        ++line_number_;
        const bool read = hw::next_line(file_, line_, hw::kMatrixLimits);
        if (const auto fault = hw::line_fault(line_, hw::kMatrixLimits)) {
            fail(fault->found, fault->accepted);
        }
        if (line_.ends_with('\r')) {
            line_.pop_back();
        }
        return read;
    }
    bool next_data_line() {
        while (next_line()) {
            const auto first = line_.find_first_not_of(" \t");
            if (first != std::string::npos && line_[first] != '%') {
                return true;
            }
        }
        return false;
    }

    void read_banner() {
        next_line();
        std::transform(line_.begin(), line_.end(), line_.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        hw::TextReader words(line_);
        std::string banner;
        std::string object;
        std::string format;
        std::string field;
        std::string symmetry;
        std::string rest;
        words >> banner >> object >> format >> field >> symmetry;
        if (banner != "%%matrixmarket") {
            fail("no Matrix Market banner",
                 "a first line such as \"%%MatrixMarket matrix coordinate real general\"");
        }
        if (object != "matrix" || (format != "coordinate" && format != "array")) {
            fail("\"" + object + " " + format + R"(" is not read)",
                 R"("matrix coordinate", "matrix array")");
        }
        is_array_ = format == "array";
        pattern_ = field == "pattern";
        if (field != "real" && field != "integer" && (!pattern_ || is_array_)) {
            fail("field \"" + field + "\" is not read" + (pattern_ ? " in an array" : ""),
                 is_array_ ? "real, integer" : "real, integer, pattern");
        }
        integer_ = field == "integer";
        is_skew_ = symmetry == "skew-symmetric";
        symmetric_ = symmetry == "symmetric" || is_skew_;
        if ((symmetry != "general" && !symmetric_) || (is_skew_ && pattern_)) {
            fail("symmetry \"" + symmetry + "\" is not read" + (is_skew_ ? " with a pattern" : ""),
                 pattern_ ? "general, symmetric" : "general, symmetric, skew-symmetric");
        }
        if (words >> rest) {
            fail("the banner goes on with \"" + rest + "\"", "five words");
        }
    }

    void read_sizes() {
        const std::string sizes = is_array_ ? "\"rows columns\"" : "\"rows columns entries\"";
        if (!next_data_line()) {
            fail("no size line", sizes);
        }
        hw::TextReader words(line_);
        std::string rest;
        std::int64_t rows = 0;
        std::int64_t columns = 0;
        words >> rows >> columns;
        if (!is_array_) {
            words >> entry_count_;
        }
        if (!words || words >> rest || rows < 1 || columns < 1 ||
            (!is_array_ && entry_count_ < 1)) {
            fail("\"" + line_ + "\" is not a size line", sizes + ", whole numbers of at least 1");
        }
        if (std::max(rows, columns) > hw::kMostMatrixRows) {
            fail("the matrix has " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                     " columns",
                 "at most " + std::to_string(hw::kMostMatrixRows) + " of each");
        }
        rows_ = static_cast<std::int32_t>(rows);
        columns_ = static_cast<std::int32_t>(columns);
        if (symmetric_ && rows_ != columns_) {
            fail("a symmetric matrix must be square");
        }
        if (is_array_) {
            entry_count_ = !symmetric_ ? rows * columns
                           : is_skew_  ? rows * (rows - 1) / 2
                                       : rows * (rows + 1) / 2;
        }
    }

    void next_entry_line(std::int64_t entries_before) {
        if (!next_data_line()) {
            fail("the file ends after " + std::to_string(entries_before) + " of " +
                 std::to_string(entry_count_) + " entries");
        }
    }

    // Appends an entry, and the one on the other side of the diagonal that it stands for.
    void append(Entry entry, std::vector<Entry>& entries) const {
        entries.push_back(entry);
        if (symmetric_ && entry.row != entry.column) {
            entries.push_back({entry.column, entry.row, is_skew_ ? -entry.value : entry.value});
        }
    }

    std::vector<Entry> read_coordinates() {
        std::vector<Entry> entries;
        for (std::int64_t i = 0; i < entry_count_; ++i) {
            next_entry_line(i);
            append(read_entry(), entries);
        }
        return entries;
    }

    // Values stand column by column; of a symmetric matrix, those on and below the diagonal; of a
    // skew-symmetric one, those below it. Zeros are no elements of the sparse matrix.
    std::vector<Entry> read_array() {
        std::vector<Entry> entries;
        std::int64_t count = 0;
        for (std::int32_t column = 0; column < columns_; ++column) {
            const std::int32_t first = !symmetric_ ? 0 : is_skew_ ? column + 1 : column;
            for (std::int32_t row = first; row < rows_; ++row) {
                next_entry_line(count++);
                const char* at = line_.data();
                const char* const end = at + line_.size();
                const double value = read_value(at, end);
                require_end(at, end);
                if (value != 0.0) {
                    append({row, column, value}, entries);
                }
            }
        }
        if (entries.empty()) {
            fail("all elements of the matrix are 0", "a matrix with another element");
        }
        return entries;
    }

    [[nodiscard]] const char* entry_syntax() const {
        return is_array_  ? "a line for each value"
               : pattern_ ? R"("row column")"
                          : R"("row column value")";
    }

    Entry read_entry() {
        const char* at = line_.data();
        const char* end = at + line_.size();
        const std::int32_t row = read_index(at, end, "row", rows_);
        const std::int32_t column = read_index(at, end, "column", columns_);
        double value = 1.0;
        if (!pattern_) {
            value = read_value(at, end);
        }
        if (symmetric_ && column > row) {
            fail("\"" + line_ +
                 "\" lies above the diagonal; a symmetric file has only the entries on and below "
                 "it");
        }
        if (is_skew_ && column == row) {
            fail("\"" + line_ + "\" lies on the diagonal; that of a skew-symmetric matrix is 0",
                 "entries below the diagonal");
        }
        require_end(at, end);
        return {row - 1, column - 1, value};
    }

    void require_end(const char* at, const char* end) const {
        if (skip_blanks(at, end) != end) {
            fail("\"" + line_ + "\" has more than " + (pattern_ ? "row and column" : "a value"),
                 entry_syntax());
        }
    }

    // The exponent's letter may be C's e or Fortran's d.
    double read_value(const char*& at, const char* end) {
        constexpr double kMostExactInteger = 9'007'199'254'740'992.0;
        const std::string accepted = entry_syntax();
        at = skip_blanks(at, end);
        const char* const behind = std::find_if(at, end, is_blank);
        const bool has_plus = at != behind && *at == '+' && at + 1 != behind && at[1] != '-';
        std::string written(at + (has_plus ? 1 : 0), behind);
        at = behind;
        if (written.empty()) {
            fail("\"" + line_ + R"(" has no value)", accepted);
        }
        const std::size_t exponent = written.find_first_of("dD");
        if (exponent != std::string::npos) {
            written[exponent] = 'e';
        }
        double value = 0.0;
        const char* const all = written.data() + written.size();
        const auto [after, error] = std::from_chars(written.data(), all, value);
        if (error == std::errc::result_out_of_range) {
            fail("\"" + line_ + R"(" has a value outside the range of numbers of 64 bits)",
                 "0, or 2.3e-308 to 1.7e308 and their negatives");
        }
        if (error != std::errc() || after != all || !std::isfinite(value)) {
            fail("\"" + line_ + R"(" has a value that is no number)", accepted);
        }
        if (integer_ && value != std::trunc(value)) {
            fail("\"" + line_ +
                 "\" has a value that is not an integer, but the file's field is integer");
        }
        if (integer_ && std::abs(value) > kMostExactInteger) {
            fail(
                "\"" + line_ + "\" has an integer that numbers of 64 bits cannot represent exactly",
                "at most 2^53");
        }
        return value;
    }

    std::int32_t read_index(const char*& at, const char* end, const char* what, std::int32_t most) {
        at = skip_blanks(at, end);
        std::int32_t index = 0;
        const auto [after, error] = std::from_chars(at, end, index);
        const bool is_whole = after == end || is_blank(*after);
        if (error != std::errc() || !is_whole || index < 1 || index > most) {
            fail("\"" + line_ + "\": the " + what + " is not from 1 to " + std::to_string(most));
        }
        at = after;
        return index;
    }

    static bool is_blank(char letter) { return letter == ' ' || letter == '\t'; }
    static const char* skip_blanks(const char* at, const char* end) {
        while (at != end && is_blank(*at)) {
            ++at;
        }
        return at;
    }

    std::string path_;
    std::ifstream file_;
    std::string line_;
    std::int64_t line_number_ = 0;
    bool is_array_ = false;
    bool pattern_ = false;
    bool symmetric_ = false;  // skew-symmetric, too
    bool is_skew_ = false;
    bool integer_ = false;
    std::int32_t rows_ = 0;
    std::int32_t columns_ = 0;
    std::int64_t entry_count_ = 0;
};

// `count` different random numbers below `all`, in ascending order.
std::vector<std::uint64_t> different_places(std::uint64_t count, std::uint64_t all,
                                            hw::RandomStream& stream) {
    std::vector<std::uint64_t> chosen;
    while (chosen.size() < count) {
        while (chosen.size() < count) {
            chosen.push_back(stream.below(all));
        }
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    }
    return chosen;
}

// Numbers below `all` that are not in the ascending list `places`.
std::vector<std::uint64_t> all_but(const std::vector<std::uint64_t>& places, std::uint64_t all) {
    std::vector<std::uint64_t> rest;
    rest.reserve(all - places.size());
    auto next = places.begin();
    for (std::uint64_t place = 0; place < all; ++place) {
        if (next != places.end() && *next == place) {
            ++next;
        } else {
            rest.push_back(place);
        }
    }
    return rest;
}

// Range of the columns in which a row may have non-zeros: the first column, and the one after the
// last.
std::pair<std::int64_t, std::int64_t> columns_of(MatrixPattern pattern, std::int64_t row,
                                                 std::int64_t columns, std::int64_t half_band) {
    switch (pattern) {
        case MatrixPattern::kUniform:
            return {0, columns};
        case MatrixPattern::kBand:
            return {std::max<std::int64_t>(0, row - half_band),
                    std::min(columns, row + half_band + 1)};
        case MatrixPattern::kTriangle:
            return {0, row + 1};
    }
    return {};
}

}  // namespace

SparseMatrix read_matrix_market(const std::string& path) { return MatrixMarketReader(path).read(); }

std::int64_t places_in(MatrixPattern pattern, std::int64_t rows, std::int64_t half_band) {
    switch (pattern) {
        case MatrixPattern::kUniform:
            return rows * rows;
        case MatrixPattern::kBand: {
            const std::int64_t beside = std::min(half_band, rows - 1);
            return rows + beside * (2 * rows - beside - 1);
        }
        case MatrixPattern::kTriangle:
            return rows * (rows + 1) / 2;
    }
    return 0;
}

SparseMatrix random_matrix(std::int32_t rows, std::int32_t columns, std::int64_t nonzeros,
                           std::uint64_t seed, MatrixPattern pattern, std::int64_t half_band) {
    hw::RandomStream places(seed, hw::NodeId(0), "matrix places");
    hw::RandomStream values(seed, hw::NodeId(0), "matrix values");
    const std::uint64_t all =
        pattern == MatrixPattern::kUniform
            ? static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns)
            : static_cast<std::uint64_t>(places_in(pattern, rows, half_band));
    const auto wanted = static_cast<std::uint64_t>(nonzeros);
    // If more than half of the positions are to be non-zeros, the empty positions are drawn
    // instead, so that drawing ends soon.
    const bool draw_empty = wanted > all / 2;
    std::vector<std::uint64_t> chosen =
        different_places(draw_empty ? all - wanted : wanted, all, places);
    if (draw_empty) {
        chosen = all_but(chosen, all);
    }
    std::vector<Entry> entries;
    entries.reserve(wanted);
    // Positions are numbered row by row, and ascend.
    std::int32_t row = 0;
    std::uint64_t first_of_row = 0;
    std::pair<std::int64_t, std::int64_t> in_row = columns_of(pattern, row, columns, half_band);
    for (const std::uint64_t place : chosen) {
        while (place - first_of_row >= static_cast<std::uint64_t>(in_row.second - in_row.first)) {
            first_of_row += static_cast<std::uint64_t>(in_row.second - in_row.first);
            in_row = columns_of(pattern, ++row, columns, half_band);
        }
        const auto column = static_cast<std::int32_t>(
            in_row.first + static_cast<std::int64_t>(place - first_of_row));
        entries.push_back({row, column, 2.0 * values.unit() - 1.0});
    }
    return by_rows(rows, columns, std::move(entries));
}

}  // namespace weir::firmware
