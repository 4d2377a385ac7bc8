#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/analyses/explanations/model_terms.h"
#include "experiments/analyses/fits/fitted_parameter.h"
#include "experiments/analyses/question.h"
#include "experiments/models/logp/logp.h"
#include "experiments/records/metric.h"

namespace weir::experiments::analyses {

// Answers of models that do not apply. Each function throws models::ModelError with the reason.
[[noreturn]] double only_with_replies(const Question& question);
[[noreturn]] double only_short_messages(const Question& question);
[[noreturn]] double only_long_messages(const Question& question);
[[noreturn]] double only_shared_reads(const Question& question);
[[noreturn]] double only_several_requests(const Question& question);
[[noreturn]] double only_one_request(const Question& question);
[[noreturn]] double only_a_steady_state(const Question& question);
[[noreturn]] double not_this_program(const Question& question);
/// Answer about a pipeline (such as a Diamond DAG) whose analysis does not ask the model.
[[noreturn]] double not_this_pipeline(const Question& question);

/// A model that models.compare can name. It has an answer for each communication pattern, in cycles
/// of the main metric. An answer throws models::ModelError if machine or program do not meet the
/// model's assumptions.
struct ComparedModel {
    using Answer = std::function<double(Question& question)>;

    std::string name;
    std::string sentence;
    Answer round_trip;
    Answer one_way;
    /// Requests and replies of threads that have several requests outstanding.
    Answer several_requests = only_one_request;
    Answer long_one_way = only_short_messages;  ///< one-way messages with bodies
    Answer single = only_short_messages;        ///< one message with a body
    Answer pipeline = only_short_messages;
    /// Answer about a whole program of which the model knows only the communication.
    Answer program = only_a_steady_state;
    FittedModel fitted = {};  ///< parameters that `weir fit` estimates
    /// Values that the answer about an iteration assumes, which `weir explain` corrects; null if
    /// its error is not split.
    std::function<ExplainedTerms(Question& question)> terms = nullptr;
};

/// All compared models, in the order in which they are listed.
[[nodiscard]] const std::vector<ComparedModel>& compared_models();
[[nodiscard]] const ComparedModel& compared_model(std::string_view name);
[[nodiscard]] const std::vector<std::string>& compared_model_names();

/// Metrics that models compute and that no run measures.
struct ModelMetrics final : records::MetricGroup {
    records::Metric lower_bound_cycles{*this, "lower_bound_cycles", "cycles",
                                       "Lower bound on the iteration time", "LoPC (9)"};
    records::Metric upper_bound_cycles{*this, "upper_bound_cycles", "cycles",
                                       "Upper bound on the iteration time", "LoPC (9)"};
    records::Metric best_servers{*this, "best_servers", "1",
                                 "Number of servers with the highest throughput", "LoPC (18)"};
    records::Metric communication_cycles{*this, "communication_cycles", "cycles",
                                         "Predicted communication time of a program",
                                         "LogP Section 4.2"};
    records::Metric computation_cycles{*this, "computation_cycles", "cycles",
                                       "Predicted computation time of a program",
                                       "LogP Section 4.2"};
    records::Metric unloaded_latency_cycles{*this, "unloaded_latency_cycles", "cycles",
                                            "Latency of a packet without contention",
                                            "LoGPC Section 3.2"};
    records::Metric communication_to_computation{
        *this, "communication_to_computation", "1",
        "Ratio of a program's communication time to its computation time", "LoGPC Section 5.2"};
};
inline const ModelMetrics& model_metrics() { return records::declared<ModelMetrics>(); }

// Functions that several models share.
[[nodiscard]] models::LogpInputs logp_inputs(Inputs& inputs);
void require_all_to_all(const Question& question);
void require_one_visit(const Question& question);
void require_handlers_that_interrupt(const MachineView& machine);

}  // namespace weir::experiments::analyses
