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

#include "experiments/kinds/setup.h"
#include "experiments/records/result.h"
#include "experiments/setup/files/experiment_file.h"

namespace weir::experiments::running {

/// Exit statuses of the program.
inline constexpr int kSuccess = 0;
inline constexpr int kToleranceMissed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kDeadlock = 3;
inline constexpr int kWrongAnswer = 4;
inline constexpr int kBug = 70;
/// Of a simulation whose surroundings failed (setup::SurroundingsFault); of a command kBadInput.
inline constexpr int kRefused = 71;
inline constexpr int kInterrupted = 130;  ///< of a simulation; of a command interruption_status()

/// Of a command one of whose workers was killed by that signal: those that come of defects, as
/// SIGSEGV, are kBug, and those that the system or somebody sends, as where memory runs out,
/// kBadInput.
[[nodiscard]] int status_of_kill(int signal);

struct RunOptions {
    std::filesystem::path file;
    std::filesystem::path presets;
    std::vector<std::string> set_options;
    std::optional<std::filesystem::path> folder;
    bool resume = false;  ///< goes on with what `folder` has; else there is none of that name
    int workers = 1;
    bool show_progress = true;
    bool with_sensitivity = false;  ///< the variants of the sensitivity table, too
    /// With variants to run: is told of the points' result as soon as they have run, which is
    /// before the first variant does.
    std::function<void(const records::ExperimentResult&)> points_ended = {};
    /// Labels of the points to run, and with them the points they are measured against; empty: all.
    std::vector<std::string> points;
    bool keep_traces = true;  ///< or only what was measured of them
};

/// A run that did not finish: the exit status, what to tell the user, and what there was by then.
class RunFailure : public std::runtime_error {
  public:
    RunFailure(int status, const std::string& message,
               std::vector<records::ExperimentResult> so_far = {})
        : runtime_error(message), status_(status), so_far_(std::move(so_far)) {}
    [[nodiscard]] int status() const { return status_; }
    /// One for each experiment, from those of its runs that had ended, well or badly
    /// (ExperimentResult::endings): ExperimentResult::runs_left had not. Without points where no
    /// run gave a result.
    [[nodiscard]] const std::vector<records::ExperimentResult>& so_far() const { return so_far_; }

  private:
    int status_;
    std::vector<records::ExperimentResult> so_far_;
};

/// A signal has ended it.
class Interruption : public RunFailure {
  public:
    /// `folder` is what --resume takes to go on with the file of `options`.
    Interruption(const RunOptions& options, const std::filesystem::path& folder,
                 std::vector<records::ExperimentResult> so_far);
};

/// Checks the file and every run it asks for, and runs nothing. Throws setup::UserFault.
void check_experiment(const RunOptions& options);
/// The same of all points and variants of a file that has been read.
void check_all_runs(const setup::ExperimentFile& file);

/// The runs that a checked file asks for: points first, then variants of the first one.
struct ExperimentPlan {
    struct Group {
        setup::SelectedRun run;
        std::string label;
        std::vector<std::uint64_t> seeds;
        std::vector<std::string> folders;  ///< by seed, inside the experiment's
    };
    setup::ExperimentFile file;
    std::vector<Group> groups;
};

/// As check_experiment(), and what run_experiment() would do. Throws setup::UserFault.
[[nodiscard]] ExperimentPlan plan_experiment(const RunOptions& options);

/// Checks one run of the file: its parameters, and the names of metrics and model inputs. Its
/// setup. Throws setup::UserFault.
std::unique_ptr<kinds::Setup> check_run(const setup::ExperimentFile& file, setup::SelectedRun run);

/// For who runs given seeds and no others: throws setup::UserFault where only more seeds could
/// make the run as precise as its file asks for.
void require_own_length(const setup::ExperimentFile& file, setup::SelectedRun run,
                        kinds::Setup& setup);

/// models.compare, checked.
std::vector<std::string> chosen_models(const setup::ExperimentFile& file);

/// What the finished simulations of one run of the file, one a seed, say together, and what the
/// models say of it. Throws setup::UserFault when there was nothing to measure.
records::PointResult evaluate_point(const setup::ExperimentFile& file, setup::SelectedRun run,
                                    const std::string& label,
                                    const std::vector<records::SimulationResult>& seeds,
                                    const std::vector<std::string>& models);

/// What the page of these points leads with; empty where no point has it.
std::string leading_metric_of(const kinds::Setup& setup,
                              const std::vector<records::PointResult>& points);

/// What simulate_job() left in its folder.
records::SimulationResult read_result(const std::filesystem::path& folder);

/// Runs every point, variant and seed of an experiment file, a process each. Checks all of them
/// before the first starts. Throws setup::UserFault (nothing is left behind), RunFailure (the run
/// folder keeps what there is), or Interruption.
records::ExperimentResult run_experiment(const RunOptions& options);

/// Runs several as one: all of their processes share the first's `workers` and progress line.
std::vector<records::ExperimentResult> run_experiments(std::span<const RunOptions> experiments);

}  // namespace weir::experiments::running
