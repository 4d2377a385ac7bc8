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

/// What the runs of a sweep left, in one SQLite file (sweep_schema.h). One process writes it, a
/// transaction a run: whenever it is killed, what was recorded is there. Others may read meanwhile.
class SweepDatabase {
  public:
    /// A new file at `path`, made beside it under another name: it is there whole or not at all.
    static SweepDatabase create(const std::filesystem::path& path,
                                const std::filesystem::path& unfinished_path,
                                const SweepPlan& plan);
    /// A new one of the same study, without points.
    static SweepDatabase create_like(const SweepDatabase& other, const std::filesystem::path& path);
    /// An existing one. Throws setup::UserFault when it isn't there, is no sweep's, or of another
    /// version's schema.
    static SweepDatabase open(const std::filesystem::path& path, SweepConnection::Access access);

    /// Goes on with a file's points, which may be more than when it was begun. Throws
    /// setup::UserFault when it was begun by another version of Weir, or holds another study's.
    void adopt(const SweepPlan& plan) const;

    /// Point (by digest) and seed of what need not be run again: all that is recorded, but for what
    /// a signal ended; with `retry` all that ended well.
    [[nodiscard]] std::set<std::pair<std::string, std::uint64_t>> done(bool retry) const;

    /// Puts a run in, in place of an earlier one. Throws SweepError.
    void record(const SweepPlan& plan, const PlannedPoint& planned, std::uint64_t seed,
                const RunOutcome& outcome) const;

    /// "runs", "runs WHERE status = 'ok'"
    [[nodiscard]] std::int64_t count_of(const std::string& rows) const;
    [[nodiscard]] std::string meta(const std::string& key) const;
    [[nodiscard]] std::vector<SweptName> names() const;
    [[nodiscard]] SweepDesign design() const;
    /// Those that the study asks for.
    [[nodiscard]] std::vector<FigureChoice> figures() const;
    /// What it says of prices. Throws setup::UserFault where that can't be read.
    [[nodiscard]] std::vector<Price> prices() const;
    /// How many runs there are to be, where they are not all of the plan's; and what a search has
    /// found with them. adopt() takes all of the plan's, and nothing found.
    void set_planned_runs(std::size_t runs, const std::string& searched = {}) const;
    /// 0 where it is not known.
    [[nodiscard]] std::size_t planned_runs() const;
    /// By number, and those that are no longer in the file last.
    [[nodiscard]] std::vector<StoredPoint> points() const;
    /// A metric of all runs that have it, by run_id: of the source named, "lopc.metric", or as it
    /// was measured or, where it was not, of the first source that has it.
    [[nodiscard]] std::map<std::int64_t, double> metric(const std::string& name) const;
    /// The models that predict a metric in some run.
    [[nodiscard]] std::vector<std::string> models_of(const std::string& metric) const;
    /// All metrics, measured ones first.
    [[nodiscard]] std::vector<std::string> metric_names() const;
    /// Reads every number and text that pages can show. Throws setup::UserFault for the first that
    /// is none.
    void check_values() const;
    /// Throws setup::UserFault, with the nearest name, for a metric that no run has.
    void require_metric(const std::string& name) const;
    /// A hash of all runs, in whatever order they were recorded.
    [[nodiscard]] std::string digest() const;

    [[nodiscard]] const SweepConnection& connection() const { return connection_; }
    [[nodiscard]] const std::string& path() const { return connection_.path(); }

  private:
    explicit SweepDatabase(SweepConnection connection) : connection_(std::move(connection)) {}
    static SweepDatabase create_empty(const std::filesystem::path& path);
    void require_sweep() const;
    void set_meta(const std::string& key, const std::string& value) const;
    void set_names(const std::vector<SweptName>& names) const;
    void add_swept(std::int64_t point_id, const std::string& configuration,
                   const std::vector<SweptName>& names) const;
    /// The source that a metric without one is of; empty where no run has it.
    [[nodiscard]] std::string first_source_of(const std::string& metric) const;
    class PointSetup;
    [[nodiscard]] std::int64_t point_id(PointSetup& planned) const;
    /// What some run of the point has measured; the values don't count.
    [[nodiscard]] records::Metrics measured_of(std::int64_t point) const;

    SweepConnection connection_;
};

/// What it holds, for pages: the metrics that its kernels are about with what models say of them,
/// those that its figures show, and these.
[[nodiscard]] records::SweepResult read_sweep(const SweepDatabase& database,
                                              const std::vector<std::string>& metrics = {});

/// A hash of this program's file.
[[nodiscard]] const std::string& program_digest();

}  // namespace weir::experiments::running
