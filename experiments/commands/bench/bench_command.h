#pragma once

#include <cstdint>
#include <string>

#include "experiments/bench/bench.h"
#include "experiments/commands/command.h"

namespace weir::experiments::commands {

/// `weir bench [PATTERN]`: how fast the emulator is, against a plain loop that does the same.
class BenchCommand final : public Command {
  public:
    BenchCommand();

  private:
    void declare(CLI::App& command) override;
    int execute() override;

    bench::BenchOptions options_;
    // What `--instructions` starts under valgrind.
    std::string simulate_;
    std::int64_t length_ = 0;
};

}  // namespace weir::experiments::commands
