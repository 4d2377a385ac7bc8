#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "experiments/analyses/kernel_analysis.h"
#include "experiments/kinds/kernel/kernel_library.h"
#include "experiments/kinds/kind.h"
#include "experiments/kinds/setup.h"
#include "firmware/kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::experiments::kinds {

/// A kernel on all nodes of a machine, behavioural or compiled. A run leaves besides: trace.weir,
/// queues.csv where queues have an end, channels.csv of a network of routers, what a compiled
/// program writes, and the tables of the kernel's own analysis.
class KernelKind : public Kind {
  public:
    /// `analysis` says what is measured of this very kernel.
    KernelKind(std::unique_ptr<firmware::Kernel> kernel, const analyses::KernelAnalysis& analysis)
        : kernel_(std::move(kernel)), analysis_(analysis) {}

    /// The kernel is of a library, which its file names.
    void add_library() { library_.emplace(); }
    [[nodiscard]] firmware::Kernel& kernel() { return *kernel_; }
    [[nodiscard]] const firmware::Kernel& kernel() const { return *kernel_; }
    /// Null on behavioural cores.
    [[nodiscard]] firmware::CompiledKernel* compiled_kernel() const {
        return dynamic_cast<firmware::CompiledKernel*>(kernel_.get());
    }

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    void set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) override;
    [[nodiscard]] std::string family() const final { return "kernels"; }
    [[nodiscard]] std::string what() const final { return "this machine"; }
    [[nodiscard]] std::vector<hw::Fact> facts() final;
    [[nodiscard]] hw::ParameterBase* steady_state_length() final {
        return kernel_->steady_state_length();
    }
    [[nodiscard]] std::string length_table() const override { return "workload"; }
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

    /// Puts the kernel's data into the setup's machine, and its programs onto behavioural cores;
    /// compiled ones are started apart (compiled_run.h). Throws firmware::InputFault.
    void load(const Setup& setup, std::uint64_t seed, nodes::Machine& machine);

  protected:
    /// Decides on how many cores of the host the machine is emulated.
    void share_cores(Setup& setup, const RunRequest& request);
    /// Makes the kernel's data for a machine of that shape. Throws firmware::InputFault.
    void prepare(const Setup& setup, std::uint64_t seed, nodes::MachineShape shape,
                 nodes::MemoryAccess& memory);
    /// What the trace of a prepared kernel's run says, Weir's or another's. Leaves the tables of
    /// the kernel's own analysis in the folder.
    [[nodiscard]] records::Measured measure(const Setup& setup, const trace::Trace& trace,
                                            const std::filesystem::path& folder);
    /// What models need to know of a prepared kernel's data.
    [[nodiscard]] nlohmann::ordered_json program_facts() const;
    /// What the kernel asks of a checked machine. Throws setup::UserFault.
    void refuse_what_does_not_fit(const setup::ExperimentFile& file, setup::SelectedRun run,
                                  Setup& setup);

  private:
    [[nodiscard]] analyses::TracedRun traced_run(const Setup& setup,
                                                 const trace::Trace& trace) const;

    std::unique_ptr<firmware::Kernel> kernel_;
    const analyses::KernelAnalysis& analysis_;
    std::optional<LibraryParameters> library_;
};

/// The kernel that workload.kernel names, for the cores of the run; null where there is none.
[[nodiscard]] std::unique_ptr<firmware::Kernel> named_kernel(const setup::ExperimentFile& file,
                                                             setup::SelectedRun run);
/// Whether the nodes run a program of the user's: a compiled one, or a kernel of a library.
[[nodiscard]] bool has_users_program(const setup::ExperimentFile& file, setup::SelectedRun run);
/// A kernel's; any name that others leave. Null for a kernel that isn't there.
std::unique_ptr<Kind> make_kernel_kind(const setup::ExperimentFile& file, setup::SelectedRun run);
[[nodiscard]] std::vector<ListedKind> listed_kernels();
/// For a name that is neither a kernel's nor another kind's.
[[nodiscard]] setup::UserFault unknown_workload(const setup::ExperimentFile& file,
                                                setup::SelectedRun run);

/// Of a setup whose kind is this; throws std::logic_error for others.
[[nodiscard]] KernelKind& kernel_kind(Setup& setup);
/// Null where the setup runs no kernel.
[[nodiscard]] KernelKind* find_kernel_kind(const Setup& setup);

/// Of every kernel's run.
struct RunMetrics final : records::MetricGroup {
    records::Metric run_cycles{*this, "run_cycles", "cycles",
                               "The machine's cycles from its start to the end of the run"};
};
[[nodiscard]] const RunMetrics& run_metrics();

/// Of a run on hardware that fails (the parameters of [faults]).
struct FaultMetrics final : records::MetricGroup {
    records::Metric messages_lost{*this, "messages_lost", "messages",
                                  "Messages that faults of the hardware kept from arriving"};
    records::Metric messages_damaged{*this, "messages_damaged", "messages",
                                     "Messages that came with a body known to be wrong"};
    records::Metric flits_lost{*this, "flits_lost", "flits",
                               "Flits that could not be read behind a faulty channel"};
    records::Metric flits_flipped{*this, "flits_flipped", "flits",
                                  "Flits with a wrong bit behind a faulty channel"};
};
[[nodiscard]] const FaultMetrics& fault_metrics();

/// The machine as far as models need to know it.
[[nodiscard]] analyses::MachineView machine_view(const Setup& setup);

}  // namespace weir::experiments::kinds
