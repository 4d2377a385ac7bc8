#include "experiments/pages/models/model_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>

#include "experiments/setup/text/text_table.h"

namespace weir::experiments::pages {

namespace {

using setup::UserFault;

constexpr std::size_t kMostLines = 24;

PictureFormat format_of(const std::string& path, const std::string& option) {
    constexpr std::array<std::pair<const char*, PictureFormat>, 3> kFormats = {
        {{".svg", PictureFormat::kSvg},
         {".png", PictureFormat::kPng},
         {".pdf", PictureFormat::kPdf}}};
    const std::string extension = std::filesystem::path(path).extension().string();
    for (const auto& [ending, format] : kFormats) {
        if (extension == ending) {
            return format;
        }
    }
    throw UserFault({option}, "this picture format is not supported",
                    "a file name that ends in .svg, .png or .pdf");
}

/// Label of a quantity: "response_cycles (R)".
template <typename Quantity>
std::string labelled(const Quantity& quantity) {
    return quantity.name() + (quantity.symbol().empty() ? "" : " (" + quantity.symbol() + ")");
}

template <typename Quantity>
std::string labelled_with_unit(const Quantity& quantity) {
    return labelled(quantity) + (quantity.unit().empty() ? "" : ", " + quantity.unit());
}

/// Kind of an output's quantity, which decides its panel. It is the unit, "share", or the things
/// that are counted: "servers" of best_servers and servers_used, "requests" of requests_at_node.
std::string kind_of(const models::Output& output) {
    if (!output.unit().empty()) {
        return output.unit();
    }
    std::string name = output.name();
    name.resize(std::min(name.find("_at_"), name.size()));
    if (name.ends_with("_used")) {
        name.resize(name.rfind('_'));
    }
    const std::string last = name.substr(name.rfind('_') + 1);
    constexpr std::array kShares{"share", "fraction", "utilization"};
    return std::find(kShares.begin(), kShares.end(), last) == kShares.end() ? last : kShares[0];
}

/// True if curves of small values would lie on a linear axis that begins at 0. All values are then
/// positive, and the largest is a hundred times the smallest or more.
bool needs_logarithmic_axis(const records::LineChart& chart) {
    constexpr double kMostOnLinearAxis = 100.0;
    records::ValueRange range;
    for (const records::Curve& curve : chart.curves) {
        for (const records::CurvePoint& point : curve.points) {
            if (std::isfinite(point.y)) {
                range.add(point.y);
            }
        }
    }
    return range.least > 0.0 && range.most >= kMostOnLinearAxis * range.least;
}

/// Number of combinations of all axes but the first, in the order of the points.
std::size_t combinations(const std::vector<analyses::SweepAxis>& axes) {
    std::size_t count = 1;
    for (std::size_t i = 1; i < axes.size(); ++i) {
        count *= axes[i].values.size();
    }
    return count;
}

/// Point of a sweep by its value on the first axis and its combination of the others.
const analyses::SweepPoint& point_of(const analyses::ModelSweep& sweep, std::size_t on_first_axis,
                                     std::size_t combination) {
    return sweep.points[on_first_axis * combinations(sweep.axes) + combination];
}

std::size_t output_number(const analyses::ModelSweep& sweep, const models::Output* output) {
    return std::find(sweep.outputs.begin(), sweep.outputs.end(), output) - sweep.outputs.begin();
}

/// Values of all axes but the first: "S_o = 5".
std::string other_values(const analyses::ModelSweep& sweep, std::size_t combination) {
    std::string name;
    const analyses::SweepPoint& point = point_of(sweep, 0, combination);
    for (std::size_t axis = 1; axis < sweep.axes.size(); ++axis) {
        const models::Input& input = *sweep.axes[axis].input;
        name += fmt::format("{}{} = {}", name.empty() ? "" : ", ",
                            input.symbol().empty() ? input.name() : input.symbol(),
                            setup::number_text(point.at[axis]));
    }
    return name;
}

/// Text of a fixed input: "handler_cycles 200", or the size of a long list or a matrix.
std::string fixed_input(const models::Input& input) {
    constexpr std::size_t kLongestList = 30;
    const auto size = analyses::size_text(input, kLongestList);
    return input.name() + (size ? " of " + *size : " " + input.value_text());
}

/// Curve of an output; a point without a solution leaves a gap.
records::Curve curve_of(const analyses::ModelSweep& sweep, const models::Output& output,
                        const std::string& name, std::size_t combination) {
    records::Curve curve{records::CurveKind::kModel, name, other_values(sweep, combination), {}};
    const std::size_t number = output_number(sweep, &output);
    for (std::size_t i = 0; i < sweep.axes.front().values.size(); ++i) {
        const analyses::SweepPoint& point = point_of(sweep, i, combination);
        curve.points.push_back({point.at.front(), point.outputs[number].value_or(NAN), {}});
    }
    return curve;
}

}  // namespace

std::vector<std::string> fixed_inputs(const analyses::ModelSweep& sweep,
                                      const analyses::ModelInputs& inputs) {
    constexpr std::size_t kMostLetters = 130;
    constexpr std::size_t kLinesWithDefaults = 2;
    const std::string others = "others at their defaults";
    std::vector<std::string> lines(1);
    const auto fits = [&](const std::string& part) {
        return lines.back().empty() || lines.back().size() + part.size() + 2 <= kMostLetters;
    };
    const auto add = [&](const std::string& part) {
        if (!fits(part)) {
            lines.back() += ",";
            lines.emplace_back();
        }
        lines.back() += (lines.back().empty() ? "" : ", ") + part;
    };
    std::vector<std::string> defaults;
    for (const models::Input* input : sweep.model->inputs()) {
        if (sweep.sweeps(*input)) {
            continue;
        }
        if (inputs.is_given(*input)) {
            add(fixed_input(*input));
        } else {
            defaults.push_back(fixed_input(*input));
        }
    }
    for (std::size_t i = 0; i < defaults.size(); ++i) {
        const bool is_last = i + 1 == defaults.size();
        const bool has_room = fits(is_last ? defaults[i] : defaults[i] + ", " + others);
        if (!has_room && lines.size() >= kLinesWithDefaults) {
            add(others);
            break;
        }
        add(defaults[i]);
    }
    return lines.back().empty() ? std::vector<std::string>{} : lines;
}

ModelPlot::ModelPlot(const std::string& path, const std::vector<analyses::SweepAxis>& axes,
                     const std::vector<const models::Output*>& outputs, bool shown, YAxis y_axis)
    : path_(path), option_("--plot " + path), format_(format_of(path, option_)), y_axis_(y_axis) {
    if (axes.empty()) {
        throw UserFault({option_}, "there is no sweep to plot", "--plot with --sweep");
    }
    if (outputs.empty()) {
        throw UserFault({option_}, "the model has no output that is a single number");
    }
    for (const models::Output* output : outputs) {
        if (shown || kind_of(*output) == kind_of(*outputs.front())) {
            drawn_.push_back(output);
        }
    }
    draws_all_ = drawn_.size() == outputs.size();
    const std::size_t lines = drawn_.size() * combinations(axes);
    if (lines > kMostLines) {
        throw UserFault({option_}, fmt::format("the picture would have {} lines", lines),
                        fmt::format("{} at most: fewer outputs with --show, or fewer values of "
                                    "the second sweep",
                                    kMostLines));
    }
}

std::vector<records::LineChart> ModelPlot::charts(const analyses::ModelSweep& sweep) const {
    const analyses::SweepAxis& axis = sweep.axes.front();
    std::vector<records::LineChart> charts;
    std::vector<std::string> kinds;  // kinds of quantities of the charts
    for (const models::Output* output : drawn_) {
        const bool alone = std::count_if(drawn_.begin(), drawn_.end(), [output](const auto* other) {
                               return kind_of(*other) == kind_of(*output);
                           }) == 1;
        const std::size_t place =
            std::find(kinds.begin(), kinds.end(), kind_of(*output)) - kinds.begin();
        if (place == kinds.size()) {
            kinds.push_back(kind_of(*output));
            records::LineChart& chart = charts.emplace_back();
            chart.x_label = labelled_with_unit(*axis.input);
            chart.x_is_logarithmic = axis.logarithmic;
            chart.y_label = alone ? labelled_with_unit(*output) : kinds.back();
        }
        for (std::size_t other = 0; other < combinations(sweep.axes); ++other) {
            charts[place].curves.push_back(
                curve_of(sweep, *output, alone ? "" : labelled(*output), other));
        }
    }
    for (records::LineChart& chart : charts) {
        chart.y_is_logarithmic = y_axis_ == YAxis::kLogarithmic ||
                                 (y_axis_ == YAxis::kChosen && needs_logarithmic_axis(chart));
    }
    std::erase_if(charts, [](const records::LineChart& chart) { return chart.is_empty(); });
    if (charts.empty()) {
        throw UserFault({option_}, "none of the outputs drawn has a value at any point");
    }
    return charts;
}

Drawing ModelPlot::drawing(const analyses::ModelSweep& sweep,
                           const analyses::ModelInputs& inputs) const {
    return panels(sweep.model->name() + ": " + sweep.model->title(), fixed_inputs(sweep, inputs),
                  charts(sweep));
}

std::string ModelPlot::summary() const {
    std::string names;
    for (const models::Output* output : drawn_) {
        names += (names.empty() ? "" : ", ") + output->name();
    }
    return fmt::format("{} shows {}{}", path_, names,
                       draws_all_ ? "" : " (others: --show NAME,NAME)");
}

}  // namespace weir::experiments::pages
