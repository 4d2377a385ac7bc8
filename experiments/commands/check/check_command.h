#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "experiments/commands/check/file_faults.h"
#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir check FILE...`: all that is wrong in files, in the form that editors read.
class CheckCommand final : public Command {
  public:
    CheckCommand() : Command("check", "Tell all faults of experiment files, line by line") {}

  private:
    void declare(CLI::App& command) override;
    int execute() override;
    /// It, and the parts of a study.
    void check(const std::filesystem::path& file);
    void tell(const std::filesystem::path& file, const CheckedFile& checked);
    void tell(const setup::UserFault& fault);

    std::vector<std::string> files_;
    bool json_ = false;
    std::set<std::string> told_;  ///< a fault of a file that several extend is told once
    nlohmann::ordered_json faults_ = nlohmann::ordered_json::array();
};

}  // namespace weir::experiments::commands
