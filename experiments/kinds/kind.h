#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/instrument.h"
#include "experiments/records/document.h"
#include "experiments/records/metric.h"
#include "experiments/records/result.h"
#include "experiments/records/simulation_result.h"
#include "experiments/setup/files/experiment_file.h"
#include "firmware/node_loads.h"
#include "firmware/size_parameter.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {

struct Setup;

/// Request for one run, in addition to its setup.
struct RunRequest {
    std::uint64_t seed = 0;
    std::filesystem::path folder;
    /// Called with the progress repeatedly; false ends the run.
    std::function<bool(const records::Progress&)> report;
    /// Observer of the run; null without one, and if the kind stops_between_cycles() is false.
    Instrument* instrument = nullptr;
    int cores = 1;  ///< number of host cores that the run may use alone
};

/// Access that a run asks for, beyond the folder of its experiment file.
struct Want {
    setup::Place place;          ///< place of the key that asks for it
    std::string key;             ///< for example "workload.files"
    std::string what;            ///< description of the access: "reads files in"
    std::filesystem::path path;  ///< the file or folder, absolute and without symbolic links
    const char* option = "";     ///< option of the command line that gives the access
    bool operator==(const Want&) const = default;
};

/// A point for which models predict.
struct AskedPoint {
    const setup::ExperimentFile& file;
    setup::SelectedRun run;
    const std::vector<records::SimulationResult>& seeds;
    const std::vector<std::string>& models;
};

/// A kind of experiment: setup, execution, measurement and models. Each has a folder and a line in
/// kind_registry.cpp; no other code depends on the set of kinds.
class Kind {
  public:
    Kind() = default;
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;
    virtual ~Kind() = default;

    /// Groups of the parameters that have an effect, in the order in which a message meets their
    /// parts.
    [[nodiscard]] virtual std::vector<hw::ParameterGroup*> groups(Setup& setup) = 0;
    /// Sets the setup's parameters from the file and checks them. Throws setup::UserFault.
    virtual void set_up(const setup::ExperimentFile& file, setup::SelectedRun run,
                        Setup& setup) = 0;
    /// Name of the kind's family; all points of one file must be of the same family.
    [[nodiscard]] virtual std::string family() const = 0;
    /// Name, in messages, of the hardware that the setup configures: "this machine".
    [[nodiscard]] virtual std::string what() const = 0;
    /// Facts on which conditions of parameters depend.
    [[nodiscard]] virtual std::vector<hw::Fact> facts();

    /// Whole-number parameter that sets the length of the run's steady state; null if the run has
    /// no steady state.
    [[nodiscard]] virtual hw::ParameterBase* steady_state_length() = 0;
    /// Table that has the parameter steady_state_length().
    [[nodiscard]] virtual std::string length_table() const = 0;
    /// Parameters that set the size of the run's problem.
    [[nodiscard]] virtual std::vector<firmware::SizeParameter> size_parameters() { return {}; }
    /// Loads of the nodes, counted from the program's data without a run. The result is nullopt if
    /// the run has no program that counts them.
    [[nodiscard]] virtual std::optional<firmware::NodeLoads> node_loads(
        const Setup& /*setup*/, std::uint64_t /*seed*/) const {
        return std::nullopt;
    }
    /// Whether a longer run can't help if the run has no mean because its steady state was not
    /// reached.
    [[nodiscard]] virtual bool is_endless_without_mean() const { return false; }
    /// Accesses that the run asks for and that the file's permissions don't give it. Call after
    /// set_up().
    [[nodiscard]] virtual std::vector<Want> wants(const setup::ExperimentFile& /*file*/,
                                                  setup::SelectedRun /*run*/) {
        return {};
    }
    /// True if the run needs code of a user's library.
    [[nodiscard]] virtual bool has_library() const { return false; }
    /// Loads the code of a user's library before run(); nothing else does. The caller has checked
    /// wants(). Throws setup::UserFault.
    virtual void load_code(const setup::ExperimentFile& /*file*/, setup::SelectedRun /*run*/,
                           Setup& /*setup*/) {}
    /// True if run() emulates a machine that an instrument can stop between two cycles.
    [[nodiscard]] virtual bool stops_between_cycles() const { return false; }
    /// First cycle of measurements.
    [[nodiscard]] virtual std::int64_t warmup_cycles(const Setup& setup) const = 0;
    /// Memory of a node for the program's data; 0 without a program.
    [[nodiscard]] virtual std::int64_t node_memory_bytes(const Setup& setup) const = 0;
    /// Least number of nodes that the kind can run on.
    [[nodiscard]] virtual std::int64_t least_nodes() const { return 2; }

    /// Builds the machine, or the network alone, calls `look`, and then destroys it.
    virtual void elaborate(Setup& setup, const std::filesystem::path& folder,
                           const std::function<void()>& look) = 0;
    /// Runs in this process, which must not have run another experiment. Leaves configuration.toml,
    /// statistics.json and statistics.csv in the folder, and the files that the kind's own header
    /// names. Throws firmware::InputFault, nodes::MachineFault, nodes::ProgramFault,
    /// trace::TraceError, and std::logic_error if flits or bytes are not conserved.
    virtual records::SimulationResult run(Setup& setup, const RunRequest& request) = 0;

    /// All metrics that a run can have, and metrics of models' errors.
    [[nodiscard]] virtual const records::MetricList& metrics() const = 0;
    /// Names accepted in models.compare and in [models.inputs].
    [[nodiscard]] virtual const std::vector<std::string>& models() const = 0;
    [[nodiscard]] virtual const std::vector<std::string>& model_inputs() const = 0;
    /// Main metric of a page with these measurements; if they lack it, the kind's usual main
    /// metric.
    [[nodiscard]] virtual const records::Metric& leading_metric(
        const records::Metrics& measured) const = 0;
    /// Asks the models about a point whose seeds are combined, and compares them with the
    /// measurement. Throws setup::UserFault if there was nothing to measure.
    virtual void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) = 0;
    /// Adds results that depend on all points of the experiment.
    virtual void finish(records::ExperimentResult& /*result*/) const {}
};

/// The kind of a file's run, with every parameter at its default. Throws setup::UserFault for an
/// unknown kernel.
[[nodiscard]] std::unique_ptr<Kind> make_kind(const setup::ExperimentFile& file,
                                              setup::SelectedRun run);

/// Name accepted by workload.kernel, with its sentence, for lists.
struct NamedWorkload {
    std::string name;
    std::string sentence;
};
/// Values of workload.kernel that name no kernel, such as "open-loop".
[[nodiscard]] std::vector<NamedWorkload> workloads_without_kernel();

/// A kind with one program that it can run, for lists.
struct ListedKind {
    std::string workload;  ///< value of workload.kernel; empty for the kind that runs all kernels
    std::unique_ptr<Kind> kind;
};
[[nodiscard]] std::vector<ListedKind> all_kinds();

/// Sections of a page that only some kinds or programs have.
[[nodiscard]] std::vector<records::Section> own_sections(const records::ExperimentResult& result);

/// Metrics of all kinds, and of their models.
[[nodiscard]] const records::MetricList& all_metrics();
/// Patterns for the names of metrics that contain a program's own name, each with `schema`.
[[nodiscard]] nlohmann::ordered_json metric_patterns(const nlohmann::ordered_json& schema);
/// Unit of the named metric: "cycles", "%", or "1" for a count, a ratio or an unknown name.
[[nodiscard]] std::string unit_of(const std::string& metric);
/// Names of all models that some kind asks.
[[nodiscard]] const std::vector<std::string>& all_models();

/// Excess of a point's main metric over another point's, in per cent.
[[nodiscard]] const records::Metric& over_other_point_percent();

}  // namespace weir::experiments::kinds
