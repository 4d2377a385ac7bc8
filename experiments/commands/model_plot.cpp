#include "experiments/commands/model_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>

#include "experiments/commands/new_file.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/pages/text_table.h"

namespace weir::experiments::commands {

namespace {

using pages::gnuplot_plain;
using pages::gnuplot_symbol;
using setup::UserFault;

constexpr std::size_t kMostLines = 24;
constexpr std::size_t kMostMarkedPoints = 30;
constexpr int kPanelHeight = 420;  // pixels, as the next two
constexpr int kTitleHeight = 60;
constexpr int kPictureWidth = 1100;
constexpr double kPixelsPerInch = 96.0;

/// Wong's palette, which colour-blind readers can tell apart.
constexpr std::array<std::string_view, 8> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                      "#E69F00", "#56B4E9", "#000000", "#8C8C8C"};

/// The gnuplot terminal for the file's ending.
std::string terminal_of(const std::string& path, const std::string& option) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".svg") {
        return "svg enhanced background 'white'";
    }
    if (extension == ".png" || extension == ".pdf") {
        return extension.substr(1) + "cairo enhanced";
    }
    throw UserFault({option}, "no picture of this kind",
                    "a file name that ends in .svg, .png or .pdf");
}

std::string size_of(const std::string& terminal, std::size_t panels) {
    const int height = kTitleHeight + kPanelHeight * static_cast<int>(panels);
    return terminal.starts_with("pdf")
               ? fmt::format("{:.2f}in,{:.2f}in", kPictureWidth / kPixelsPerInch,
                             height / kPixelsPerInch)
               : fmt::format("{},{}", kPictureWidth, height);
}

/// "response_cycles (R)"
template <typename Quantity>
std::string labelled(const Quantity& quantity) {
    return gnuplot_plain(quantity.name()) +
           (quantity.symbol().empty() ? "" : " (" + gnuplot_symbol(quantity.symbol()) + ")");
}

template <typename Quantity>
std::string labelled_with_unit(const Quantity& quantity) {
    return labelled(quantity) +
           (quantity.unit().empty() ? "" : ", " + gnuplot_plain(quantity.unit()));
}

/// The combinations of all axes but the first, in the order of the points.
std::size_t combinations(const std::vector<SweepAxis>& axes) {
    std::size_t count = 1;
    for (std::size_t i = 1; i < axes.size(); ++i) {
        count *= axes[i].values.size();
    }
    return count;
}

/// Points that differ in the first axis alone are this far from each other.
const SweepPoint& point_of(const ModelSweep& sweep, std::size_t on_first_axis,
                           std::size_t combination) {
    return sweep.points[on_first_axis * combinations(sweep.axes) + combination];
}

std::size_t output_number(const ModelSweep& sweep, const models::Output* output) {
    return static_cast<std::size_t>(std::find(sweep.outputs.begin(), sweep.outputs.end(), output) -
                                    sweep.outputs.begin());
}

/// A line's name in the legend: the output where there are several, the other axes' values where
/// there are such axes.
std::string line_name(const ModelSweep& sweep, const models::Output& output, bool name_output,
                      std::size_t combination) {
    std::string name = name_output ? labelled(output) : "";
    const SweepPoint& point = point_of(sweep, 0, combination);
    for (std::size_t axis = 1; axis < sweep.axes.size(); ++axis) {
        const models::Input& input = *sweep.axes[axis].input;
        const std::string who =
            input.symbol().empty() ? gnuplot_plain(input.name()) : gnuplot_symbol(input.symbol());
        name += (name.empty() ? "" : ", ") + who + " = " + pages::number_text(point.at[axis]);
    }
    return name;
}

/// "handler_cycles 200" or, of a long list and a matrix, how many numbers they have.
std::string fixed_input(const models::Input& input) {
    constexpr std::size_t kLongestList = 30;
    if (const auto* matrix = dynamic_cast<const models::MatrixInput*>(&input)) {
        return fmt::format("{} of {} x {} numbers", input.name(), matrix->value().size(),
                           matrix->value().front().size());
    }
    const auto* list = dynamic_cast<const models::ListInput*>(&input);
    const std::string value = input.value_text();
    return list != nullptr && value.size() > kLongestList
               ? fmt::format("{} of {} numbers", input.name(), list->value().size())
               : input.name() + " " + value;
}

/// The inputs that stay the same, in lines: those that were given, for they tell this picture from
/// others, then those that have their defaults while there are no more than two lines.
std::vector<std::string> fixed_inputs(const ModelSweep& sweep, const ModelInputs& inputs) {
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

/// A file name in quotes, inside which gnuplot reads every letter as it is.
std::string quoted_path(const std::string& path) {
    std::string text = "'";
    for (const char letter : path) {
        text += letter == '\'' ? "''" : std::string(1, letter);
    }
    return text + "'";
}

/// A line of the picture: an output over the first axis.
struct Line {
    std::string data;  ///< the name of its data
    std::string name;  ///< in the legend
};

/// The outputs of one unit.
struct Panel {
    std::vector<const models::Output*> outputs;
    std::vector<Line> lines;
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    [[nodiscard]] const std::string& unit() const { return outputs.front()->unit(); }
};

std::vector<Panel> panels_of(const std::vector<const models::Output*>& outputs) {
    std::vector<Panel> panels;
    for (const models::Output* output : outputs) {
        auto found = std::find_if(panels.begin(), panels.end(), [&](const Panel& panel) {
            return panel.unit() == output->unit();
        });
        if (found == panels.end()) {
            found = panels.insert(found, Panel{});
        }
        found->outputs.push_back(output);
    }
    return panels;
}

/// Adds the panel's lines and returns their data, a block each. What has no value at any point is
/// no line.
std::string add_lines(const ModelSweep& sweep, std::size_t panel_number, Panel& panel) {
    std::string blocks;
    for (const models::Output* output : panel.outputs) {
        const std::size_t number = output_number(sweep, output);
        for (std::size_t other = 0; other < combinations(sweep.axes); ++other) {
            std::string block;
            bool any = false;
            for (std::size_t i = 0; i < sweep.axes.front().values.size(); ++i) {
                const SweepPoint& point = point_of(sweep, i, other);
                const std::optional<double>& value = point.outputs[number];
                block += fmt::format("{} {}\n", models::shortest_text(point.at.front()),
                                     value ? models::shortest_text(*value) : "NaN");
                any = any || value;
                panel.least = std::min(panel.least, value.value_or(panel.least));
                panel.most = std::max(panel.most, value.value_or(panel.most));
            }
            if (any) {
                const std::string name =
                    fmt::format("$line_{}_{}", panel_number + 1, panel.lines.size() + 1);
                blocks += fmt::format("{} << END\n{}END\n", name, block);
                panel.lines.push_back(
                    {name, line_name(sweep, *output, panel.outputs.size() > 1, other)});
            }
        }
    }
    return blocks;
}

std::string panel_script(const ModelSweep& sweep, const Panel& panel) {
    // From zero, unless that leaves no more than a strip for the lines.
    const bool from_zero = panel.least >= 0.0 && panel.most > 0.0 && panel.least < 0.7 * panel.most;
    std::string text = fmt::format("set yrange [{}:*]\n", from_zero ? "0" : "*");
    text += fmt::format("set ylabel \"{}\"\n", panel.outputs.size() == 1
                                                   ? labelled_with_unit(*panel.outputs.front())
                                                   : gnuplot_plain(panel.unit()));
    const bool marked = sweep.axes.front().values.size() <= kMostMarkedPoints;
    std::string plots;
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
        const Line& line = panel.lines[i];
        plots += fmt::format("{} using 1:2 with {} linewidth 2 dashtype {} linecolor rgb \"{}\"",
                             (plots.empty() ? "" : ", \\\n     ") + line.data,
                             marked ? "linespoints pointtype 7 pointsize 0.6" : "lines",
                             1 + i / kColours.size(), kColours[i % kColours.size()]);
        plots += line.name.empty() ? " notitle" : fmt::format(" title \"{}\"", line.name);
    }
    return text + "plot " + plots + "\n";
}

}  // namespace

ModelPlot::ModelPlot(const std::string& path, const std::vector<SweepAxis>& axes,
                     const std::vector<const models::Output*>& outputs, bool shown)
    : path_(path), option_("--plot " + path), terminal_(terminal_of(path, option_)) {
    if (axes.empty()) {
        throw UserFault({option_}, "there is no sweep to plot", "--plot with --sweep");
    }
    if (outputs.empty()) {
        throw UserFault({option_}, "the model has no output that is one number");
    }
    for (const models::Output* output : outputs) {
        if (shown || output->unit() == outputs.front()->unit()) {
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

std::string ModelPlot::script(const ModelSweep& sweep, const ModelInputs& inputs,
                              const std::string& file) const {
    std::vector<Panel> panels = panels_of(drawn_);
    std::string data;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        data += add_lines(sweep, i, panels[i]);
    }
    std::erase_if(panels, [](const Panel& panel) { return panel.lines.empty(); });
    if (panels.empty()) {
        throw UserFault({option_}, "none of the outputs drawn has a value at any point");
    }
    std::string text = data;
    text += "set encoding utf8\n";
    text += fmt::format("set terminal {} size {} font \"sans,12\"\n", terminal_,
                        size_of(terminal_, panels.size()));
    text += fmt::format("set output {}\n", quoted_path(file));
    text += "set border 3 linecolor rgb \"#404040\"\n";
    text += "set tics nomirror out\n";
    text += "set grid linetype 1 linewidth 0.5 linecolor rgb \"#DDDDDD\"\n";
    text += "set key above left horizontal Left reverse samplen 2 spacing 1.3\n";
    // Panels one above the other, so that their axes begin and end at the same place.
    text += panels.size() == 1 ? "" : "set lmargin 12\nset rmargin 4\n";
    text += "set format \"%g\"\n";
    const SweepAxis& axis = sweep.axes.front();
    text += axis.logarithmic ? "set logscale x\n" : "";
    text += fmt::format("set xlabel \"{}\"\n", labelled_with_unit(*axis.input));
    std::string fixed;
    for (const std::string& line : fixed_inputs(sweep, inputs)) {
        fixed += "\\n{/*0.8 " + gnuplot_plain(line) + "}";
    }
    // The blank line at the end keeps the title off the first panel's key.
    text +=
        fmt::format("set multiplot layout {},1 title \"{}: {}{}\\n \"\n", panels.size(),
                    gnuplot_plain(sweep.model->name()), gnuplot_plain(sweep.model->title()), fixed);
    for (const Panel& panel : panels) {
        text += panel_script(sweep, panel);
    }
    return text + "unset multiplot\nset output\n";
}

void ModelPlot::draw(const ModelSweep& sweep, const ModelInputs& inputs) const {
    NewFile file(path_, option_);
    const std::string text = script(sweep, inputs, file.unfinished_path());
    try {
        pages::run_gnuplot(text);
    } catch (const pages::GnuplotError& error) {
        throw UserFault({option_}, error.what());
    }
    file.finish();
}

std::string ModelPlot::summary() const {
    std::string names;
    for (const models::Output* output : drawn_) {
        names += (names.empty() ? "" : ", ") + output->name();
    }
    return fmt::format("{} shows {}{}", path_, names,
                       draws_all_ ? "" : " (others: --show NAME,NAME)");
}

}  // namespace weir::experiments::commands
