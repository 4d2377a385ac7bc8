#include "experiments/random_machines/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/kinds/kernel/compiled_run.h"
#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/random_machines/own_process.h"
#include "experiments/random_machines/value_draw.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"
#include "hw/random_stream.h"
#include "network/plan_fault.h"
#include "nodes/machine.h"

namespace weir::experiments::random_machines {

namespace fs = std::filesystem;

namespace {

// A run of a million cycles takes about one second.
constexpr int kMostSecondsOfARun = 60;

struct RunReport {
    std::string refusal;
    std::string end;
    std::string digest;
    std::int64_t cycles = 0;
    std::int64_t messages = 0;
    std::optional<Violation> violation;
};

// The laws do not distinguish a limit on cycles from an interruption.
std::string end_name(nodes::RunEnd end) {
    const bool is_cut_short =
        end == nodes::RunEnd::kCycleLimit || end == nodes::RunEnd::kInterrupted;
    return is_cut_short ? "cut short" : std::string(nodes::run_end_name(end));
}

std::string to_text(const RunReport& report) {
    nlohmann::json json{{"refusal", report.refusal},
                        {"end", report.end},
                        {"digest", report.digest},
                        {"cycles", report.cycles},
                        {"messages", report.messages}};
    if (report.violation) {
        json["law"] = report.violation->law;
        json["what"] = report.violation->what;
    }
    return json.dump();
}

RunReport report_from(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    RunReport report{.refusal = json["refusal"],
                     .end = json["end"],
                     .digest = json["digest"],
                     .cycles = json["cycles"],
                     .messages = json["messages"],
                     .violation = {}};
    if (json.contains("law")) {
        report.violation = Violation{json["law"], json["what"]};
    }
    return report;
}

RunReport broken(const std::string& law, const std::string& what) {
    return {.refusal = {}, .end = "failed", .digest = {}, .violation = Violation{law, what}};
}

// A refusal with a message to the user is correct; a fault of a program is a violation.
template <class Work>
RunReport or_refusal(const Work& work) {
    try {
        return work();
    } catch (const nodes::ProgramFault& fault) {
        return broken("right answer", fault.what());
    } catch (const hw::Refusal& fault) {
        return {.refusal = fault.what(), .end = "refused", .digest = {}, .violation = {}};
    }
}

// True if the parameters switch off the prevention of starvation, as their sentences say.
bool lacks_relief(const kinds::Setup& setup) {
    const memory::CoherenceParameters& coherence = setup.machine.coherence;
    const bool has_contexts = setup.machine.core.contexts.value() > 1;
    return !coherence.trap_turns.value() || (has_contexts && !coherence.thrashlock.value());
}

// At most two requests of each other thread are served before a refused one
// (memory::RefusedRequests). Each served request takes at most the longest access without
// contention. The refused request is repeated once per pause.
std::int64_t allowed_refusals(const memory::CoherenceParameters& coherence,
                              const nodes::StarvationLimit& limit) {
    const hw::Cycles wait = 2 * (limit.threads - 1) * limit.access;
    return 1 + wait.count() / coherence.busy_cycles.value().count();
}

class MachineRun {
  public:
    MachineRun(kinds::Setup& setup, const Switches& switches)
        : setup_(setup), kind_(kinds::kernel_kind(setup)), switches_(switches) {
        for (const Setting& setting : switches.settings) {
            const std::size_t dot = setting.key.find('.');
            for (hw::ParameterGroup* group : setup.groups()) {
                hw::ParameterBase* parameter = group->find(setting.key.substr(dot + 1));
                if (group->table() == setting.key.substr(0, dot) && parameter != nullptr) {
                    static_cast<void>(parameter->set(setting.value));
                }
            }
        }
        setup.machine.routes_plain_meshes = switches.routes_plain_meshes;
    }

    RunReport report(const TrialOptions& options) {
        EndedRun run;
        const auto seed = static_cast<std::uint64_t>(setup_.run.seeds.value().front());
        nodes::Machine machine("machine", setup_.machine, seed, &run.recorded,
                               {.queue_levels = true});
        kind_.load(setup_, seed, machine);
        kinds::ConsoleLog console(machine.node_count());
        firmware::CompiledKernel* compiled = kind_.compiled_kernel();
        if (compiled != nullptr) {
            kinds::start_compiled(machine, *compiled, console);
        }
        const std::shared_ptr<void> fault =
            options.break_machine ? options.break_machine(machine) : nullptr;
        try {
            run.end = machine.run({.most_cycles = setup_.run.most_cycles.value(),
                                   .watchdog_cycles = setup_.run.watchdog_cycles.value()});
        } catch (const nodes::ProgramFault&) {
            if (machine.faults_so_far().empty()) {
                throw;
            }
            return {.refusal = {}, .end = "failed", .digest = {}, .violation = {}};
        }
        run.cycles = machine.now();
        run.node_count = machine.node_count();
        run.account = machine.account();
        run.faults = machine.faults_so_far();
        run.checks_arrivals = setup_.machine.faults.touch_flits();
        // Cores run ahead of a limit that cuts a run short, so their counters have later values.
        const bool has_ended =
            run.end == nodes::RunEnd::kFinished || run.end == nodes::RunEnd::kDeadlock;
        if (!has_ended) {
            run.recorded.cut_intervals(run.cycles);
        }
        run.recorded.settle_levels();
        run.queues = queue_counts(machine.statistics());
        const auto proof = setup_.machine.deadlock_proof();
        run.proof_allows_deadlock = proof && !proof->is_free_of_deadlock();
        run.lacks_relief = lacks_relief(setup_);
        note_shared_memory(machine, run);
        run.ends_hold_back =
            !kind_.kernel().sending_handlers().empty() ||
            setup_.machine.core.receive_mode.value() == nodes::ReceiveMode::kPolling ||
            (setup_.machine.shares_memory && !setup_.machine.controller.overflow_trap.value());
        if (run.end == nodes::RunEnd::kFinished) {
            run.wrong_answer = kind_.kernel().check(machine).value_or("");
        } else if (run.end == nodes::RunEnd::kStarved) {
            run.explanation = machine.explain_starvation();
        } else {
            run.explanation = machine.explain_waits();
        }
        if (options.plant) {
            options.plant(run, switches_);
        }
        using Statistics = std::vector<hw::PartStatistics>;
        return {.refusal = {},
                .end = end_name(run.end),
                .digest = digest_of(run.recorded, has_ended ? machine.statistics() : Statistics()),
                .cycles = run.cycles.count(),
                .messages = run.account.messages_launched,
                .violation = broken_law(run)};
    }

  private:
    void note_shared_memory(const nodes::Machine& machine, EndedRun& run) const {
        const auto& limit = machine.starvation_limit();
        if (!limit) {
            return;
        }
        const std::vector<hw::PartStatistics> statistics = machine.statistics();
        for (const std::int64_t packets : values_of("protocol_packets", statistics)) {
            run.protocol_packets += packets;
        }
        for (const std::int64_t refusals : values_of("most_refusals", statistics)) {
            run.most_refusals = std::max(run.most_refusals, refusals);
        }
        run.allowed_refusals = allowed_refusals(setup_.machine.coherence, *limit);
    }

    kinds::Setup& setup_;
    kinds::KernelKind& kind_;
    const Switches& switches_;
};

class Trial {
  public:
    Trial(const Settings& settings, fs::path folder, const TrialOptions& options)
        : settings_(settings), folder_(std::move(folder)), options_(options) {
        setup_ = kinds::make_setup(experiment_of(settings, folder_), setup::SelectedRun(0));
    }

    TrialReport report() {
        const RunReport first = run_with({});
        report_.refusal = first.refusal;
        report_.end = first.end;
        report_.cycles = first.cycles;
        report_.messages = first.messages;
        if (!first.refusal.empty() || is_broken(first, {})) {
            return report_;
        }
        const std::vector<Switches> all = switches(first.cycles);
        std::vector<Switches> ways{together(all), some_of(all)};
        if (const Switches tiles = numbers_of(all); !tiles.settings.empty()) {
            ways.push_back(tiles);
        }
        for (const Switches& thrown : ways) {
            if (is_broken(run_with(thrown), thrown) || differs(first, run_with_, thrown, all)) {
                return report_;
            }
        }
        if (options_.measures) {
            measure(first);
        }
        return report_;
    }

  private:
    RunReport run_with(const Switches& thrown) {
        ++report_.runs;
        const ProcessEnd end = in_own_process(
            [&] {
                return to_text(
                    or_refusal([&] { return MachineRun(*setup_, thrown).report(options_); }));
            },
            kMostSecondsOfARun);
        run_with_ = end.failure.empty() ? report_from(end.output) : broken(kEnds, end.failure);
        return run_with_;
    }

    bool is_broken(const RunReport& run, const Switches& thrown) {
        if (!run.violation) {
            return false;
        }
        report_.violation = run.violation;
        report_.switches = thrown;
        return true;
    }

    bool differs(const RunReport& first, const RunReport& other, const Switches& thrown,
                 const std::vector<Switches>& all) {
        if (is_same(first, other)) {
            return false;
        }
        report_.violation = difference(first, other);
        report_.switches = thrown;
        for (const Switches& one : all) {
            const RunReport alone = run_with(one);
            if (!is_same(first, alone)) {
                report_.violation = difference(first, alone);
                report_.switches = one;
                break;
            }
        }
        return true;
    }
    static bool is_same(const RunReport& one, const RunReport& other) {
        return one.digest == other.digest && one.end == other.end && one.cycles == other.cycles &&
               one.refusal == other.refusal;
    }
    static Violation difference(const RunReport& one, const RunReport& other) {
        return {kSameResults, fmt::format("{} in cycle {} with {} messages, digest {}; without the "
                                          "switches {} in cycle {} with "
                                          "{}, digest {}",
                                          other.end, other.cycles, other.messages, other.digest,
                                          one.end, one.cycles, one.messages, one.digest)};
    }

    [[nodiscard]] std::int64_t seed() const { return setup_->run.seeds.value().front(); }

    // All switches, one by one. Ticking every part in every cycle is slow, and left out for long
    // runs.
    [[nodiscard]] std::vector<Switches> switches(std::int64_t cycles) {
        constexpr std::int64_t kMostNodeCycles = 1'000'000;
        std::vector<Switches> all;
        const OpenSetup open(settings_, folder_);
        for (const OpenSetup::Place& place : open.places()) {
            if (place.effect().changes_results() || !open.has_effect(place)) {
                continue;
            }
            if (place.key() == "clock.sleeping" &&
                cycles * setup_->machine.node_count() > kMostNodeCycles) {
                continue;
            }
            const hw::ParameterValue value = place.parameter->value_as_variant();
            if (const bool* flag = std::get_if<bool>(&value)) {
                all.push_back({{{place.key(), !*flag}}, false});
            }
            if (std::holds_alternative<std::int64_t>(value)) {
                all.push_back({{{place.key(), std::int64_t{2} + seed() % 3}}, false});
            }
            for (const std::string& name : place.parameter->accepted_values().names) {
                if (hw::ParameterValue(name) != value) {
                    all.push_back({{{place.key(), name}}, false});
                }
            }
        }
        const network::NetworkParameters& network = setup_->machine.network;
        if (network.model.value() == network::NetworkModel::kWormhole && network.is_plain_mesh()) {
            all.push_back({{}, true});
        }
        return all;
    }
    // All switches together; for several values of a parameter, the last one.
    static Switches together(const std::vector<Switches>& all) {
        Switches sum;
        for (const Switches& one : all) {
            for (const Setting& setting : one.settings) {
                std::erase_if(sum.settings, [&setting](const Setting& other) {
                    return other.key == setting.key;
                });
                sum.settings.push_back(setting);
            }
            sum.routes_plain_meshes = sum.routes_plain_meshes || one.routes_plain_meshes;
        }
        return sum;
    }
    [[nodiscard]] Switches some_of(const std::vector<Switches>& all) const {
        hw::RandomStream stream(static_cast<std::uint64_t>(seed()), hw::NodeId(0), "switches");
        std::vector<Switches> some;
        std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                     [&stream](const Switches&) { return stream.below(2) == 1; });
        return together(some);
    }

    // Switches with a number, which are tiles: the flit-by-flit network supports one tile only.
    static Switches numbers_of(const std::vector<Switches>& all) {
        std::vector<Switches> numbers;
        std::copy_if(all.begin(), all.end(), std::back_inserter(numbers), [](const Switches& one) {
            return !one.settings.empty() &&
                   std::holds_alternative<std::int64_t>(one.settings.front().value);
        });
        return together(numbers);
    }

    // Runs the machine in the whole program, with trace and measurements.
    void measure(const RunReport& first) {
        ++report_.runs;
        const fs::path run_folder = folder_ / "run";
        const ProcessEnd end = in_own_process(
            [&] {
                return to_text(or_refusal([&]() -> RunReport {
                    fs::create_directory(run_folder);
                    const auto result = setup_->kind->run(
                        *setup_, {.seed = static_cast<std::uint64_t>(seed()),
                                  .folder = run_folder,
                                  .report = [](const records::Progress&) { return true; }});
                    return {.refusal = {},
                            .end = end_name(result.end),
                            .digest = {},
                            .cycles = result.cycles,
                            .messages = result.messages,
                            .violation = {}};
                }));
            },
            kMostSecondsOfARun);
        fs::remove_all(run_folder);
        if (!end.failure.empty()) {
            report_.violation = Violation{kMeasured, end.failure};
            return;
        }
        const RunReport measured = report_from(end.output);
        if (measured.refusal.empty() &&
            (measured.end != first.end || measured.cycles != first.cycles)) {
            report_.violation = Violation{
                kMeasured,
                fmt::format("{} in cycle {}, but {} in cycle {} without trace and measurements",
                            measured.end, measured.cycles, first.end, first.cycles)};
        }
    }

    const Settings& settings_;
    fs::path folder_;
    const TrialOptions& options_;
    std::unique_ptr<kinds::Setup> setup_;
    TrialReport report_;
    RunReport run_with_;  // report of the last run
};

}  // namespace

std::string Switches::text() const {
    std::string text;
    for (const Setting& setting : settings) {
        text += fmt::format("{}--set {}={}", text.empty() ? "" : " ", setting.key,
                            setup::toml_text(setting.value));
    }
    if (routes_plain_meshes) {
        text +=
            fmt::format("{}(a RoutedNetwork in place of the plain mesh)", text.empty() ? "" : " ");
    }
    return text;
}

TrialReport try_machine(const Settings& settings, const fs::path& folder,
                        const TrialOptions& options) {
    return Trial(settings, folder, options).report();
}

std::vector<Setting> choices_of(const Settings& settings, const fs::path& folder) {
    const OpenSetup open(settings, folder);
    std::vector<Setting> choices;
    if (const Setting* program = find(settings, kProgramKey)) {
        choices.push_back(*program);
    }
    for (const OpenSetup::Place& place : open.places()) {
        const hw::AcceptedValues::Type type = place.parameter->accepted_values().type;
        const bool is_choice =
            type == hw::AcceptedValues::Type::kName || type == hw::AcceptedValues::Type::kFlag;
        const bool is_of_draw = is_drawn(place) || place.key() == kCoreKey;
        if (is_choice && is_of_draw && open.has_effect(place)) {
            choices.push_back({place.key(), place.parameter->value_as_variant()});
        }
    }
    return choices;
}

}  // namespace weir::experiments::random_machines
