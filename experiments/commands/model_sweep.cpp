#include "experiments/commands/model_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "experiments/config/toml_tree.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::commands {

namespace {

using config::Place;
using config::UserFault;

constexpr std::size_t kMostPoints = 100'000;
constexpr const char* kAcceptedForm = "NAME=START:STOP:STEP, NAME=START:STOP:xFACTOR or NAME=A,B,C";

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char letter : text) {
        if (letter == separator) {
            parts.emplace_back();
        } else if (letter != ' ') {
            parts.back() += letter;
        }
    }
    return parts;
}

double number_of(const std::string& text, const Place& place) {
    const auto value = config::parse_toml_value(text, place);
    const auto number = value ? value->as_number() : std::nullopt;
    if (!number || !std::isfinite(*number)) {
        throw UserFault(
            place, text.empty() ? "a number is missing" : fmt::format("\"{}\" is no number", text),
            kAcceptedForm);
    }
    return *number;
}

/// The value without the last bits that adding steps puts wrong: 0.3, not 0.30000000000000004.
double rounded(double value, double scale) {
    constexpr int kDigits = 15;
    const int decimals = kDigits - 1 - static_cast<int>(std::floor(std::log10(scale)));
    return decimals < 0 || decimals > 300 ? value
                                          : std::stod(fmt::format("{:.{}f}", value, decimals));
}

UserFault too_many(const Place& place) {
    return {place, fmt::format("the sweep has more than {} points", kMostPoints),
            "fewer points: a larger step or fewer sweeps"};
}

std::vector<double> in_steps(double start, double stop, double step, const Place& place) {
    if (step == 0.0 || (stop - start) / step < 0.0) {
        throw UserFault(
            place,
            fmt::format("steps of {} do not lead from {} to {}", models::shortest_text(step),
                        models::shortest_text(start), models::shortest_text(stop)),
            kAcceptedForm);
    }
    // A hundred-millionth of a step more, so that rounding does not lose the end.
    const double steps = std::floor((stop - start) / step + 1e-8);
    if (!(steps < static_cast<double>(kMostPoints))) {
        throw too_many(place);
    }
    const double scale = std::max({std::abs(start), std::abs(stop), std::abs(step)});
    std::vector<double> values;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(steps); ++i) {
        values.push_back(rounded(start + static_cast<double>(i) * step, scale));
    }
    return values;
}

std::vector<double> by_a_factor(double start, double stop, double factor, const Place& place) {
    const bool leads = start > 0.0 && stop > 0.0 &&
                       (start == stop || (factor > 1.0 && stop > start) ||
                        (factor > 0.0 && factor < 1.0 && stop < start));
    if (!leads) {
        throw UserFault(
            place,
            fmt::format("a factor of {} does not lead from {} to {}", models::shortest_text(factor),
                        models::shortest_text(start), models::shortest_text(stop)),
            "numbers above 0, and a factor above 1 (below 1 to go down)");
    }
    if (start == stop) {
        return {start};
    }
    const double steps = std::floor(std::log(stop / start) / std::log(factor) + 1e-8);
    if (!(steps < static_cast<double>(kMostPoints))) {
        throw too_many(place);
    }
    std::vector<double> values;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(steps); ++i) {
        const double value = start * std::pow(factor, static_cast<double>(i));
        values.push_back(rounded(value, std::abs(value)));
    }
    return values;
}

SweepAxis values_of(const std::string& text, const Place& place) {
    SweepAxis axis;
    if (text.find(':') == std::string::npos) {
        for (const std::string& value : split(text, ',')) {
            axis.values.push_back(number_of(value, place));
        }
        return axis;
    }
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() != 3) {
        throw UserFault(place, fmt::format("\"{}\" is no sweep", text), kAcceptedForm);
    }
    const double start = number_of(parts[0], place);
    const double stop = number_of(parts[1], place);
    axis.logarithmic = parts[2].starts_with('x');
    axis.values = axis.logarithmic
                      ? by_a_factor(start, stop, number_of(parts[2].substr(1), place), place)
                      : in_steps(start, stop, number_of(parts[2], place), place);
    return axis;
}

/// A list is swept as one of a single number.
void give_swept(models::Input& input, double value) {
    if (dynamic_cast<models::ListInput*>(&input) != nullptr) {
        input.set(std::vector<double>{value});
    } else {
        input.set(value);
    }
}

/// A misprint of the sweep's is found before a point is solved.
void require_taken(const SweepAxis& axis, const Place& place) {
    for (const double value : axis.values) {
        try {
            give_swept(*axis.input, value);
        } catch (const models::ModelError& error) {
            throw UserFault(place, error.what());
        }
    }
}

SweepPoint solve_point(models::Model& model, const std::vector<SweepAxis>& axes,
                       const std::vector<const models::Output*>& outputs, std::size_t number) {
    SweepPoint point;
    point.at.resize(axes.size());
    for (std::size_t i = axes.size(); i-- > 0;) {
        point.at[i] = axes[i].values[number % axes[i].values.size()];
        number /= axes[i].values.size();
        give_swept(*axes[i].input, point.at[i]);
    }
    point.outputs.resize(outputs.size());
    try {
        model.solve();
    } catch (const models::ModelError& error) {
        point.error = error.what();
        return point;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        point.outputs[i] = outputs[i]->value();
    }
    point.notes = model.notes();
    return point;
}

}  // namespace

SweepAxis parse_sweep_option(const std::string& option, const ModelInputs& inputs) {
    const Place place{"--sweep " + option};
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) {
        throw UserFault(place, "there is no \"=\"", kAcceptedForm);
    }
    const std::string name = split(option.substr(0, equals), '\0').front();
    models::Input& input = inputs.find(place, name);
    if (!is_number(input) && dynamic_cast<models::ListInput*>(&input) == nullptr) {
        throw UserFault(place, input.title() + " can't be swept, it is not a number",
                        "a sweep of an input that is a number, or a list, swept as one number");
    }
    if (inputs.is_set(input)) {
        throw UserFault(place, input.title() + " is both set and swept", "one of the two");
    }
    SweepAxis axis = values_of(option.substr(equals + 1), place);
    axis.input = &input;
    require_taken(axis, place);
    return axis;
}

bool ModelSweep::has_solution() const {
    return std::any_of(points.begin(), points.end(),
                       [](const SweepPoint& point) { return point.is_solved(); });
}

bool ModelSweep::sweeps(const models::Input& input) const {
    return std::any_of(axes.begin(), axes.end(),
                       [&](const SweepAxis& axis) { return axis.input == &input; });
}

std::string ModelSweep::place_of(const SweepPoint& point) const {
    std::string place;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        place += fmt::format("{}{} = {}", i == 0 ? "" : ", ", axes[i].input->name(),
                             models::shortest_text(point.at[i]));
    }
    return place;
}

ModelSweep solve_sweep(models::Model& model, std::vector<SweepAxis> axes,
                       std::vector<const models::Output*> outputs) {
    ModelSweep sweep;
    sweep.model = &model;
    sweep.outputs = std::move(outputs);
    std::size_t count = 1;
    for (const SweepAxis& axis : axes) {
        count *= axis.values.size();
        if (count > kMostPoints) {
            throw too_many(Place{"--sweep"});
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        sweep.points.push_back(solve_point(model, axes, sweep.outputs, i));
    }
    sweep.axes = std::move(axes);
    return sweep;
}

}  // namespace weir::experiments::commands
