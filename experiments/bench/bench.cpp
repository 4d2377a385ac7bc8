#include "experiments/bench/bench.h"

#include <fnmatch.h>

#include <iterator>
#include <ostream>
#include <utility>
#include <vector>

#include "experiments/bench/booksim.h"
#include "experiments/bench/timed_pair.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::bench {

namespace {

/// All benchmarks, in the order of the output.
std::vector<Benchmark> all_benchmarks() {
    std::vector<Benchmark> all;
    for (auto* some : {network_benchmarks, open_loop_benchmarks, command_benchmarks,
                       remap_benchmarks, tile_benchmarks, cache_benchmarks, sparcle_benchmarks,
                       protocol_benchmarks, model_benchmarks}) {
        std::vector<Benchmark> these = some();
        std::move(these.begin(), these.end(), std::back_inserter(all));
    }
    return all;
}

bool matches(const std::string& name, const std::string& pattern) {
    return pattern.empty() || fnmatch(("*" + pattern + "*").c_str(), name.c_str(), 0) == 0;
}

Found found_of(const Benchmark& benchmark, const BenchOptions& options) {
    Found found =
        options.instructions
            ? benchmark.counted->found(instructions_a_unit(benchmark.name, *benchmark.counted))
            : benchmark.measure(options.effort);
    Json named{{"name", benchmark.name}};
    named.update(found.json);
    found.json = std::move(named);
    return found;
}

}  // namespace

void run_bench(const BenchOptions& options, std::ostream& out) {
    std::vector<Benchmark> chosen;
    std::vector<std::string> names;
    for (Benchmark& benchmark : all_benchmarks()) {
        const bool says_something = options.instructions
                                        ? benchmark.counted && benchmark.counted->found
                                        : benchmark.measure != nullptr;
        if (!says_something) {
            continue;
        }
        names.push_back(benchmark.name);
        if (matches(benchmark.name, options.pattern)) {
            chosen.push_back(std::move(benchmark));
        }
    }
    if (chosen.empty()) {
        throw setup::unknown_name({"weir bench"}, "benchmark", options.pattern, names);
    }
    if (!options.instructions) {
        require_timing();
    }
    if (!options.effort.booksim.empty()) {
        check_booksim(options.effort.booksim);
    }
    Json all = Json::array();
    std::string shown;
    for (const Benchmark& benchmark : chosen) {
        const std::string& heading =
            options.instructions ? benchmark.instructions_heading : benchmark.heading;
        if (!options.json && heading != shown) {
            out << (all.empty() ? "" : "\n") << heading
                << std::flush;  // Flushed, since a process forked next would print the buffer
                                // again.
        }
        shown = heading;
        const Found found = found_of(benchmark, options);
        all.push_back(found.json);
        if (!options.json) {
            out << found.text << std::flush;
        }
    }
    if (options.json) {
        out << Json{{"benchmarks", all}}.dump(1) << '\n';
    }
}

void simulate(const std::string& benchmark, std::int64_t length, std::ostream& out) {
    for (const Benchmark& candidate : all_benchmarks()) {
        if (candidate.name == benchmark && candidate.counted) {
            out << kUnitsLabel << ' ' << candidate.counted->simulate(length) << '\n';
            return;
        }
    }
    throw setup::UserFault({"--simulate " + benchmark}, "no benchmark has this name");
}

}  // namespace weir::experiments::bench
