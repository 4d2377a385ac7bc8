#include "experiments/pages/models/model_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::pages {

namespace {

using models::Input;
using models::Model;
using models::Output;
using models::OutputTable;
using setup::width_of;
using setup::wrapped;

constexpr std::size_t kMostReasons = 20;
/// Longest text in a column of numbers; a longer one makes it a column of texts.
constexpr std::size_t kWidestAmongNumbers = 24;

/// Paper of a source: the part up to the year, or else up to the section.
///
/// "Frank, Agarwal and Vernon, LoPC (1997), section 4"
std::string paper_of(const std::string& source) {
    const std::size_t year = source.find_first_of("0123456789", source.find('('));
    if (source.find('(') != std::string::npos && year != std::string::npos) {
        const std::size_t end = source.find(')', year);
        return end == std::string::npos ? source : source.substr(0, end + 1);
    }
    std::size_t end = source.size();
    for (const char* place : {", section", ", Section", ", figure", ", Figure", ", equation"}) {
        end = std::min(end, source.find(place));
    }
    return source.substr(0, end);
}

/// Rows of short texts in columns as wide as their widest text.
class Rows {
  public:
    using Row = std::vector<std::string>;

    /// The column of values, whose index is given, is right-aligned.
    explicit Rows(std::size_t right_aligned) : right_aligned_(right_aligned) {}

    void add(Row row) {
        widths_.resize(std::max(widths_.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths_[i] = std::max(widths_[i], width_of(row[i]));
        }
        rows_.push_back(std::move(row));
    }

    /// The rows as text; a last column that is too long for the page is wrapped.
    [[nodiscard]] std::string text() const {
        std::string page;
        for (const Row& row : rows_) {
            page += text_of(row);
        }
        return page;
    }

  private:
    [[nodiscard]] std::string text_of(const Row& row) const {
        std::string line = " ";
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            const std::string blanks(widths_[i] - width_of(row[i]), ' ');
            line += " " + (i == right_aligned_ ? blanks + row[i] : row[i] + blanks) + " ";
        }
        line += row.back().empty() ? "" : " ";
        const bool fits =
            row.back().empty() || width_of(line) + width_of(row.back()) <= setup::kPageColumns;
        if (fits || width_of(line) > setup::kPageColumns / 2) {
            std::string text = fits ? line + row.back() : line;
            text.erase(text.find_last_not_of(' ') + 1);
            return text + "\n" + (fits ? "" : wrapped(row.back(), "      ", "      "));
        }
        return wrapped(row.back(), line, std::string(width_of(line), ' '));
    }

    std::size_t right_aligned_;
    std::vector<std::size_t> widths_;
    std::vector<Row> rows_;
};

/// Text of an input's value; a long list is shown as its size.
std::string shown_value(const Input& input) {
    constexpr std::size_t kShown = 24;
    return analyses::size_text(input, kShown).value_or(input.value_text());
}

/// Inputs as lines, without those that a sweep varies.
std::string inputs_text(const Model& model, const analyses::ModelInputs& inputs,
                        const std::function<bool(const Input&)>& is_left_out) {
    constexpr std::size_t kValue = 2;
    Rows rows(kValue);
    bool any = false;
    for (const Input* input : model.inputs()) {
        if (!is_left_out(*input)) {
            rows.add({input->name(), input->symbol(), shown_value(*input), input->unit(),
                      inputs.is_given(*input) ? "" : "default"});
            any = true;
        }
    }
    return any ? "\ninputs\n" + rows.text() : "";
}

std::string heading(const Model& model) {
    return wrapped(model.name() + ": " + model.title(), "", "  ") +
           wrapped(model.source(), "", "  ");
}

std::string equation_suffix(const std::string& equation) {
    return equation.empty() ? "" : "; " + equation;
}

std::string table_text(const OutputTable& table) {
    std::string text =
        "\n" + wrapped(table.name() + ": " + table.sentence() + equation_suffix(table.equation()),
                       "", "  ");
    if (table.rows().empty()) {
        return text + "  no rows\n";
    }
    const std::size_t shown_rows = std::min(table.rows().size(), kMostTableRows);
    std::vector<setup::TextColumn> columns;
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
        setup::TextColumn column{.name = table.columns()[i].name, .symbol = {}, .cells = {}};
        std::vector<std::optional<double>> numbers;
        for (std::size_t row = 0; row < shown_rows; ++row) {
            const auto* number = std::get_if<double>(&table.rows()[row][i]);
            numbers.push_back(number != nullptr ? std::optional(*number) : std::nullopt);
        }
        column.cells = setup::column_text(numbers, "");
        column.is_text = std::none_of(numbers.begin(), numbers.end(),
                                      [](const auto& number) { return number.has_value(); });
        for (std::size_t row = 0; row < shown_rows; ++row) {
            if (const auto* words = std::get_if<std::string>(&table.rows()[row][i])) {
                column.cells[row] = *words;
                column.is_text = column.is_text || width_of(*words) > kWidestAmongNumbers;
            }
        }
        columns.push_back(std::move(column));
    }
    text += setup::text_table(columns, 1);
    if (const std::size_t more = table.rows().size() - shown_rows; more > 0) {
        text += wrapped(fmt::format("... {} more row{}: --json or --show {} --csv prints all", more,
                                    more == 1 ? "" : "s", table.name()),
                        "  ", "  ");
    }
    return text;
}

std::string notes_text(const std::vector<std::string>& notes) {
    std::string text;
    for (const std::string& note : notes) {
        text += wrapped(note, "note: ", "  ");
    }
    return text.empty() ? "" : "\n" + text;
}

std::string name_line(const std::string& name, const std::string& symbol, const std::string& unit,
                      const std::string& right) {
    std::string line = "  " + name + (symbol.empty() ? "" : " (" + symbol + ")") +
                       (unit.empty() ? "" : ", " + unit);
    if (right.empty()) {
        return line + "\n";
    }
    const std::size_t used = width_of(line) + width_of(right);
    if (used + 2 > setup::kPageColumns) {
        return line + "\n" + wrapped(right, "      ", "      ");
    }
    return line + std::string(setup::kPageColumns - used, ' ') + right + "\n";
}

std::string input_reference(const Input& input) {
    return name_line(input.name(), input.symbol(), input.unit(),
                     input.value() ? "default " + shown_value(input) : "required") +
           wrapped(input.sentence(), "      ", "      ") +
           wrapped("accepted: " + input.accepted(), "      ", "        ");
}

std::string output_reference(const Output& output) {
    return name_line(output.name(), output.symbol(), output.unit(), output.equation()) +
           wrapped(output.sentence(), "      ", "      ");
}

std::string table_reference(const OutputTable& table) {
    std::string text = name_line(table.name(), "", "", table.equation()) +
                       wrapped(table.sentence(), "      ", "      ");
    for (const OutputTable::Column& column : table.columns()) {
        text += wrapped(column.name + ": " + column.sentence, "      ", "          ");
    }
    return text;
}

std::string reasons_text(const analyses::ModelSweep& sweep) {
    std::string text;
    std::size_t unsolved = 0;
    for (const analyses::SweepPoint& point : sweep.points) {
        if (point.is_solved()) {
            continue;
        }
        if (++unsolved <= kMostReasons) {
            text +=
                wrapped(fmt::format("{}: {}", sweep.place_of(point), point.error), "  ", "    ");
        }
    }
    if (unsolved > kMostReasons) {
        text +=
            fmt::format("  and at {} more points (--json lists all)\n", unsolved - kMostReasons);
    }
    return text.empty() ? "" : "\nno solution\n" + text;
}

std::vector<std::string> distinct_notes(const analyses::ModelSweep& sweep) {
    std::vector<std::string> notes;
    for (const analyses::SweepPoint& point : sweep.points) {
        for (const std::string& note : point.notes) {
            if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
                notes.push_back(note);
            }
        }
    }
    return notes;
}

}  // namespace

std::string model_listing(const models::Models& models) {
    using Titles = std::vector<std::pair<std::string, std::string>>;
    std::vector<std::pair<std::string, Titles>> papers;
    std::size_t name_width = 0;
    for (const auto& model : models) {
        const std::string paper = paper_of(model->source());
        auto found = std::find_if(papers.begin(), papers.end(),
                                  [&](const auto& entry) { return entry.first == paper; });
        if (found == papers.end()) {
            found = papers.insert(found, {paper, {}});
        }
        found->second.emplace_back(model->name(), model->title());
        name_width = std::max(name_width, width_of(model->name()));
    }
    std::string page;
    for (const auto& [paper, titles] : papers) {
        page += (page.empty() ? "" : "\n") + wrapped(paper, "", "  ") +
                setup::text_list(titles, 2, name_width);
    }
    return page + "\nweir model NAME --help describes the inputs and outputs of a model.\n";
}

std::string model_reference(const Model& model) {
    std::string page = heading(model);
    page += model.inputs().empty() ? "" : "\ninputs\n";
    for (const Input* input : model.inputs()) {
        page += input_reference(*input);
    }
    page += model.outputs().empty() ? "" : "\noutputs\n";
    for (const Output* output : model.outputs()) {
        page += output_reference(*output);
    }
    page += model.tables().empty() ? "" : "\ntables\n";
    for (const OutputTable* table : model.tables()) {
        page += table_reference(*table);
    }
    return page;
}

std::string solution_page(const Model& model, const analyses::ModelInputs& inputs,
                          const analyses::ShownParts& shown) {
    constexpr std::size_t kValue = 2;
    std::string page =
        heading(model) + inputs_text(model, inputs, [](const Input&) { return false; });
    Rows rows(kValue);
    for (const Output* output : shown.outputs) {
        rows.add({output->name(), output->symbol(),
                  output->value() ? setup::number_text(*output->value()) : "none", output->unit(),
                  output->equation()});
    }
    page += shown.outputs.empty() ? "" : "\noutputs\n" + rows.text();
    for (const OutputTable* table : shown.tables) {
        page += table_text(*table);
    }
    return page + notes_text(model.notes());
}

std::string model_sweep_page(const analyses::ModelSweep& sweep,
                             const analyses::ModelInputs& inputs) {
    std::string page =
        heading(*sweep.model) +
        inputs_text(*sweep.model, inputs, [&](const Input& input) { return sweep.sweeps(input); });
    std::vector<setup::TextColumn> columns;
    const auto add = [&](const auto& quantity, const char* absent, const auto& value_at) {
        std::vector<std::optional<double>> values;
        for (const analyses::SweepPoint& point : sweep.points) {
            values.push_back(value_at(point));
        }
        columns.push_back({quantity.name(), quantity.symbol(), setup::column_text(values, absent)});
    };
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
        add(*sweep.axes[axis].input, "",
            [axis](const auto& point) { return std::optional(point.at[axis]); });
    }
    for (std::size_t output = 0; output < sweep.outputs.size(); ++output) {
        add(*sweep.outputs[output], "none",
            [output](const auto& point) { return point.outputs[output]; });
    }
    return page + "\n" + setup::text_table(columns, sweep.axes.size()) + reasons_text(sweep) +
           notes_text(distinct_notes(sweep));
}

}  // namespace weir::experiments::pages
