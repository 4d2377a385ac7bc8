#include "experiments/bench/bench.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "experiments/bench/cache_speed.h"
#include "experiments/bench/model_speed.h"
#include "experiments/bench/scenario.h"
#include "experiments/bench/sparcle_speed.h"
#include "experiments/running/processes/worker_pool.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::bench {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::int64_t> kLargeMachine{32, 32};
constexpr std::int64_t kLeastCyclesCounted = 512;
constexpr const char* kStartName = "start-1024";
constexpr const char* kTraceName = "trace-32";
constexpr const char* kCachesName = "caches-two-levels";
constexpr const char* kPlainCachesName = "caches-plain";
constexpr const char* kSparcleName = "sparcle-32";
constexpr const char* kSharedName = "shared-32";

/// A model's benchmark.
struct ModelBench {
    const char* name;
    const char* text;
    const char* reference;
    ModelSpeed (*measure)(int repetitions);
};
constexpr std::array kModels{
    ModelBench{"model-lopc-1000-points", "LoPC all-to-any, 1,000 points", "substitution",
               measure_homogeneous_model},
    ModelBench{"model-lopc-general-1024", "LoPC's general model, 1,024 nodes", "its products alone",
               measure_general_model},
};

bool matches(const std::string& name, const std::string& pattern) {
    return pattern.empty() || fnmatch(("*" + pattern + "*").c_str(), name.c_str(), 0) == 0;
}

/// What `work` answers in a process of its own.
Json in_own_process(const std::function<Json()>& work) {
    running::WorkerPool pool(1);
    const std::vector<running::WorkOutcome> outcomes =
        pool.run(1, [&](std::size_t, const running::WorkerPool::Report&, std::string& message) {
            message = work().dump();
            return 0;
        });
    const running::WorkOutcome& outcome = outcomes.front();
    if (outcome.how != running::WorkOutcome::How::kExited || outcome.status != 0) {
        throw std::runtime_error("a benchmark's process ended early: " + outcome.message);
    }
    return Json::parse(outcome.message);
}

Json json_of(const Speed& speed, std::int64_t window_cycles) {
    return {{"cycles_per_second", static_cast<double>(window_cycles) / speed.seconds},
            {"flit_hops_per_second", speed.flit_hops / speed.seconds},
            {"ns_per_active_router_cycle", 1e9 * speed.seconds / speed.active_router_cycles}};
}

Json measure_as_json(const Scenario& scenario, int repetitions) {
    return in_own_process([&]() -> Json {
        const ScenarioResult result = measure(scenario, repetitions);
        return {{"name", scenario.name},
                {"weir", json_of(result.weir, scenario.window_cycles)},
                {"plain_loop", json_of(result.plain_loop, scenario.window_cycles)},
                {"time_over_plain_loop", result.weir.seconds / result.plain_loop.seconds},
                {"messages_compared", result.messages},
                {"same_deliveries", result.same_deliveries}};
    });
}

/// What `command` wrote, standard error included.
std::string output_of(const std::string& command, int& status) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
        throw std::runtime_error("no process could be started for: " + command);
    }
    std::string output;
    std::array<char, 4096> part{};
    for (std::size_t read = 0; (read = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
        output.append(part.data(), read);
    }
    status = pclose(pipe);
    return output;
}

double number_after(const std::string& text, const std::string& label) {
    const std::size_t at = text.find(label);
    if (at == std::string::npos) {
        throw std::runtime_error("valgrind did not say \"" + label + "\": " + text);
    }
    return std::stod(text.substr(at + label.size()));
}

/// What valgrind says of so many cycles, or accesses, of a benchmark.
std::string under_valgrind(const std::string& name, std::int64_t length) {
    int status = 0;
    std::string output = output_of(
        fmt::format("valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                    "'{}' bench --simulate {} --cycles {} 2>&1",
                    std::filesystem::read_symlink("/proc/self/exe").string(), name, length),
        status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        throw setup::UserFault({"--instructions"}, "valgrind is not installed",
                               "a machine with it: apt-get install valgrind");
    }
    if (status != 0) {
        throw std::runtime_error("valgrind failed: " + output);
    }
    return output;
}

/// Instructions and flit-hops of so many cycles, the program's start and end included.
std::pair<double, double> count_instructions(const Scenario& scenario, std::int64_t cycles) {
    const std::string output = under_valgrind(scenario.name, cycles);
    return {number_after(output, "Collected :"), number_after(output, "flit-hops:")};
}

/// Of an access; from two lengths too.
double instructions_per_access(const std::string& name) {
    const auto counted = [&name](std::int64_t accesses) {
        return number_after(under_valgrind(name, accesses), "Collected :");
    };
    constexpr std::int64_t kAccesses = 200'000;
    return (counted(2 * kAccesses) - counted(kAccesses)) / static_cast<double>(kAccesses);
}

/// From two lengths, so that what the program does before and after does not count. The first is
/// long enough for packets to cross the network.
Json instructions_as_json(const Scenario& scenario) {
    const std::int64_t cycles = std::max(scenario.window_cycles / 16, kLeastCyclesCounted);
    const auto [short_instructions, short_hops] = count_instructions(scenario, cycles);
    const auto [long_instructions, long_hops] = count_instructions(scenario, 2 * cycles);
    const double instructions = long_instructions - short_instructions;
    Json found{{"name", scenario.name},
               {"instructions_per_flit_hop", instructions / (long_hops - short_hops)}};
    if (scenario.kind == Scenario::Kind::kNetwork) {
        const std::int64_t active =
            active_router_cycles(scenario, 2 * cycles) - active_router_cycles(scenario, cycles);
        found["instructions_per_active_router_cycle"] = instructions / static_cast<double>(active);
    }
    return found;
}

/// What an active router-cycle costs: nothing where that is not known.
std::optional<double> cost_of(const Json& found) {
    if (found.contains("weir")) {
        return found["weir"]["ns_per_active_router_cycle"].get<double>();
    }
    if (found.contains("instructions_per_active_router_cycle")) {
        return found["instructions_per_active_router_cycle"].get<double>();
    }
    return std::nullopt;
}

/// Sets costs beside those of the scenarios' references, as far as this run has them.
class Costs {
  public:
    void compare(const Scenario& scenario, Json& found) {
        const std::optional<double> cost = cost_of(found);
        if (!cost) {
            return;
        }
        costs_[scenario.name] = *cost;
        const auto reference = costs_.find(scenario.reference);
        if (reference != costs_.end()) {
            found["reference"] = scenario.reference;
            found["active_router_cycle_over_reference"] = *cost / reference->second;
        }
    }

  private:
    std::map<std::string, double> costs_;
};

/// "3.35 M", in 8 places.
std::string in_millions(double value) { return fmt::format("{:>8.3g} M", value / 1e6); }

std::string over_reference(const Json& found) {
    const auto ratio = found.find("active_router_cycle_over_reference");
    return ratio == found.end() ? "" : fmt::format("{:>9.2f}", ratio->get<double>());
}

std::string row(const Scenario& scenario, const Json& found) {
    const Json& weir = found["weir"];
    return fmt::format("  {:<30}{}{:>13}{:>11.1f}{:>11.2f}{}\n", scenario.text,
                       in_millions(weir["cycles_per_second"]),
                       in_millions(weir["flit_hops_per_second"]),
                       weir["ns_per_active_router_cycle"].get<double>(),
                       found["time_over_plain_loop"].get<double>(), over_reference(found));
}

std::string instructions_row(const Scenario& scenario, const Json& found) {
    const std::optional<double> cost = cost_of(found);
    return fmt::format("  {:<32}{:>10.1f}{}{}\n", scenario.text,
                       found["instructions_per_flit_hop"].get<double>(),
                       cost ? fmt::format("{:>13.1f}", *cost) : "", over_reference(found));
}

const char* heading(Scenario::Kind kind, bool instructions) {
    if (instructions) {
        return kind == Scenario::Kind::kNetwork
                   ? "Network alone, uniform random,   instructions an active\n"
                     "  8-flit packets                    a flit-hop router-cycle   / 8x8\n"
                   : "Machine                             a flit-hop\n";
    }
    return kind == Scenario::Kind::kNetwork
               ? "Network alone, uniform random,                             ns an active"
                 "   time   an active\n  8-flit packets                  cycles/s  "
                 "flit-hops/s router-cycle  / plain    / 8x8\n"
               : "Machine                           cycles/s  flit-hops/s router-cycle  / plain\n";
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// What is found, as it is shown and as it is kept.
class Findings {
  public:
    Findings(std::ostream& out, bool json) : out_(out), json_(json) {}

    void add(const Json& found, const std::string& line) {
        all_.push_back(found);
        show(line);
    }
    void show(const std::string& text) {
        if (!json_) {
            out_ << text << std::flush;
        }
    }
    void finish() {
        if (json_) {
            out_ << Json{{"benchmarks", all_}}.dump(1) << '\n';
        }
    }

  private:
    std::ostream& out_;
    bool json_;
    Json all_ = Json::array();
};

void bench_scenarios(const std::vector<Scenario>& scenarios, const BenchOptions& options,
                     Findings& findings) {
    std::optional<Scenario::Kind> shown;
    Costs costs;
    for (const Scenario& scenario : scenarios) {
        if (shown != scenario.kind) {
            findings.show((shown ? "\n" : "") +
                          std::string(heading(scenario.kind, options.instructions)));
            shown = scenario.kind;
        }
        if (options.instructions) {
            Json counted = instructions_as_json(scenario);
            costs.compare(scenario, counted);
            findings.add(counted, instructions_row(scenario, counted));
            continue;
        }
        Json found = measure_as_json(scenario, options.repetitions);
        if (!found["same_deliveries"]) {
            throw std::runtime_error(scenario.name +
                                     ": emulator and plain loop delivered differently");
        }
        costs.compare(scenario, found);
        findings.add(found, row(scenario, found));
    }
}

void bench_start(const BenchOptions& options, Findings& findings) {
    std::vector<double> seconds;
    double bytes = 0.0;
    for (int i = 0; i < options.repetitions; ++i) {
        const Json built = in_own_process([]() -> Json {
            const RestingMachine machine = build_machine(kLargeMachine);
            return {machine.seconds, machine.bytes_per_node};
        });
        seconds.push_back(built[0]);
        bytes = built[1];
    }
    findings.add(
        {{"name", kStartName}, {"seconds", median(seconds)}, {"bytes_per_node", bytes}},
        fmt::format("A machine of 1,024 nodes: built in {:.3f} s, {:.1f} kB a node at rest\n",
                    median(seconds), bytes / 1000.0));
}

void bench_trace(const BenchOptions& options, Findings& findings) {
    const auto seconds = [](Gathered gathered) {
        return in_own_process([&]() -> Json { return remap_seconds(gathered); }).get<double>();
    };
    std::vector<double> with_trace;
    std::vector<double> with_figures;
    for (int i = 0; i < options.repetitions; ++i) {
        const double alone = seconds(Gathered::kNothing);
        with_trace.push_back(seconds(Gathered::kTrace) / alone);
        with_figures.push_back(seconds(Gathered::kFigures) / alone);
    }
    findings.add({{"name", kTraceName},
                  {"trace_over_machine", median(with_trace)},
                  {"figures_over_machine", median(with_figures)}},
                 fmt::format("The remap on 32 nodes with its trace: {:.2f} times the processor "
                             "time without,\n  with its figures {:.2f} times\n",
                             median(with_trace), median(with_figures)));
}

void bench_caches(const BenchOptions& options, Findings& findings) {
    if (options.instructions) {
        const double instructions = instructions_per_access(kCachesName);
        const double ratio = instructions / instructions_per_access(kPlainCachesName);
        findings.add({{"name", kCachesName},
                      {"instructions_per_access", instructions},
                      {"instructions_over_plain", ratio}},
                     fmt::format("Two levels of cache: {:.1f} instructions a timed access, {:.2f} "
                                 "times plain caches without time\n",
                                 instructions, ratio));
        return;
    }
    const Json found = in_own_process([&]() -> Json {
        const ModelSpeed speed = measure_caches(options.repetitions);
        return {static_cast<double>(kCacheAccesses) / speed.seconds,
                speed.seconds / speed.reference_seconds};
    });
    const double rate = found[0];
    const double ratio = found[1];
    findings.add(
        {{"name", kCachesName}, {"accesses_per_second", rate}, {"time_over_plain", ratio}},
        fmt::format("Two levels of cache: {:.1f} M timed accesses/s, {:.2f} times the time of "
                    "plain\n  caches without time\n",
                    rate / 1e6, ratio));
}

void bench_sparcle(const BenchOptions& options, Findings& findings) {
    const Json found = in_own_process([&]() -> Json {
        const SparcleSpeed speed = measure_sparcle(options.repetitions);
        return {speed.instructions / speed.seconds, speed.plain_instructions / speed.plain_seconds};
    });
    const double rate = found[0];
    const double ratio = found[1].get<double>() / rate;
    findings.add(
        {{"name", kSparcleName}, {"instructions_per_second", rate}, {"time_over_plain", ratio}},
        fmt::format("32 Sparcle cores with caches: {:.1f} M instructions/s in all, {:.2f} times\n"
                    "  the time of an integer unit alone, without time and caches\n",
                    rate / 1e6, ratio));
}

// In turn, since a process has one machine.
void bench_shared(const BenchOptions& options, Findings& findings) {
    const auto measured = [](bool shares_memory) {
        const Json found =
            in_own_process([=]() -> Json { return instructions_a_second(shares_memory); });
        return found.get<double>();
    };
    std::vector<double> rates;
    std::vector<double> shares;
    for (int i = 0; i < options.repetitions; ++i) {
        rates.push_back(measured(true));
        shares.push_back(rates.back() / measured(false));
    }
    const double rate = median(rates);
    const double share = median(shares);
    findings.add(
        {{"name", kSharedName}, {"instructions_per_second", rate}, {"rate_over_private", share}},
        fmt::format("The same with what they work on in shared memory, in their caches: {:.1f} M\n"
                    "  instructions/s in all, {:.2f} of the rate with private memory\n",
                    rate / 1e6, share));
}

void bench_model(const ModelBench& model, const BenchOptions& options, Findings& findings) {
    const Json found = in_own_process([&]() -> Json {
        const ModelSpeed speed = model.measure(options.repetitions);
        return {speed.seconds, speed.seconds / speed.reference_seconds};
    });
    const double seconds = found[0];
    const double ratio = found[1];
    findings.add({{"name", model.name}, {"seconds", seconds}, {"time_over_reference", ratio}},
                 fmt::format("{}: {:.3g} ms, {:.2f} times {}\n", model.text, 1e3 * seconds, ratio,
                             model.reference));
}

}  // namespace

void run_bench(const BenchOptions& options, std::ostream& out) {
    std::vector<std::string> names;
    bool any = false;
    // Only the emulator's own work is counted in instructions.
    const auto chosen = [&](const std::string& name, bool has_instructions) {
        if (options.instructions && !has_instructions) {
            return false;
        }
        names.push_back(name);
        const bool is_chosen = matches(name, options.pattern);
        any = any || is_chosen;
        return is_chosen;
    };
    std::vector<Scenario> scenarios;
    for (const Scenario& scenario : all_scenarios()) {
        if (chosen(scenario.name, true)) {
            scenarios.push_back(scenario);
        }
    }
    const bool start = chosen(kStartName, false);
    const bool trace = chosen(kTraceName, false);
    const bool caches = chosen(kCachesName, true);
    const bool sparcle = chosen(kSparcleName, false);
    const bool shared = chosen(kSharedName, false);
    std::vector<ModelBench> models;
    for (const ModelBench& model : kModels) {
        if (chosen(model.name, false)) {
            models.push_back(model);
        }
    }
    if (!any) {
        throw setup::unknown_name({"weir bench"}, "benchmark", options.pattern, names);
    }
    Findings findings(out, options.json);
    bench_scenarios(scenarios, options, findings);
    if (!scenarios.empty() && (start || trace || caches || sparcle || shared || !models.empty())) {
        findings.show("\n");
    }
    if (start) {
        bench_start(options, findings);
    }
    if (trace) {
        bench_trace(options, findings);
    }
    if (caches) {
        bench_caches(options, findings);
    }
    if (sparcle) {
        bench_sparcle(options, findings);
    }
    if (shared) {
        bench_shared(options, findings);
    }
    for (const ModelBench& model : models) {
        bench_model(model, options, findings);
    }
    findings.finish();
}

void run_bench_under_valgrind(const std::string& scenario, std::int64_t cycles, std::ostream& out) {
    for (const Scenario& candidate : all_scenarios()) {
        if (candidate.name == scenario) {
            out << "flit-hops: " << simulate(candidate, cycles) << '\n';
            return;
        }
    }
    if (scenario == kCachesName) {
        access_caches(cycles);
        return;
    }
    if (scenario == kPlainCachesName) {
        access_functional_caches(cycles);
        return;
    }
    throw setup::UserFault({"--simulate " + scenario}, "there is no such benchmark");
}

}  // namespace weir::experiments::bench
