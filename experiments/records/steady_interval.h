#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// How sure one run is of its main metric, from the run itself.
struct SteadyInterval {
    std::string metric;        ///< its name
    std::string observations;  ///< what batches are of: "iterations", "messages" or "cycles"
    std::optional<double> half_width;  ///< 95 %; nothing where there are too few of them
    std::size_t batches = 0;
    std::int64_t batch_observations = 0;
    std::int64_t warm_up_observations = 0;  ///< found, and left out
    std::int64_t measured_from_cycle = 0;
    double quarters_lag_1 = 0.0;  ///< statistics::BatchMeans
    std::string doubt;            ///< why the half width can't be believed; empty when it can

    /// The parameter that makes the run longer ("workload.iterations") with the values tried, the
    /// last of which gave all results, and whether that was enough; empty where none was asked for.
    std::string length_key;
    std::vector<std::int64_t> lengths;
    bool is_precise = false;

    [[nodiscard]] bool is_believed() const { return half_width && doubt.empty(); }
};

nlohmann::ordered_json to_json(const SteadyInterval& interval);
SteadyInterval steady_interval_from(const nlohmann::ordered_json& json);

}  // namespace weir::experiments::records
