#include "experiments/random_pages/known_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <variant>

#include "experiments/pages/figures/drawing.h"
#include "experiments/records/run_status.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::random_pages {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A number such as "1.25e+06" that begins with the digit at `begin`: its end, and the number of
// decimals of its last digit.
struct Parsed {
    std::size_t end = 0;
    double value = 0.0;
    int decimals = 0;
    bool is_whole = true;
};

Parsed parse(std::string_view text, std::size_t begin) {
    Parsed number;
    std::size_t at = begin;
    while (at < text.size() && is_digit(text[at])) {
        ++at;
    }
    if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
        const std::size_t point = at++;
        while (at < text.size() && is_digit(text[at])) {
            ++at;
        }
        number.decimals = static_cast<int>(at - point - 1);
        number.is_whole = false;
    }
    if (at + 2 < text.size() && text[at] == 'e' && (text[at + 1] == '+' || text[at + 1] == '-') &&
        is_digit(text[at + 2])) {
        const bool is_small = text[at + 1] == '-';
        int exponent = 0;
        for (at += 2; at < text.size() && is_digit(text[at]); ++at) {
            exponent = 10 * exponent + (text[at] - '0');
        }
        number.decimals -= is_small ? -exponent : exponent;
    }
    std::from_chars(text.data() + begin, text.data() + at, number.value);
    number.end = at;
    return number;
}

// True if a % follows, possibly behind further numbers: "± 1.0 %", "to 97.2 %".
bool is_percent_behind(std::string_view rest) {
    while (true) {
        if (rest.starts_with(" %")) {
            return true;
        }
        std::size_t number = 0;
        for (const std::string_view joined : {" ± ", " to "}) {
            number = rest.starts_with(joined) ? joined.size() : number;
        }
        if (number != 0 && number < rest.size() && (rest[number] == '+' || rest[number] == '-')) {
            ++number;
        }
        if (number == 0 || number >= rest.size() || !is_digit(rest[number])) {
            return false;
        }
        rest.remove_prefix(parse(rest, number).end);
    }
}

bool is_count_between(std::string_view before, std::string_view behind) {
    constexpr std::array kBehind{std::string_view(" of "),         std::string_view(" point"),
                                 std::string_view(" run"),         std::string_view(" seed"),
                                 std::string_view(" combination"), std::string_view(" other"),
                                 std::string_view(" more"),        std::string_view(" interaction"),
                                 std::string_view(" parameter"),   std::string_view(" checked"),
                                 std::string_view(" without"),     std::string_view(" had not")};
    constexpr std::array<std::string_view, 3> kBefore{" of ", " of all ", " the other "};
    return std::any_of(kBehind.begin(), kBehind.end(),
                       [&](std::string_view each) { return behind.starts_with(each); }) ||
           std::any_of(records::kRunStatuses.begin(), records::kRunStatuses.end(),
                       [&](records::RunStatus each) {
                           return behind.starts_with(std::string(" ") + records::status_name(each));
                       }) ||
           std::any_of(kBefore.begin(), kBefore.end(),
                       [&](std::string_view each) { return before.ends_with(each); });
}

bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

// False for a text that is only a number: the number must be in the tables.
bool is_name(std::string_view text) {
    return has_digit(text) && std::any_of(text.begin(), text.end(), [](char c) {
               return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '[' || c == '=';
           });
}

// The text with single blanks.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            out += c;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    return out;
}

bool is_shown(const ShownNumber& shown, double value) {
    const double seen = shown.has_sign ? value : std::abs(value);
    const double wanted = shown.has_sign ? shown.value : std::abs(shown.value);
    return std::abs(seen - wanted) <= shown.rounding * (1.0 + 1e-9) + 1e-12 * std::abs(value);
}

}  // namespace

std::vector<ShownNumber> numbers_in(std::string_view sentence) {
    std::vector<ShownNumber> found;
    for (std::size_t at = 0; at < sentence.size();) {
        if (!is_digit(sentence[at])) {
            ++at;
            continue;
        }
        const Parsed parsed = parse(sentence, at);
        std::size_t begin = at;
        const char before = begin > 0 ? sentence[begin - 1] : ' ';
        const char behind = parsed.end < sentence.size() ? sentence[parsed.end] : ' ';
        const bool has_sign =
            (before == '+' || before == '-') &&
            (begin == 1 || sentence[begin - 2] == ' ' || sentence[begin - 2] == '(');
        const bool is_joined = is_of_word(before) || before == '.' || before == '/' ||
                               (before == '-' && !has_sign) || is_of_word(behind) ||
                               behind == '/' ||
                               (behind == '-' && parsed.end + 1 < sentence.size() &&
                                is_of_word(sentence[parsed.end + 1]));
        at = parsed.end;
        if (is_joined) {
            while (at < sentence.size() && is_of_word(sentence[at])) {
                ++at;
            }
            continue;
        }
        begin -= has_sign ? 1 : 0;
        const std::string_view ahead = sentence.substr(0, begin);
        const std::string_view rest = sentence.substr(parsed.end);
        ShownNumber number;
        number.begin = begin;
        number.end = parsed.end;
        number.value = before == '-' && has_sign ? -parsed.value : parsed.value;
        number.rounding = 0.5 * std::pow(10.0, -parsed.decimals);
        number.is_whole = parsed.is_whole;
        number.has_sign = has_sign;
        // "+0.2 % at 671 to +0.3 % at 12": a value of a parameter is no percentage
        number.is_percent = is_percent_behind(rest) && !ahead.ends_with(" at ");
        number.is_half_width = ahead.ends_with("± ");
        number.is_bound = ahead.ends_with("below ");
        number.is_ratio = rest.starts_with(" times");
        number.is_count = parsed.is_whole && !has_sign && is_count_between(ahead, rest);
        found.push_back(number);
    }
    return found;
}

KnownNumbers::KnownNumbers(const records::Document& page) {
    add_name(page.title);
    for (const auto& [name, value] : page.facts) {
        add_name(value);
        for (const ShownNumber& number : numbers_in(value)) {
            counts_.push_back(number.value);
        }
    }
    for (const records::Finding& finding : page.findings) {
        for (const records::Ranking& ranking : finding.rankings) {
            for (const records::Ranking::Entry& entry : ranking.entries) {
                add_name(entry.name);
            }
        }
    }
    for (const records::Section& section : page.sections) {
        add(section);
    }
    std::sort(values_.begin(), values_.end());
    std::sort(names_.begin(), names_.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() > b.size() : a < b;
    });
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

void KnownNumbers::add_name(const std::string& text) {
    for (const ShownNumber& number : numbers_in(text)) {
        named_.push_back(number.value);
    }
    for (const std::string& form : {text, setup::spaced_name(text)}) {
        if (is_name(form)) {
            names_.push_back(form);
        }
    }
}

void KnownNumbers::add(const records::Section& section) {
    for (const records::Block& block : section.blocks) {
        if (const auto* table = std::get_if<records::Table>(&block)) {
            add(*table);
        } else if (const auto* figure = std::get_if<records::Figure>(&block)) {
            add(*figure);
        } else if (const auto* listing = std::get_if<records::Listing>(&block)) {
            texts_.push_back(plain(listing->text));
        } else if (const auto* paragraph = std::get_if<records::Paragraph>(&block)) {
            texts_.push_back(plain(paragraph->text));
        }
    }
    for (const records::Section& part : section.parts) {
        add(part);
    }
}

void KnownNumbers::add(const records::Table& table) {
    most_rows_ = std::max(most_rows_, static_cast<double>(table.rows.size()));
    for (const records::TableColumn& column : table.columns) {
        add_name(column.name);
    }
    std::vector<std::vector<std::vector<double>>> cells;
    for (const auto& row : table.rows) {
        auto& numbers = cells.emplace_back();
        for (const records::TableCell& cell : row) {
            auto& of_cell = numbers.emplace_back();
            if (cell.value) {
                of_cell.push_back(*cell.value);
                for (const ShownNumber& shown : numbers_in(cell.text)) {
                    values_.push_back(shown.value);  // the cell's number as rounded in the table
                }
            } else {
                add_name(cell.text);
                texts_.push_back(plain(cell.text));
            }
            if (cell.half_width) {
                of_cell.push_back(*cell.half_width);
                half_widths_.push_back(*cell.half_width);
            }
        }
    }
    add_lines(cells);
}

void KnownNumbers::add(const records::Figure& figure) {
    const records::DataTable data = pages::drawing_of(figure).data;
    for (const std::string& column : data.columns) {
        add_name(column);
    }
    std::vector<std::vector<std::vector<double>>> cells;
    for (const auto& row : data.rows) {
        auto& numbers = cells.emplace_back();
        for (const records::DataTable::Cell& cell : row) {
            auto& of_cell = numbers.emplace_back();
            if (const auto* number = std::get_if<double>(&cell)) {
                of_cell.push_back(*number);
            } else if (const auto* text = std::get_if<std::string>(&cell)) {
                add_name(*text);
            }
        }
    }
    add_lines(cells);
}

void KnownNumbers::add_lines(const std::vector<std::vector<std::vector<double>>>& cells) {
    std::vector<Numbers> columns;
    for (const auto& row : cells) {
        Numbers line;
        columns.resize(std::max(columns.size(), row.size()));
        for (std::size_t column = 0; column < row.size(); ++column) {
            columns[column].is_column = true;
            for (const double value : row[column]) {
                line.values.push_back(value);
                values_.push_back(value);
            }
            if (!row[column].empty()) {
                columns[column].values.push_back(row[column].front());
            }
        }
        lines_.push_back(std::move(line));
    }
    std::move(columns.begin(), columns.end(), std::back_inserter(lines_));
}

std::string KnownNumbers::without_names(std::string sentence) const {
    const auto blank = [&sentence](const std::string& name) {
        for (std::size_t at = sentence.find(name); at != std::string::npos;
             at = sentence.find(name, at + name.size())) {
            const bool begins = at == 0 || !is_of_word(sentence[at - 1]);
            const std::size_t end = at + name.size();
            const bool ends = end == sentence.size() || !is_of_word(sentence[end]);
            if (begins && ends) {
                sentence.replace(at, name.size(), std::string(name.size(), '~'));
            }
        }
    };
    std::for_each(names_.begin(), names_.end(), blank);
    blank("95 %");  // confidence level of intervals
    return sentence;
}

bool KnownNumbers::is_known(const ShownNumber& shown) const {
    const double reach = shown.rounding * (1.0 + 1e-9) + 1e-12 * std::abs(shown.value);
    const auto has = [&](double wanted) {
        const auto at = std::lower_bound(values_.begin(), values_.end(), wanted - reach);
        return at != values_.end() && *at <= wanted + reach;
    };
    return has(shown.value) || (!shown.has_sign && has(-shown.value));
}

bool KnownNumbers::follows(const ShownNumber& shown, const Numbers& line) const {
    constexpr std::size_t kMostValues = 600;
    const std::vector<double>& values = line.values;
    double sum = 0.0;
    double most = 0.0;
    for (const double value : values) {
        sum += value;
        most = std::max(most, std::abs(value));
    }
    const std::size_t count = std::min(values.size(), kMostValues);
    for (std::size_t i = 0; i < count; ++i) {
        if (shown.is_percent && sum != 0.0 && is_shown(shown, 100.0 * values[i] / sum)) {
            return true;
        }
        for (std::size_t j = 0; j < count; ++j) {
            const double a = values[i];
            const double b = values[j];
            if (i == j) {
                continue;
            }
            // Almost any two numbers have a ratio of some whole per cent. A whole percentage must
            // therefore be a share of the total, the greatest number.
            const bool is_total = !shown.is_whole || std::abs(b) == most;
            const bool has_ratio = b != 0.0 && (is_total || !shown.is_percent);
            if (shown.is_percent ? has_ratio && (is_shown(shown, 100.0 * a / b) ||
                                                 is_shown(shown, 100.0 * (a / b - 1.0)))
                                 : (shown.is_ratio && has_ratio && is_shown(shown, a / b)) ||
                                       (shown.has_sign && is_shown(shown, a - b))) {
                return true;
            }
            const double reach =
                std::abs(a) + std::abs(b);  // largest bound of a change with its interval
            const bool may_be_name =
                !shown.has_sign && !shown.is_percent && !shown.is_half_width && !shown.is_ratio;
            if (may_be_name &&
                std::find(named_.begin(), named_.end(), shown.value) != named_.end()) {
                return true;
            }
            if (shown.is_bound && !line.is_column && shown.value >= reach - 1e-9 &&
                shown.value <= reach + 0.1 + shown.rounding) {
                return true;
            }
        }
    }
    return false;
}

bool KnownNumbers::explain(const ShownNumber& shown) const {
    if (is_known(shown)) {
        return true;
    }
    if (shown.is_count && (shown.value <= most_rows_ || std::find(counts_.begin(), counts_.end(),
                                                                  shown.value) != counts_.end())) {
        return true;
    }
    if (shown.is_bound && std::any_of(values_.begin(), values_.end(), [&shown](double value) {
            return shown.value >= value - 1e-9 && shown.value <= value + 0.1 + shown.rounding;
        })) {
        return true;
    }
    return std::any_of(lines_.begin(), lines_.end(),
                       [&](const Numbers& line) { return follows(shown, line); });
}

bool KnownNumbers::quote(const std::string& sentence, const ShownNumber& shown) const {
    const auto word_behind = [&sentence](std::size_t at) {
        while (at < sentence.size() && sentence[at] == ' ') {
            ++at;
        }
        while (at < sentence.size() && sentence[at] != ' ') {
            ++at;
        }
        return at;
    };
    std::size_t begin = shown.begin;
    while (begin > 0 && sentence[begin - 1] == ' ') {
        --begin;
    }
    while (begin > 0 && sentence[begin - 1] != ' ') {
        --begin;
    }
    std::string words = plain(sentence.substr(begin, word_behind(shown.end) - begin));
    while (!words.empty() &&
           std::string_view(".,;:").find(words.back()) != std::string_view::npos) {
        words.pop_back();
    }
    return std::any_of(texts_.begin(), texts_.end(), [&words](const std::string& text) {
        return text.find(words) != std::string::npos;
    });
}

}  // namespace weir::experiments::random_pages
