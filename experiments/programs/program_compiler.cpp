#include "experiments/programs/program_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "experiments/programs/c_library.h"
#include "experiments/programs/cross_compiler.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/setup/files/temporary_folder.h"
#include "firmware/sparcle/compiler_flags.h"
#include "firmware/sparcle/elf_image.h"

namespace weir::experiments::programs {

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

// True for a file that is linked without being compiled.
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

using WordList = std::vector<std::string>;

// Folders of the C library's headers. Weir's own come first: they replace some of newlib's.
WordList library_headers(const fs::path& library) {
    return {"-isystem", (firmware_folder() / "library" / "include").string(), "-isystem",
            (library / "include").string()};
}

// Compiles one program, with its objects in a temporary folder.
class ProgramCompiler {
  public:
    ProgramCompiler(const ProgramRequest& request, const CrossCompiler& compiler, fs::path objects)
        : request_(request),
          compiler_(compiler),
          objects_(std::move(objects)),
          library_(library()) {}

    // False where the compiler reports an error in a source or at the link.
    [[nodiscard]] bool make(const std::string& file) {
        return compile_runtime() && compile_sources() && link(file);
    }

  private:
    // Folder of the C library; empty for a program without it.
    [[nodiscard]] fs::path library() const;
    [[nodiscard]] bool asks_for_library() const;
    [[nodiscard]] WordList node_flags() const;
    [[nodiscard]] WordList runtime_flags() const;
    [[nodiscard]] WordList flags_for(const std::string& source, const fs::path& library) const;
    [[nodiscard]] bool compile(const fs::path& source, WordList words);
    [[nodiscard]] bool compile_all(const WordList& files, const fs::path& folder,
                                   const WordList& words);
    [[nodiscard]] bool compile_runtime();
    [[nodiscard]] bool compile_sources();
    [[nodiscard]] bool link(const std::string& file) const;

    const ProgramRequest& request_;
    const CrossCompiler& compiler_;
    fs::path objects_;
    fs::path library_;
    WordList linked_;  // objects and libraries to link, in this order
};

fs::path ProgramCompiler::library() const {
    if (!asks_for_library()) {
        return {};
    }
    if (request_.contexts && !request_.threads) {
        throw running::RunFailure(
            running::kBadInput,
            "--contexts: the program asks for the C library, which is not made for threads in "
            "hardware contexts; accepted: a program without it, or without --contexts");
    }
    WordList flags(firmware::kMachineFlags.begin(), firmware::kMachineFlags.end());
    add(flags, firmware::kLibraryFlags);
    add(flags, node_flags());
    add(flags, WordList{"-isystem", compiler_.headers()});
    return built_c_library(
        c_library_recipe(compiler_.program(), compiler_.version(), std::move(flags)));
}

bool ProgramCompiler::asks_for_library() const {
    return request_.library || request_.threads ||
           std::any_of(
               request_.sources.begin(), request_.sources.end(), [&](const std::string& file) {
                   return is_cxx(file) || (fs::path(file).extension() == ".c" &&
                                           compiler_.asks_for_library(file, flags_for(file, {})));
               });
}

WordList ProgramCompiler::node_flags() const {
    WordList words;
    if (request_.soft_float) {
        words.emplace_back("-msoft-float");
    }
    if (request_.contexts) {
        add(words, firmware::kContextFlags);
    }
    if (request_.threads) {
        add(words, firmware::kThreadFlags);
    }
    return words;
}

WordList ProgramCompiler::runtime_flags() const {
    WordList words(firmware::kImageFlags.begin(), firmware::kImageFlags.end());
    add(words, firmware::kCFlags);
    add(words, node_flags());
    add(words, WordList{"-isystem", compiler_.headers(), "-I" + running::data_folder().string()});
    return words;
}

WordList ProgramCompiler::flags_for(const std::string& source, const fs::path& library) const {
    WordList words(firmware::kImageFlags.begin(), firmware::kImageFlags.end());
    if (is_cxx(source)) {
        add(words, firmware::kCxxFlags);
    } else {
        add(words, firmware::kCFlags);
    }
    add(words, node_flags());
    for (const std::string& folder : request_.include_folders) {
        words.push_back("-I" + folder);
    }
    for (const std::string& definition : request_.definitions) {
        words.push_back("-D" + definition);
    }
    add(words, WordList{"-isystem", compiler_.headers()});
    if (library.empty()) {
        add(words, WordList{"-isystem", (firmware_folder() / "include").string()});
    } else {
        add(words, firmware::kLibraryFlags);
        add(words, library_headers(library));
        if (!is_cxx(source)) {
            words.emplace_back("-fhosted");
        }
    }
    words.push_back("-I" + running::data_folder().string());
    if (request_.shares_memory()) {
        add(words, firmware::kSharedFlags);
    }
    add(words, request_.flags);
    return words;
}

bool ProgramCompiler::compile(const fs::path& source, WordList words) {
    linked_.push_back((objects_ / fmt::format("{}.o", linked_.size())).string());
    words.insert(words.begin(), compiler_.program());
    words.insert(words.end(), {"-c", "-o", linked_.back(), source.string()});
    return running::run_tool(std::move(words), {}, kCompilerPackage) == 0;
}

bool ProgramCompiler::compile_all(const WordList& files, const fs::path& folder,
                                  const WordList& words) {
    return std::all_of(files.begin(), files.end(),
                       [&](const std::string& file) { return compile(folder / file, words); });
}

bool ProgramCompiler::compile_runtime() {
    WordList words = runtime_flags();
    add(words, WordList{"-isystem", (firmware_folder() / "include").string()});
    WordList files(firmware::kRuntime.begin(), firmware::kRuntime.end());
    if (!library_.empty()) {
        std::erase(files, "memory.c");  // the library defines the same functions
    }
    if (request_.shares_memory()) {
        add(files, firmware::kSharedRuntime);
    } else {
        add(files, firmware::kUnsharedRuntime);
    }
    if (!compile_all(files, firmware_folder(), words)) {
        return false;
    }
    if (library_.empty()) {
        return true;
    }
    words = runtime_flags();
    add(words, firmware::kLibraryFlags);
    add(words, library_headers(library_));
    files.assign(firmware::kLibraryRuntime.begin(), firmware::kLibraryRuntime.end());
    if (request_.threads) {
        add(files, firmware::kThreadRuntime);
    }
    return compile_all(files, firmware_folder() / "library", words);
}

bool ProgramCompiler::compile_sources() {
    return std::all_of(request_.sources.begin(), request_.sources.end(),
                       [&](const std::string& source) {
                           if (is_linked(source)) {
                               linked_.push_back(source);
                               return true;
                           }
                           return compile(source, flags_for(source, library_));
                       });
}

bool ProgramCompiler::link(const std::string& file) const {
    WordList words{compiler_.program()};
    add(words, firmware::kImageFlags);
    add(words, node_flags());
    add(words, firmware::kImageLinkFlags);
    add(words, request_.flags);
    add(words, WordList{"-T", (firmware_folder() / "image.ld").string(), "-o", file});
    words.emplace_back("-Wl,--start-group");
    add(words, linked_);
    if (!library_.empty()) {
        add(words, WordList{"-Wl,--wrap=main", (library_ / "lib" / "libc.a").string(),
                            (library_ / "lib" / "libm.a").string()});
    }
    words.emplace_back("-Wl,--end-group");
    return running::run_tool(std::move(words), {}, kCompilerPackage) == 0;
}

// Throws running::RunFailure for a C++ source where no C++ compiler is installed.
void check_languages(const std::vector<std::string>& sources, const CrossCompiler& compiler) {
    const auto cxx = std::find_if(sources.begin(), sources.end(), is_cxx);
    if (cxx != sources.end() && !compiler.knows_cxx()) {
        throw running::RunFailure(running::kBadInput,
                                  *cxx +
                                      ": the cross compiler that is installed knows no C++; "
                                      "install it with: apt-get install "
                                      "g++-sparc64-linux-gnu");
    }
}

}  // namespace

std::string ProgramRequest::default_image() const {
    return fs::path(sources.front()).filename().replace_extension(".elf").string();
}

void ProgramRequest::check(const std::string& image) const {
    std::for_each(sources.begin(), sources.end(), check_source);
    if (std::find(sources.begin(), sources.end(), image) != sources.end()) {
        throw running::RunFailure(running::kBadInput,
                                  image + " is a source; accepted: another name with --output");
    }
}

std::uint64_t compile_program(const ProgramRequest& request, const std::string& file,
                              const std::string& image) {
    const CrossCompiler compiler;
    check_languages(request.sources, compiler);
    const setup::TemporaryFolder objects("weir-compile");
    if (!ProgramCompiler(request, compiler, objects.path()).make(file)) {
        throw running::RunFailure(running::kBadInput,
                                  image + " is not made: the compiler has refused the program");
    }
    try {
        const auto checked = firmware::ElfImage::read_file(file);
        std::uint64_t bytes = 0;
        for (const auto& segment : checked.segments()) {
            bytes += segment.memory_bytes;
        }
        return bytes;
    } catch (const firmware::ImageFault& fault) {
        throw running::RunFailure(running::kBadInput, fault.what());
    }
}

}  // namespace weir::experiments::programs
