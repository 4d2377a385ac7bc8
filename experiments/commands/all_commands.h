#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "experiments/commands/command.h"

namespace weir::experiments::commands {

// Factories of the commands; each is defined in the file named after it.
[[nodiscard]] std::unique_ptr<Command> run_command();
[[nodiscard]] std::unique_ptr<Command> sweep_command();
[[nodiscard]] std::unique_ptr<Command> search_command();
[[nodiscard]] std::unique_ptr<Command> compare_command();
[[nodiscard]] std::unique_ptr<Command> predict_command();
[[nodiscard]] std::unique_ptr<Command> check_command();
[[nodiscard]] std::unique_ptr<Command> import_command();
[[nodiscard]] std::unique_ptr<Command> validate_command();
[[nodiscard]] std::unique_ptr<Command> report_command();
[[nodiscard]] std::unique_ptr<Command> paper_command();
[[nodiscard]] std::unique_ptr<Command> model_command();
[[nodiscard]] std::unique_ptr<Command> explain_command();
[[nodiscard]] std::unique_ptr<Command> fit_command();
[[nodiscard]] std::unique_ptr<Command> params_command();
[[nodiscard]] std::unique_ptr<Command> kernels_command();
[[nodiscard]] std::unique_ptr<Command> list_command();
[[nodiscard]] std::unique_ptr<Command> topology_command();
[[nodiscard]] std::unique_ptr<Command> price_command();
[[nodiscard]] std::unique_ptr<Command> trace_command();
[[nodiscard]] std::unique_ptr<Command> compile_command();
[[nodiscard]] std::unique_ptr<Command> build_kernel_command();
[[nodiscard]] std::unique_ptr<Command> new_command();
[[nodiscard]] std::unique_ptr<Command> firmware_command();
[[nodiscard]] std::unique_ptr<Command> profile_command();
[[nodiscard]] std::unique_ptr<Command> step_command();
[[nodiscard]] std::unique_ptr<Command> debug_command();
[[nodiscard]] std::unique_ptr<Command> completion_command();
[[nodiscard]] std::unique_ptr<Command> manual_command();
[[nodiscard]] std::unique_ptr<Command> help_command();
[[nodiscard]] std::unique_ptr<Command> bench_command();

/// Executes `weir compile --as-gcc WORD ...`, which is weir-cc WORD ...; `is_cxx`: --as-g++.
/// Returns the exit status.
[[nodiscard]] int compile_as_gcc(std::vector<std::string> words, bool is_cxx);

/// All commands, in the order of `weir --help`.
inline constexpr std::array kAllCommands{
    run_command,          sweep_command,      search_command,   compare_command, predict_command,
    check_command,        import_command,     validate_command, report_command,  paper_command,
    model_command,        fit_command,        explain_command,  params_command,  kernels_command,
    list_command,         topology_command,   price_command,    trace_command,   compile_command,
    build_kernel_command, new_command,        firmware_command, profile_command, step_command,
    debug_command,        completion_command, manual_command,   help_command,
#ifdef WEIR_HAS_BENCHMARKS
    bench_command,
#endif
};

}  // namespace weir::experiments::commands
