#include <fmt/format.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/debug/stepping/step_session.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/running/processes/instrumented_run.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

constexpr int kBySignal = 128;  // exit status of a process that a signal has ended, less the signal

/// `weir step FILE`: steps through a run, forwards and back, by commands on standard input.
class StepCommand final : public Command {
  public:
    StepCommand() : Command("step", "Step through a run by cycles, forwards and back") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", options_.file, "Experiment that runs a kernel or a program")
            .required()
            .transform(from_own_experiments());
        add_settings(command, options_.set_options, "Override a key: --set network.hop_cycles=2");
        add_permissions(command, options_.permissions);
        command.add_option("--out", folder_, "New folder for the results of a run that has ended")
            .type_name("FOLDER");
        command.footer(
            "Runs the first point with its first seed, and stops before its first cycle.\n"
            "Reads commands from the terminal, or from a pipe. The most frequent ones:\n"
            "  step 10               run 10 cycles\n"
            "  next handler 3        run until node 3 enters a handler\n"
            "  goto CYCLE, back 10   go to a cycle; go 10 cycles back\n"
            "  queues, channels      show what they hold\n"
            "  help                  list all commands and events\n"
            "  quit                  end the session");
    }

    int execute() override {
        if (!folder_.empty()) {
            options_.folder = folder_;
        }
        debug::StepSession session;
        const running::InstrumentedRun run = run_session(session);
        if (!session.refusal().empty()) {
            throw setup::UserFault(session.refusal());
        }
        if (session.has_quit()) {
            return running::kSuccess;
        }
        if (run.status != running::kSuccess) {
            throw running::RunFailure(run.status, run.message);
        }
        if (options_.folder) {
            std::cout << "the run is in " << run.folder.string() << "\n";
        }
        return running::kSuccess;
    }

    running::InstrumentedRun run_session(debug::StepSession& session) const {
        try {
            return running::run_instrumented(
                options_, session,
                {.exact_between_cycles = true,
                 .begin = [&](const auto& folder) { session.set_folder(folder); },
                 .keeps_only_named_folder = true});
        } catch (const debug::Checkpoints::Lost& lost) {
            if (lost.signal == SIGPIPE) {  // the reader of the output has ended
                std::signal(SIGPIPE, SIG_DFL);
                std::raise(SIGPIPE);
            }
            const bool is_asked_for = lost.signal == SIGTERM || lost.signal == SIGHUP;
            throw running::RunFailure(
                is_asked_for ? kBySignal + lost.signal : running::status_of_kill(lost.signal),
                fmt::format("signal {} has ended the run's process", lost.signal));
        }
    }

    running::RunOptions options_ = running::default_run_options();
    std::string folder_;
};

}  // namespace

std::unique_ptr<Command> step_command() { return std::make_unique<StepCommand>(); }

}  // namespace weir::experiments::commands
