#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/waiting_debugger.h"
#include "experiments/running/processes/command_line.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/default_run_options.h"
#include "experiments/running/processes/instrumented_run.h"
#include "experiments/running/processes/wanted_access.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

std::unique_ptr<debug::GdbListener> listen_at(std::uint16_t port) {
    try {
        return std::make_unique<debug::GdbListener>(port);
    } catch (const std::system_error& fault) {
        throw setup::UserFault(
            fmt::format("--port {}: {}; accepted: a free port, or 0 for any free port", port,
                        fault.code().message()));
    }
}

/// `weir debug FILE`: waits for a GDB that controls the whole machine.
class DebugCommand final : public Command {
  public:
    DebugCommand() : Command("debug", "Run compiled programs under gdb-multiarch") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("FILE", file_, "An experiment with core.kind = \"sparcle\"")
            .required()
            .transform(from_own_experiments());
        add_settings(command, set_options_, "Override a key: --set workload.argument_words=4");
        add_permissions(command, permissions_);
        command.add_option("--out", folder_, "New folder for the results [runs/NAME-NNN]")
            .type_name("FOLDER");
        command.add_option("--node", node_, "Stop at breakpoints on this node only [all nodes]")
            .type_name("N")
            .check(whole_number(0, INT32_MAX));
        command.add_option("--port", port_, "TCP port on this computer [any free port]")
            .type_name("N")
            .check(whole_number(0, UINT16_MAX));
        command
            .add_option("--go-on", handover_, "State handed over by the session's earlier process")
            .hidden();
        command.footer(
            "Runs the first point with its first seed, and stops before its first cycle.\n"
            "GDB shows nodes as threads: node 3 is thread 4. All nodes stop and continue\n"
            "together, since they have one clock. GDB commands:\n"
            "  monitor cycle       show the current cycle\n"
            "  monitor waits       show which part waits for which\n"
            "  monitor goto CYCLE  go to a cycle, forward or back\n"
            "  detach              let the run continue to its end\n"
            "  kill                end the run\n"
            "  disconnect          keep the run stopped until the next \"target remote\"");
    }

    int execute() override {
        std::optional<debug::Handover> before;
        if (!handover_.empty()) {
            before = debug::Handover::of(handover_);
        }
        const std::unique_ptr<debug::GdbListener> listener =
            before
                ? std::make_unique<debug::GdbListener>(debug::GdbListener::Kept{before->listener})
                : listen_at(port_);
        debug::WaitingDebugger debugger(*listener,
                                        {.node = node_.value_or(0), .is_alone = node_.has_value()},
                                        before, running::data_folder());
        running::RunOptions options = running::default_run_options();
        options.file = file_;
        options.set_options = set_options_;
        options.permissions = permissions_;
        if (!folder_.empty()) {
            options.folder = folder_;
        }
        const running::InstrumentedRun run =
            running::run_instrumented(options, debugger,
                                      {.node = node_,
                                       .an_instruction_a_tick = true,
                                       .begin = [&debugger](const std::filesystem::path& folder) {
                                           debugger.set_folder(folder);
                                       }});
        if (const auto next = debugger.handover()) {
            become_next(next->text(), run.folder);
        }
        const std::string text = run.message.empty() ? "the run has ended\n" : run.message + "\n";
        debugger.report_end(text, run.status);
        if (run.status != running::kSuccess) {
            throw running::RunFailure(run.status,
                                      run.message.empty() ? "killed by the debugger" : run.message);
        }
        std::cout << "the run is in " << run.folder.string() << "\n";
        return running::kSuccess;
    }

    /// Replaces this process by one that runs the machine again into the same folder, to go back in
    /// time.
    void become_next(const std::string& handover, const std::filesystem::path& folder) {
        std::filesystem::remove_all(folder);
        running::CommandLine others{"--out", folder.string(), "--go-on", handover};
        if (node_) {
            others.insert(others.end(), {"--node", std::to_string(*node_)});
        }
        running::add_permission_words(permissions_, others);
        running::CommandLine words = running::weir_command("debug", file_, others, set_options_);
        std::vector<char*> arguments;
        arguments.reserve(words.size() + 1);
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        ::execv("/proc/self/exe", arguments.data());
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("monitor goto: weir can't be started again: {}", std::strerror(errno)));
    }

    std::string file_;
    std::vector<std::string> set_options_;
    setup::Permissions permissions_;
    std::string folder_;
    std::optional<int> node_;
    std::uint16_t port_ = 0;
    std::string handover_;
};

}  // namespace

std::unique_ptr<Command> debug_command() { return std::make_unique<DebugCommand>(); }

}  // namespace weir::experiments::commands
