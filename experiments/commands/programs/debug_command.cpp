#include "experiments/commands/programs/debug_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>

#include "experiments/commands/default_run_options.h"
#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/sparcle_debugger.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/instrumented_run.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

std::unique_ptr<debug::GdbListener> listen_at(std::uint16_t port) {
    try {
        return std::make_unique<debug::GdbListener>(port);
    } catch (const std::system_error& fault) {
        throw setup::UserFault(
            fmt::format("--port {}: {}; accepted is a port that is free, or 0 for any", port,
                        fault.code().message()));
    }
}

// Waits for the debugger once there is a program to show it.
class WaitingDebugger final : public kinds::Instrument {
  public:
    WaitingDebugger(const debug::GdbListener& listener, debug::SparcleDebugger::Choice choice)
        : listener_(listener), choice_(choice) {}

    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override {
        const std::filesystem::path program = folder_ / "program.elf";
        records::write_run_file(
            program, {reinterpret_cast<const char*>(image.bytes().data()), image.bytes().size()});
        std::cout << fmt::format(
                         "{} nodes wait for a debugger:\n"
                         "  gdb-multiarch {} -d {} -ex 'target remote :{}'\n",
                         machine.node_count(), program.string(), running::data_folder().string(),
                         listener_.port())
                  << std::flush;
        const int socket = listener_.accept();
        if (socket < 0) {
            return;  // interrupted: proceed() ends the run
        }
        connection_ = std::make_unique<debug::GdbConnection>(socket);
        debugger_ = std::make_unique<debug::SparcleDebugger>(*connection_, choice_);
        debugger_->set_reconnect([this] {
            std::cout << fmt::format(
                             "the debugger has gone, and the nodes wait for another: "
                             "target remote :{}\n",
                             listener_.port())
                      << std::flush;
            const int another = listener_.accept();
            if (another >= 0) {
                connection_->take(another);
            }
            return another >= 0;
        });
        debugger_->attach(machine, image);
    }
    bool proceed() override { return debugger_ && debugger_->proceed(); }
    void faulted() override {
        if (debugger_) {
            debugger_->faulted();
        }
    }
    void ended() override {
        if (debugger_) {
            debugger_->ended();
        }
    }

    void set_folder(const std::filesystem::path& folder) { folder_ = folder; }
    void report_end(const std::string& text, int status) {
        if (debugger_) {
            debugger_->report_end(text, status);
        }
    }

  private:
    const debug::GdbListener& listener_;
    debug::SparcleDebugger::Choice choice_;
    std::filesystem::path folder_;
    std::unique_ptr<debug::GdbConnection> connection_;
    std::unique_ptr<debug::SparcleDebugger> debugger_;
};

}  // namespace

void DebugCommand::declare(CLI::App& command) {
    command.add_option("FILE", file_, "An experiment with core.kind = \"sparcle\"")
        ->required()
        ->transform(from_own_experiments());
    command.add_option("--set", set_options_, "Override a key: --set workload.argument_words=4")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--out", folder_, "New folder for the results [runs/NAME-NNN]")
        ->type_name("FOLDER");
    command.add_option("--node", node_, "Only this node stops at a breakpoint [each does]")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--port", port_, "TCP port of this computer [any that is free]")
        ->type_name("N");
    command.footer(
        "Runs the first point with its first seed, and stops before its first cycle.\n"
        "Nodes are GDB's threads: node 3 is thread 4. All stop and go together, since\n"
        "they have one clock. \"monitor cycle\" tells the time, \"monitor waits\" which part\n"
        "waits for which. \"detach\" lets the run go on to its end, \"kill\" ends it.\n"
        "After \"disconnect\" it stands until another \"target remote\".");
}

int DebugCommand::execute() {
    const std::unique_ptr<debug::GdbListener> listener = listen_at(port_);
    WaitingDebugger debugger(*listener, {.node = node_.value_or(0), .is_alone = node_.has_value()});
    running::RunOptions options = default_run_options();
    options.file = file_;
    options.set_options = set_options_;
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
    const std::string text = run.message.empty() ? "the run has ended\n" : run.message + "\n";
    debugger.report_end(text, run.status);
    if (run.status != running::kSuccess) {
        throw running::RunFailure(run.status,
                                  run.message.empty() ? "killed by the debugger" : run.message);
    }
    std::cout << "the run is in " << run.folder.string() << "\n";
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
