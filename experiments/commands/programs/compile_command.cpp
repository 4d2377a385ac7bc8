#include "experiments/commands/programs/compile_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>

#include "experiments/commands/new_file.h"
#include "experiments/commands/programs/c_library.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/setup/files/temporary_folder.h"
#include "firmware/sparcle/compiler_flags.h"
#include "firmware/sparcle/elf_image.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

template <std::size_t count>
bool is_one_of(const fs::path& extension, const std::array<std::string_view, count>& extensions) {
    return std::find(extensions.begin(), extensions.end(), extension.string()) != extensions.end();
}

bool is_cxx(const fs::path& source) {
    static constexpr std::array<std::string_view, 3> kExtensions{".cc", ".cpp", ".cxx"};
    return is_one_of(source.extension(), kExtensions);
}

bool is_compiled(const fs::path& source) {
    static constexpr std::array<std::string_view, 3> kExtensions{".c", ".S", ".s"};
    return is_cxx(source) || is_one_of(source.extension(), kExtensions);
}

// Whether it is linked as it is.
bool is_linked(const fs::path& source) {
    static constexpr std::array<std::string_view, 2> kExtensions{".o", ".a"};
    return is_one_of(source.extension(), kExtensions);
}

void check_source(const fs::path& source) {
    const std::string accepted =
        "; accepted: files of C (.c), C++ (.cpp), assembly (.S), objects (.o) or libraries (.a)";
    if (!is_compiled(source) && !is_linked(source)) {
        throw running::RunFailure(running::kBadInput,
                                  source.string() + ": of no known kind" + accepted);
    }
    if (!fs::is_regular_file(source)) {
        throw running::RunFailure(running::kBadInput,
                                  source.string() + ": there is no such file" + accepted);
    }
}

fs::path firmware_folder() { return running::data_folder() / "firmware" / "sparcle"; }

template <class Words>
void add(std::vector<std::string>& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

CompileCommand::CompileCommand()
    : Command("compile", "Compile one's own program for Sparcle nodes") {}

void CompileCommand::declare(CLI::App& command) {
    command
        .add_option("SOURCE", sources_, "C, C++ (.cpp), assembly (.S), objects,\nlibraries (.a)")
        ->required();
    command.add_option("-o,--output", image_, "The program [the first source's name, .elf]")
        ->type_name("FILE");
    command.add_option("-I", include_folders_, "Look for headers there, too")
        ->type_name("FOLDER")
        ->allow_extra_args(false);
    command.add_option("-D", definitions_, "Define a macro: -D ITERATIONS=10")
        ->type_name("NAME[=VALUE]")
        ->allow_extra_args(false);
    command.add_option("--flag", flags_, "One more flag of the compiler: --flag=-O3")
        ->type_name("FLAG")
        ->allow_extra_args(false);
    command.add_flag("--library", library_, "With the C library, as if it included stdio.h");
    command.add_flag("--soft-float", soft_float_, "For nodes without a floating-point unit");
    command.add_flag("--contexts", contexts_, "For threads in hardware contexts (contexts.h)");
    command.add_flag("--shared-memory", shared_memory_,
                     "For nodes that share memory (shared_memory.h)");
    command.footer(
        "Run it with kernel = \"image\" and image = \"FILE\" in an experiment's [workload].\n"
        "firmware/sparcle/active_messages.h is what it can include; its main() returns 0\n"
        "when all is well. A program that includes a header of the C library, such as\n"
        "stdio.h, gets newlib. The first one that does has it built: about a minute.");
}

CompileCommand::WordList CompileCommand::node_flags() const {
    WordList words;
    if (soft_float_) {
        words.emplace_back("-msoft-float");
    }
    if (contexts_) {
        add(words, firmware::kContextFlags);
    }
    return words;
}

CompileCommand::WordList CompileCommand::runtime_flags(const CrossCompiler& compiler) const {
    WordList words(firmware::kImageFlags.begin(), firmware::kImageFlags.end());
    add(words, firmware::kCFlags);
    add(words, node_flags());
    add(words, WordList{"-isystem", compiler.headers(), "-I" + running::data_folder().string()});
    return words;
}

CompileCommand::WordList CompileCommand::flags_for(const CrossCompiler& compiler,
                                                   const std::string& source,
                                                   const fs::path& library) const {
    WordList words(firmware::kImageFlags.begin(), firmware::kImageFlags.end());
    if (is_cxx(source)) {
        add(words, firmware::kCxxFlags);
    } else {
        add(words, firmware::kCFlags);
    }
    add(words, node_flags());
    for (const std::string& folder : include_folders_) {
        words.push_back("-I" + folder);
    }
    for (const std::string& definition : definitions_) {
        words.push_back("-D" + definition);
    }
    add(words, WordList{"-isystem", compiler.headers()});
    if (library.empty()) {
        add(words, WordList{"-isystem", (firmware_folder() / "include").string()});
    } else {
        add(words, firmware::kLibraryFlags);
        add(words, WordList{"-isystem", (library / "include").string(), "-isystem",
                            (firmware_folder() / "library" / "include").string()});
        if (!is_cxx(source)) {
            words.emplace_back("-fhosted");
        }
    }
    words.push_back("-I" + running::data_folder().string());
    if (shared_memory_) {
        add(words, firmware::kSharedFlags);
    }
    add(words, flags_);
    return words;
}

bool CompileCommand::wants_library(const CrossCompiler& compiler) const {
    return library_ || std::any_of(sources_.begin(), sources_.end(), [&](const std::string& file) {
               return is_cxx(file) ||
                      (fs::path(file).extension() == ".c" &&
                       compiler.asks_for_library(file, flags_for(compiler, file, {})));
           });
}

bool CompileCommand::make(const CrossCompiler& compiler, const std::string& image,
                          const fs::path& objects) const {
    fs::path library;
    if (wants_library(compiler)) {
        if (contexts_) {
            throw running::RunFailure(
                running::kBadInput,
                "--contexts: the program asks for the C library, which is not made for threads in "
                "hardware contexts; accepted: a program without it, or without --contexts");
        }
        WordList library_flags(firmware::kMachineFlags.begin(), firmware::kMachineFlags.end());
        add(library_flags, firmware::kLibraryFlags);
        add(library_flags, node_flags());
        add(library_flags, WordList{"-isystem", compiler.headers()});
        library = built_c_library(
            c_library_recipe(compiler.program(), compiler.version(), std::move(library_flags)));
    }

    WordList linked;
    const auto compile = [&](const std::string& source, WordList words) {
        linked.push_back((objects / fmt::format("{}.o", linked.size())).string());
        words.insert(words.begin(), compiler.program());
        words.insert(words.end(), {"-c", "-o", linked.back(), source});
        return run_tool(std::move(words)) == 0;
    };
    WordList of_program = runtime_flags(compiler);
    add(of_program, WordList{"-isystem", (firmware_folder() / "include").string()});
    for (const std::string_view file : firmware::kRuntime) {
        // The library has its functions.
        const bool is_in_library = !library.empty() && file == "memory.c";
        if (!is_in_library && !compile((firmware_folder() / file).string(), of_program)) {
            return false;
        }
    }
    const auto add_runtime = [&](const auto& files) {
        return std::all_of(files.begin(), files.end(), [&](const std::string_view file) {
            return compile((firmware_folder() / file).string(), of_program);
        });
    };
    if (!(shared_memory_ ? add_runtime(firmware::kSharedRuntime)
                         : add_runtime(firmware::kUnsharedRuntime))) {
        return false;
    }
    WordList of_library = runtime_flags(compiler);
    add(of_library, firmware::kLibraryFlags);
    add(of_library, WordList{"-isystem", (library / "include").string()});
    for (const std::string_view file : firmware::kLibraryRuntime) {
        if (!library.empty() &&
            !compile((firmware_folder() / "library" / file).string(), of_library)) {
            return false;
        }
    }
    for (const std::string& source : sources_) {
        if (is_linked(source)) {
            linked.push_back(source);
        } else if (!compile(source, flags_for(compiler, source, library))) {
            return false;
        }
    }

    WordList link{compiler.program()};
    add(link, firmware::kImageFlags);
    add(link, node_flags());
    add(link, firmware::kImageLinkFlags);
    add(link, flags_);
    add(link, WordList{"-T", (firmware_folder() / "image.ld").string(), "-o", image});
    link.emplace_back("-Wl,--start-group");
    add(link, linked);
    if (!library.empty()) {
        add(link, WordList{"-Wl,--wrap=main", (library / "lib" / "libc.a").string(),
                           (library / "lib" / "libm.a").string()});
    }
    link.emplace_back("-Wl,--end-group");
    return run_tool(std::move(link)) == 0;
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
    const CrossCompiler compiler;
    const auto cxx = std::find_if(sources_.begin(), sources_.end(), is_cxx);
    if (cxx != sources_.end() && !compiler.knows_cxx()) {
        throw running::RunFailure(running::kBadInput,
                                  *cxx +
                                      ": the cross compiler that is installed knows no C++; "
                                      "install it with: apt-get install "
                                      "g++-sparc64-linux-gnu");
    }
    NewFile file(image, "--output");
    const setup::TemporaryFolder objects("weir-compile");
    if (!make(compiler, file.unfinished_path(), objects.path())) {
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
