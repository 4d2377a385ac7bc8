#include "experiments/analyses/model_questions/model_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "experiments/models/model_error.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/number_range.h"

namespace weir::experiments::analyses {

namespace {

using setup::Place;
using setup::UserFault;

constexpr std::size_t kMostPoints = 100'000;
constexpr const char* kAcceptedForm = "NAME=START:STOP:STEP, NAME=START:STOP:xFACTOR or NAME=A,B,C";

// Splits a text, without blanks around each part.
std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char letter : text) {
        if (letter == separator) {
            parts.emplace_back();
        } else if (letter != ' ' || !parts.back().empty()) {
            parts.back() += letter;
        }
    }
    for (std::string& part : parts) {
        part.erase(part.find_last_not_of(' ') + 1);
    }
    return parts;
}

double number_of(const std::string& text, const Place& place) {
    const auto value = setup::parse_toml_value(text, place);
    const auto number = value ? value->as_number() : std::nullopt;
    if (!number || !std::isfinite(*number)) {
        throw UserFault(
            place, text.empty() ? "a number is missing" : fmt::format("\"{}\" is no number", text),
            kAcceptedForm);
    }
    return *number;
}

UserFault too_many(const Place& place) {
    return {place, fmt::format("the sweep has more than {} points", kMostPoints),
            "fewer points: a larger step or fewer sweeps"};
}

std::vector<double> values_in(const setup::NumberRange& range, const Place& place) {
    const std::optional<double> steps = range.steps();
    if (!steps) {
        throw UserFault(
            place,
            fmt::format("{} of {} {} not lead from {} to {}",
                        range.by_factor ? "a factor" : "steps", models::shortest_text(range.step),
                        range.by_factor ? "does" : "do", models::shortest_text(range.start),
                        models::shortest_text(range.stop)),
            range.by_factor ? "numbers above 0, and a factor above 1 (below 1 to go down)"
                            : kAcceptedForm);
    }
    if (!(*steps < static_cast<double>(kMostPoints))) {
        throw too_many(place);
    }
    return range.values();
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
    const double step = number_of(axis.logarithmic ? parts[2].substr(1) : parts[2], place);
    axis.values = values_in({start, stop, step, axis.logarithmic}, place);
    return axis;
}

/// Sets the swept input; a list becomes a list of one number.
void give_swept(models::Input& input, double value) {
    if (is_list(input)) {
        input.set(std::vector<double>{value});
    } else {
        input.set(value);
    }
}

/// Checks all values of an axis before any point is solved.
void require_taken(const SweepAxis& axis, const Place& place) {
    for (const double value : axis.values) {
        try {
            give_swept(*axis.input, value);
        } catch (const models::ModelError& error) {
            throw UserFault(place, error.fault());
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
        throw UserFault(place, "a \"=\" is missing", kAcceptedForm);
    }
    const std::string name = split(option.substr(0, equals), '\0').front();
    models::Input& input = inputs.find(place, name);
    if (!input.is_number() && !is_list(input)) {
        throw UserFault(
            place, input.title() + " is not a number and cannot be swept",
            "an input that is a number, or a list, which is swept as a list of one number");
    }
    if (inputs.is_set(input)) {
        throw UserFault(place, input.title() + " is both set and swept",
                        "the input in one of --set and --sweep");
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

}  // namespace weir::experiments::analyses
