#include "experiments/commands/programs/debug_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>

#include "experiments/commands/default_run_options.h"
#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/sparcle_debugger.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/command_line.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/instrumented_run.h"
#include "experiments/setup/user_fault.h"
#include "hw/text_streams.h"

namespace weir::experiments::commands {

namespace {

// What one process tells the one that it becomes, so that the debugger notices nothing: SystemC
// simulates once a process. Words of --go-on, which no user gives.
struct Handover {
    int listener = -1;
    int connection = -1;
    bool acknowledges = false;
    debug::SparcleDebugger::Rerun rerun;

    [[nodiscard]] std::string text() const {
        std::string words =
            fmt::format("{} {} {} {} {} {}", listener, connection, acknowledges ? 1 : 0, rerun.node,
                        rerun.cycle, rerun.is_end ? 1 : 0);
        for (const debug::StopPoint& point : rerun.points) {
            words +=
                fmt::format(" {} {} {}", static_cast<int>(point.kind), point.address, point.bytes);
        }
        return words;
    }
    [[nodiscard]] static Handover of(const std::string& text) {
        Handover handover;
        hw::TextReader words(text);
        words >> handover.listener >> handover.connection >> handover.acknowledges >>
            handover.rerun.node >> handover.rerun.cycle >> handover.rerun.is_end;
        int kind = 0;
        for (debug::StopPoint point; words >> kind >> point.address >> point.bytes;) {
            point.kind = static_cast<debug::StopPoint::Kind>(kind);
            handover.rerun.points.push_back(point);
        }
        return handover;
    }
};

// gdb keeps what it has read of registers and stacks until something runs or is written. After
// "monitor goto" both are others: a write to %g0, which changes nothing, has it read them again.
constexpr const char* kRefresh =
    "define hookpost-monitor\n"
    "set $g0 = 0\n"
    "set stack-cache off\n"
    "set stack-cache on\n"
    "end\n";

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
    WaitingDebugger(const debug::GdbListener& listener, debug::SparcleDebugger::Choice choice,
                    std::optional<Handover> before)
        : listener_(listener), choice_(choice), before_(std::move(before)) {}

    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override {
        const std::filesystem::path program = folder_ / "program.elf";
        const std::filesystem::path refresh = folder_ / "refresh.gdb";
        records::write_run_file(refresh, kRefresh);
        records::write_run_file(
            program, {reinterpret_cast<const char*>(image.bytes().data()), image.bytes().size()});
        if (!before_) {
            std::cout << fmt::format(
                             "{} nodes wait for a debugger:\n"
                             "  gdb-multiarch {} -d {} -x {} -ex 'target remote :{}'\n",
                             machine.node_count(), program.string(),
                             running::data_folder().string(), refresh.string(), listener_.port())
                      << std::flush;
        }
        const int socket = before_ ? before_->connection : listener_.accept();
        if (socket < 0) {
            return;  // interrupted: proceed() ends the run
        }
        connection_ = std::make_unique<debug::GdbConnection>(socket);
        debugger_ = std::make_unique<debug::SparcleDebugger>(*connection_, choice_);
        if (before_) {
            if (!before_->acknowledges) {
                connection_->stop_acknowledging();
            }
            debugger_->go_on(before_->rerun);
        }
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
    /// After the run: for the process that follows, if one is to.
    [[nodiscard]] std::optional<Handover> handover() const {
        if (!debugger_ || !debugger_->rerun()) {
            return std::nullopt;
        }
        return Handover{listener_.keep(), connection_->keep(), connection_->acknowledges(),
                        *debugger_->rerun()};
    }
    void report_end(const std::string& text, int status) {
        if (debugger_) {
            debugger_->report_end(text, status);
        }
    }

  private:
    const debug::GdbListener& listener_;
    debug::SparcleDebugger::Choice choice_;
    std::optional<Handover> before_;
    std::filesystem::path folder_;
    std::unique_ptr<debug::GdbConnection> connection_;
    std::unique_ptr<debug::SparcleDebugger> debugger_;
};

}  // namespace

void DebugCommand::declare(CLI::App& command) {
    command.add_option("FILE", file_, "An experiment with core.kind = \"sparcle\"")
        ->required()
        ->transform(from_own_experiments());
    add_settings(command, set_options_, "Override a key: --set workload.argument_words=4");
    command.add_option("--out", folder_, "New folder for the results [runs/NAME-NNN]")
        ->type_name("FOLDER");
    command.add_option("--node", node_, "Only this node stops at a breakpoint [each does]")
        ->type_name("N")
        ->check(whole_number(0, INT32_MAX));
    command.add_option("--port", port_, "TCP port of this computer [any that is free]")
        ->type_name("N")
        ->check(whole_number(0, UINT16_MAX));
    command.add_option("--go-on", handover_, "What an earlier process of this session has left")
        ->group("");
    command.footer(
        "Runs the first point with its first seed, and stops before its first cycle.\n"
        "Nodes are GDB's threads: node 3 is thread 4. All stop and go together, since\n"
        "they have one clock. \"monitor cycle\" tells the time, \"monitor waits\" which part\n"
        "waits for which, and \"monitor goto CYCLE\" goes there, back or forth.\n"
        "\"detach\" lets the run go on to its end, \"kill\" ends it.\n"
        "After \"disconnect\" it stands until another \"target remote\".");
}

// Where the machine is to run again, into the same folder.
void DebugCommand::become_next(const std::string& handover, const std::filesystem::path& folder) {
    std::filesystem::remove_all(folder);
    running::CommandLine others{"--out", folder.string(), "--go-on", handover};
    if (node_) {
        others.insert(others.end(), {"--node", std::to_string(*node_)});
    }
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

int DebugCommand::execute() {
    std::optional<Handover> before;
    if (!handover_.empty()) {
        before = Handover::of(handover_);
    }
    const std::unique_ptr<debug::GdbListener> listener =
        before ? std::make_unique<debug::GdbListener>(debug::GdbListener::Kept{before->listener})
               : listen_at(port_);
    WaitingDebugger debugger(*listener, {.node = node_.value_or(0), .is_alone = node_.has_value()},
                             before);
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

}  // namespace weir::experiments::commands
