#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/instrument.h"
#include "experiments/records/document.h"
#include "experiments/records/metric.h"
#include "experiments/records/result.h"
#include "experiments/records/simulation_result.h"
#include "experiments/setup/files/experiment_file.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {

struct Setup;

/// What a run is asked for, besides its setup.
struct RunRequest {
    std::uint64_t seed = 0;
    std::filesystem::path folder;
    /// Is told of progress now and then, and ends the run by returning false.
    std::function<bool(const records::Progress&)> report;
    Instrument* instrument = nullptr;  ///< of a compiled kernel only
    int cores = 1;                     ///< of the host, which the run may have for itself
};

/// What is known of a point when models are asked about it.
struct AskedPoint {
    const setup::ExperimentFile& file;
    setup::SelectedRun run;
    const std::vector<records::SimulationResult>& seeds;
    const std::vector<std::string>& models;
};

/// A kind of experiment: how one is set up, run, measured and asked about. Each has a folder, and a
/// line in kind_registry.cpp; nothing else knows which kinds there are.
class Kind {
  public:
    Kind() = default;
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;
    virtual ~Kind() = default;

    /// The parameters that have an effect, in the order of a message's trip.
    [[nodiscard]] virtual std::vector<hw::ParameterGroup*> groups(Setup& setup) = 0;
    /// Gives the setup the file's values and checks them. Throws setup::UserFault.
    virtual void set_up(const setup::ExperimentFile& file, setup::SelectedRun run,
                        Setup& setup) = 0;
    /// Points of one file are of kinds with the same family.
    [[nodiscard]] virtual std::string family() const = 0;
    /// What its parameters make up, as a message names it: "this machine".
    [[nodiscard]] virtual std::string what() const = 0;
    /// What conditions of parameters ask of it.
    [[nodiscard]] virtual std::vector<hw::Fact> facts();

    /// The parameter, a whole number, that says how long the run is in its steady state; null where
    /// it never is in one.
    [[nodiscard]] virtual hw::ParameterBase* steady_state_length() = 0;
    /// The table which has that parameter.
    [[nodiscard]] virtual std::string length_table() const = 0;
    /// Whether a steady state that was not reached leaves longer runs without use.
    [[nodiscard]] virtual bool is_endless_without_mean() const { return false; }
    /// The cycle that measurements begin with.
    [[nodiscard]] virtual std::int64_t warmup_cycles(const Setup& setup) const = 0;
    /// What a node has for the program's data; 0 where there is no program.
    [[nodiscard]] virtual std::int64_t node_memory_bytes(const Setup& setup) const = 0;
    /// How few nodes it is for.
    [[nodiscard]] virtual std::int64_t least_nodes() const { return 2; }

    /// Makes the machine, or what there is of it, and keeps it until the function has looked at it.
    virtual void elaborate(Setup& setup, const std::filesystem::path& folder,
                           const std::function<void()>& look) = 0;
    /// Runs in this process, which must not have run another. Leaves configuration.toml,
    /// statistics.json and statistics.csv in the folder, and what else the kind's own header says.
    /// Throws firmware::InputFault, nodes::MachineFault, nodes::ProgramFault, trace::TraceError,
    /// std::logic_error when flits or bytes are not conserved.
    virtual records::SimulationResult run(Setup& setup, const RunRequest& request) = 0;

    /// Every metric that a run can give, and how far models can be off it.
    [[nodiscard]] virtual const records::MetricList& metrics() const = 0;
    /// What can be in models.compare, and in [models.inputs].
    [[nodiscard]] virtual const std::vector<std::string>& models() const = 0;
    [[nodiscard]] virtual const std::vector<std::string>& model_inputs() const = 0;
    /// What a page leads with, of what was measured; where that has it not, what it is about.
    [[nodiscard]] virtual const records::Metric& leading_metric(
        const records::Metrics& measured) const = 0;
    /// Asks the models about a point whose seeds have been put together, and sets them beside what
    /// was measured. Throws setup::UserFault when there was nothing to measure.
    virtual void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) = 0;
    /// What all points say together.
    virtual void finish(records::ExperimentResult& /*result*/) const {}
};

/// The kind that a run of a file names, every parameter at its default. Throws setup::UserFault for
/// a kernel that isn't there.
[[nodiscard]] std::unique_ptr<Kind> make_kind(const setup::ExperimentFile& file,
                                              setup::SelectedRun run);

/// What workload.kernel can name, for lists.
struct NamedWorkload {
    std::string name;
    std::string sentence;
};
/// Names that are no kernel's.
[[nodiscard]] std::vector<NamedWorkload> workloads_without_kernel();

/// Every kind with each program that it can run, for listing.
struct ListedKind {
    std::string workload;  ///< empty: any kernel's
    std::unique_ptr<Kind> kind;
};
[[nodiscard]] std::vector<ListedKind> all_kinds();

/// What a page shows of single kinds and single programs, besides what all results have.
[[nodiscard]] std::vector<records::Section> own_sections(const records::ExperimentResult& result);

/// What any kind measures, and what models say besides.
[[nodiscard]] const records::MetricList& all_metrics();
/// Of those metrics that each program names: `schema` by the pattern of their names.
[[nodiscard]] nlohmann::ordered_json metric_patterns(const nlohmann::ordered_json& schema);
/// The unit of a metric of that name: "cycles", "%"; "1" for a count, a ratio and an unknown name.
[[nodiscard]] std::string unit_of(const std::string& metric);
/// Every model that some kind asks.
[[nodiscard]] const std::vector<std::string>& all_models();

/// By how much a point's leading metric is more than another point's.
[[nodiscard]] const records::Metric& over_other_point_percent();

}  // namespace weir::experiments::kinds
