#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir debug FILE`: waits for GDB, which then steers the whole machine.
class DebugCommand final : public Command {
  public:
    DebugCommand() : Command("debug", "Run compiled programs under gdb-multiarch") {}

  private:
    void declare(CLI::App& command) override;
    int execute() override;
    void become_next(const std::string& handover, const std::filesystem::path& folder);

    std::string file_;
    std::vector<std::string> set_options_;
    std::string folder_;
    std::optional<int> node_;
    std::uint16_t port_ = 0;
    std::string handover_;
};

}  // namespace weir::experiments::commands
