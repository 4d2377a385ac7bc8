#include "experiments/records/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::records {

namespace {

template <class Visit>
void visit_figures(std::vector<Section>& sections, const Visit& visit) {
    for (Section& section : sections) {
        for (Block& block : section.blocks) {
            if (auto* figure = std::get_if<Figure>(&block)) {
                visit(*figure);
            }
        }
        visit_figures(section.parts, visit);
    }
}

void collect_figures(const std::vector<Section>& sections, std::vector<const Figure*>& found) {
    for (const Section& section : sections) {
        for (const Block& block : section.blocks) {
            if (const auto* figure = std::get_if<Figure>(&block)) {
                found.push_back(figure);
            }
        }
        collect_figures(section.parts, found);
    }
}

// Half width with as many decimals as the mean. If the mean has no decimals, two significant
// digits.
std::string half_width_text(const std::string& mean, double half_width) {
    if (mean.find('e') != std::string::npos) {
        return setup::shown_number(half_width);
    }
    const std::size_t point = mean.find('.');
    std::size_t decimals = point == std::string::npos ? 0 : mean.size() - point - 1;
    if (decimals == 0 && half_width > 0.0) {
        const int magnitude = static_cast<int>(std::floor(std::log10(half_width)));
        decimals = static_cast<std::size_t>(std::clamp(1 - magnitude, 0, 6));
    }
    return half_width > 0.0 && half_width < 0.5 * std::pow(10.0, -static_cast<double>(decimals))
               ? setup::shown_number(half_width)
               : fmt::format("{:.{}f}", half_width, decimals);
}

}  // namespace

TableCell text_cell(std::string text, TableCell::Mark mark) {
    return {std::move(text), std::nullopt, std::nullopt, mark};
}

TableCell number_cell(double value) {
    return {setup::shown_number(value), value, std::nullopt, {}};
}

TableCell number_cell(const std::optional<double>& value) {
    return value ? number_cell(*value) : absent_cell();
}

TableCell whole_cell(double value) {
    return {setup::fixed_number(value, 0), value, std::nullopt, {}};
}

TableCell interval_cell(double mean, const std::optional<double>& half_width) {
    TableCell cell = number_cell(mean);
    if (half_width) {
        cell.text += " ± " + half_width_text(cell.text, *half_width);
        cell.half_width = half_width;
    }
    return cell;
}

TableCell percent_cell(double percent) {
    return {setup::signed_number(percent) + " %", percent, std::nullopt, {}};
}

TableColumn text_column(std::string name) { return {std::move(name), "", false}; }

TableColumn number_column(std::string name, std::string explanation) {
    return {std::move(name), std::move(explanation), true};
}

TableColumn status_column() {
    TableColumn column = text_column("status");
    column.is_status = true;
    return column;
}

TableColumn off_column(std::string explanation) {
    return {"off", std::move(explanation), true, true};
}

TableCell absent_cell() { return text_cell("–", TableCell::Mark::kQuiet); }

void declare_last_row_as_sum(Table& table, const std::vector<std::size_t>& columns) {
    const std::size_t last = table.rows.size() - 1;
    for (const std::size_t column : columns) {
        if (!table.rows[last][column].value) {
            continue;
        }
        TableSum sum{{}, {last, column}};
        for (std::size_t row = 0; row < last; ++row) {
            sum.parts.push_back({row, column});
        }
        table.sums.push_back(std::move(sum));
    }
}

void declare_sum_in_last_row(Table& table, const std::vector<std::size_t>& parts,
                             std::size_t total) {
    const std::size_t last = table.rows.size() - 1;
    TableSum sum{{}, {last, total}};
    for (const std::size_t column : parts) {
        sum.parts.push_back({last, column});
    }
    table.sums.push_back(std::move(sum));
}

std::optional<Section> section_of(std::string title, Table table) {
    if (table.rows.empty()) {
        return std::nullopt;
    }
    Section section;
    section.title = std::move(title);
    section.blocks.emplace_back(std::move(table));
    return section;
}

void name_figures(Document& document) {
    std::size_t number = 0;
    visit_figures(document.sections, [&number](Figure& figure) {
        constexpr std::size_t kLongest = 60;
        std::string words = hyphenated(figure.title()).substr(0, kLongest);
        words.erase(words.find_last_not_of('-') + 1);
        figure.name = fmt::format("figure-{:02}{}{}", ++number, words.empty() ? "" : "-", words);
    });
}

void share_value_axes(Document& document) {
    std::map<std::string, std::pair<ValueRange, std::vector<ValueAxis*>>> groups;
    const auto add = [&groups](auto& chart, const std::string& name, const std::string& label,
                               bool is_logarithmic) {
        auto& [range, axes] = groups[fmt::format("{}\n{}\n{}\n{}\n{}", name, label, is_logarithmic,
                                                 chart.axis.is_signed, chart.axis.subject)];
        const ValueRange own = value_range(chart);
        if (!own.is_empty()) {
            range.add(own.least);
            range.add(own.most);
            axes.push_back(&chart.axis);
        }
    };
    visit_figures(document.sections, [&add](Figure& figure) {
        if (auto* lines = std::get_if<LineChart>(&figure.chart)) {
            add(*lines, lines->y_name, lines->y_label, lines->y_is_logarithmic);
        } else if (auto* panels = std::get_if<PanelChart>(&figure.chart)) {
            add(*panels, panels->value_name, panels->value_label, false);
        } else if (auto* dots = std::get_if<DotChart>(&figure.chart); dots && dots->as_bars) {
            add(*dots, dots->value_name, dots->value_label, dots->value_is_logarithmic);
        }
    });
    for (const auto& [key, group] : groups) {
        const auto& [range, axes] = group;
        for (ValueAxis* axis : axes) {
            axis->shared_range = axes.size() > 1 ? std::optional(range) : std::nullopt;
        }
    }
}

std::vector<const Figure*> figures_of(const Document& document) {
    std::vector<const Figure*> found;
    collect_figures(document.sections, found);
    return found;
}

std::string hyphenated(std::string_view text) {
    std::string name;
    for (const char letter : text) {
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    if (!name.empty() && name.back() == '-') {
        name.pop_back();
    }
    return name;
}

}  // namespace weir::experiments::records
