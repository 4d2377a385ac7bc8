#include <fmt/format.h>
#include <sysexits.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <systemc>
#include <thread>

#include "experiments/config/experiment_file.h"
#include "experiments/config/parameter_listing.h"
#include "experiments/config/user_fault.h"
#include "experiments/run/report.h"
#include "experiments/run/run_experiment.h"
#include "experiments/run/setup.h"
#include "experiments/run/validation.h"
#include "experiments/run/version.h"
#include "experiments/trace/trace_digest.h"
#include "experiments/trace/trace_error.h"
#include "firmware/kernels/registry.h"

namespace {

namespace fs = std::filesystem;
namespace run = weir::experiments::run;
namespace config = weir::experiments::config;
namespace trace = weir::experiments::trace;

fs::path presets_directory() { return fs::path(run::kInstalledAt) / "experiments" / "machines"; }

struct RunCommand {
    run::RunOptions options;
    std::string folder;
    bool json = false;
    bool no_sensitivity = false;

    void add_to(CLI::App& app) {
        CLI::App* command = app.add_subcommand(
            "run", "Run an experiment file and show measured, predicted and published values");
        command->add_option("FILE", options.file, "The experiment (TOML)")->required();
        command
            ->add_option("--set", options.set_options,
                         "Override a key: --set network.hop_cycles=2 (again for more)")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
        command->add_option("--out", folder, "New folder for the results [runs/NAME-NNN]")
            ->type_name("FOLDER")
            ->check([](const std::string& name) {
                return name.empty() ? std::string("the folder's name is empty") : std::string();
            });
        command->add_option("-j,--jobs", options.workers, "Runs at a time [all cores]")
            ->type_name("N")
            ->check(CLI::Range(1, 4096));
        command->add_flag("--json", json, "Print the result as one JSON object");
        command->add_flag("--no-sensitivity", no_sensitivity,
                          "Leave out the runs of the sensitivity table");
        command->callback([this] { execute(); });
    }

    void execute() {
        options.presets = presets_directory();
        options.with_sensitivity = !no_sensitivity;
        if (!folder.empty()) {
            options.folder = folder;
        }
        const run::ExperimentResult result = run::run_experiment(options);
        const std::string text = run::report(result);
        std::ofstream(fs::path(result.folder) / "report.txt") << text;
        std::cout << (json ? run::to_json(result).dump(1) + "\n" : text);
    }
};

struct ValidateCommand {
    std::vector<std::string> files;
    run::RunOptions options;
    int* status = nullptr;

    void add_to(CLI::App& app) {
        CLI::App* command = app.add_subcommand(
            "validate", "Run experiments and check what was published against what is measured");
        command->add_option("FILE", files, "Experiments (TOML)")->required();
        command
            ->add_option("--set", options.set_options,
                         "Override a key in all of them: --set run.seeds=[1]")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
        command->add_option("-j,--jobs", options.workers, "Runs at a time [all cores]")
            ->type_name("N")
            ->check(CLI::Range(1, 4096));
        command->callback([this] { execute(); });
    }

    void execute() {
        options.presets = presets_directory();
        options.with_sensitivity = false;
        std::vector<run::Check> checks;
        for (const std::string& file : files) {  // a mistake in the last must not cost the first
            static_cast<void>(
                config::ExperimentFile::read(file, options.presets, options.set_options));
        }
        for (const std::string& file : files) {
            options.file = file;
            const std::vector<run::Check> found = run::validate(run::run_experiment(options));
            checks.insert(checks.end(), found.begin(), found.end());
        }
        std::cout << run::validation_report(checks);
        if (std::any_of(checks.begin(), checks.end(), [](const auto& c) { return c.missed(); })) {
            *status = run::kToleranceMissed;
        }
    }
};

struct ParamsCommand {
    std::string pattern;

    void add_to(CLI::App& app) {
        CLI::App* command = app.add_subcommand("params", "List the parameters of experiment files");
        command->add_option("PATTERN", pattern, "A table, or part of a key; * and ? are wild");
        command->callback([this] { execute(); });
    }

    void execute() const {
        std::vector<std::unique_ptr<run::Setup>> setups = run::default_setups();
        std::vector<weir::hw::ParameterGroup*> groups = setups.front()->groups();
        for (std::size_t i = 1; i < setups.size(); ++i) {
            groups.push_back(&setups[i]->kernel->parameters());
        }
        std::cout << config::parameter_listing(groups, pattern);
    }
};

void add_kernels_command(CLI::App& app) {
    app.add_subcommand("kernels", "List the kernels that workload.kernel can name")->callback([] {
        for (const auto& entry : weir::firmware::kernels()) {
            fmt::print("{:<8} {}\n", entry.name, entry.sentence);
        }
    });
}

struct TraceCommand {
    std::string path;

    void add_to(CLI::App& app) {
        CLI::App* command = app.add_subcommand("trace", "Look into the cycle trace of a run");
        CLI::App* digest = command->add_subcommand(
            "digest", "Hash of all facts in a trace: the same for the same experiment and seed");
        digest->add_option("RUN", path, "A trace.sqlite, or a run's folder")->required();
        digest->callback([this] { execute(); });
        command->require_subcommand(1);
    }

    void execute() const {
        const fs::path given(path);
        if (!fs::is_directory(given)) {
            fmt::print("{}\n", trace::trace_digest(given));
            return;
        }
        std::vector<fs::path> traces;
        for (const auto& entry : fs::recursive_directory_iterator(given)) {
            if (entry.path().filename() == "trace.sqlite") {
                traces.push_back(entry.path());
            }
        }
        if (traces.empty()) {
            throw config::UserFault({path}, "no trace.sqlite in this folder",
                                    "the folder a run has left, or a trace");
        }
        std::sort(traces.begin(), traces.end());
        for (const fs::path& file : traces) {
            fmt::print("{}  {}\n", trace::trace_digest(file), file.string());
        }
    }
};

int execute(int argc, char** argv) {
    CLI::App app{"Weir: a cycle-level emulator of Alewife-style multicomputers"};
    app.name("weir");
    app.set_version_flag("--version", run::kVersion);
    app.require_subcommand(0, 1);
    app.footer(
        "The launcher ./weir also has: ./weir test (build and run all tests).\n"
        "Exit status: 0 success, 1 a tolerance missed, 2 bad input, 3 deadlock or no\n"
        "progress, 4 wrong answer of a kernel, 70 a fault of Weir's, 130 interrupted.");
    RunCommand run_command;
    ValidateCommand validate_command;
    ParamsCommand params_command;
    TraceCommand trace_command;
    run_command.options.workers =
        static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    validate_command.options.workers = run_command.options.workers;
    int status = run::kSuccess;
    validate_command.status = &status;
    run_command.add_to(app);
    validate_command.add_to(app);
    params_command.add_to(app);
    add_kernels_command(app);
    trace_command.add_to(app);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            std::cout << app.help();
        }
        return status;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            return app.exit(error);
        }
        std::cerr << "weir: " << error.what() << " (see weir --help)\n";
        return run::kBadInput;
    } catch (const config::UserFault& fault) {
        std::cerr << "weir: " << fault.what() << "\n";
        return run::kBadInput;
    } catch (const trace::TraceError& fault) {
        std::cerr << "weir: " << fault.what() << "\n";
        return run::kBadInput;
    } catch (const fs::filesystem_error& fault) {
        std::cerr << "weir: " << fault.path1().string() << ": " << fault.code().message() << "\n";
        return run::kBadInput;
    } catch (const run::RunFailure& failure) {
        std::cerr << "weir: " << failure.what() << "\n";
        return failure.status();
    } catch (const std::exception& fault) {
        std::cerr << "weir: this is a fault of Weir's: " << fault.what() << "\n";
        return run::kBug;
    }
}

}  // namespace

int sc_main(int argc, char** argv) { return execute(argc, argv); }

// In place of libsystemc's main, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
