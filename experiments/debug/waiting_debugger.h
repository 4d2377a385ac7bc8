#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/sparcle_debugger.h"
#include "experiments/kinds/instrument.h"

namespace weir::experiments::debug {

/// State that one process hands to the one that it becomes, so that the debugger notices nothing:
/// SystemC simulates once a process. As text it is the words of --go-on, which no user gives.
struct Handover {
    int listener = -1;
    int connection = -1;
    bool acknowledges = false;
    SparcleDebugger::Rerun rerun;

    [[nodiscard]] std::string text() const;
    [[nodiscard]] static Handover of(const std::string& text);
};

/// An instrument that waits for a debugger once there is a program to show it, and then is that
/// debugger. It leaves program.elf and refresh.gdb in the run's folder, for gdb to read.
class WaitingDebugger final : public kinds::Instrument {
  public:
    /// The listener must stay. `sources`: the folder in which gdb finds the firmware's sources.
    WaitingDebugger(const GdbListener& listener, SparcleDebugger::Choice choice,
                    std::optional<Handover> before, std::filesystem::path sources);

    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override;
    bool proceed() override;
    void faulted() override;
    void ended() override;

    void set_folder(const std::filesystem::path& folder) { folder_ = folder; }
    /// After the run: for the process that follows, if one is to.
    [[nodiscard]] std::optional<Handover> handover() const;
    void report_end(const std::string& text, int status);

  private:
    const GdbListener& listener_;
    SparcleDebugger::Choice choice_;
    std::optional<Handover> before_;
    std::filesystem::path sources_;
    std::filesystem::path folder_;
    std::unique_ptr<GdbConnection> connection_;
    std::unique_ptr<SparcleDebugger> debugger_;
};

}  // namespace weir::experiments::debug
