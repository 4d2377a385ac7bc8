#include "experiments/debug/waiting_debugger.h"

#include <fmt/format.h>

#include <iostream>
#include <utility>

#include "experiments/records/run_file.h"
#include "firmware/sparcle/elf_image.h"
#include "hw/text_streams.h"
#include "nodes/machine.h"

namespace weir::experiments::debug {

namespace {

// gdb caches registers and stacks until the program runs or is written to; "monitor goto" changes
// both. A write to %g0, which has no effect, makes gdb read them again.
constexpr const char* kRefresh =
    "define hookpost-monitor\n"
    "set $g0 = 0\n"
    "set stack-cache off\n"
    "set stack-cache on\n"
    "end\n";

}  // namespace

std::string Handover::text() const {
    std::string words = fmt::format("{} {} {} {} {} {}", listener, connection, acknowledges ? 1 : 0,
                                    rerun.node, rerun.cycle, rerun.is_end ? 1 : 0);
    for (const StopPoint& point : rerun.points) {
        words += fmt::format(" {} {} {}", static_cast<int>(point.kind), point.address, point.bytes);
    }
    return words;
}

Handover Handover::of(const std::string& text) {
    Handover handover;
    hw::TextReader words(text);
    words >> handover.listener >> handover.connection >> handover.acknowledges >>
        handover.rerun.node >> handover.rerun.cycle >> handover.rerun.is_end;
    int kind = 0;
    for (StopPoint point; words >> kind >> point.address >> point.bytes;) {
        point.kind = static_cast<StopPoint::Kind>(kind);
        handover.rerun.points.push_back(point);
    }
    return handover;
}

WaitingDebugger::WaitingDebugger(const GdbListener& listener, SparcleDebugger::Choice choice,
                                 std::optional<Handover> before, std::filesystem::path sources)
    : listener_(listener),
      choice_(choice),
      before_(std::move(before)),
      sources_(std::move(sources)) {}

void WaitingDebugger::attach(nodes::Machine& machine, const firmware::ElfImage& image) {
    const std::filesystem::path program = folder_ / "program.elf";
    const std::filesystem::path refresh = folder_ / "refresh.gdb";
    records::write_run_file(refresh, kRefresh);
    const std::vector<std::uint8_t> bytes = image.bytes_for_debuggers();
    records::write_run_file(program, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!before_) {
        std::cout << fmt::format(
                         "{} nodes wait for a debugger:\n"
                         "  gdb-multiarch {} -d {} -x {} -ex 'target remote :{}'\n",
                         machine.node_count(), program.string(), sources_.string(),
                         refresh.string(), listener_.port())
                  << std::flush;
    }
    const int socket = before_ ? before_->connection : listener_.accept();
    if (socket < 0) {
        return;  // interrupted: proceed() ends the run
    }
    connection_ = std::make_unique<GdbConnection>(socket);
    debugger_ = std::make_unique<SparcleDebugger>(*connection_, choice_);
    if (before_) {
        if (!before_->acknowledges) {
            connection_->stop_acknowledging();
        }
        debugger_->go_on(before_->rerun);
    }
    debugger_->set_on_refusal([](const std::string& text) {
        std::cout << text << '\n' << std::flush;
    });
    debugger_->set_reconnect([this] {
        std::cout << fmt::format(
                         "the debugger has disconnected; the nodes wait for another: "
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

bool WaitingDebugger::proceed() { return debugger_ && debugger_->proceed(); }

void WaitingDebugger::faulted() {
    if (debugger_) {
        debugger_->faulted();
    }
}

void WaitingDebugger::ended() {
    if (debugger_) {
        debugger_->ended();
    }
}

std::optional<Handover> WaitingDebugger::handover() const {
    if (!debugger_ || !debugger_->rerun()) {
        return std::nullopt;
    }
    return Handover{listener_.keep(), connection_->keep(), connection_->acknowledges(),
                    *debugger_->rerun()};
}

void WaitingDebugger::report_end(const std::string& text, int status) {
    if (debugger_) {
        debugger_->report_end(text, status);
    }
}

}  // namespace weir::experiments::debug
