#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/new_file.h"
#include "experiments/programs/program_compiler.h"
#include "experiments/running/processes/run_experiment.h"

namespace weir::experiments::commands {

namespace {

/// `weir compile`: a program of the user's own for Sparcle nodes.
class CompileCommand final : public Command {
  public:
    CompileCommand() : Command("compile", "Compile one's own program for Sparcle nodes") {}

  private:
    void declare(CLI::App& command) override {
        command
            .add_option("SOURCE", request_.sources,
                        "C, C++ (.cpp), assembly (.S), objects,\nlibraries (.a)")
            ->required();
        command.add_option("-o,--output", image_, "The program [the first source's name, .elf]")
            ->type_name("FILE");
        command.add_option("-I", request_.include_folders, "Look for headers there, too")
            ->type_name("FOLDER")
            ->allow_extra_args(false);
        command.add_option("-D", request_.definitions, "Define a macro: -D ITERATIONS=10")
            ->type_name("NAME[=VALUE]")
            ->allow_extra_args(false);
        command.add_option("--flag", request_.flags, "One more flag of the compiler: --flag=-O3")
            ->type_name("FLAG")
            ->allow_extra_args(false);
        command.add_flag("--library", request_.library,
                         "With the C library, as if it included stdio.h");
        command.add_flag("--soft-float", request_.soft_float,
                         "For nodes without a floating-point unit");
        command.add_flag("--contexts", request_.contexts,
                         "For threads in hardware contexts (contexts.h)");
        command.add_flag("--shared-memory", request_.shared_memory,
                         "For nodes that share memory (shared_memory.h)");
        command.footer(
            "Run it with kernel = \"image\" and image = \"FILE\" in an experiment's [workload].\n"
            "firmware/sparcle/active_messages.h is what it can include; its main() returns 0\n"
            "when all is well. A program that includes a header of the C library, such as\n"
            "stdio.h, gets newlib. The first one that does has it built: about a minute.");
    }

    int execute() override {
        const std::string image = image_.empty() ? request_.default_image() : image_;
        request_.check(image);
        NewFile file(image, "--output");
        const std::uint64_t bytes =
            programs::compile_program(request_, file.unfinished_path(), image);
        file.finish();
        std::cout << fmt::format("{}: {} bytes of a node's memory\n", image, bytes);
        return running::kSuccess;
    }

    programs::ProgramRequest request_;
    std::string image_;
};

}  // namespace

std::unique_ptr<Command> compile_command() { return std::make_unique<CompileCommand>(); }

}  // namespace weir::experiments::commands
