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

/// `weir compile`: compiles a user's program for Sparcle nodes.
class CompileCommand final : public Command {
  public:
    CompileCommand() : Command("compile", "Compile your own program for Sparcle nodes") {}

  private:
    void declare(CLI::App& command) override {
        command
            .add_option("SOURCE", request_.sources,
                        "C, C++ (.cpp), assembly (.S), objects,\nlibraries (.a)")
            ->required();
        command
            .add_option("-o,--output", image_, "Program to write [the first source's name, .elf]")
            ->type_name("FILE");
        command.add_option("-I", request_.include_folders, "Add a folder to search for headers")
            ->type_name("FOLDER")
            ->allow_extra_args(false);
        command.add_option("-D", request_.definitions, "Define a macro: -D ITERATIONS=10")
            ->type_name("NAME[=VALUE]")
            ->allow_extra_args(false);
        command
            .add_option("--flag", request_.flags, "Further compiler flag, repeatable: --flag=-O3")
            ->type_name("FLAG")
            ->allow_extra_args(false);
        command.add_flag("--library", request_.library,
                         "Link the C library, as for sources with stdio.h");
        command.add_flag("--soft-float", request_.soft_float,
                         "Compile for nodes without a floating-point unit");
        command.add_flag("--contexts", request_.contexts,
                         "Support threads in hardware contexts (contexts.h)");
        command.add_flag("--shared-memory", request_.shared_memory,
                         "Support nodes that share memory (shared_memory.h)");
        command.add_flag(
            "--threads", request_.threads,
            "Support threads (pthread.h): one on each node, or\non each context with --contexts");
        command.footer(
            "Run it with kernel = \"image\" and image = \"FILE\" in an experiment's [workload].\n"
            "It can include firmware/sparcle/active_messages.h; main() returns 0 on success.\n"
            "A program that includes a header of the C library, such as stdio.h, is linked\n"
            "with newlib. The first such program builds newlib, which takes about a minute.");
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
