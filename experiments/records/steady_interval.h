#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// Precision of the main metric of one run, estimated from the run itself.
struct SteadyInterval {
    std::string metric;        ///< name of the metric
    std::string observations;  ///< unit of the observations in a batch: "iterations", "messages" or
                               ///< "cycles"
    /// half width of the 95 % confidence interval; empty if there are too few observations
    std::optional<double> half_width;
    std::size_t batches = 0;
    std::int64_t batch_observations = 0;
    /// Number of observations in the detected warm-up, which are left out.
    std::int64_t warm_up_observations = 0;
    std::int64_t measured_from_cycle = 0;
    /// Correlation of adjacent quarter batches (statistics::BatchMeans).
    double quarters_lag_1 = 0.0;
    std::string doubt;  ///< reason to distrust the half width; empty if there is none

    /// Parameter that was raised to lengthen the run ("workload.iterations"), its values, and
    /// whether the last value sufficed. All results are those of the last value. The key is empty
    /// if no precision was requested.
    std::string length_key;
    std::vector<std::int64_t> lengths;
    bool is_precise = false;

    [[nodiscard]] bool is_believed() const { return half_width && doubt.empty(); }
};

nlohmann::ordered_json to_json(const SteadyInterval& interval);
SteadyInterval steady_interval_from(const nlohmann::ordered_json& json);

}  // namespace weir::experiments::records
