#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/analyses/fits/observations.h"

namespace weir::experiments::analyses {

/// Parameter of a model that `weir fit` estimates: one declaration for tables, JSON and inputs of
/// models.
struct FittedParameter {
    /// Estimate from the messages; an empty one is not told by them.
    struct Value {
        std::optional<Estimated> estimate;
        std::optional<double> upper_bound;  ///< used without an estimate
        std::optional<hw::Bytes> message_bytes;
    };
    using Estimate = std::function<std::vector<Value>(const Observations& observations)>;

    std::string name;  ///< with its unit; [models.inputs] accepts the names of known_model_inputs()
    std::string symbol;
    std::string sentence;
    Estimate estimate;
    std::string untold;   ///< reason why messages may not tell it
    std::string command;  ///< command whose run tells it
    /// True: a trace that does not tell the parameter does not fit the model.
    bool is_required = true;
};

/// Parameters that `weir fit` estimates for a model. Without parameters the model cannot be fitted.
struct FittedModel {
    std::vector<FittedParameter> parameters;
    MessageKind messages = MessageKind::kShort;
    /// Whether a message's latency depends on its distance in the model, and its time on its size.
    bool has_distances = false;
    bool has_sizes = false;
};

// Parameters of each family of models. A model's file names its family.
[[nodiscard]] FittedModel fitted_logp();
[[nodiscard]] FittedModel fitted_lopc();
[[nodiscard]] FittedModel fitted_logpc();
[[nodiscard]] FittedModel fitted_loggp();
[[nodiscard]] FittedModel fitted_plogp();

}  // namespace weir::experiments::analyses
