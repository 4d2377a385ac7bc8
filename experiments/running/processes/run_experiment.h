#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/kind.h"
#include "experiments/records/result.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/files/experiment_file.h"

namespace weir::experiments::kinds {
struct Setup;
}

namespace weir::experiments::running {

struct RunOptions {
    std::filesystem::path file;
    std::filesystem::path presets;
    std::vector<std::string> set_options;
    std::optional<std::filesystem::path> folder;
    bool resume = false;  ///< continue the run in `folder`; otherwise it must not exist
    int workers = 1;
    bool show_progress = true;
    bool with_sensitivity = false;  ///< also run the variants of the sensitivity table
    /// Called with the points' result before the first variant runs; not called without variants.
    std::function<void(const records::ExperimentResult&)> points_ended = {};
    /// Labels of the points to run; empty: all. Points with which these are compared run, too.
    std::vector<std::string> points;
    bool keep_traces = true;  ///< false: keep only the measurements
    /// A run that reaches run.most_cycles was to be stopped there, and has not failed.
    bool stops_at_limit = false;
    setup::Permissions permissions = {};  ///< access beyond the experiment's own folder
};

/// Failure of a run: exit status, message to the user, and the results so far.
class RunFailure : public std::runtime_error {
  public:
    RunFailure(int status, const std::string& message,
               std::vector<records::ExperimentResult> so_far = {})
        : runtime_error(message), status_(status), so_far_(std::move(so_far)) {}
    [[nodiscard]] int status() const { return status_; }
    /// One result for each experiment, from its runs that had ended (ExperimentResult::endings for
    /// those that ended badly). Other runs are counted in ExperimentResult::runs_left. A result has
    /// no points if no run gave a result.
    [[nodiscard]] const std::vector<records::ExperimentResult>& so_far() const { return so_far_; }

  private:
    int status_;
    std::vector<records::ExperimentResult> so_far_;
};

/// Failure of a run by a signal.
class Interruption : public RunFailure {
  public:
    /// The folder is the argument of --resume with which the experiment of these options continues.
    Interruption(const RunOptions& options, const std::filesystem::path& folder,
                 std::vector<records::ExperimentResult> so_far);
};

/// Checks the file and all its runs, without running. Throws setup::UserFault for the first fault.
void check_experiment(const RunOptions& options);
/// As check_experiment(), and throws setup::UserFault if a run asks for access that the options do
/// not permit.
void check_permitted(const RunOptions& options);
/// Checks all points and variants of a file that has been read. Returns the accesses that the
/// points ask for and that are not permitted.
std::vector<kinds::Want> check_all_runs(const setup::ExperimentFile& file);

/// Runs of a checked file: points first, then variants of the first point.
struct ExperimentPlan {
    struct Group {
        setup::SelectedRun run;
        std::string label;
        std::vector<std::uint64_t> seeds;
        /// Folder of each seed's run, relative to the experiment's folder.
        std::vector<std::string> folders;
    };
    setup::ExperimentFile file;
    std::vector<Group> groups;
    std::vector<kinds::Want> wants;  ///< accesses that are not permitted
};

/// Checks the file as check_experiment() does, and returns the runs of run_experiment(). Throws
/// setup::UserFault for the first fault.
[[nodiscard]] ExperimentPlan plan_experiment(const RunOptions& options);

/// Checks one run of the file: its parameters, and the names of metrics and model inputs. Returns
/// the run's setup. Throws setup::UserFault for the first fault.
std::unique_ptr<kinds::Setup> check_run(const setup::ExperimentFile& file, setup::SelectedRun run);

/// For callers that run given seeds only: throws setup::UserFault if the requested precision would
/// need more seeds.
void require_own_length(const setup::ExperimentFile& file, setup::SelectedRun run,
                        kinds::Setup& setup);

/// Models of models.compare, checked.
std::vector<std::string> chosen_models(const setup::ExperimentFile& file);

/// Combined result of the finished simulations of one run of the file, one per seed, with the
/// models' predictions. Throws setup::UserFault if nothing could be measured.
records::PointResult evaluate_point(const setup::ExperimentFile& file, setup::SelectedRun run,
                                    const std::string& label,
                                    const std::vector<records::SimulationResult>& seeds,
                                    const std::vector<std::string>& models);

/// Metric that the page of these points leads with; empty if no point has it.
std::string leading_metric_of(const kinds::Setup& setup,
                              const std::vector<records::PointResult>& points);

/// Result that simulate_job() wrote to the folder.
records::SimulationResult read_result(const std::filesystem::path& folder);

/// Runs every point, variant and seed of an experiment file, each in its own process. Checks all
/// runs before the first one starts. Throws setup::UserFault (no files are kept), RunFailure (the
/// run folder is kept), or Interruption.
records::ExperimentResult run_experiment(const RunOptions& options);

/// Runs several experiments concurrently: they share the first one's `workers` and progress line.
std::vector<records::ExperimentResult> run_experiments(std::span<const RunOptions> experiments);

}  // namespace weir::experiments::running
