#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/analyses/kernel_analysis.h"
#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/kinds/kind.h"
#include "experiments/kinds/setup.h"
#include "firmware/kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::experiments::kinds {

/// A kernel on all nodes of a machine, behavioural or compiled. A run also leaves trace.weir,
/// queues.csv if queues are finite, and channels.csv for a network of routers. Compiled programs
/// and the kernel's own analysis leave further files.
class KernelKind : public Kind {
  public:
    /// `analysis` makes the kernel's own measurements.
    KernelKind(std::unique_ptr<firmware::Kernel> kernel, const analyses::KernelAnalysis& analysis)
        : kernel_(std::move(kernel)), analysis_(analysis) {}

    /// Marks the kernel as one of a library, and adds the parameter that names the library's file.
    void add_library(const KernelLibrary& library) {
        library_parameters_.emplace();
        library_ = &library;
    }
    [[nodiscard]] firmware::Kernel& kernel() { return *kernel_; }
    [[nodiscard]] const firmware::Kernel& kernel() const { return *kernel_; }
    /// The kernel if it is compiled; null on behavioural cores.
    [[nodiscard]] firmware::CompiledKernel* compiled_kernel() const {
        return dynamic_cast<firmware::CompiledKernel*>(kernel_.get());
    }

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    void set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) override;
    [[nodiscard]] std::vector<Want> wants(const setup::ExperimentFile& file,
                                          setup::SelectedRun run) override;
    [[nodiscard]] bool has_library() const override { return library_ != nullptr; }
    void load_code(const setup::ExperimentFile& file, setup::SelectedRun run,
                   Setup& setup) override;
    [[nodiscard]] std::string family() const final { return "kernels"; }
    [[nodiscard]] std::string what() const final { return "this machine"; }
    [[nodiscard]] std::vector<hw::Fact> facts() final;
    [[nodiscard]] hw::ParameterBase* steady_state_length() final {
        return kernel_->steady_state_length();
    }
    [[nodiscard]] std::string length_table() const override { return "workload"; }
    [[nodiscard]] bool stops_between_cycles() const override { return true; }
    [[nodiscard]] std::vector<firmware::SizeParameter> size_parameters() final {
        return kernel_->size_parameters();
    }
    [[nodiscard]] std::optional<firmware::NodeLoads> node_loads(const Setup& setup,
                                                                std::uint64_t seed) const final;
    [[nodiscard]] std::int64_t warmup_cycles(const Setup& setup) const override;
    [[nodiscard]] std::int64_t node_memory_bytes(const Setup& setup) const override;
    [[nodiscard]] std::int64_t least_nodes() const override { return kernel_->least_nodes(); }
    void elaborate(Setup& setup, const std::filesystem::path& folder,
                   const std::function<void()>& look) override;
    records::SimulationResult run(Setup& setup, const RunRequest& request) override;
    [[nodiscard]] const records::MetricList& metrics() const override;
    [[nodiscard]] const std::vector<std::string>& models() const override;
    [[nodiscard]] const std::vector<std::string>& model_inputs() const override;
    [[nodiscard]] const records::Metric& leading_metric(
        const records::Metrics& measured) const override;
    void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) override;

    /// Puts the kernel's data into the setup's machine, and its programs on behavioural cores.
    /// Compiled programs are started separately (compiled_run.h). Throws firmware::InputFault.
    void load(const Setup& setup, std::uint64_t seed, nodes::Machine& machine);

  protected:
    /// Sets the number of host cores that emulate the machine.
    void share_cores(Setup& setup, const RunRequest& request);
    /// Makes the kernel's data for a machine of this shape. Throws firmware::InputFault.
    void prepare(const Setup& setup, std::uint64_t seed, nodes::MachineShape shape,
                 nodes::MemoryAccess& memory);
    /// Measures the trace of a prepared kernel's run, emulated or recorded elsewhere. Writes the
    /// tables of the kernel's own analysis to the folder.
    [[nodiscard]] records::Measured measure(const Setup& setup, const trace::Trace& trace,
                                            const std::filesystem::path& folder);
    /// Facts of a prepared kernel's data that models use.
    [[nodiscard]] nlohmann::ordered_json program_facts() const;
    /// Checks that a valid machine has everything that the kernel needs. Throws setup::UserFault.
    void refuse_what_does_not_fit(const setup::ExperimentFile& file, setup::SelectedRun run,
                                  Setup& setup);

  private:
    /// True if a source of the models' inputs names the digest of this trace: `weir fit` fitted
    /// the inputs to it.
    [[nodiscard]] bool has_inputs_fitted_to(const trace::Trace& trace) const;
    /// False for a library's kernel whose properties only its code knows.
    [[nodiscard]] bool has_known_properties() const;
    [[nodiscard]] analyses::TracedRun traced_run(const Setup& setup,
                                                 const trace::Trace& trace) const;

    std::unique_ptr<firmware::Kernel> kernel_;
    const analyses::KernelAnalysis& analysis_;
    std::optional<LibraryParameters> library_parameters_;
    const KernelLibrary* library_ = nullptr;  ///< null for Weir's own kernels
    /// Sources of the models' inputs in the experiment file.
    std::vector<std::string> input_sources_;
};

/// Key of a run's particulars: the models' given inputs were fitted to this run.
inline constexpr const char* kFittedToThisRun = "fitted_to_this_run";

/// The kernel that workload.kernel names, for the run's kind of cores; null if there is none.
[[nodiscard]] std::unique_ptr<firmware::Kernel> named_kernel(const setup::ExperimentFile& file,
                                                             setup::SelectedRun run);
/// Whether the nodes run a user's own program: a compiled one, or a kernel of a library.
[[nodiscard]] bool has_users_program(const setup::ExperimentFile& file, setup::SelectedRun run);
/// Makes the kind for any name that no other kind takes. Returns null for an unknown kernel.
std::unique_ptr<Kind> make_kernel_kind(const setup::ExperimentFile& file, setup::SelectedRun run);
[[nodiscard]] std::vector<ListedKind> listed_kernels();
/// Fault for a name of neither a kernel nor another kind.
[[nodiscard]] setup::UserFault unknown_workload(const setup::ExperimentFile& file,
                                                setup::SelectedRun run);

/// The kind of a setup that runs a kernel. Throws std::logic_error for other setups.
[[nodiscard]] KernelKind& kernel_kind(Setup& setup);
/// The kind of a setup that runs a kernel; null for other setups.
[[nodiscard]] KernelKind* find_kernel_kind(const Setup& setup);

/// Metrics of every kernel's run.
struct RunMetrics final : records::MetricGroup {
    records::Metric run_cycles{*this, "run_cycles", "cycles",
                               "Length of the run, from cycle 0 to its end"};
    records::Metric busiest_channel_percent{
        *this, "busiest_channel_percent", "%",
        "Utilisation of the network's busiest channel, over all cycles of the run"};
};
inline const RunMetrics& run_metrics() { return records::declared<RunMetrics>(); }

/// Metrics of runs on faulty hardware (parameters of [faults]).
struct FaultMetrics final : records::MetricGroup {
    records::Metric messages_lost{*this, "messages_lost", "messages",
                                  "Number of messages lost by hardware faults"};
    records::Metric messages_damaged{*this, "messages_damaged", "messages",
                                     "Number of messages delivered with a wrong body"};
    records::Metric flits_lost{*this, "flits_lost", "flits",
                               "Number of flits lost on faulty channels"};
    records::Metric flits_flipped{*this, "flits_flipped", "flits",
                                  "Number of flits in which a faulty channel has inverted a bit"};
};
inline const FaultMetrics& fault_metrics() { return records::declared<FaultMetrics>(); }

/// Properties of the machine that models use.
[[nodiscard]] analyses::MachineView machine_view(const Setup& setup);

}  // namespace weir::experiments::kinds
