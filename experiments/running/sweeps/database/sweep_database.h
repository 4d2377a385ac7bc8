#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/running/sweeps/points/run_outcome.h"

namespace weir::experiments::running {

using records::StoredPoint;
using records::StoredRun;

/// Results of a sweep's runs in one SQLite file (sweep_schema.h). One process writes it, in a
/// transaction per run, so a kill loses no recorded run. Other processes may read the file at the
/// same time.
class SweepDatabase {
  public:
    /// Creates a database. The file is made as `unfinished_path` and then renamed, so that `path`
    /// is either absent or complete.
    static SweepDatabase create(const std::filesystem::path& path,
                                const std::filesystem::path& unfinished_path,
                                const SweepPlan& plan);
    /// Creates a database for the same study, without points.
    static SweepDatabase create_like(const SweepDatabase& other, const std::filesystem::path& path);
    /// Opens an existing database. Throws setup::UserFault if it is missing, is not a sweep's, or
    /// has another version's schema.
    static SweepDatabase open(const std::filesystem::path& path, SweepConnection::Access access);

    /// Continues with the points of a plan, which may be more than before. Throws setup::UserFault
    /// if another version of Weir began the database, or if it holds another study.
    void adopt(const SweepPlan& plan) const;

    /// Runs that need no repetition, as point digest and seed: all recorded runs that no signal
    /// ended. With `retry`, runs that did not end well need repetition, too.
    [[nodiscard]] std::set<std::pair<std::string, std::uint64_t>> done(bool retry) const;

    /// Records a run; replaces an earlier record of it. Throws SweepError if the database cannot be
    /// written.
    void record(const SweepPlan& plan, const PlannedPoint& planned, std::uint64_t seed,
                const RunOutcome& outcome) const;

    /// Number of rows, for example of "runs" or "runs WHERE status = 'ok'".
    [[nodiscard]] std::int64_t count_of(const std::string& rows) const;
    [[nodiscard]] std::string meta(const std::string& key) const;
    [[nodiscard]] std::vector<SweptName> names() const;
    [[nodiscard]] SweepDesign design() const;
    /// Figures that the study requests.
    [[nodiscard]] std::vector<FigureChoice> figures() const;
    /// Prices of the study. Throws setup::UserFault if they cannot be read.
    [[nodiscard]] std::vector<Price> prices() const;
    /// Sets the number of planned runs, if it differs from the plan's, and the finding of a search.
    /// adopt() resets both: to all runs of the plan, and to no finding.
    void set_planned_runs(std::size_t runs, const std::string& searched = {}) const;
    /// Number of planned runs; 0 if unknown.
    [[nodiscard]] std::size_t planned_runs() const;
    /// Points by number; points that are no longer in the file come last.
    [[nodiscard]] std::vector<StoredPoint> points() const;
    /// Values of a metric by run_id. "lopc.metric" names the source. Without a source it is the
    /// measured metric, or else that of the first source that has it.
    [[nodiscard]] std::map<std::int64_t, double> metric(const std::string& name) const;
    /// Models that predict a metric in some run.
    [[nodiscard]] std::vector<std::string> models_of(const std::string& metric) const;
    /// All metrics, measured ones first.
    [[nodiscard]] std::vector<std::string> metric_names() const;
    /// Reads every number and text that pages can show. Throws setup::UserFault for the first
    /// invalid one.
    void check_values() const;
    /// Throws setup::UserFault, with the nearest name, for a metric that no run has.
    void require_metric(const std::string& name) const;
    /// Hash of all runs, independent of the order in which they were recorded.
    [[nodiscard]] std::string digest() const;

    [[nodiscard]] const SweepConnection& connection() const { return connection_; }
    [[nodiscard]] const std::string& path() const { return connection_.path(); }

  private:
    explicit SweepDatabase(SweepConnection connection) : connection_(std::move(connection)) {}
    static SweepDatabase create_empty(const std::filesystem::path& path);
    void require_sweep() const;
    void require_own_objects(const std::string& swept) const;
    void set_meta(const std::string& key, const std::string& value) const;
    void set_names(const std::vector<SweptName>& names) const;
    void add_swept(std::int64_t point_id, const std::string& configuration,
                   const std::vector<SweptName>& names) const;
    /// Source of a metric without one; empty if no run has the metric.
    [[nodiscard]] std::string first_source_of(const std::string& metric) const;
    class PointSetup;
    [[nodiscard]] std::int64_t point_id(PointSetup& planned) const;
    /// Metrics that some run of the point has measured; only their names are meaningful.
    [[nodiscard]] records::Metrics measured_of(std::int64_t point) const;

    SweepConnection connection_;
};

/// Data for pages: the main metrics of the kernels with the models' predictions, the metrics of
/// figures, and `metrics`.
[[nodiscard]] records::SweepResult read_sweep(const SweepDatabase& database,
                                              const std::vector<std::string>& metrics = {});

/// Sets the costs of points, computed from their stored configurations and prices in gates. Returns
/// the costs' names and expressions: the prices of [cost], then the sum. A point whose kernel lacks
/// a priced key has no costs. Throws setup::UserFault for damaged data.
std::vector<std::pair<std::string, std::string>> add_costs_of_points(
    const SweepDatabase& database, std::vector<StoredPoint>& points);

/// CSV with a row for each run and exact numbers. Without `metrics`, the columns are all metrics,
/// as "source.metric", and costs.
[[nodiscard]] std::string database_csv(const SweepDatabase& database,
                                       std::vector<std::string> metrics);

/// Hash of the running program's file.
[[nodiscard]] const std::string& program_digest();

}  // namespace weir::experiments::running
