#include "experiments/running/sweeps/plan/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/kinds/setup.h"
#include "experiments/records/json_input.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/named_files.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/running/sweeps/plan/point_filter.h"
#include "experiments/running/sweeps/plan/swept_axes.h"
#include "experiments/setup/files/resolved_configuration.h"
#include "experiments/setup/files/set_option.h"
#include "experiments/setup/files/study.h"
#include "experiments/setup/parameters/parameter_assignment.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;
using setup::TomlEntry;
using setup::UserFault;

constexpr std::size_t kMostPoints = 100'000;
constexpr const char* kSeeds = "run.seeds";

// Names of the database's own columns.
constexpr std::array kOwnColumns{
    "point",  "point_id", "run_id",   "label",  "seed",   "seeds",       "status",
    "source", "metric",   "value",    "unit",   "cycles", "message",     "digest",
    "mean",   "least",    "greatest", "number", "result", "kernel_name", "host_seconds"};

bool is_own_column(const std::string& name) {
    return std::find(kOwnColumns.begin(), kOwnColumns.end(), name) != kOwnColumns.end();
}

std::vector<const SweptKey*> keys_of(const SweptAxes& axes) {
    std::vector<const SweptKey*> keys;
    for (const SweptAxis& axis : axes.axes) {
        for (const SweptKey& key : axis.keys) {
            keys.push_back(&key);
        }
    }
    return keys;
}

// Column of a key: its last word if that is unambiguous, otherwise its table and its last word.
std::string column_of(const SweptKey& key, const std::vector<const SweptKey*>& keys) {
    const auto same = std::count_if(
        keys.begin(), keys.end(), [&key](const SweptKey* other) { return other->key == key.key; });
    const bool is_clear = same == 1 && !is_own_column(key.key);
    return is_clear ? key.key : key.table + "_" + key.key;
}

std::vector<SweptName> names_of(const SweptAxes& axes) {
    const std::vector<const SweptKey*> keys = keys_of(axes);
    std::vector<SweptName> names;
    for (std::size_t a = 0; a < axes.axes.size(); ++a) {
        std::vector<std::string> columns;
        for (const SweptKey& key : axes.axes[a].keys) {
            if (key.full_name() != kSeeds) {
                columns.push_back(column_of(key, keys));
                names.push_back({key.full_name(), columns.back(), a + 1, axes.axes[a].name});
            }
        }
        for (SweptName& name : names) {
            if (name.axis == a + 1 && name.axis_name.empty()) {
                name.axis_name = fmt::format("{}", fmt::join(columns, ", "));
            }
        }
    }
    return names;
}

std::string seed_or(const SweptKey& key) { return key.full_name() == kSeeds ? "seed" : key.key; }

// Parameters of a point's kernel, for the types of their values.
class KnownParameters {
  public:
    const hw::ParameterBase* find(const setup::ExperimentFile& file, setup::SelectedRun run,
                                  const SweptKey& key) {
        const std::string kernel = file.workload_kernel(run).name + " on " +
                                   file.string_of("core", "kind", run).value_or("behavioural");
        std::unique_ptr<kinds::Setup>& setup = setups_[kernel];
        if (!setup) {
            setup = kinds::default_setup(file, run);
        }
        std::vector<hw::ParameterGroup*> groups = setup->groups();
        const std::vector<hw::ParameterGroup*> of_machine = setup->machine.groups();
        groups.insert(groups.end(), of_machine.begin(), of_machine.end());
        return setup::find_parameter(key.table, key.key, groups);
    }

  private:
    std::map<std::string, std::unique_ptr<kinds::Setup>> setups_;
};

// Converts a value to the parameter's type. A single number becomes a list if the parameter takes
// one. A number of a range is rounded if the parameter takes whole numbers.
TomlEntry converted(const TomlEntry& value, const SweptKey& key,
                    const hw::ParameterBase* parameter) {
    TomlEntry entry = value;
    if (parameter == nullptr) {
        return entry;
    }
    const hw::ParameterValue example = parameter->default_as_variant();
    const bool takes_list = std::holds_alternative<std::vector<std::int64_t>>(example);
    const bool takes_whole = takes_list || std::holds_alternative<std::int64_t>(example);
    const auto* real = std::get_if<double>(&entry.value);
    if (takes_whole && key.is_range && real != nullptr) {
        entry.value = static_cast<std::int64_t>(std::llround(*real));
    }
    if (takes_list && std::holds_alternative<std::int64_t>(entry.value)) {
        TomlEntry item = entry;
        item.key.clear();
        entry.value = setup::TomlList{{std::move(item)}};
    }
    return entry;
}

setup::Layer layer_of(const std::vector<const SweptKey*>& keys,
                      const std::vector<TomlEntry>& values) {
    setup::Layer layer;
    layer.owner = setup::Layer::Owner::kSetOption;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        TomlEntry setting = values[i];
        setting.key = keys[i]->key;
        setting.key_place = keys[i]->place;
        TomlEntry table;
        table.key = keys[i]->table;
        table.key_place = keys[i]->place;
        table.place = keys[i]->place;
        table.value = setup::TomlTable{{std::move(setting)}};
        layer.settings.push_back(std::move(table));
    }
    return layer;
}

hw::ParameterValue filter_value(const TomlEntry& value, const SweptKey& key) {
    std::optional<hw::ParameterValue> parameter = value.as_parameter_value();
    if (!parameter) {
        throw UserFault(value.place, key.full_name() + " is " + setup::described(value),
                        "a truth value, a number, a string or a list of whole numbers");
    }
    const auto* list = std::get_if<std::vector<std::int64_t>>(&*parameter);
    if (key.full_name() == kSeeds && list != nullptr && list->size() == 1) {
        return list->front();
    }
    return *std::move(parameter);
}

bool sets(const std::vector<TomlEntry>& settings, const SweptKey& key) {
    return std::any_of(settings.begin(), settings.end(), [&key](const TomlEntry& table) {
        return table.key == key.table && table.as_table() != nullptr &&
               table.as_table()->find(key.key) != nullptr;
    });
}

void refuse_keys_set_elsewhere(const setup::ExperimentFile& file,
                               std::span<const std::string> set_options,
                               const std::vector<const SweptKey*>& keys) {
    for (const SweptKey* key : keys) {
        for (const std::string& option : set_options) {
            const TomlEntry tree = setup::parse_set_option(option);
            if (sets(tree.as_table()->entries, *key)) {
                throw UserFault(
                    {"--set " + option},
                    fmt::format("an axis sets {}, at {}", key->full_name(), key->place.text()),
                    "one of the two");
            }
        }
        for (const setup::Point& point : file.points()) {
            if (sets(point.overrides.settings, *key)) {
                throw UserFault(key->place,
                                fmt::format("an axis sets {}, and so does the [[point]] at {}",
                                            key->full_name(), point.place.text()),
                                "one of the two");
            }
        }
    }
}

/// Hashes of configurations, and of the files that they name, such as a matrix, a graph or a
/// program.
class ConfigurationDigests {
  public:
    std::string of(kinds::Setup& setup) {
        FactDigest digest;
        // Paths of files do not count, since they may differ on another host.
        const std::map<std::string, NamedFile> files = files_.of(setup);
        for (const auto& [key, value] : setup::resolved_values(setup.groups(), setup.kernel_name)) {
            if (key != kSeeds) {
                const auto file = files.find(key);
                digest.add(key);
                digest.add(file != files.end() ? file->second.digest : setup::toml_text(value));
            }
        }
        return digest.hex();
    }

  private:
    NamedFiles files_;
};

/// Makes the points: goes through the combinations of the axes' values in the design, and keeps
/// those that pass the filters.
class PlanMaker {
  public:
    PlanMaker(SweepPlan& plan, const SweptAxes& axes, GatePrices prices)
        : plan_(plan),
          axes_(axes),
          gate_prices_(prices),
          keys_(keys_of(axes)),
          filter_(axes.filters, filter_names()) {
        for (const SweptKey* key : keys_) {
            chooses_kernel_ = chooses_kernel_ || key->full_name() == "workload.kernel" ||
                              key->full_name() == "core.kind";
        }
    }

    void add_points() {
        const std::size_t combinations = count_combinations();
        for (std::size_t p = 0; p < plan_.file.points().size(); ++p) {
            for (std::size_t i = 0; i < combinations; ++i) {
                add_point(setup::SelectedRun(p), i);
            }
        }
        if (plan_.points.empty()) {
            throw UserFault(axes_.filters.front().place, "the filter leaves no point",
                            "one that some point meets");
        }
    }

  private:
    /// Index of each axis's value; empty: the file's own value.
    using Choice = std::vector<std::optional<std::size_t>>;

    [[nodiscard]] bool is_crossed(const SweptAxis& axis) const {
        return axes_.design == SweepDesign::kCrossed || axis.is_of_seeds();
    }

    [[nodiscard]] bool has_labels() const {
        const std::vector<setup::Point>& points = plan_.file.points();
        return points.size() > 1 || !points.front().overrides.settings.empty();
    }

    [[nodiscard]] std::vector<FilterName> filter_names() const {
        std::vector<FilterName> names;
        for (const SweptKey* key : keys_) {
            names.push_back({key->table, seed_or(*key)});
        }
        if (has_labels()) {
            names.push_back({"point", "label"});
        }
        return names;
    }

    [[nodiscard]] std::size_t count_combinations() const {
        std::size_t crossed = 1;
        std::size_t alone = 0;
        for (const SweptAxis& axis : axes_.axes) {
            if (is_crossed(axis)) {
                crossed *= axis.size();
            } else {
                alone += axis.size();
            }
            if (crossed * (1 + alone) * plan_.file.points().size() > kMostPoints) {
                throw UserFault(axis.place,
                                fmt::format("the sweep has more than {} combinations", kMostPoints),
                                "fewer or shorter axes");
            }
        }
        return crossed * (1 + alone);
    }

    // Values of a combination, by its number. Crossed axes are the number's low digits, the last
    // axis varying fastest. The high digits count the values of all other axes, from 1; 0 varies
    // none of them.
    [[nodiscard]] Choice choice_of(std::size_t combination) const {
        Choice choice(axes_.axes.size());
        for (std::size_t a = axes_.axes.size(); a-- > 0;) {
            if (is_crossed(axes_.axes[a])) {
                choice[a] = combination % axes_.axes[a].size();
                combination /= axes_.axes[a].size();
            }
        }
        for (std::size_t a = 0; a < axes_.axes.size() && combination > 0; ++a) {
            if (is_crossed(axes_.axes[a])) {
                continue;
            }
            if (combination <= axes_.axes[a].size()) {
                choice[a] = combination - 1;
                break;
            }
            combination -= axes_.axes[a].size();
        }
        return choice;
    }

    [[nodiscard]] std::optional<std::size_t> varied_axis(const Choice& choice) const {
        for (std::size_t a = 0; a < choice.size(); ++a) {
            if (choice[a] && !is_crossed(axes_.axes[a])) {
                return a + 1;
            }
        }
        return std::nullopt;
    }

    /// Keys and values that a point sets.
    struct Settings {
        std::vector<const SweptKey*> keys;
        std::vector<TomlEntry> values;
    };

    [[nodiscard]] Settings settings_of(setup::SelectedRun run, const Choice& choice) {
        Settings settings;
        for (std::size_t a = 0; a < choice.size(); ++a) {
            if (choice[a]) {
                for (const SweptKey& key : axes_.axes[a].keys) {
                    settings.keys.push_back(&key);
                    settings.values.push_back(key.values[*choice[a]]);
                }
            }
        }
        const setup::ExperimentFile& file =
            chooses_kernel_
                ? chosen_.emplace(plan_.file.with(layer_of(settings.keys, settings.values)))
                : plan_.file;
        for (std::size_t k = 0; k < settings.keys.size(); ++k) {
            const SweptKey& key = *settings.keys[k];
            settings.values[k] = converted(settings.values[k], key, known_.find(file, run, key));
        }
        return settings;
    }

    // The file's own value of a key, for points that do not set it. Returns an empty text if the
    // kernel has no such key.
    [[nodiscard]] hw::ParameterValue own_value(setup::SelectedRun run, const SweptKey& key) {
        std::map<std::string, hw::ParameterValue>& values = own_values_[run.point];
        if (values.empty()) {
            const std::unique_ptr<kinds::Setup> setup = kinds::make_setup(plan_.file, run);
            for (auto& [name, value] :
                 setup::resolved_values(setup->groups(), setup->kernel_name)) {
                values.emplace(name, std::move(value));
            }
        }
        const auto value = values.find(key.full_name());
        return value != values.end() ? value->second : hw::ParameterValue(std::string());
    }

    [[nodiscard]] std::vector<hw::ParameterValue> values_of(setup::SelectedRun run,
                                                            const Settings& settings) {
        std::vector<hw::ParameterValue> values;
        for (const SweptKey* key : keys_) {
            const auto set = std::find(settings.keys.begin(), settings.keys.end(), key);
            values.push_back(set != settings.keys.end()
                                 ? filter_value(settings.values[set - settings.keys.begin()], *key)
                                 : own_value(run, *key));
        }
        return values;
    }

    void add_point(setup::SelectedRun run, std::size_t combination) {
        const Choice choice = choice_of(combination);
        const Settings settings = settings_of(run, choice);
        std::vector<hw::ParameterValue> seen = values_of(run, settings);
        const std::string label = has_labels() ? plan_.file.points()[run.point].label : "";
        if (has_labels()) {
            seen.emplace_back(label);
        }
        if (!filter_.keeps(seen)) {
            return;
        }
        PlannedPoint point{
            plan_.points.size() + 1, run, label, layer_of(settings.keys, settings.values), {},
            varied_axis(choice),     {},  {}};
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            if (keys_[k]->full_name() != kSeeds) {
                point.values.push_back(seen[k]);
            }
        }
        add(std::move(point));
    }

    void add(PlannedPoint point) {
        const std::unique_ptr<kinds::Setup> setup = checked(point);
        add_wants(setup->kind->wants(plan_.file_of(point), point.run), plan_.wants);
        point.digest = digests_.of(*setup);
        told_where(point, [&] { judge(*setup, point); });
        for (const std::int64_t seed : setup->run.seeds.value()) {
            point.seeds.push_back(static_cast<std::uint64_t>(seed));
        }
        const auto [place, is_new] = by_digest_.emplace(point.digest, plan_.points.size());
        if (is_new) {
            plan_.points.push_back(std::move(point));
            return;
        }
        std::vector<std::uint64_t>& seeds = plan_.points[place->second].seeds;
        for (const std::uint64_t seed : point.seeds) {
            if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end()) {
                seeds.push_back(seed);
            }
        }
    }

    [[nodiscard]] std::unique_ptr<kinds::Setup> checked(const PlannedPoint& point) const {
        std::unique_ptr<kinds::Setup> setup;
        told_where(point, [&] {
            const setup::ExperimentFile file = plan_.file_of(point);
            static_cast<void>(chosen_models(file));
            setup = check_run(file, point.run);
            require_own_length(file, point.run, *setup);
        });
        return setup;
    }

    // Sets the cost of a point, and whether it meets a search's constraints.
    void judge(kinds::Setup& setup, PlannedPoint& point) const {
        if (plan_.prices.empty() && !plan_.search) {
            return;
        }
        setup::NamedValues values{setup::resolved_values(setup.groups(), setup.kernel_name)};
        for (const SweptName& name : plan_.names) {
            values.swept.push_back(name.key);
        }
        if (!plan_.prices.empty()) {
            for (const Price& price : plan_.prices) {
                add_prices(price.expression.names(), setup, price.expression.place(), gate_prices_,
                           point.gate_prices);
            }
            values.values.insert(values.values.end(), point.gate_prices.begin(),
                                 point.gate_prices.end());
            add_costs(plan_.prices, values);
            point.cost = std::get<double>(values.values.back().second);
        }
        if (!plan_.search) {
            return;
        }
        const SearchGoal& goal = *plan_.search;
        const bool is_measured = goal.metric.find('.') == std::string::npos;
        if (is_measured && records::find_metric(setup.kind->metrics(), goal.metric) == nullptr) {
            throw setup::unknown_name(goal.metric_place, "metric of " + setup.kind->what(),
                                      goal.metric, records::names_of(setup.kind->metrics()));
        }
        for (const setup::Expression& constraint : goal.constraints) {
            point.meets_constraints &= setup::value_of(constraint, values) != 0.0;
        }
    }

    // Adds the point to a fault's message, since other points may be valid.
    template <class Work>
    void told_where(const PlannedPoint& point, const Work& work) const {
        try {
            work();
        } catch (const UserFault& fault) {
            const std::string where = plan_.description_of(point);
            if (where.empty()) {
                throw;
            }
            const hw::Fault& told = fault.fault();
            throw UserFault(fault.place().value_or(setup::Place{told.key}),
                            fmt::format("{} (where {})", told.found, where), told.accepted,
                            told.nearest);
        }
    }

    SweepPlan& plan_;
    const SweptAxes& axes_;
    GatePrices gate_prices_;
    std::vector<const SweptKey*> keys_;
    PointFilter filter_;
    KnownParameters known_;
    ConfigurationDigests digests_;
    std::optional<setup::ExperimentFile> chosen_;
    /// The file's own values of keys, by the index of the [[point]].
    std::map<std::size_t, std::map<std::string, hw::ParameterValue>> own_values_;
    std::map<std::string, std::size_t> by_digest_;
    bool chooses_kernel_ = false;
};

}  // namespace

std::string SweepPlan::description_of(const PlannedPoint& point) const {
    std::vector<std::string> texts;
    for (const hw::ParameterValue& value : point.values) {
        texts.push_back(setup::value_text(value));
    }
    return records::point_description(point.label, design, point.varied_axis, names, texts);
}

std::size_t SweepPlan::runs() const {
    std::size_t count = 0;
    for (const PlannedPoint& point : points) {
        count += point.seeds.size();
    }
    return count;
}

std::string SweepPlan::digest() const {
    FactDigest digest;
    for (const PlannedPoint& point : points) {
        digest.add(point.digest);
        for (const std::uint64_t seed : point.seeds) {
            digest.add(std::to_string(seed));
        }
    }
    return digest.hex();
}

std::string configuration_json(kinds::Setup& setup) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [key, value] : setup::resolved_values(setup.groups(), setup.kernel_name)) {
        if (key != kSeeds) {
            json[key] = records::json_of(value);
        }
    }
    return json.dump();
}

SweepPlan make_plan(const fs::path& file, const fs::path& presets,
                    std::span<const std::string> set_options, const setup::Permissions& permissions,
                    GatePrices prices) {
    if (setup::read_study(file)) {
        throw UserFault({file.string()}, "a study's parts are swept one by one",
                        "one of its parts");
    }
    auto experiment = setup::ExperimentFile::read_sweep(file, presets, set_options);
    experiment.permit(permissions);
    return make_plan(std::move(experiment), file, set_options, prices);
}

SweepPlan make_plan(setup::ExperimentFile file, const fs::path& path,
                    std::span<const std::string> set_options, GatePrices prices) {
    const SweptAxes axes = file.sweep() != nullptr ? read_axes(*file.sweep()) : SweptAxes{};
    return make_plan(std::move(file), path, set_options, axes, prices);
}

SweepPlan make_plan(setup::ExperimentFile file, const fs::path& path,
                    std::span<const std::string> set_options, const SweptAxes& axes,
                    GatePrices prices) {
    SweepPlan plan{std::move(file),
                   path,
                   records::text_of_file(path),
                   SweepDesign::kCrossed,
                   {},
                   {},
                   {},
                   {},
                   {},
                   {}};
    refuse_keys_set_elsewhere(plan.file, set_options, keys_of(axes));
    plan.design = axes.design;
    plan.names = names_of(axes);
    if (const TomlEntry* cost = plan.file.cost()) {
        plan.prices = read_prices(*cost);
    }
    if (const TomlEntry* search = plan.file.search()) {
        plan.search = read_search(*search);
    }
    PlanMaker(plan, axes, prices).add_points();
    plan.figures = checked_figures(axes.figures, plan);
    return plan;
}

}  // namespace weir::experiments::running
