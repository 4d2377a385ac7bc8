#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/analyses/question.h"
#include "experiments/models/logp/logp.h"
#include "experiments/records/metric.h"

namespace weir::experiments::analyses {

/// A model that models.compare can name: what it says of each way in which programs communicate, in
/// cycles of the leading metric. A model whose assumptions the machine or the program does not meet
/// says so. All throw models::ModelError.
class ComparedModel {
  public:
    ComparedModel(std::string name, std::string sentence)
        : name_(std::move(name)), sentence_(std::move(sentence)) {}
    ComparedModel(const ComparedModel&) = delete;
    ComparedModel& operator=(const ComparedModel&) = delete;
    virtual ~ComparedModel() = default;

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }

    [[nodiscard]] virtual double round_trip(Question& question) const = 0;
    [[nodiscard]] virtual double one_way(Question& question) const = 0;
    /// The same of messages with bodies.
    [[nodiscard]] virtual double long_one_way(Question& question) const;
    /// One message with a body.
    [[nodiscard]] virtual double single(Question& question) const;
    [[nodiscard]] virtual double pipeline(Question& question) const;
    /// A program that it knows nothing of but how it communicates.
    [[nodiscard]] virtual double program(Question& question) const;

  private:
    std::string name_;
    std::string sentence_;
};

/// All of them, in the order in which they are listed.
[[nodiscard]] const std::vector<std::unique_ptr<ComparedModel>>& compared_models();
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
[[noreturn]] double only_with_replies();
[[noreturn]] double only_short_messages();
[[noreturn]] double only_long_messages();
[[noreturn]] double only_shared_reads();
[[noreturn]] double not_this_program();
/// Of a pipeline that no analysis speaks of.
[[noreturn]] double not_this_pipeline();

}  // namespace weir::experiments::analyses
