#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "experiments/analyses/question.h"
#include "experiments/analyses/traced_run.h"
#include "experiments/records/document.h"
#include "experiments/records/measured.h"
#include "experiments/records/result.h"
#include "firmware/kernel.h"
#include "nodes/machine_configuration.h"

namespace weir::experiments::analyses {

/// Measurements of one kernel and models to ask about it, in addition to those of all programs with
/// the same communication. Each kernel has its own file; without one, only the common measurements
/// and models apply.
class KernelAnalysis {
  public:
    KernelAnalysis() = default;
    KernelAnalysis(const KernelAnalysis&) = delete;
    KernelAnalysis& operator=(const KernelAnalysis&) = delete;
    virtual ~KernelAnalysis() = default;

    /// Facts of a prepared kernel's data, for models that are asked later; none by default.
    [[nodiscard]] virtual nlohmann::ordered_json facts(const firmware::Kernel& kernel) const;
    /// Groups of the metrics that measure() adds.
    [[nodiscard]] virtual std::vector<const records::MetricGroup*> metrics() const { return {}; }
    /// Main metric of the kernel's page; null: the main metric of all programs with the kernel's
    /// communication.
    [[nodiscard]] virtual const records::Metric* leading_metric() const { return nullptr; }
    /// Metric whose table is below that of the main metric on the page; null: none.
    [[nodiscard]] virtual const records::Metric* second_metric() const { return nullptr; }
    /// Adds the kernel's own measurements.
    virtual void measure(const TracedRun& /*run*/, records::Measured& /*measured*/) const {}
    /// Writes tables of a run, as files in its folder.
    virtual void write_tables(const TracedRun& /*run*/, const records::Measured& /*measured*/,
                              const std::filesystem::path& /*folder*/) const {}
    /// Answer of the named model about the program, in cycles of the main metric. Empty: the
    /// model's answer for the kernel's communication applies. Throws models::ModelError if the
    /// model does not apply.
    [[nodiscard]] virtual std::optional<double> ask(std::string_view /*model*/,
                                                    Question& /*question*/) const {
        return std::nullopt;
    }
    /// Adds metrics that follow from `answer`, a model's prediction of the main metric.
    virtual void add_to(records::Prediction& /*prediction*/, double /*answer*/,
                        const nlohmann::ordered_json& /*facts*/) const {}
    /// Adds results that need all seeds' means and the models, for the program's own tables.
    virtual void finish(const firmware::Kernel& /*kernel*/,
                        const nodes::MachineConfiguration& /*machine*/,
                        records::PointResult& /*point*/) const {}
    /// Additional section of a page; absent if no point has this analysis' metrics.
    [[nodiscard]] virtual std::optional<records::Section> section(
        const records::ExperimentResult& /*result*/) const {
        return std::nullopt;
    }
};

/// Analysis of a kernel with metrics of its own.
template <class Metrics, class Base = KernelAnalysis>
class WithMetrics : public Base {
  public:
    [[nodiscard]] std::vector<const records::MetricGroup*> metrics() const final {
        return {&records::declared<Metrics>()};
    }
};

/// Analysis of a kernel by the kernel's name.
[[nodiscard]] const KernelAnalysis& analysis_of(std::string_view kernel);
/// All analyses, each once.
[[nodiscard]] std::vector<const KernelAnalysis*> kernel_analyses();
/// Metrics with a second table on their kernels' pages, each once.
[[nodiscard]] std::vector<const records::Metric*> second_metrics();
/// Sections of all analyses, in the order of the registry.
[[nodiscard]] std::vector<records::Section> program_sections(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::analyses
