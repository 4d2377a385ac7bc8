#include "experiments/commands/programs/compile_command.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>

#include "experiments/commands/new_file.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "firmware/sparcle/compiler_flags.h"
#include "firmware/sparcle/elf_image.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

void check_source(const fs::path& source) {
    const std::string accepted = "; accepted: files of C (.c), assembly (.S) or objects (.o)";
    const fs::path extension = source.extension();
    if (extension != ".c" && extension != ".S" && extension != ".o") {
        throw running::RunFailure(running::kBadInput,
                                  source.string() + ": of no known kind" + accepted);
    }
    if (!fs::is_regular_file(source)) {
        throw running::RunFailure(running::kBadInput,
                                  source.string() + ": there is no such file" + accepted);
    }
}

/// Runs the compiler, whose messages are the user's to read; its exit status.
int run_compiler(std::vector<std::string> command_line) {
    std::vector<char*> arguments;
    arguments.reserve(command_line.size() + 1);
    for (std::string& word : command_line) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, arguments.front(), nullptr, nullptr, arguments.data(), environ);
    if (error == ENOENT) {
        throw running::RunFailure(running::kBadInput,
                                  command_line.front() +
                                      " is not installed; install it with: apt-get install "
                                      "gcc-sparc64-linux-gnu");
    }
    if (error != 0) {
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("{} can't be started: {}", command_line.front(), std::strerror(error)));
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

CompileCommand::CompileCommand()
    : Command("compile", "Compile one's own program for Sparcle nodes") {}

void CompileCommand::declare(CLI::App& command) {
    command.add_option("SOURCE", sources_, "C (.c), assembly (.S), objects (.o)")->required();
    command.add_option("-o,--output", image_, "The program [the first source's name, .elf]")
        ->type_name("FILE");
    command.add_option("--flag", flags_, "One more flag of the compiler: --flag=-O3")
        ->type_name("FLAG")
        ->allow_extra_args(false);
    command.add_flag("--soft-float", soft_float_, "For nodes without a floating-point unit");
    command.add_flag("--contexts", contexts_, "For threads in hardware contexts (contexts.h)");
    command.footer(
        "Run it with kernel = \"image\" and image = \"FILE\" in an experiment's [workload].\n"
        "firmware/sparcle/active_messages.h is what it can include; its main() returns 0\n"
        "when all is well.");
}

std::vector<std::string> CompileCommand::command_line(const std::string& image) const {
    const fs::path root = running::data_folder();
    const fs::path firmware = root / "firmware" / "sparcle";
    std::vector<std::string> words{firmware::kSparcCompiler};
    const auto add = [&words](const auto& more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    add(firmware::kImageFlags);
    if (soft_float_) {
        words.emplace_back("-msoft-float");
    }
    if (contexts_) {
        add(firmware::kContextFlags);
    }
    add(firmware::kImageLinkFlags);
    add(std::array<std::string, 5>{"-isystem", (firmware / "include").string(),
                                   "-I" + root.string(), "-T", (firmware / "image.ld").string()});
    add(flags_);
    for (const char* file : firmware::kRuntime) {
        words.push_back((firmware / file).string());
    }
    add(sources_);
    words.insert(words.end(), {"-o", image});
    return words;
}

int CompileCommand::execute() {
    std::for_each(sources_.begin(), sources_.end(), check_source);
    const std::string image =
        image_.empty() ? fs::path(sources_.front()).filename().replace_extension(".elf").string()
                       : image_;
    if (std::find(sources_.begin(), sources_.end(), image) != sources_.end()) {
        throw running::RunFailure(running::kBadInput,
                                  image + " is a source; accepted: another name with --output");
    }
    NewFile file(image, "--output");
    if (run_compiler(command_line(file.unfinished_path())) != 0) {
        throw running::RunFailure(running::kBadInput,
                                  image + " is not made: the compiler has refused the program");
    }
    try {
        const auto checked = firmware::ElfImage::read_file(file.unfinished_path());
        std::uint64_t bytes = 0;
        for (const auto& segment : checked.segments()) {
            bytes += segment.memory_bytes;
        }
        file.finish();
        std::cout << fmt::format("{}: {} bytes of a node's memory\n", image, bytes);
    } catch (const firmware::ImageFault& fault) {
        throw running::RunFailure(running::kBadInput, fault.what());
    }
    return running::kSuccess;
}

}  // namespace weir::experiments::commands
