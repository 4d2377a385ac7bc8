#include <cstdint>
#include <iostream>
#include <string>

#include "experiments/bench/bench.h"
#include "experiments/commands/all_commands.h"
#include "experiments/running/processes/exit_status.h"

namespace weir::experiments::commands {

namespace {

/// `weir bench [PATTERN]`: measures the emulator's speed against a plain loop with the same work.
class BenchCommand final : public Command {
  public:
    BenchCommand() : Command("bench", "Measure the emulator's speed and reference loops") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("PATTERN", options_.pattern,
                           "Part of a benchmark's name; wildcards * and ?");
        command
            .add_option("--repetitions", options_.effort.repetitions,
                        "Runs per benchmark; the median is shown [5]")
            .type_name("N")
            .check(whole_number(1, 1000, true));
        command.add_flag("--json", options_.json, "Print the result as one JSON object");
        const Option instructions = command.add_flag("--instructions", options_.instructions,
                                                     "Count host instructions, with valgrind");
        command
            .add_option("--booksim", options_.effort.booksim,
                        "Compare network benchmarks with your BookSim 2")
            .type_name("PROGRAM")
            .excludes(instructions);
        command.add_option("--simulate", simulate_).hidden();
        command.add_option("--length", length_).hidden();
    }

    int execute() override {
        if (simulate_.empty()) {
            bench::run_bench(options_, std::cout);
        } else {
            bench::simulate(simulate_, length_, std::cout);
        }
        return running::kSuccess;
    }

    bench::BenchOptions options_;
    // Hidden options: the benchmark and length that `--instructions` starts under valgrind.
    std::string simulate_;
    std::int64_t length_ = 0;
};

}  // namespace

std::unique_ptr<Command> bench_command() { return std::make_unique<BenchCommand>(); }

}  // namespace weir::experiments::commands
