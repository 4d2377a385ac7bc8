#include "experiments/running/sweeps/plan/search_goal.h"

#include <fmt/format.h>

#include <optional>

#include "experiments/running/sweeps/plan/toml_fields.h"

namespace weir::experiments::running {

namespace {

using setup::Expression;
using setup::TomlEntry;
using setup::UserFault;

constexpr std::int64_t kMostRuns = 10'000'000;

std::int64_t whole_number_in(const TomlEntry& entry, std::int64_t least, std::int64_t most) {
    const auto* number = std::get_if<std::int64_t>(&entry.value);
    if (number == nullptr || *number < least || *number > most) {
        throw UserFault(entry.place, entry.key + " is " + setup::described(entry),
                        fmt::format("a whole number from {} to {}", least, most));
    }
    return *number;
}

void set_metric(const TomlEntry& entry, SearchGoal& goal) {
    if (!goal.metric.empty()) {
        throw UserFault(entry.key_place, "the search is for two metrics",
                        R"(minimise = "METRIC" or maximise = "METRIC")");
    }
    goal.metric = text_in(entry);
    goal.metric_place = entry.place;
    goal.is_maximised = entry.key == "maximise";
    require_metric(goal.metric, entry.place);
}

void set_constraints(const TomlEntry& entry, SearchGoal& goal) {
    const std::vector<std::string> texts = texts_in(entry);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const setup::Place& place =
            entry.as_list() != nullptr ? entry.as_list()->items[i].place : entry.place;
        goal.constraints.push_back(Expression::parse(texts[i], place));
        if (!goal.constraints.back().is_comparison()) {
            throw UserFault(
                place, fmt::format("the constraint \"{}\" is neither true nor false", texts[i]),
                "a comparison, such as \"channel_bits_per_cycle * copies <= 64\"");
        }
    }
}

}  // namespace

SearchGoal read_search(const TomlEntry& search) {
    const setup::TomlTable* table = search.as_table();
    if (table == nullptr) {
        throw UserFault(search.place, "search is " + setup::described(search), "a table, [search]");
    }
    SearchGoal goal;
    for (const TomlEntry& entry : table->entries) {
        require_key(entry, "[search]", {"minimise", "maximise", "constraints", "budget", "seed"});
        if (entry.key == "constraints") {
            set_constraints(entry, goal);
        } else if (entry.key == "budget") {
            goal.budget = whole_number_in(entry, 1, kMostRuns);
            goal.budget_place = entry.place;
        } else if (entry.key == "seed") {
            goal.seed = static_cast<std::uint64_t>(whole_number_in(entry, 0, INT64_MAX));
        } else {
            set_metric(entry, goal);
        }
    }
    if (goal.metric.empty()) {
        throw UserFault(search.place, "the search has no metric",
                        R"(minimise = "METRIC" or maximise = "METRIC")");
    }
    if (goal.budget == 0) {
        throw UserFault(search.place, "the search has no budget",
                        "budget = N, the largest number of runs");
    }
    return goal;
}

}  // namespace weir::experiments::running
