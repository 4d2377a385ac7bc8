#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/scaling/predict_machine.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/statistics/scaling_fit.h"

namespace weir::experiments::running {

namespace {

using setup::TomlEntry;
using setup::UserFault;

constexpr const char* kNodes = "--nodes";
constexpr const char* kSmall = "--small";

TomlEntry entry_of(std::int64_t number, const setup::Place& place) {
    return {{}, place, place, number};
}

TomlEntry entry_of(const std::vector<std::int64_t>& numbers, const setup::Place& place) {
    setup::TomlList list;
    for (const std::int64_t number : numbers) {
        list.items.push_back(entry_of(number, place));
    }
    return {{}, place, place, std::move(list)};
}

setup::ExperimentFile study_of(const PredictionOptions& options) {
    setup::ExperimentFile file = setup::ExperimentFile::read(
        options.sweep.file, options.sweep.presets, options.sweep.set_options);
    file.permit(options.sweep.permissions);
    if (file.points().size() > 1) {
        throw UserFault(
            file.points()[1].place,
            fmt::format("the file has {}", setup::counted(file.points().size(), "point")),
            "a file with one machine and workload");
    }
    return file;
}

std::vector<std::int64_t> seeds_of(const setup::ExperimentFile& file) {
    constexpr std::size_t kLeastSeeds = 3;
    std::vector<std::int64_t> seeds = kinds::make_setup(file, {0})->run.seeds.value();
    while (seeds.size() < kLeastSeeds) {
        seeds.push_back(*std::max_element(seeds.begin(), seeds.end()) + 1);
    }
    return seeds;
}

/// The study with machines of other sizes.
class ScaledStudy {
  public:
    explicit ScaledStudy(const PredictionOptions& options)
        : options_(options),
          file_(study_of(options)),
          sizes_(file_, {0}, options.constant),
          seeds_(seeds_of(file_)) {}

    [[nodiscard]] const StudySizes& sizes() const { return sizes_; }

    /// Checked points of these machines.
    [[nodiscard]] SweepPlan plan_of(const std::vector<MachineShape>& machines) const {
        SweptAxis axis{{kNodes}, "machine", {}};
        for (const MachineShape& machine : machines) {
            const setup::Place place{place_of(machine, machines)};
            add(axis, "machine.nodes", entry_of(machine.nodes, place));
            add(axis, "network.dimensions", entry_of(machine.extents, place));
            for (const auto& [name, value] : sizes_.on(machine.nodes)) {
                add(axis, name, entry_of(value, place));
            }
        }
        SweptAxis seeds{{"run.seeds"}, "", {}};
        for (const std::int64_t seed : seeds_) {
            add(seeds, "run.seeds", entry_of(seed, {"run.seeds"}));
        }
        SweptAxes axes;
        axes.axes = {std::move(axis), std::move(seeds)};
        return make_plan(file_, options_.sweep.file, {}, axes);
    }

  private:
    [[nodiscard]] std::string place_of(const MachineShape& machine,
                                       const std::vector<MachineShape>& machines) const {
        const bool is_last = &machine == &machines.back();
        return is_last ? fmt::format("{} {}", kNodes, options_.nodes)
                       : fmt::format("{} {}", kSmall, fmt::join(machine.extents, "x"));
    }

    static void add(SweptAxis& axis, const std::string& name, TomlEntry value) {
        const std::size_t dot = name.find('.');
        for (SweptKey& key : axis.keys) {
            if (key.full_name() == name) {
                key.values.push_back(std::move(value));
                return;
            }
        }
        axis.keys.push_back({name.substr(0, dot), name.substr(dot + 1), value.place, {value}});
    }

    const PredictionOptions& options_;
    setup::ExperimentFile file_;
    StudySizes sizes_;
    std::vector<std::int64_t> seeds_;
};

bool has_fewer_nodes(const MachineShape& a, const MachineShape& b) { return a.nodes < b.nodes; }

std::vector<MachineShape> chosen_machines(const PredictionOptions& options,
                                          const MachineShape& target) {
    std::vector<MachineShape> machines;
    for (const std::string& text : options.small) {
        machines.push_back(parse_shape(kSmall, text));
    }
    if (machines.empty()) {
        machines = usual_small_machines(target);
    }
    std::stable_sort(machines.begin(), machines.end(), has_fewer_nodes);
    return machines;
}

void require_order(const std::vector<MachineShape>& machines, const MachineShape& target,
                   const PredictionOptions& options) {
    for (auto machine = machines.begin(); machine != machines.end(); ++machine) {
        const auto is_same = [machine](const MachineShape& other) {
            return other.extents == machine->extents;
        };
        if (std::any_of(machines.begin(), machine, is_same)) {
            throw UserFault({fmt::format("{} {}", kSmall, fmt::join(machine->extents, "x"))},
                            "two small machines have this shape", "machines of different shapes");
        }
    }
    if (!machines.empty() && machines.back().nodes >= target.nodes) {
        throw UserFault(
            {fmt::format("{} {}", kNodes, options.nodes)},
            fmt::format("the machine is not larger than the largest small one, of {} nodes",
                        machines.back().nodes),
            fmt::format("more nodes, or `weir run {} --set machine.nodes={}`, which measures it",
                        options.sweep.file.string(), target.nodes));
    }
}

void add_if_accepted(const ScaledStudy& study, const MachineShape& machine,
                     const MachineShape& target, PredictionPlan& plan) {
    try {
        static_cast<void>(study.plan_of({machine, target}));
        plan.machines.push_back(machine);
    } catch (const UserFault& fault) {
        if (!plan.has_usual_machines) {
            throw;
        }
        plan.leave_out(machine, fault.what());
    }
}

}  // namespace

void PredictionPlan::leave_out(const MachineShape& machine, const std::string& reason) {
    if (left_out.empty() || left_out.back().nodes != machine.nodes) {
        left_out.push_back({machine.nodes, reason});
    }
}

void require_enough_machines(const PredictionPlan& plan, const PredictionOptions& options) {
    const std::size_t found = plan.machines.size() - 1;
    if (found >= statistics::kLeastScalingPoints) {
        return;
    }
    const std::string reason =
        plan.left_out.empty() ? ""
                              : "; the first that is left out: " + plan.left_out.front().reason;
    throw UserFault(
        {plan.has_usual_machines ? std::string(kNodes) + " " + options.nodes : kSmall},
        fmt::format("there {} below it to predict from{}",
                    found == 1 ? "is 1 small machine" : fmt::format("are {} small machines", found),
                    reason),
        fmt::format("{} with at least {} machines, as in {} 4,8,16,32, or `weir run {}` "
                    "of the machine itself",
                    kSmall, statistics::kLeastScalingPoints, kSmall, options.sweep.file.string()));
}

PredictionPlan make_prediction_plan(const PredictionOptions& options) {
    const ScaledStudy study(options);
    const MachineShape target = parse_shape(kNodes, options.nodes);
    static_cast<void>(study.plan_of({target}));  // its faults come before those of small machines
    PredictionPlan plan{study.plan_of({target}), {}, {}, {}, {}, study.sizes().constant_text(),
                        options.small.empty()};
    const std::vector<MachineShape> chosen = chosen_machines(options, target);
    require_order(chosen, target, options);
    for (const MachineShape& machine : chosen) {
        add_if_accepted(study, machine, target, plan);
    }
    const MachineShape two{2, {2, 1}};
    if (plan.has_usual_machines && plan.machines.size() < statistics::kLeastScalingPoints &&
        target.nodes > two.nodes) {
        add_if_accepted(study, two, target, plan);
        std::sort(plan.machines.begin(), plan.machines.end(), has_fewer_nodes);
    }
    plan.machines.push_back(target);
    require_enough_machines(plan, options);
    plan.sweep = study.plan_of(plan.machines);
    for (const MachineShape& machine : plan.machines) {
        plan.sizes.push_back(study.sizes().on(machine.nodes));
        plan.sizes_of_node.push_back(study.sizes().size_of_node(machine.nodes, plan.sizes.back()));
    }
    return plan;
}

std::filesystem::path database_of(const PredictionOptions& options) {
    if (options.sweep.database) {
        return *options.sweep.database;
    }
    const char* const kept = options.constant == ConstantSize::kTotal ? "total" : "per-node";
    return std::filesystem::path("runs") /
           fmt::format("{}.predict-{}.db", options.sweep.file.stem().string(), kept);
}

std::vector<RunRequest> requests_of(const PredictionPlan& plan, const PredictionOptions& options) {
    const std::filesystem::path path = database_of(options);
    std::set<std::pair<std::string, std::uint64_t>> done;
    if (std::filesystem::exists(path)) {
        done = SweepDatabase::open(path, SweepConnection::Access::kRead).done(false);
    }
    std::vector<RunRequest> requests = requests_of(plan.sweep, {}, done);
    const PlannedPoint* target = &plan.sweep.points.back();
    std::erase_if(requests, [&](const RunRequest& request) {
        return request.point == target && (!options.check || request.seed != target->seeds.front());
    });
    return requests;
}

}  // namespace weir::experiments::running
