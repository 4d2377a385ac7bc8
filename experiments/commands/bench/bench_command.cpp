#include "experiments/commands/bench/bench_command.h"

#include <iostream>

#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

BenchCommand::BenchCommand()
    : Command("bench", "Measure the emulator's speed against a plain loop") {}

void BenchCommand::declare(CLI::App& command) {
    command.add_option("PATTERN", options_.pattern, "Part of a benchmark's name; * and ? are wild");
    command.add_option("--repetitions", options_.repetitions, "Of each; the median is shown [5]")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    command.add_flag("--json", options_.json, "Print the result as one JSON object");
    command.add_flag("--instructions", options_.instructions,
                     "Count instructions a flit-hop, with valgrind");
    command.add_option("--simulate", simulate_)->group("");
    command.add_option("--cycles", cycles_)->group("");
}

int BenchCommand::execute() {
    if (simulate_.empty()) {
        bench::run_bench(options_, std::cout);
    } else {
        bench::run_bench_under_valgrind(simulate_, cycles_, std::cout);
    }
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
