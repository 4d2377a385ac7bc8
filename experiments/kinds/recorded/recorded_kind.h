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

/// Table [recorded]; it makes a file one of this kind.
struct RecordedParameters : hw::ParameterGroup {
    RecordedParameters()
        : ParameterGroup(
              "recorded",
              "Recorded run that is measured in place of a run on the emulated machine") {}

    hw::Parameter<hw::FilePath> trace{
        *this,
        "trace",
        "",
        {},
        "Trace file: trace.weir of a kernel's run, or an SQLite file in its schema; {seed} in the "
        "name stands for each of run.seeds"};
};

/// A recorded run of a kernel, by Weir or from elsewhere. Its trace is measured, and models are
/// asked, as if the machine had run it; nothing is emulated. [workload] gives the program of the
/// trace, and the machine's tables give the machine, for the models.
///
/// Metrics that need tables missing from the trace are not measured; a result's `traces` lists
/// them. A run leaves the files of a kernel's run, except for trace.weir and those that only a
/// machine has: statistics, channels.csv, queues.csv.
class RecordedKind final : public KernelKind {
  public:
    using KernelKind::KernelKind;

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups(Setup& setup) override;
    void set_up(const setup::ExperimentFile& file, setup::SelectedRun run, Setup& setup) override;
    [[nodiscard]] bool stops_between_cycles() const override { return false; }
    [[nodiscard]] std::int64_t node_memory_bytes(const Setup& /*setup*/) const override {
        return 0;
    }
    void elaborate(Setup& setup, const std::filesystem::path& folder,
                   const std::function<void()>& look) override;
    /// Throws nodes::MachineFault for a trace with another number of nodes, and
    /// firmware::InputFault for a trace that does not follow trace_schema().
    records::SimulationResult run(Setup& setup, const RunRequest& request) override;
    void ask_models(const AskedPoint& asked, Setup& setup, records::PointResult& point) override;

  private:
    RecordedParameters parameters_;
};

/// Kind of a run with a table [recorded]; null for a file without it. Throws setup::UserFault if
/// the file also names another kind, which has no trace of a kernel.
std::unique_ptr<Kind> make_recorded_kind(const setup::ExperimentFile& file, setup::SelectedRun run);
[[nodiscard]] std::unique_ptr<Kind> listed_recorded_kind();

/// Settings that turn a kernel's experiment into a measurement of its stored trace, for the trace's
/// seed.
[[nodiscard]] setup::Layer recorded_run(const std::string& trace, std::int64_t seed,
                                        const setup::Place& place);

/// A measured trace, as a result lists it in `traces`.
struct MeasuredTrace {
    std::string file;
    std::vector<std::string> absent_tables;

    /// Measurements that the trace does not allow, one text for each absent table.
    [[nodiscard]] std::vector<std::string> missing_measurements() const;
};
/// Traces of a point in the order of its seeds; empty if a machine ran.
[[nodiscard]] std::vector<MeasuredTrace> measured_traces(const records::PointResult& point);

/// Section that lists, for each trace, the measurements that need tables which it does not have.
/// Absent if each trace has all tables, or without traces.
[[nodiscard]] std::optional<records::Section> traces_section(
    const records::ExperimentResult& result);

}  // namespace weir::experiments::kinds
