#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/bench/benchmark.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/text/text_table.h"

namespace weir::experiments::bench {

namespace {

namespace fs = std::filesystem;

/// Calls the program that runs the benchmarks, and returns its processor time.
double seconds_of(const std::string& arguments) {
    const TimedOutput timed = timed_output_of(quoted(fs::read_symlink("/proc/self/exe").string()) +
                                              " " + arguments + " 2>&1");
    if (timed.status != 0) {
        throw std::runtime_error("weir " + arguments + " failed: " + timed.output);
    }
    return timed.seconds;
}

/// A run of an experiment, and the folder with its results.
class Run {
  public:
    explicit Run(const std::string& experiment) {
        const std::string file = (folder_.path() / "run.toml").string();
        records::write_run_file(file, experiment);
        seconds_ = seconds_of(
            fmt::format("run {} -j1 --out {}", quoted(file), quoted(results().string())));
    }

    [[nodiscard]] double seconds() const { return seconds_; }
    /// Processor time of the machine and its trace alone.
    [[nodiscard]] double machine_seconds() const {
        return Json::parse(records::text_of_file(results() / "result.json")).at("machine_seconds");
    }
    [[nodiscard]] fs::path results() const { return folder_.path() / "results"; }
    [[nodiscard]] std::string trace() const {
        return quoted((results() / "point-01-seed-1" / "trace.weir").string());
    }

  private:
    setup::TemporaryFolder folder_{"weir-bench"};
    double seconds_ = 0.0;
};

std::string remap(const std::string& dimensions, int nodes, int iterations) {
    return fmt::format(
        "extends = \"alewife\"\n[machine]\nnodes = {}\n[network]\ndimensions = {}\n"
        "[workload]\nkernel = \"remap\"\niterations = {}\n[run]\nseeds = [1]\n",
        nodes, dimensions, iterations);
}

std::string long_messages(bool flit_by_flit) {
    return fmt::format(
        "extends = \"alewife\"\n[network]\nflit_by_flit = {}\n"
        "[workload]\nkernel = \"body-ping\"\nbody_bytes = [8192]\n[run]\nseeds = [1]\n",
        flit_by_flit);
}

std::string sweep(int points) {
    std::string values;
    for (int point = 0; point < points; ++point) {
        values += fmt::format("{}{}", point == 0 ? "" : ", ", 100 + point);
    }
    return "extends = \"alewife\"\ntitle = \"Small runs\"\n[machine]\nnodes = 4\n"
           "[network]\ndimensions = [2, 2]\n[workload]\nkernel = \"remap\"\niterations = 2\n"
           "[run]\nseeds = [1]\n[[sweep.axis]]\nworkload.work_cycles = [" +
           values + "]\n";
}

/// Median of several measurements.
double repeated(const Effort& effort, const std::function<double()>& measure) {
    std::vector<double> values;
    values.reserve(effort.repetitions);
    for (int i = 0; i < effort.repetitions; ++i) {
        values.push_back(measure());
    }
    return median(values);
}

double run_over_machine(const std::string& experiment) {
    const Run run(experiment);
    return run.seconds() / run.machine_seconds();
}

/// Processor time of a command on a trace, divided by that of the machine that wrote the trace.
double trace_command_over_machine(const std::string& command) {
    const Run run(remap("[8, 4]", 32, 4000));
    return seconds_of(fmt::format("trace {} {}", command, run.trace())) / run.machine_seconds();
}

double long_message_over_flits() {
    return Run(long_messages(true)).machine_seconds() / Run(long_messages(false)).machine_seconds();
}

double milliseconds_of_small_run() {
    constexpr int kFew = 10;
    constexpr int kMany = 110;
    const auto seconds_of_sweep = [](int points) {
        const setup::TemporaryFolder folder("weir-bench");
        const std::string file = (folder.path() / "sweep.toml").string();
        records::write_run_file(file, sweep(points));
        return seconds_of(fmt::format("sweep {} -j1 --out {}", quoted(file),
                                      quoted((folder.path() / "results").string())));
    };
    return 1e3 * (seconds_of_sweep(kMany) - seconds_of_sweep(kFew)) / (kMany - kFew);
}

double milliseconds_of_start() { return 1e3 * seconds_of("--help"); }

struct CommandMeasurement {
    const char* name;
    const char* text;
    const char* key;  ///< key of the result in JSON
    std::function<double()> measure;
    const char* unit;
};

Benchmark benchmark_of(const CommandMeasurement& command) {
    return {.name = fmt::format("command-{}", command.name),
            .heading = "Whole commands\n",
            .measure = [command](const Effort& effort) -> Found {
                const double value = repeated(effort, command.measure);
                return {Json{{command.key, value}},
                        fmt::format("  {}: {:.3g} {}\n", command.text, value, command.unit)};
            }};
}

}  // namespace

std::vector<Benchmark> command_benchmarks() {
    constexpr const char* kOfMachine = "times the machine's own time";
    constexpr const char* kRatio = "time_over_machine";
    const std::vector<CommandMeasurement> commands{
        {"run-32", "weir run, remap on 32 nodes", kRatio,
         [] { return run_over_machine(remap("[8, 4]", 32, 4000)); }, kOfMachine},
        {"run-256", "weir run, remap on 256 nodes", kRatio,
         [] { return run_over_machine(remap("[16, 16]", 256, 400)); }, kOfMachine},
        {"run-16384", "weir run, remap on 16,384 nodes", kRatio,
         [] { return run_over_machine(remap("[128, 128]", 16384, 1)); }, kOfMachine},
        {"trace-digest", "weir trace digest, remap on 32 nodes", kRatio,
         [] { return trace_command_over_machine("digest"); }, kOfMachine},
        {"trace-sqlite", "weir trace sqlite, remap on 32 nodes", kRatio,
         [] { return trace_command_over_machine("sqlite"); }, kOfMachine},
        {"long-message", "messages of 8 kB", "speed_over_flit_by_flit", long_message_over_flits,
         "times the speed flit by flit"},
        {"sweep-run", "a small run of a sweep", "milliseconds", milliseconds_of_small_run, "ms"},
        {"start", "weir --help", "milliseconds", milliseconds_of_start, "ms"}};
    std::vector<Benchmark> all;
    all.reserve(commands.size());
    for (const CommandMeasurement& command : commands) {
        all.push_back(benchmark_of(command));
    }
    return all;
}

}  // namespace weir::experiments::bench
