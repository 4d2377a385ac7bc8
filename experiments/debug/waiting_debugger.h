#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "experiments/debug/gdb_connection.h"
#include "experiments/debug/sparcle_debugger.h"
#include "experiments/kinds/instrument.h"

namespace weir::experiments::debug {

/// State that a process hands to the program that it executes next, so that the debugger stays
/// connected: SystemC simulates only once per process. As text it is the argument of the internal
/// option --go-on.
struct Handover {
    int listener = -1;
    int connection = -1;
    bool acknowledges = false;
    SparcleDebugger::Rerun rerun;

    [[nodiscard]] std::string text() const;
    [[nodiscard]] static Handover of(const std::string& text);
};

/// Instrument that waits for a debugger once the program is loaded, and then serves it. The
/// instrument writes program.elf and refresh.gdb into the run's folder, for gdb to read.
class WaitingDebugger final : public kinds::Instrument {
  public:
    /// `listener` must outlive this object. `sources`: folder in which gdb finds the firmware's
    /// sources.
    WaitingDebugger(const GdbListener& listener, SparcleDebugger::Choice choice,
                    std::optional<Handover> before, std::filesystem::path sources);

    void attach(nodes::Machine& machine, const firmware::ElfImage& image) override;
    bool proceed() override;
    void faulted() override;
    void ended() override;

    void set_folder(const std::filesystem::path& folder) { folder_ = folder; }
    /// State for the next process, if another run was requested. To be read after the run.
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
