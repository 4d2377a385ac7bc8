#include "experiments/running/sweeps/recorded_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "experiments/running/processes/progress_line.h"
#include "experiments/running/sweeps/points/local_runner.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/setup/version.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;
using setup::UserFault;

/// Records each ended run, and shows progress.
class Recorder final : public PointRunner::Receiver {
  public:
    Recorder(const SweepPlan& plan, const SweepDatabase& database,
             std::span<const RunRequest> requests)
        : plan_(plan),
          database_(database),
          line_(isatty(STDERR_FILENO) != 0, [&plan, requests](std::size_t index) {
              return run_text(plan, *requests[index].point, requests[index].seed);
          }) {}

    void take(const RunRequest& request, const RunOutcome& outcome) override {
        database_.record(plan_, *request.point, request.seed, outcome);
        if (records::is_trouble(status_name(outcome.status))) {
            line_.failed();
        }
    }
    void progress(const PoolProgress& progress) override { line_.show(progress); }

  private:
    const SweepPlan& plan_;
    const SweepDatabase& database_;
    ProgressLine line_;
};

SweepDatabase database_for(const SweepPlan& plan, const fs::path& path, const SweepLock& lock,
                           bool resume) {
    RecordedRuns::require(path, resume);  // another sweep may have held the lock until now
    if (!resume) {
        return SweepDatabase::create(path, lock.folder() / "new.db", plan);
    }
    SweepDatabase database = SweepDatabase::open(path, SweepConnection::Access::kWrite);
    database.adopt(plan);
    if (database.meta("weir_build") != program_digest()) {
        fmt::print(stderr,
                   "weir: {} was begun by another build of weir {}: runs.weir_build says which run "
                   "is whose\n",
                   setup::printable(path.string()), setup::kVersion);
    }
    return database;
}

std::string go_on_text(const SweepDatabase& database) {
    std::error_code unknown;
    if (!fs::exists(database.path(), unknown)) {
        return fmt::format("; the database {} was deleted during the sweep: begin a new one",
                           database.path());
    }
    return fmt::format("; the runs that had ended, {}, are in {}: continue with --resume",
                       database.count_of("runs"), database.path());
}

}  // namespace

std::string run_text(const SweepPlan& plan, const PlannedPoint& point, std::uint64_t seed) {
    const std::string description = plan.description_of(point);
    return fmt::format("point {}{}, seed {}", point.number,
                       description.empty() ? "" : " (" + description + ")", seed);
}

void RecordedRuns::require(const fs::path& path, bool resume) {
    std::error_code unknown;
    if (resume && !fs::exists(path, unknown)) {
        throw UserFault({path.string()}, "there is no database to resume",
                        "the database that was begun (--out), or no --resume");
    }
    if (!resume && fs::exists(path, unknown)) {
        throw UserFault({path.string()}, "the database exists already",
                        "--resume to continue it, or --out with a new one");
    }
    if (resume) {
        static_cast<void>(SweepDatabase::open(path, SweepConnection::Access::kRead));
    }
}

RecordedRuns::RecordedRuns(const SweepPlan& plan, const fs::path& path, bool resume)
    : plan_(plan), lock_(path), database_(database_for(plan, path, lock_, resume)) {}

bool RecordedRuns::run_by(PointRunner& runner, std::span<const RunRequest> requests) const {
    try {
        Recorder recorder(plan_, database_, requests);
        return runner.run(plan_, requests, recorder);
    } catch (const SweepError& fault) {
        throw SweepError(fault.what() + go_on_text(database_));
    } catch (...) {
        if (const auto refusal = setup::refusal_text()) {
            throw SweepError(*refusal + go_on_text(database_));
        }
        throw;
    }
}

bool RecordedRuns::run(std::span<const RunRequest> requests, int workers, PointRunner* ranked,
                       std::optional<hw::Cycles> resume_at) const {
    if (ranked != nullptr) {
        return run_by(*ranked, requests);
    }
    LocalRunner here(workers, lock_.folder(), resume_at);
    return run_by(here, requests);
}

}  // namespace weir::experiments::running
