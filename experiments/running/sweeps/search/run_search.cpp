#include "experiments/running/sweeps/search/run_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "experiments/analyses/combined_runs.h"
#include "experiments/running/clusters/ranked_runner.h"
#include "experiments/running/processes/command_line.h"
#include "experiments/running/processes/interruption.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/running/sweeps/recorded_runs.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;
using records::SearchResult;
using setup::UserFault;

// Draws at most `most` points. The draw depends on the seed and on each point's configuration, not
// on its position in the file.
void draw(std::uint64_t seed, std::size_t most, std::vector<const PlannedPoint*>& points) {
    if (points.size() <= most) {
        return;
    }
    std::vector<std::pair<std::string, const PlannedPoint*>> lots;
    for (const PlannedPoint* point : points) {
        FactDigest lot;
        lot.add(std::to_string(seed));
        lot.add(point->digest);
        lots.emplace_back(lot.hex(), point);
    }
    std::sort(lots.begin(), lots.end());
    lots.resize(most);
    points.clear();
    for (const auto& [lot, point] : lots) {
        points.push_back(point);
    }
    std::sort(points.begin(), points.end(),
              [](const PlannedPoint* a, const PlannedPoint* b) { return a->number < b->number; });
}

// Points are compared over the same number of seeds.
std::size_t fewest_seeds(const std::vector<const PlannedPoint*>& points) {
    std::size_t fewest = points.front()->seeds.size();
    for (const PlannedPoint* point : points) {
        fewest = std::min(fewest, point->seeds.size());
    }
    return fewest;
}

/// Point that is still in the search, with its values by seed.
struct Candidate {
    const PlannedPoint* point = nullptr;
    statistics::Sample sample;
};

// Text of the finding, for pages of the database.
std::string found_text(const SearchResult& result) {
    return result.finalists.empty()
               ? "no point ended well"
               : fmt::format("the {} {}, with at most {}, is at point {} ({})",
                             result.is_maximised ? "most" : "least", result.metric,
                             setup::counted(result.budget, "run"), result.finalists.front().number,
                             result.finalists.front().description);
}

/// Rounds of a search, one after the other, on a database.
class Search {
  public:
    Search(const SearchPlan& plan, const RecordedRuns& recorded, const SweepOptions& options,
           SearchResult& result)
        : plan_(plan),
          goal_(*plan.sweep.search),
          recorded_(recorded),
          options_(options),
          result_(result) {
        for (const PlannedPoint* point : plan.tried) {
            left_.push_back({point, {}});
        }
    }

    /// Runs all rounds. Returns false if the user interrupted it.
    bool run(RankedRunner* ranked) {
        for (std::size_t round = 0; round < plan_.rounds.size(); ++round) {
            if (!run_round(round, ranked)) {
                return false;
            }
        }
        add_finalists();
        result_.digest = recorded_.database().digest();
        return true;
    }

  private:
    [[nodiscard]] std::vector<RunRequest> requests_of(std::size_t seeds) const {
        std::vector<RunRequest> requests;
        for (const Candidate& candidate : left_) {
            for (std::size_t i = 0; i < seeds; ++i) {
                requests.push_back({candidate.point, candidate.point->seeds[i]});
            }
        }
        return requests;
    }

    bool run_round(std::size_t number, RankedRunner* ranked) {
        const statistics::HalvingRound& planned = plan_.rounds[number];
        if (left_.size() > planned.candidates) {
            left_.resize(planned.candidates);
        }
        std::sort(left_.begin(), left_.end(), [](const Candidate& a, const Candidate& b) {
            return a.point->number < b.point->number;
        });
        const std::size_t seeds_before = number == 0 ? 0 : plan_.rounds[number - 1].values;
        SearchResult::Round& round = result_.rounds[number];
        round.points = left_.size();
        round.runs = left_.size() * (planned.values - seeds_before);
        result_.runs += round.runs;
        std::vector<RunRequest> requests = requests_of(planned.values);
        std::erase_if(requests, [this](const RunRequest& request) {
            return done_.count({request.point->digest, request.seed}) != 0;
        });
        fmt::print(stderr, "weir: round {} of {}: {} with {}, {} to do, {} at a time, into {}\n",
                   number + 1, plan_.rounds.size(), setup::counted(left_.size(), "point"),
                   setup::counted(planned.values, "seed"), setup::counted(requests.size(), "run"),
                   options_.workers, setup::printable(recorded_.database().path()));
        if (!recorded_.run(requests, options_.workers, ranked)) {
            return false;
        }
        for (const RunRequest& request : requests) {
            done_.insert({request.point->digest, request.seed});
        }
        judge(planned.values);
        if (!left_.empty()) {
            round.best = plan_.sweep.description_of(*left_.front().point);
            round.mean = left_.front().sample.mean();
        }
        return true;
    }

    /// Keeps the candidates whose runs have all ended well, the best first.
    void judge(std::size_t seeds) {
        const std::map<std::int64_t, double> values = recorded_.database().metric(goal_.metric);
        std::map<std::string, std::map<std::uint64_t, StoredRun>> runs;
        for (StoredPoint& point : recorded_.database().points()) {
            for (StoredRun& run : point.runs) {
                runs[point.digest].emplace(run.seed, std::move(run));
            }
        }
        bool is_any_ok = false;
        std::vector<Candidate> well;
        for (Candidate& candidate : left_) {
            candidate.sample.values.clear();
            for (std::size_t i = 0; i < seeds; ++i) {
                const StoredRun& run =
                    recorded_run(runs[candidate.point->digest], *candidate.point, i);
                const auto value = values.find(run.run_id);
                is_any_ok = is_any_ok || run.status == status_name(RunStatus::kOk);
                if (value != values.end()) {
                    candidate.sample.values.push_back(value->second);
                } else {
                    add_trouble(*candidate.point, run);
                    break;
                }
            }
            if (candidate.sample.values.size() == seeds) {
                well.push_back(std::move(candidate));
            }
        }
        if (values.empty() && is_any_ok) {
            throw setup::unknown_name(goal_.metric_place, "run has the metric", goal_.metric,
                                      recorded_.database().metric_names());
        }
        left_ = std::move(well);
        std::stable_sort(left_.begin(), left_.end(),
                         [this](const Candidate& a, const Candidate& b) {
                             return goal_.is_maximised ? a.sample.mean() > b.sample.mean()
                                                       : a.sample.mean() < b.sample.mean();
                         });
    }

    // Record of an ended run. Only an edited database lacks it.
    [[nodiscard]] const StoredRun& recorded_run(const std::map<std::uint64_t, StoredRun>& runs,
                                                const PlannedPoint& point, std::size_t seed) const {
        const auto found = runs.find(point.seeds[seed]);
        if (found == runs.end()) {
            throw UserFault({recorded_.database().path()},
                            fmt::format("table runs or swept has no row of {}, which has ended",
                                        run_text(plan_.sweep, point, point.seeds[seed])),
                            "a database as weir search has left it");
        }
        return found->second;
    }

    void add_trouble(const PlannedPoint& point, const StoredRun& run) {
        const bool has_ended_well = !records::is_trouble(run.status);
        result_.troubles.push_back({run_text(plan_.sweep, point, run.seed), run.status,
                                    has_ended_well ? "the run has no " + goal_.metric : run.message,
                                    run.exit_status, run.is_killed});
    }

    void add_finalists() {
        for (const Candidate& candidate : left_) {
            SearchResult::Finalist finalist;
            finalist.number = candidate.point->number;
            finalist.description = plan_.sweep.description_of(*candidate.point);
            finalist.value = analyses::estimate(goal_.metric, candidate.sample.values);
            finalist.cost = candidate.point->cost;
            if (!result_.finalists.empty()) {
                finalist.behind = analyses::estimate_of_change(
                    goal_.metric, left_.front().sample.values, candidate.sample.values);
            }
            result_.finalists.push_back(std::move(finalist));
        }
    }

    const SearchPlan& plan_;
    const SearchGoal& goal_;
    const RecordedRuns& recorded_;
    const SweepOptions& options_;
    SearchResult& result_;
    std::vector<Candidate> left_;
    std::set<std::pair<std::string, std::uint64_t>> done_ =
        recorded_.database().done(options_.retry);
};

}  // namespace

SearchPlan make_search_plan(const SweepOptions& options) {
    SearchPlan plan{
        make_plan(options.file, options.presets, options.set_options, options.permissions),
        {},
        {},
        0};
    if (!plan.sweep.search) {
        throw UserFault({options.file.string()}, "the file has no [search]",
                        "[search] with minimise = \"METRIC\" and budget = N");
    }
    const SearchGoal& goal = *plan.sweep.search;
    for (const PlannedPoint& point : plan.sweep.points) {
        if (point.meets_constraints) {
            plan.tried.push_back(&point);
        }
    }
    plan.admissible = plan.tried.size();
    if (plan.tried.empty()) {
        throw UserFault(goal.constraints.front().place(),
                        fmt::format("none of the {} meets the constraints",
                                    setup::counted(plan.sweep.points.size(), "point")),
                        "constraints that some point meets, or other axes");
    }
    const std::size_t seeds = fewest_seeds(plan.tried);
    const std::size_t least = statistics::least_budget(plan.tried.size(), seeds);
    if (goal.budget < least) {
        throw UserFault(
            goal.budget_place,
            fmt::format("{} can't compare two points with {} each",
                        setup::counted(goal.budget, "run"), setup::counted(seeds, "seed")),
            fmt::format("budget = {} or more, or fewer run.seeds", least));
    }
    plan.rounds = statistics::halving_rounds(plan.tried.size(), seeds, goal.budget);
    draw(goal.seed, plan.rounds.front().candidates, plan.tried);
    return plan;
}

SearchResult planned_search(const SearchPlan& plan) {
    const SearchGoal& goal = *plan.sweep.search;
    SearchResult result;
    result.title = plan.sweep.file.title();
    result.file = plan.sweep.path.string();
    result.metric = goal.metric;
    result.is_maximised = goal.is_maximised;
    for (const setup::Expression& constraint : goal.constraints) {
        result.constraints.push_back(constraint.text());
    }
    result.budget = goal.budget;
    result.points = plan.sweep.points.size();
    result.admissible = plan.admissible;
    result.full_runs = plan.sweep.runs();
    std::size_t before = 0;
    for (const statistics::HalvingRound& round : plan.rounds) {
        result.rounds.push_back(
            {round.candidates, round.values, round.candidates * (round.values - before), "", {}});
        before = round.values;
    }
    return result;
}

std::optional<SearchResult> run_search(const SweepOptions& options) {
    std::optional<RankedRunner> ranked;
    if (has_served(options, ranked)) {
        return std::nullopt;
    }
    const SearchPlan plan = make_search_plan(options);
    require_permitted(plan.sweep.wants);
    const fs::path path = database_of(options);
    RecordedRuns::require(path, options.resume);
    SearchResult result = planned_search(plan);
    result.database = path.string();
    const InterruptionNoted interruption_noted;  // Signals between rounds are noted, too.
    const RecordedRuns recorded(plan.sweep, path, options.resume);
    recorded.database().set_planned_runs(statistics::values_of(plan.rounds));
    if (!Search(plan, recorded, options, result).run(ranked ? &*ranked : nullptr)) {
        CommandLine others{"--resume"};
        if (options.database) {
            others.insert(others.end(), {"--out", path.string()});
        }
        add_permission_words(options.permissions, others);
        throw RunFailure(
            interruption_status(),
            fmt::format("interrupted; the runs that had ended, {}, are in {}; continue with: {}",
                        recorded.database().count_of("runs"), path.string(),
                        shell_text(weir_command("search", options.file.string(), others,
                                                options.set_options))));
    }
    recorded.database().set_planned_runs(result.runs, found_text(result));
    return result;
}

}  // namespace weir::experiments::running
