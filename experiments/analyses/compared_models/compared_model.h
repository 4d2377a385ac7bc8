#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/analyses/question.h"
#include "experiments/models/logp/logp.h"
#include "experiments/records/metric.h"

namespace weir::experiments::analyses {

// Answers of models that have none, and say why: all throw models::ModelError.
[[noreturn]] double only_with_replies(const Question& question);
[[noreturn]] double only_short_messages(const Question& question);
[[noreturn]] double only_long_messages(const Question& question);
[[noreturn]] double only_shared_reads(const Question& question);
[[noreturn]] double only_a_steady_state(const Question& question);
[[noreturn]] double not_this_program(const Question& question);
/// Of a pipeline that no analysis speaks of.
[[noreturn]] double not_this_pipeline(const Question& question);

/// A model that models.compare can name: what it says of each way in which programs communicate, in
/// cycles of the leading metric. A model whose assumptions the machine or the program does not meet
/// throws models::ModelError.
struct ComparedModel {
    using Answer = std::function<double(Question& question)>;

    std::string name;
    std::string sentence;
    Answer round_trip;
    Answer one_way;
    Answer long_one_way = only_short_messages;  ///< the same of messages with bodies
    Answer single = only_short_messages;        ///< one message with a body
    Answer pipeline = only_short_messages;
    /// A program that it knows nothing of but how it communicates.
    Answer program = only_a_steady_state;
};

/// All of them, in the order in which they are listed.
[[nodiscard]] const std::vector<ComparedModel>& compared_models();
[[nodiscard]] const ComparedModel& compared_model(std::string_view name);
[[nodiscard]] const std::vector<std::string>& compared_model_names();

/// What models say that no run measures.
struct ModelMetrics final : records::MetricGroup {
    records::Metric lower_bound_cycles{*this, "lower_bound_cycles", "cycles",
                                       "The least that an iteration takes", "LoPC (9)"};
    records::Metric upper_bound_cycles{*this, "upper_bound_cycles", "cycles",
                                       "The most that an iteration takes", "LoPC (9)"};
    records::Metric best_servers{*this, "best_servers", "1",
                                 "The servers with which requests go fastest", "LoPC (18)"};
    records::Metric communication_cycles{*this, "communication_cycles", "cycles",
                                         "What a program communicates", "LogP Section 4.2"};
    records::Metric computation_cycles{*this, "computation_cycles", "cycles",
                                       "What a program computes", "LogP Section 4.2"};
    records::Metric unloaded_latency_cycles{*this, "unloaded_latency_cycles", "cycles",
                                            "A packet's latency without contention",
                                            "LoGPC Section 3.2"};
    records::Metric communication_to_computation{*this, "communication_to_computation", "1",
                                                 "What a program communicates by what it computes",
                                                 "LoGPC Section 5.2"};
};
const ModelMetrics& model_metrics();

// What several models share.
[[nodiscard]] models::LogpInputs logp_inputs(Inputs& inputs);
void require_all_to_all(const Question& question);
void require_one_visit(const Question& question);
void require_handlers_that_interrupt(const MachineView& machine);

}  // namespace weir::experiments::analyses
