#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// Value of a model's parameter, estimated from times that programs took.
struct FittedValue {
    std::string name;  ///< name with its unit: "latency_cycles"
    std::string symbol;
    std::string unit;
    std::string sentence;
    std::optional<std::int64_t> message_bytes;  ///< size of the messages; empty for all sizes
    std::optional<double> value;                ///< empty if the traces do not tell the parameter
    std::optional<double> half_width;  ///< half width of the 95 % interval; none for a bound
    bool is_upper_bound = false;       ///< the parameter is at most `value`
    std::int64_t observations = 0;
    bool is_model_input = false;  ///< [models.inputs] accepts it
};

/// Something that the traces do not tell, and a command whose run would tell it.
struct FitWarning {
    std::string parameter;
    std::string reason;
    std::string command;
};

/// Mean residual of the messages of one group.
struct ResidualGroup {
    double at = 0.0;  ///< value of the property: bytes, hops, or share of time
    std::int64_t messages = 0;
    double mean_cycles = 0.0;
    std::optional<double> half_width_cycles;
};

/// Residuals over a property of messages: their size, distance or load.
struct Residuals {
    std::string over;
    std::string label;
    std::vector<ResidualGroup> groups;
};

/// Model fitted to traces. A residual is a message's measured time less the model's.
struct ModelFit {
    std::string model;
    std::string sentence;  ///< description of the model
    std::vector<std::string> traces;
    std::int64_t nodes = 0;
    std::int64_t messages = 0;
    std::string summary;  ///< how well the model fits, and where it does not
    double mean_message_cycles = 0.0;
    double mean_residual_cycles = 0.0;
    double mean_absolute_residual_cycles = 0.0;
    std::vector<FittedValue> values;
    std::vector<FitWarning> warnings;
    std::vector<Residuals> residuals;
};

}  // namespace weir::experiments::records
