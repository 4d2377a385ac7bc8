#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/parameter.h"

namespace weir::experiments::records {

/// Machine of a prediction: a small one that was run, or the larger one.
struct ScaledMachine {
    std::int64_t nodes = 0;
    std::string shape;  ///< extents of the network, for example "8 x 4"
    /// Parameters that set the problem's size, with their values.
    std::vector<std::pair<std::string, std::int64_t>> sizes;
    std::vector<double> values;  ///< the metric, by seed; empty if the machine was not run
    /// Utilisation of the busiest channel, in per cent; none without routers.
    std::optional<double> busiest_channel_percent;
};

/// Metric of a larger machine, predicted from runs on small machines.
struct MachinePrediction {
    /// Sum of terms that was fitted to the small machines.
    struct Sum {
        std::string formula;              ///< "1210 + 3.5 D", for example
        double weight = 0.0;              ///< share of the prediction
        double value = 0.0;               ///< at the larger machine
        double last_error_percent = 0.0;  ///< largest small machine, predicted from the others
    };
    /// Machine of the default list on which the experiment does not run.
    struct LeftOut {
        std::int64_t nodes = 0;
        std::string reason;
    };
    /// Run of the larger machine.
    struct Check {
        double value = 0.0;  ///< mean over the seeds
        bool is_in_bar = false;
    };

    std::string title;
    std::string file;
    std::string database;
    std::string kernel;
    std::string metric;
    std::string unit;
    std::string constant;  ///< quantity that stays constant: "the size of a node's part"
    std::vector<ScaledMachine> machines;
    std::vector<LeftOut> left_out;
    ScaledMachine target;
    double value = 0.0;  ///< predicted metric of one run
    double low = 0.0;    ///< ends of its 95 % interval
    double high = 0.0;
    std::vector<Sum> sums;  ///< by falling weight; those of a small weight are left out
    /// Largest small machine, predicted from the smaller ones by the weighted sums, and its miss.
    double last_error_percent = 0.0;
    std::optional<double> busiest_channel_percent;  ///< predicted of the larger machine
    std::vector<std::string> doubts;                ///< reasons why the small machines do not tell
    std::optional<double> lower_bound;  ///< by the busiest channel, if that would be overloaded
    std::optional<Check> check;
    std::size_t runs = 0;      ///< number of runs on which the prediction relies
    std::size_t new_runs = 0;  ///< runs that were not in the database

    /// Half of the interval's width, in per cent of the value.
    [[nodiscard]] double half_width_percent() const { return 50.0 * (high - low) / value; }
};

}  // namespace weir::experiments::records
