#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::kinds {

/// [recorded]: a file that has this table is of this kind.
struct RecordedParameters : hw::ParameterGroup {
    RecordedParameters()
        : ParameterGroup("recorded",
                         "A run from elsewhere, measured in place of one on the machine") {}

    hw::Parameter<hw::FilePath> trace{
        *this,
        "trace",
        "",
        {},
        "The trace.weir that a run of a kernel left, or an SQLite file in a trace's schema; {seed} "
        "in its name stands for each of run.seeds"};
};

/// A kernel's run that was recorded, by Weir or elsewhere: its trace is measured, and the models
/// are asked, as if the machine had run it. Nothing is emulated. [workload] says which program the
/// trace is of, the machine's tables which machine, for the models.
///
/// What the trace has no table of is not measured; a result's `traces` says what that is. A run
/// leaves what a kernel's does, but trace.weir and what only the machine knows: statistics,
/// channels.csv, queues.csv.
class RecordedKind final : public KernelKind {
  public:
    using KernelKind::KernelKind;

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    void set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) override;
    [[nodiscard]] std::int64_t node_memory_bytes(const Setup& /*setup*/) const override {
        return 0;
    }
    void elaborate(Setup& setup, const std::filesystem::path& folder,
                   const std::function<void()>& look) override;
    /// Throws nodes::MachineFault for the trace of another number of nodes, and
    /// firmware::InputFault for one that is not as trace_schema() says.
    records::SimulationResult run(Setup& setup, const RunRequest& request) override;
    void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) override;

  private:
    RecordedParameters parameters_;
};

/// Null for a file without [recorded]. Throws setup::UserFault where that is beside a name of
/// another kind, which leaves no trace of a kernel.
std::unique_ptr<Kind> make_recorded_kind(const setup::ExperimentFile& file, setup::SelectedRun run);
[[nodiscard]] std::unique_ptr<Kind> listed_recorded_kind();

/// What makes a kernel's experiment one of a trace of it, and the seed that the trace has.
[[nodiscard]] setup::Layer recorded_run(const std::string& trace, std::int64_t seed,
                                        const setup::Place& place);

/// A trace that was measured, as results have it.
struct MeasuredTrace {
    std::string file;
    std::vector<std::string> absent_tables;

    /// What it can't say, a sentence each.
    [[nodiscard]] std::vector<std::string> what_is_not_said() const;
};
/// A point's, in the order of its seeds; none where a machine ran.
[[nodiscard]] std::vector<MeasuredTrace> measured_traces(const records::PointResult& point);

/// What they can't say; nothing where they have all tables, or there are none.
[[nodiscard]] std::optional<records::Section> traces_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::kinds
