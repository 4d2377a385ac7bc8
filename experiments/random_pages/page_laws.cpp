#include "experiments/random_pages/page_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <variant>

#include "experiments/pages/text_page.h"
#include "experiments/random_pages/known_numbers.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::random_pages {

namespace {

using Broken = std::optional<std::string>;

// Tolerance: sums are computed in another order than their totals.
constexpr double kRelativeRounding = 1e-9;

bool is_same(double a, double b) {
    return std::abs(a - b) <= kRelativeRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

// First violation in the sections' blocks of type Content.
template <class Content>
Broken first_broken(const std::vector<records::Section>& sections,
                    const std::function<Broken(const Content&)>& broken) {
    for (const records::Section& section : sections) {
        for (const records::Block& block : section.blocks) {
            if (const auto* content = std::get_if<Content>(&block)) {
                if (auto what = broken(*content)) {
                    return fmt::format("{}: {}", section.title, *what);
                }
            }
        }
        if (auto what = first_broken(section.parts, broken)) {
            return what;
        }
    }
    return std::nullopt;
}

// ------------------------------------------------------------------------------------ Parts sum

double value_at(const records::Table& table, const records::TableSum::Place& place) {
    return table.rows.at(place.row).at(place.column).value.value_or(0.0);
}

Broken table_sums(const records::Table& table) {
    for (const records::TableSum& sum : table.sums) {
        double parts = 0.0;
        for (const records::TableSum::Place& part : sum.parts) {
            parts += value_at(table, part);
        }
        const double total = value_at(table, sum.total);
        if (!is_same(parts, total)) {
            return fmt::format("table \"{}\", row {}, column {}: parts of {} make {}",
                               table.caption, sum.total.row + 1,
                               table.columns.at(sum.total.column).name, total, parts);
        }
    }
    return std::nullopt;
}

// A part below 0 would not be drawn, and the bar would be longer than its stated total.
Broken bar_sums(const records::Figure& figure) {
    const auto* chart = std::get_if<records::StackedBars>(&figure.chart);
    if (chart == nullptr) {
        return std::nullopt;
    }
    for (const records::StackedBar& bar : chart->bars) {
        const std::string where = fmt::format("{}, bar {} {}", figure.title(), bar.group, bar.who);
        double sum = 0.0;
        for (std::size_t i = 0; i < bar.parts.size(); ++i) {
            const double part = bar.parts[i].value_or(0.0);
            sum += part;
            if (part < 0.0 && !is_same(part, 0.0)) {
                return fmt::format("{}: its part {} is {}", where, chart->parts.at(i).name, part);
            }
        }
        if (bar.whole && !is_same(sum, *bar.whole)) {
            return fmt::format("{}: parts of {} make {}", where, *bar.whole, sum);
        }
    }
    return std::nullopt;
}

Broken parts_sum(const records::Document& page) {
    auto broken = first_broken<records::Table>(page.sections, table_sums);
    return broken ? broken : first_broken<records::Figure>(page.sections, bar_sums);
}

// --------------------------------------------------------------------------- Numbers in sentences

std::vector<std::string> sentences_of(const records::Document& page) {
    std::vector<std::string> sentences;
    for (const records::Finding& finding : page.findings) {
        sentences.push_back(finding.about);
        sentences.insert(sentences.end(), finding.sentences.begin(), finding.sentences.end());
    }
    return sentences;
}

// True for the remainder in "+6041 in all: wait +6000, send +30; the rest +11" if the shown numbers
// sum.
bool is_rest(const std::string& sentence, const std::vector<ShownNumber>& numbers,
             const ShownNumber& number) {
    if (!sentence.substr(0, number.begin).ends_with("the rest ")) {
        return false;
    }
    double left = numbers.front().value;
    for (const ShownNumber& other : numbers) {
        const bool is_first = other.begin == numbers.front().begin;
        left -= is_first || other.is_half_width ? 0.0 : other.value;
    }
    return std::abs(left) <= number.rounding;
}

Broken unknown_number(const KnownNumbers& known, const std::string& sentence) {
    const std::string bare = known.without_names(sentence);
    const std::vector<ShownNumber> numbers = numbers_in(bare);
    for (const ShownNumber& number : numbers) {
        if (is_rest(bare, numbers, number)) {
            continue;
        }
        if (!known.explain(number) && !known.quote(sentence, number)) {
            return fmt::format(R"("{}" of "{}" is in no table, and does not follow from one)",
                               bare.substr(number.begin, number.end - number.begin), sentence);
        }
    }
    return std::nullopt;
}

Broken sentences_follow(const records::Document& page) {
    const KnownNumbers known(page);
    for (const std::string& sentence : sentences_of(page)) {
        if (auto what = unknown_number(known, sentence)) {
            return what;
        }
    }
    return std::nullopt;
}

// -------------------------------------------------------------------------------------- Rankings

// Distance of the second entry from the first, and the half-width that it must exceed.
struct Behind {
    double by = 0.0;
    double half_width = 0.0;
};

Behind behind(const records::Ranking::Entry& first, const records::Ranking::Entry& second,
              bool is_most) {
    const statistics::Sample a{first.values};
    const statistics::Sample b{second.values};
    const double by = is_most ? a.mean() - b.mean() : b.mean() - a.mean();
    const bool has_samples = a.values.size() > 1 || b.values.size() > 1;
    return {by, has_samples
                    ? statistics::welch_half_width(a, b).value_or(0.0)
                    : std::hypot(first.half_width.value_or(0.0), second.half_width.value_or(0.0))};
}

Broken ranks_hold(const records::Document& page) {
    for (const records::Finding& finding : page.findings) {
        for (const records::Ranking& ranking : finding.rankings) {
            for (const records::Ranking::Entry& first : ranking.entries) {
                for (const records::Ranking::Entry& second : ranking.entries) {
                    if (first.place != 0 || second.place == 0) {
                        continue;
                    }
                    // Other entries share the first place because they are not distinguishable from
                    // the best. Entries that share the first place need not be distinguishable from
                    // the entries that follow.
                    const bool is_best = std::none_of(
                        ranking.entries.begin(), ranking.entries.end(), [&](const auto& other) {
                            return behind(other, first, ranking.is_most).by > 0.0;
                        });
                    const Behind apart = behind(first, second, ranking.is_most);
                    if (apart.by < -apart.half_width || (is_best && apart.by <= apart.half_width)) {
                        return fmt::format(
                            "{}: {} is ranked before {}, by {}, but the interval is ± {}",
                            ranking.what, first.name, second.name, apart.by, apart.half_width);
                    }
                }
            }
        }
    }
    return std::nullopt;
}

// -------------------------------------------------------------------------------------- Statuses

Broken statuses_hold(const records::Table& table) {
    const auto status =
        std::find_if(table.columns.begin(), table.columns.end(),
                     [](const records::TableColumn& column) { return column.is_status; });
    if (status == table.columns.end()) {
        return std::nullopt;
    }
    const std::size_t of_status = status - table.columns.begin();
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const records::TableCell& cell = table.rows[row].at(of_status);
        const auto is_measured = [&](std::size_t column) {
            return column >= table.keys && table.columns[column].is_number &&
                   table.rows[row][column].value.has_value() &&
                   *table.rows[row][column].value != 0.0;
        };
        bool has_seeds = false;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            has_seeds = has_seeds || is_measured(column);
        }
        if (cell.mark == records::TableCell::Mark::kNone && !has_seeds) {
            return fmt::format(R"(table "{}": row {} is "{}", but nothing was measured)",
                               table.caption, row + 1, cell.text);
        }
    }
    return std::nullopt;
}

Broken statuses(const records::Document& page) {
    return first_broken<records::Table>(page.sections, statuses_hold);
}

// ----------------------------------------------------------------------------------- Cells, texts

// Cells in a sum are rounded so that the shown numbers sum, too. Such cells may differ from their
// values by two units of the last digit.
bool is_of_sum(const records::Table& table, std::size_t row, std::size_t column) {
    const auto is_here = [&](const records::TableSum::Place& place) {
        return place.row == row && place.column == column;
    };
    return std::any_of(table.sums.begin(), table.sums.end(), [&](const records::TableSum& sum) {
        return is_here(sum.total) || std::any_of(sum.parts.begin(), sum.parts.end(), is_here);
    });
}

Broken cells_hold(const records::Table& table) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const records::TableCell& cell = table.rows[row][column];
            const std::vector<ShownNumber> shown = numbers_in(cell.text);
            if (!table.columns[column].is_number || !cell.value || shown.empty()) {
                continue;
            }
            const double units = is_of_sum(table, row, column) ? 4.0 : 1.0;
            const auto differs = [units](const ShownNumber& number, double value) {
                return std::abs(std::abs(number.value) - std::abs(value)) >
                       units * number.rounding * (1.0 + kRelativeRounding) +
                           kRelativeRounding * std::abs(value);
            };
            const bool has_interval = cell.half_width && shown.size() > 1 && shown[1].is_half_width;
            if (differs(shown.front(), *cell.value) ||
                (has_interval && differs(shown[1], *cell.half_width))) {
                return fmt::format(R"(table "{}", row {}, column {}: "{}" is shown for {})",
                                   table.caption, row + 1, table.columns[column].name, cell.text,
                                   *cell.value);
            }
        }
    }
    return std::nullopt;
}

Broken cells(const records::Document& page) {
    return first_broken<records::Table>(page.sections, cells_hold);
}

std::string words_of(const std::string& text) {
    std::string words;
    for (const char c : text) {
        if (c != ' ' && c != '\n') {
            words += c;
        }
    }
    return words;
}

// Compares without blanks, since lines are wrapped.
Broken text_has_all(const records::Document& page) {
    const std::string text = words_of(pages::text_page(page));
    for (const std::string& sentence : sentences_of(page)) {
        if (text.find(words_of(sentence)) == std::string::npos) {
            return "the text page has no \"" + sentence + "\"";
        }
    }
    return std::nullopt;
}

}  // namespace

const std::vector<PageLaw>& page_laws() {
    static const std::vector<PageLaw> all{
        {"parts sum", "the parts of every bar and table sum to the stated total", parts_sum},
        {"sentences follow",
         "every number in a sentence is one of the page's tables, or follows from two of them",
         sentences_follow},
        {"ranks hold", "nothing is ranked above what the intervals allow", ranks_hold},
        {"statuses", "no row without a measured value is said to have ended well", statuses},
        {"cells", "a cell shows the number that it is sorted by", cells},
        {"text has all", "the text page contains every sentence", text_has_all},
    };
    return all;
}

std::vector<PageViolation> broken_laws(const records::Document& page) {
    std::vector<PageViolation> found;
    for (const PageLaw& law : page_laws()) {
        if (auto what = law.broken(page)) {
            found.push_back({law.name, *what});
        }
    }
    return found;
}

ChangedDigits change_digits(const records::Document& page) {
    constexpr double kThreeDigits = 200.0;  // 100 units of the last digit; rounding is half a unit
    const KnownNumbers known(page);
    ChangedDigits counted;
    for (const std::string& sentence : sentences_of(page)) {
        const std::string bare = known.without_names(sentence);
        if (unknown_number(known, sentence)) {
            continue;
        }
        for (const ShownNumber& number : numbers_in(bare)) {
            if (std::abs(number.value) < kThreeDigits * number.rounding) {
                continue;
            }
            std::string changed = sentence;
            std::size_t digit = number.begin;
            while (changed[digit] < '0' || changed[digit] > '9') {
                ++digit;
            }
            changed[digit] = changed[digit] == '9' ? '1' : static_cast<char>(changed[digit] + 1);
            ++counted.changed;
            counted.seen += unknown_number(known, changed) ? 1 : 0;
        }
    }
    return counted;
}

}  // namespace weir::experiments::random_pages
