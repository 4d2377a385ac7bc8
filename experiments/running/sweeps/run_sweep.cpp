#include "experiments/running/sweeps/run_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "experiments/records/run_status.h"
#include "experiments/running/clusters/ranked_runner.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/plan/later_changes.h"
#include "experiments/running/sweeps/recorded_runs.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;
using setup::UserFault;

std::string parts_text(const Shard& shard) {
    return shard.count == 1 ? "" : fmt::format(" of part {} of {}", shard.index, shard.count);
}

std::string workers_text(const SweepOptions& options, const RankedRunner* ranked) {
    return ranked == nullptr ? fmt::format("{} at a time", options.workers)
                             : fmt::format("{} at a time on each of {} MPI ranks", options.workers,
                                           ranked->ranks());
}

std::string varied_text(const SweepPlan& plan, PlannedPoint point) {
    point.label.clear();
    const std::string text = plan.description_of(point);
    return text.empty() ? "-" : text;
}

std::string statuses_text(const std::map<std::string, std::size_t>& by_status) {
    std::string text;
    for (const records::RunStatus each : records::kRunStatuses) {
        const char* const status = records::status_name(each);
        const auto found = by_status.find(status);
        if (found != by_status.end()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, status);
        }
    }
    return text.empty() ? "none ended" : text;
}

// Runs the requests. Returns false if the user interrupted it. Without `ranked`, all runs are on
// this host.
bool run_requests(const SweepPlan& plan, const SweepOptions& options, const fs::path& path,
                  RankedRunner* ranked) {
    const RecordedRuns recorded(plan, path, options.resume);
    const std::vector<RunRequest> requests =
        requests_of(plan, options.shard, recorded.database().done(options.retry));
    fmt::print(stderr, "weir: {} of {} runs{} to do, {}, into {}\n", requests.size(),
               requests_of(plan, options.shard, {}).size(), parts_text(options.shard),
               workers_text(options, ranked), setup::printable(path.string()));
    return recorded.run(requests, options.workers, ranked, options.resume_at);
}

}  // namespace

Shard parse_shard(const std::string& text) {
    constexpr std::size_t kMost = 999'999;
    std::size_t index = 0;
    std::size_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [slash, index_error] = std::from_chars(text.data(), end, index);
    const bool has_slash = index_error == std::errc() && slash != end && *slash == '/';
    const auto [rest, count_error] = std::from_chars(has_slash ? slash + 1 : end, end, count);
    if (!has_slash || count_error != std::errc() || rest != end || index < 1 || index > count ||
        count > kMost) {
        throw UserFault({"--shard " + text}, "this is no part of a sweep",
                        "I/N: the I-th point and each N-th after it, I from 1 to N");
    }
    return {index, count};
}

fs::path database_of(const SweepOptions& options) {
    if (options.database) {
        return *options.database;
    }
    const std::string name = options.file.stem().string();
    return fs::path("runs") /
           (options.shard.count == 1
                ? name + ".db"
                : fmt::format("{}-{}of{}.db", name, options.shard.index, options.shard.count));
}

std::vector<RunRequest> requests_of(const SweepPlan& plan, const Shard& shard,
                                    const std::set<std::pair<std::string, std::uint64_t>>& done) {
    std::vector<RunRequest> requests;
    for (const PlannedPoint& point : plan.points) {
        for (const std::uint64_t seed : point.seeds) {
            if (shard.has(point) && done.count({point.digest, seed}) == 0) {
                requests.push_back({&point, seed});
            }
        }
    }
    return requests;
}

SweepSummary summary_of(const SweepPlan& plan, const Shard& shard, const fs::path& path) {
    const SweepDatabase database = SweepDatabase::open(path, SweepConnection::Access::kRead);
    std::map<std::pair<std::string, std::uint64_t>, StoredRun> stored;
    for (const StoredPoint& point : database.points()) {
        for (const StoredRun& run : point.runs) {
            stored.emplace(std::pair{point.digest, run.seed}, run);
        }
    }
    SweepSummary summary;
    summary.database = path.string();
    summary.digest = database.digest();
    for (const PlannedPoint& point : plan.points) {
        summary.points += shard.has(point) ? 1 : 0;
    }
    for (const RunRequest& request : requests_of(plan, shard, {})) {
        ++summary.runs;
        const auto run = stored.find({request.point->digest, request.seed});
        if (run == stored.end()) {
            continue;
        }
        ++summary.recorded;
        ++summary.by_status[run->second.status];
        if (records::is_trouble(run->second.status)) {
            summary.troubles.push_back({run_text(plan, *request.point, request.seed),
                                        run->second.status, run->second.message});
            summary.exit_status =
                summary.exit_status == kSuccess ? run->second.exit_status : summary.exit_status;
        }
    }
    return summary;
}

std::optional<SweepSummary> run_sweep(const SweepOptions& options) {
    std::optional<RankedRunner> ranked;
    if (has_served(options, ranked)) {
        return std::nullopt;
    }
    const SweepPlan plan =
        make_plan(options.file, options.presets, options.set_options, options.permissions);
    if (options.plan_digest && *options.plan_digest != plan.digest()) {
        throw UserFault({options.file.string()}, "its points have changed since it was submitted",
                        "the file as it was, or weir sweep submit --resume");
    }
    require_permitted(plan.wants);
    if (options.resume_at && ranked) {
        throw UserFault({fmt::format("--resume-at {}", options.resume_at->count())},
                        "processes of mpirun run each point from its begin",
                        "weir sweep without mpirun");
    }
    if (options.resume_at) {
        require_prefix(plan, *options.resume_at);
    }
    const fs::path path = database_of(options);
    RecordedRuns::require(path, options.resume);
    const bool is_finished = run_requests(plan, options, path, ranked ? &*ranked : nullptr);
    SweepSummary summary = summary_of(plan, options.shard, path);
    summary.is_interrupted = !is_finished;
    return summary;
}

std::string summary_page(const SweepSummary& summary) {
    std::string page =
        fmt::format("{}: {} of {}: {}\n", summary.database, setup::counted(summary.runs, "run"),
                    setup::counted(summary.points, "point"), statuses_text(summary.by_status));
    constexpr std::size_t kMostTroubles = 10;
    for (std::size_t i = 0; i < std::min(summary.troubles.size(), kMostTroubles); ++i) {
        const SweepSummary::Trouble& trouble = summary.troubles[i];
        page += setup::wrapped(fmt::format("{} {}: {}", trouble.run, trouble.status,
                                           records::headline_of(trouble.message)),
                               "  ", "    ");
    }
    if (summary.troubles.size() > kMostTroubles) {
        page += fmt::format("  and {} more\n", summary.troubles.size() - kMostTroubles);
    }
    return page + fmt::format("digest of all results {}\nto show it: weir sweep show {}\n",
                              summary.digest, summary.database);
}

std::string plan_page(const SweepPlan& plan, std::span<const RunRequest> requests) {
    const bool is_varied = plan.design == SweepDesign::kOneAtATime;
    const bool has_labels = !plan.points.front().label.empty();
    std::vector<setup::TextColumn> columns{setup::column_of_numbers("point")};
    if (has_labels) {
        columns.push_back(setup::column_of_text("label"));
    }
    if (is_varied) {
        columns.push_back(setup::column_of_text("varied"));
    } else {
        for (const SweptName& name : plan.names) {
            columns.push_back(setup::column_of_numbers(name.column));
        }
    }
    columns.push_back(setup::column_of_text("seeds"));
    std::vector<std::vector<std::string>> rows;
    const PlannedPoint* last = nullptr;
    for (const RunRequest& request : requests) {
        const std::string seed = std::to_string(request.seed);
        if (request.point == last) {
            rows.back().back() += ", " + seed;
            continue;
        }
        last = request.point;
        std::vector<std::string>& row = rows.emplace_back(1, std::to_string(last->number));
        if (has_labels) {
            row.push_back(last->label);
        }
        if (is_varied) {
            row.push_back(varied_text(plan, *last));
        } else {
            for (const hw::ParameterValue& value : last->values) {
                row.push_back(setup::value_text(value));
            }
        }
        row.push_back(seed);
    }
    return (rows.empty() ? "" : setup::text_table(std::move(columns), rows) + "\n") +
           fmt::format("{} of {}\n", setup::counted(requests.size(), "run"),
                       setup::counted(rows.size(), "point")) +
           (plan.wants.empty() ? "" : setup::wrapped(wants_text(plan.wants) + ".", "", ""));
}

}  // namespace weir::experiments::running
