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
    std::string experiment;             ///< as written
    std::filesystem::path file;         ///< the same from the working folder
    std::vector<std::string> settings;  ///< as after --set
    std::string point;                  ///< its label; empty for the only one
    std::string metric;
};

/// An output of an analytic model, or a cell of one of its tables.
struct AnswerOfModel {
    std::string model;
    setup::TomlTable inputs;
    std::string output;  ///< empty for a cell
    std::string table;
    std::string column;
    std::size_t row = 0;  ///< from 0
};

/// One number out of others.
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

/// Where a number comes from that is set beside a published one. A plain number can only be an
/// operand: a unit, or a parameter of the machine.
struct ClaimValue {
    std::variant<double, MetricOfRun, AnswerOfModel, Relation> from;
    setup::Place place;
};

inline constexpr const char* kAcceptedClaimValue =
    R"(an experiment and a metric, a model and an output, or one relation such as ratio = [A, B])";

/// What `ours` of a claim says; files are from `folder` on. Throws UserFault for what is not
/// understood, and for a number alone.
[[nodiscard]] ClaimValue read_claim_value(const setup::TomlEntry& entry,
                                          const std::filesystem::path& folder);

/// The metrics of runs that a value is made of, in the order of the file.
[[nodiscard]] std::vector<const MetricOfRun*> metrics_of(const ClaimValue& value);
[[nodiscard]] std::vector<MetricOfRun*> metrics_of(ClaimValue& value);

/// What the value is computed by, each once: "experiments/a.toml", "weir model lopc-all-to-any".
[[nodiscard]] std::vector<std::string> sources_of(const ClaimValue& value);

}  // namespace weir::experiments::validation
