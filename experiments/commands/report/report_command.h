#pragma once

#include <string>

#include "experiments/commands/command.h"
#include "experiments/records/document.h"

namespace weir::experiments::commands {

/// `weir report DIR|DB`: what a run or a sweep has left, as one page.
class ReportCommand final : public Command {
  public:
    ReportCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;
    /// The page of a sweep that goes on, until all its runs have ended or a signal comes.
    [[nodiscard]] int watch() const;

    std::string source_;
    std::string page_;
    std::string metric_;
    std::string pdf_folder_;
    std::string png_folder_;
    std::string csv_folder_;
    bool watches_ = false;
};

}  // namespace weir::experiments::commands
