#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/new_file.h"
#include "experiments/programs/compiler_call.h"
#include "experiments/programs/program_compiler.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

/// `weir compile`: compiles a user's program for Sparcle nodes.
class CompileCommand final : public Command {
  public:
    CompileCommand() : Command("compile", "Compile your own program for Sparcle nodes") {}

  private:
    void declare(CommandSyntax command) override {
        command
            .add_option("SOURCE", sources_,
                        "C, C++ (.cpp), assembly (.S), objects,\nlibraries (.a)")
            .required();
        command
            .add_option("-o,--output", image_, "Program to write [the first source's name, .elf]")
            .type_name("FILE");
        command.add_option("-I", request_.include_folders, "Add a folder to search for headers")
            .type_name("FOLDER")
            .takes_one_value();
        command.add_option("-D", request_.definitions, "Define a macro: -D ITERATIONS=10")
            .type_name("NAME[=VALUE]")
            .takes_one_value();
        command
            .add_option("--flag", request_.flags, "Further compiler flag, repeatable: --flag=-O3")
            .type_name("FLAG")
            .takes_one_value();
        command.add_flag("--library", has_library_,
                         "Link the C library, as for sources with stdio.h,\n"
                         "and with C++ sources the C++ library");
        command.add_flag("--soft-float", request_.soft_float,
                         "Compile for nodes without a floating-point unit");
        command.add_flag("--contexts", request_.contexts,
                         "Support threads in hardware contexts (contexts.h);\n"
                         "with the C library, a rank of MPI in each context");
        command.add_flag("--shared-memory", request_.shared_memory,
                         "Support nodes that share memory (shared_memory.h)");
        command.add_flag(
            "--threads", request_.threads,
            "Support threads (pthread.h): one on each node, or\non each context with --contexts");
        command.add_flag("--as-gcc,--as-g++", is_as_gcc_,
                         "As the first word: further words are as for gcc\n"
                         "or g++, as with weir-cc; see weir-cc --help");
        command.footer(
            "Run it with kernel = \"image\" and image = \"FILE\" in an experiment's [workload].\n"
            "It can include firmware/sparcle/active_messages.h; main() returns 0 on success.\n"
            "A program that includes a header of the C library, such as stdio.h, is linked\n"
            "with newlib. The first such program builds newlib, which takes about a minute.\n"
            "One in C++ that includes a header such as vector is linked with libstdc++ too,\n"
            "whose first build takes about two minutes more.");
    }

    int execute() override {
        if (is_as_gcc_) {
            throw setup::UserFault(
                "--as-gcc and --as-g++: found behind other words; accepted: weir compile --as-gcc "
                "WORD ..., or weir-cc WORD ...");
        }
        request_.inputs = programs::inputs_of(sources_);
        if (has_library_) {
            request_.library = programs::LibraryUse::kAlways;
        }
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
    std::vector<std::string> sources_;
    std::string image_;
    bool has_library_ = false;
    bool is_as_gcc_ = false;
};

// Makes the file of an input for -c or -S.
void make_file(const programs::CompilerCall& call, const programs::ProgramInput& input) {
    const std::string file = call.file_for(input);
    const char* const step = call.result == programs::CompilerCall::Result::kAssembly ? "-S" : "-c";
    programs::compile_input(call.request, input, {step, "-o", file});
}

// Prints the text of an input for -E or -M, or writes it to the file of -o.
void make_text(const programs::CompilerCall& call, const programs::ProgramInput& input) {
    std::vector<std::string> words;
    if (!call.output.empty()) {
        words = {"-o", call.output};
    }
    programs::compile_input(call.request, input, words);
}

void make_program(const programs::CompilerCall& call) {
    const std::string program = call.program();
    std::error_code unknown;
    if (std::filesystem::is_character_file(program, unknown)) {  // a check whether it links
        const setup::TemporaryFolder folder("weir-compile");
        static_cast<void>(
            programs::compile_program(call.request, folder.path() / "program", program));
        return;
    }
    NewFile file(program, "-o");
    static_cast<void>(programs::compile_program(call.request, file.unfinished_path(), program));
    file.finish();
}

void for_sources(const programs::CompilerCall& call,
                 void (*make)(const programs::CompilerCall&, const programs::ProgramInput&)) {
    for (const programs::ProgramInput& input : call.request.inputs) {
        if (!input.language.empty()) {
            make(call, input);
        }
    }
}

}  // namespace

int compile_as_gcc(std::vector<std::string> words, bool is_cxx) {
    using Result = programs::CompilerCall::Result;
    const programs::CompilerCall call = programs::compiler_call(std::move(words), is_cxx);
    switch (call.result) {
        case Result::kHelp:
            std::cout << programs::help_of_compiler_calls();
            break;
        case Result::kAnswer:
            programs::ask_compiler(call.question);
            break;
        case Result::kText:
            for_sources(call, make_text);
            break;
        case Result::kAssembly:
        case Result::kObjects:
            for_sources(call, make_file);
            break;
        case Result::kProgram:
            make_program(call);
            break;
    }
    return running::kSuccess;
}

std::unique_ptr<Command> compile_command() { return std::make_unique<CompileCommand>(); }

}  // namespace weir::experiments::commands
