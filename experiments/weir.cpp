#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/standard_output.h"
#include "experiments/commands/usage_fault.h"
#include "experiments/commands/version_text.h"
#include "experiments/models/model_error.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/sweeps/database/sweep_connection.h"
#include "experiments/setup/surroundings_fault.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/user_fault.h"
#include "experiments/trace/rows/trace_error.h"
#include "firmware/kernel.h"
#include "hw/refusal.h"

namespace {

namespace commands = weir::experiments::commands;
namespace setup = weir::experiments::setup;
namespace firmware = weir::firmware;
namespace models = weir::experiments::models;
namespace running = weir::experiments::running;
namespace trace = weir::experiments::trace;

constexpr rlim_t kKilobyte = 1024;
constexpr rlim_t kLeastStackBytes = 512 * kKilobyte;

// Opens /dev/null on closed standard descriptors: otherwise the next file opened would take their
// number and receive messages. A write to a closed standard output is refused.
void keep_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) < 0) {
            static_cast<void>(open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

// Constructed before all other global objects, so that running out of memory there is reported too.
struct BeforeAllElse {
    BeforeAllElse() { setup::end_without_memory(running::kBadInput, true); }
};
__attribute__((init_priority(101))) const BeforeAllElse kBeforeAllElse;

void tell(const std::string& message) {
    std::cerr << "weir: " << setup::with_utf8_escapes(weir::hw::shown(message)) << "\n";
}

int bad_input(const std::exception& fault) {
    tell(fault.what());
    return running::kBadInput;
}

int parse_and_execute(int argc, char** argv) {
    CLI::App app{"Weir: a cycle-level emulator of Alewife-style multicomputers"};
    app.name("weir");
    app.set_version_flag("--version", commands::version_text,
                         "Print the version, the build and its libraries");
    app.require_subcommand(0, 1);
    app.footer(
        "The launcher ./weir also has: ./weir test (build and run all tests) and\n"
        "./weir package (make Debian packages).\n\n"
        "Exit status:\n"
        "  0    success\n"
        "  1    a tolerance is missed, or a point of a sweep has changed\n"
        "  2    bad input, or the system refused memory, disk space or a file\n"
        "  3    deadlock, no progress, or a thread that starved\n"
        "  4    wrong answer or fault of a program\n"
        "  70   fault of Weir itself\n"
        "  129  ended by SIGHUP\n"
        "  130  ended by SIGINT (Ctrl-C)\n"
        "  138  ended by SIGUSR1, a batch system's warning\n"
        "  140  ended by SIGUSR2\n"
        "  143  ended by SIGTERM");
    int status = running::kSuccess;
    std::vector<std::unique_ptr<commands::Command>> all_commands;
    for (const auto make : commands::kAllCommands) {
        all_commands.push_back(make());
        all_commands.back()->add_to(app, status);
    }
    try {
        const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
        // Words for gcc are not the program's own: -o may be followed by any of them.
        if (words.size() > 1 && words[0] == "compile" &&
            (words[1] == "--as-gcc" || words[1] == "--as-g++")) {
            return commands::compile_as_gcc({words.begin() + 2, words.end()},
                                            words[1] == "--as-g++");
        }
        commands::require_equals_signs(app, words);
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            std::cout << app.help();
        }
        return status;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            return app.exit(error);
        }
        return bad_input(commands::usage_fault(app, error));
    }
}

// noexcept: an exception while a message is composed means that memory is exhausted;
// setup::end_without_memory() then prints a shorter message.
int execute(int argc, char** argv) noexcept {
    try {
        return parse_and_execute(argc, argv);
    } catch (const setup::UserFault& fault) {
        return bad_input(fault);
    } catch (const firmware::InputFault& fault) {
        return bad_input(fault);
    } catch (const trace::TraceError& fault) {
        return bad_input(fault);
    } catch (const running::SweepError& fault) {
        return bad_input(fault);
    } catch (const models::ModelError& fault) {
        return bad_input(fault);
    } catch (const running::RunFailure& failure) {
        tell(failure.what());
        return failure.status();
    } catch (const std::exception& fault) {
        if (const auto refusal = setup::refusal_text()) {
            tell(*refusal);
            return running::kBadInput;
        }
        tell(std::string("this is a fault of Weir's: ") + fault.what());
        return running::kBug;
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    commands::StandardOutput output;
    int status = execute(argc, argv);
    try {
        output.finish();
    } catch (const setup::SurroundingsFault& fault) {
        const int told = bad_input(fault);
        status = status == running::kSuccess ? told : status;
    }
    return status;
}

// Replaces libsystemc's main, which prints a banner first.
int main(int argc, char** argv) {
    keep_standard_descriptors();
    if (setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1) != 0) {
        std::cerr << "weir: " << setup::kNoMemory << "\n";
        return running::kBadInput;
    }
    rlimit stack{};
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kLeastStackBytes) {
        std::cerr << "weir: a stack of " << stack.rlim_cur / kKilobyte
                  << " kB is too small; accepted: 512 kB or more (ulimit -s)\n";
        return running::kBadInput;
    }
    // Writes beyond the file size limit fail like writes to a full disk, with a message.
    std::signal(SIGXFSZ, SIG_IGN);
    return sc_core::sc_elab_and_sim(argc, argv);
}
