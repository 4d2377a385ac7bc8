#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::records {

/// Kind and size of transfers within a node's memory.
struct TransferShape {
    std::string kind;  ///< contiguous copy, packing or unpacking, as a kernel names it
    std::int64_t element_bytes = 0;
    std::int64_t stride_bytes = 0;
    std::int64_t bytes = 0;

    [[nodiscard]] bool is_contiguous() const { return stride_bytes == element_bytes; }
    [[nodiscard]] auto operator<=>(const TransferShape&) const = default;
};

/// Value of a model's parameter, estimated from times that programs took.
struct FittedValue {
    std::string name;  ///< name with its unit: "latency_cycles"
    std::string symbol;
    std::string unit;
    std::string sentence;
    std::optional<std::int64_t> message_bytes;  ///< size of the messages; empty for all sizes
    std::optional<TransferShape> transfer;      ///< transfers of a value of memory logP
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

/// Mean residual of one group of messages or transfers.
struct ResidualGroup {
    double at = 0.0;  ///< value of the property: bytes, hops, or share of time
    std::int64_t count = 0;
    double mean = 0.0;
    std::optional<double> half_width;
};

/// Residuals over a property of messages or transfers, such as their size, distance or load.
struct Residuals {
    std::string over;
    std::string label;
    std::vector<ResidualGroup> groups;
};

/// Model fitted to times of messages or transfers. A residual is a measured time less the model's.
struct ModelFit {
    std::string model;
    std::string sentence;  ///< description of the model
    std::vector<std::string> traces;
    std::string subject = "message";  ///< "message", or "contiguous transfer"
    std::string unit = "cycles";      ///< unit of times: "cycles", or "cycles per byte"
    std::int64_t nodes = 0;           ///< 0 for transfers
    std::int64_t count = 0;           ///< number of messages or transfers
    std::string summary;              ///< how well the model fits, and where it does not
    double mean_time = 0.0;
    double mean_residual = 0.0;
    double mean_absolute_residual = 0.0;
    std::vector<FittedValue> values;
    std::vector<FitWarning> warnings;
    std::vector<Residuals> residuals;
};

}  // namespace weir::experiments::records
