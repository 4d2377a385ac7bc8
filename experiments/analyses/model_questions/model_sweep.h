#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/analyses/model_questions/model_inputs.h"
#include "experiments/models/catalogue/model.h"

namespace weir::experiments::analyses {

/// The values one input goes through.
struct SweepAxis {
    models::Input* input = nullptr;
    std::vector<double> values;
    bool logarithmic = false;  ///< each value a factor times the one before
};

/// The text after --sweep, with the values at both ends:
///   work_cycles=0:4000:100     from 0 to 4000 in steps of 100
///   work_cycles=1:1000:x10     from 1 to 1000, each 10 times the one before
///   work_cycles=0,50,100       these values
/// A list input is a list of that one number at each point. Throws UserFault: for what is none of
/// these, for an input that is no number and no list, and for a value that the input does not take.
[[nodiscard]] SweepAxis parse_sweep_option(const std::string& option, const ModelInputs& inputs);

/// A model's answer where the axes have these values.
struct SweepPoint {
    std::vector<double> at;                      ///< a value an axis
    std::vector<std::optional<double>> outputs;  ///< those of ModelSweep::outputs
    std::vector<std::string> notes;
    std::string error;  ///< why there is no solution; empty where there is one

    [[nodiscard]] bool is_solved() const { return error.empty(); }
};

/// A model solved at every combination of the axes' values; the last axis varies fastest. Without
/// an axis it is one point.
struct ModelSweep {
    const models::Model* model = nullptr;
    std::vector<SweepAxis> axes;
    std::vector<const models::Output*> outputs;
    std::vector<SweepPoint> points;

    [[nodiscard]] bool has_solution() const;
    [[nodiscard]] bool sweeps(const models::Input& input) const;
    /// "work_cycles = 0, handler_cycles = 200"
    [[nodiscard]] std::string place_of(const SweepPoint& point) const;
};

/// Throws UserFault when there are too many points. The model's swept inputs keep the last values.
[[nodiscard]] ModelSweep solve_sweep(models::Model& model, std::vector<SweepAxis> axes,
                                     std::vector<const models::Output*> outputs);

}  // namespace weir::experiments::analyses
