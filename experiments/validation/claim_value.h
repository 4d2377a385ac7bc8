#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::validation {

struct ClaimValue;

/// A metric of one point of an experiment file.
struct MetricOfRun {
    std::string experiment;             ///< as written in the file
    std::filesystem::path file;         ///< path of the experiment from the working folder
    std::vector<std::string> settings;  ///< overrides, in the form of --set
    std::string point;                  ///< label of the point; empty if there is only one
    std::string metric;
};

/// An output of an analytic model, or a cell of one of its tables.
struct AnswerOfModel {
    std::string model;
    setup::TomlTable inputs;
    std::string output;  ///< name of the output; empty for a cell
    std::string table;
    std::string column;
    std::size_t row = 0;  ///< number of the row, from 0
};

/// A number computed from other numbers.
struct Relation {
    enum class Kind {
        kSum,
        kDifference,  ///< A - B
        kProduct,
        kRatio,         ///< A / B
        kPercentOf,     ///< 100 A / B
        kPercentAbove,  ///< 100 (A / B - 1)
        kLargest,
        kSmallest,
    };
    Kind kind = Kind::kSum;
    std::vector<ClaimValue> operands;
};

/// Computation of a number that is compared with a published one. A plain number is allowed only as
/// an operand: a unit, or a parameter of the machine.
struct ClaimValue {
    std::variant<double, MetricOfRun, AnswerOfModel, Relation> from;
    setup::Place place;
};

inline constexpr const char* kAcceptedClaimValue =
    R"(an experiment and a metric, a model and an output, or one relation such as ratio = [A, B])";

/// Reads a claim's `ours`; files are relative to `folder`. Throws UserFault for unknown entries,
/// and for a plain number.
[[nodiscard]] ClaimValue read_claim_value(const setup::TomlEntry& entry,
                                          const std::filesystem::path& folder);

/// Metrics of runs in the value's computation, in the order of the file.
[[nodiscard]] std::vector<const MetricOfRun*> metrics_of(const ClaimValue& value);
[[nodiscard]] std::vector<MetricOfRun*> metrics_of(ClaimValue& value);

/// Experiments and models that compute the value, each once: "experiments/a.toml", "weir model
/// lopc-all-to-any".
[[nodiscard]] std::vector<std::string> sources_of(const ClaimValue& value);

}  // namespace weir::experiments::validation
