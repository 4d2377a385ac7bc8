#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/models/catalogue/model.h"

namespace weir::experiments::analyses {

/// Values of one swept input.
struct SweepAxis {
    models::Input* input = nullptr;
    std::vector<double> values;
    bool logarithmic = false;  ///< whether adjacent values have a constant factor
};

/// Parses the text after --sweep; values at both ends are included:
///   work_cycles=0:4000:100     from 0 to 4000 in steps of 100
///   work_cycles=1:1000:x10     from 1 to 1000, each 10 times the previous value
///   work_cycles=0,50,100       the values 0, 50 and 100
/// If the input is a list, it is a list of one number at each point. Throws UserFault for other
/// texts, for inputs that are neither numbers nor lists, and for values that the input does not
/// accept.
[[nodiscard]] SweepAxis parse_sweep_option(const std::string& option, const ModelInputs& inputs);

/// A model's answer at one combination of the axes' values.
struct SweepPoint {
    std::vector<double> at;                      ///< value of each axis' input
    std::vector<std::optional<double>> outputs;  ///< values, in the order of ModelSweep::outputs
    std::vector<std::string> notes;
    std::string error;  ///< reason why there is no solution; empty if there is one

    [[nodiscard]] bool is_solved() const { return error.empty(); }
};

/// A model solved at every combination of the axes' values; the last axis varies fastest. A sweep
/// without axes has one point.
struct ModelSweep {
    const models::Model* model = nullptr;
    std::vector<SweepAxis> axes;
    std::vector<const models::Output*> outputs;
    std::vector<SweepPoint> points;

    [[nodiscard]] bool has_solution() const;
    [[nodiscard]] bool sweeps(const models::Input& input) const;
    /// The point's values as text: "work_cycles = 0, handler_cycles = 200".
    [[nodiscard]] std::string place_of(const SweepPoint& point) const;
};

/// Solves the model at all points. Throws UserFault for too many points. Afterwards, the model's
/// swept inputs have the values of the last point.
[[nodiscard]] ModelSweep solve_sweep(models::Model& model, std::vector<SweepAxis> axes,
                                     std::vector<const models::Output*> outputs);

}  // namespace weir::experiments::analyses
