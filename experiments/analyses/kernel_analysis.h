#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "experiments/analyses/question.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/records/document.h"
#include "experiments/records/json_fields.h"
#include "experiments/records/measured.h"
#include "experiments/records/result.h"
#include "firmware/kernel.h"
#include "nodes/machine_configuration.h"

namespace weir::experiments::analyses {

/// What is measured of one program, and which models are asked about it, besides what holds for
/// all programs that communicate in the same way. One file a kernel; a kernel without one is
/// measured and asked about as all are.
class KernelAnalysis {
  public:
    KernelAnalysis() = default;
    KernelAnalysis(const KernelAnalysis&) = delete;
    KernelAnalysis& operator=(const KernelAnalysis&) = delete;
    virtual ~KernelAnalysis() = default;

    /// What is known of the run's data alone, for models that are asked later; of a prepared
    /// kernel.
    [[nodiscard]] virtual nlohmann::ordered_json facts(const firmware::Kernel& /*kernel*/) const {
        return nlohmann::ordered_json::object();
    }
    /// What measure() adds.
    [[nodiscard]] virtual std::vector<const records::MetricGroup*> metrics() const { return {}; }
    /// What its page leads with, where it was measured; null: what all programs of its kind lead
    /// with.
    [[nodiscard]] virtual const records::Metric* leading_metric() const { return nullptr; }
    /// What has a table of its own below that; null: nothing.
    [[nodiscard]] virtual const records::Metric* second_metric() const { return nullptr; }
    /// Adds to what holds for all.
    virtual void measure(const TracedRun& /*run*/, records::Measured& /*measured*/) const {}
    /// Tables of a run that go beyond numbers, into its folder.
    virtual void write_tables(const TracedRun& /*run*/, const records::Measured& /*measured*/,
                              const std::filesystem::path& /*folder*/) const {}
    /// What the model of that name says of the program; nothing where it is asked as about all.
    /// Throws models::ModelError.
    [[nodiscard]] virtual std::optional<double> ask(std::string_view /*model*/,
                                                    Question& /*question*/) const {
        return std::nullopt;
    }
    /// What follows from a model's answer, of the leading metric.
    virtual void add_to(records::Prediction& /*prediction*/, double /*answer*/,
                        const nlohmann::ordered_json& /*facts*/) const {}
    /// What follows from all seeds' means and from the models, for the program's own tables.
    virtual void finish(const firmware::Kernel& /*kernel*/,
                        const nodes::MachineConfiguration& /*machine*/,
                        records::PointResult& /*point*/) const {}
    /// What a page of such results shows besides what all do; nothing where none of the points has
    /// what this analysis measures.
    [[nodiscard]] virtual std::optional<records::Section> section(
        const records::ExperimentResult& /*result*/) const {
        return std::nullopt;
    }
};

/// Of a kernel class with Facts of its run.
template <class K>
class AnalysisOf : public KernelAnalysis {
  public:
    [[nodiscard]] nlohmann::ordered_json facts(const firmware::Kernel& kernel) const final {
        return dynamic_cast<const K&>(kernel.described()).facts();
    }

  protected:
    using Facts = typename K::Facts;
    [[nodiscard]] static Facts facts_of(const nlohmann::ordered_json& facts) {
        return facts.get<Facts>();
    }
};

/// The analysis of a kernel by its name.
[[nodiscard]] const KernelAnalysis& analysis_of(std::string_view kernel);
/// All of them, each once.
[[nodiscard]] std::vector<const KernelAnalysis*> kernel_analyses();
/// Of all of them, each once.
[[nodiscard]] std::vector<const records::Metric*> second_metrics();
/// What a page shows of programs alone, in the order of the registry.
[[nodiscard]] std::vector<records::Section> program_sections(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
