#include "experiments/programs/program_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "experiments/programs/c_library.h"
#include "experiments/programs/cross_compiler.h"
#include "experiments/programs/cxx_library.h"
#include "experiments/programs/link_errors.h"
#include "experiments/programs/object_kinds.h"
#include "experiments/programs/runtime_objects.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/setup/files/temporary_folder.h"
#include "firmware/sparcle/compiler_flags.h"
#include "firmware/sparcle/elf_image.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kLanguages{{
    {".c", "c"},
    {".i", "cpp-output"},
    {".cc", "c++"},
    {".cp", "c++"},
    {".cpp", "c++"},
    {".cxx", "c++"},
    {".c++", "c++"},
    {".C", "c++"},
    {".CPP", "c++"},
    {".ii", "c++-cpp-output"},
    {".S", "assembler-with-cpp"},
    {".s", "assembler"},
}};

fs::path firmware_folder() { return running::data_folder() / "firmware" / "sparcle"; }

template <class Words>
void add(std::vector<std::string>& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}

using WordList = std::vector<std::string>;

// Folders of the C library's headers. Weir's own come first: they replace some of newlib's.
WordList library_headers(const ProgramRequest& request, const fs::path& library) {
    WordList words;
    if (request.threads) {
        words = {"-isystem", (firmware_folder() / "threads" / "include").string()};
    }
    words.insert(words.end(), {"-isystem", (firmware_folder() / "library" / "include").string(),
                               "-isystem", (library / "include").string()});
    return words;
}

// Folders of a program's libraries; empty for a library that it is linked without.
struct LibraryFolders {
    fs::path c;
    fs::path cxx = {};
};

// Flags for the compiler, for all inputs of a request.
class CompilerFlags {
  public:
    CompilerFlags(const ProgramRequest& request, const CrossCompiler& compiler,
                  LibraryFolders libraries)
        : request_(request), compiler_(compiler), libraries_(std::move(libraries)) {}

    [[nodiscard]] const LibraryFolders& libraries() const { return libraries_; }
    // Whether the program runs once in each context.
    [[nodiscard]] bool has_ranks() const {
        return request_.contexts && !request_.threads && !libraries_.c.empty();
    }
    // Flags of the machine, without those of a language.
    [[nodiscard]] WordList machine() const;
    [[nodiscard]] WordList runtime() const;
    [[nodiscard]] WordList library_runtime() const;
    [[nodiscard]] WordList input(const ProgramInput& input) const;

  private:
    [[nodiscard]] WordList runtime_in_c() const;

    const ProgramRequest& request_;
    const CrossCompiler& compiler_;
    LibraryFolders libraries_;
};

WordList node_flags(const ProgramRequest& request) {
    WordList words;
    if (request.soft_float) {
        words.emplace_back("-msoft-float");
    }
    if (request.contexts) {
        add(words, firmware::kContextFlags);
    }
    if (request.threads) {
        add(words, firmware::kThreadFlags);
    }
    return words;
}

WordList CompilerFlags::machine() const {
    WordList words(firmware::kImageFlags.begin(), firmware::kImageFlags.end());
    add(words, node_flags(request_));
    if (has_ranks()) {
        add(words, firmware::kRankFlags);
    }
    return words;
}

WordList CompilerFlags::runtime_in_c() const {
    WordList words = machine();
    add(words, firmware::kCFlags);
    add(words, WordList{"-isystem", compiler_.headers(), "-I" + running::data_folder().string()});
    if (request_.shares_memory()) {
        words.emplace_back("-DWEIR_SHARED_MEMORY");
    }
    return words;
}

WordList CompilerFlags::runtime() const {
    WordList words = runtime_in_c();
    add(words, WordList{"-isystem", (firmware_folder() / "include").string()});
    return words;
}

WordList CompilerFlags::library_runtime() const {
    WordList words = runtime_in_c();
    add(words, firmware::kLibraryFlags);
    add(words, library_headers(request_, libraries_.c));
    return words;
}

WordList CompilerFlags::input(const ProgramInput& input) const {
    WordList words = machine();
    if (!request_.has_own_warnings) {
        std::erase(words, "-Wall");
        std::erase(words, "-Wextra");
    }
    if (input.is_cxx() && !libraries_.cxx.empty()) {
        add(words, firmware::kCxxLibraryFlags);
        add(words, cxx_header_flags(libraries_.cxx));
    } else if (input.is_cxx()) {
        add(words, firmware::kCxxFlags);
    } else if (input.is_c()) {
        add(words, firmware::kCFlags);
    }
    for (const std::string& folder : request_.include_folders) {
        words.push_back("-I" + folder);
    }
    for (const std::string& definition : request_.definitions) {
        words.push_back("-D" + definition);
    }
    add(words, WordList{"-isystem", compiler_.headers()});
    if (libraries_.c.empty()) {
        add(words, WordList{"-isystem", (firmware_folder() / "include").string()});
    } else {
        add(words, firmware::kLibraryFlags);
        add(words, library_headers(request_, libraries_.c));
        if (!input.is_cxx()) {
            words.emplace_back("-fhosted");
        }
    }
    if (request_.shares_memory()) {
        add(words, firmware::kSharedFlags);
    }
    add(words, request_.flags);
    words.push_back("-I" + running::data_folder().string());
    words.push_back(mark_of_kind(request_));
    return words;
}

// Flags with which the libraries for programs of this kind are built.
WordList library_build_flags(const ProgramRequest& request, const CrossCompiler& compiler) {
    WordList flags(firmware::kMachineFlags.begin(), firmware::kMachineFlags.end());
    add(flags, firmware::kLibraryFlags);
    add(flags, node_flags(request));
    add(flags, WordList{"-isystem", compiler.headers()});
    return flags;
}

// Folder of the C library for programs of this kind; builds the library if it is missing.
fs::path c_library_for(const ProgramRequest& request, const CrossCompiler& compiler) {
    if (request.contexts && request.shared_memory && !request.threads) {
        throw running::RunFailure(
            running::kBadInput,
            "--contexts --shared-memory: the program asks for the C library, with which each "
            "context runs a process; accepted: --threads --contexts, --contexts alone, or no "
            "library");
    }
    return built_library(c_library_recipe(compiler.program(), compiler.version(),
                                          library_build_flags(request, compiler)));
}

// The same for the C++ library, whose headers include those of the C library.
fs::path cxx_library_for(const ProgramRequest& request, const CrossCompiler& compiler,
                         const fs::path& c_library) {
    WordList flags = library_build_flags(request, compiler);
    add(flags, WordList{"-isystem", (c_library / "include").string()});
    return built_library(cxx_library_recipe(compiler, std::move(flags)));
}

// Flags for a question about the headers of an input, with the headers of no library.
WordList question_flags(const ProgramRequest& request, const CrossCompiler& compiler,
                        const ProgramInput& input) {
    WordList words = CompilerFlags(request, compiler, {}).input(input);
    add(words, WordList{"-x", input.language});
    return words;
}

bool asks_for_c_library(const ProgramRequest& request, const CrossCompiler& compiler) {
    if (request.library != LibraryUse::kAsNeeded) {
        return request.library == LibraryUse::kAlways;
    }
    return request.threads || request.cxx_library ||
           std::any_of(request.inputs.begin(), request.inputs.end(),
                       [&](const ProgramInput& input) {
                           return input.is_cxx() ||
                                  (input.language == "c" &&
                                   compiler.asks_for_library(
                                       input.word, question_flags(request, compiler, input)));
                       });
}

// Throws running::RunFailure for a program with threads that includes a header of the library.
bool asks_for_cxx_library(const ProgramRequest& request, const CrossCompiler& compiler) {
    if (request.library == LibraryUse::kNever) {
        return false;
    }
    const bool has_threads = request.threads || request.contexts;
    if (request.cxx_library && !has_threads) {
        return true;
    }
    const auto needs_it = [&](const ProgramInput& input) {
        if (!input.is_cxx()) {
            return false;
        }
        if (request.library == LibraryUse::kAlways && !has_threads) {
            return true;
        }
        return input.word != "-" &&  // the standard input can be read only once
               compiler.asks_for_cxx_library(input.word, question_flags(request, compiler, input));
    };
    const auto found = std::find_if(request.inputs.begin(), request.inputs.end(), needs_it);
    if (found != request.inputs.end() && has_threads) {
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("{}: C++ programs with the standard library have no threads; accepted: "
                        "without {}",
                        found->word, request.threads ? "--threads" : "--contexts"));
    }
    return found != request.inputs.end();
}

CompilerFlags flags_for(const ProgramRequest& request, const CrossCompiler& compiler) {
    LibraryFolders libraries;
    const bool has_cxx_library = asks_for_cxx_library(request, compiler);
    if (asks_for_c_library(request, compiler)) {
        libraries.c = c_library_for(request, compiler);
    }
    if (has_cxx_library) {
        libraries.cxx = cxx_library_for(request, compiler, libraries.c);
    }
    return {request, compiler, std::move(libraries)};
}

// Runs the compiler on one input; returns false where it reports an error.
bool run_compiler(const CrossCompiler& compiler, const CompilerFlags& flags,
                  const ProgramInput& input, const WordList& more) {
    WordList words{compiler.program()};
    add(words, flags.input(input));
    add(words, more);
    add(words, WordList{"-x", input.language, input.word});
    return running::run_tool(std::move(words), {}, kCompilerPackage) == 0;
}

// Compiles one program, with its objects in a temporary folder.
class ProgramCompiler {
  public:
    ProgramCompiler(const ProgramRequest& request, const CrossCompiler& compiler, fs::path objects)
        : request_(request),
          compiler_(compiler),
          objects_(std::move(objects)),
          flags_(flags_for(request, compiler)) {}

    // Throws running::RunFailure where the compiler reports an error in a source or at the link.
    // Messages name the file by `image`.
    void make(const std::string& file, const std::string& image);

  private:
    [[nodiscard]] bool has_library() const { return !flags_.libraries().c.empty(); }
    [[nodiscard]] bool has_cxx_library() const { return !flags_.libraries().cxx.empty(); }
    void add_runtime();
    void add_objects(const WordList& files, const fs::path& folder, WordList flags);
    [[nodiscard]] bool compile_inputs();
    void link(const std::string& file, const std::string& image) const;

    const ProgramRequest& request_;
    const CrossCompiler& compiler_;
    fs::path objects_;
    CompilerFlags flags_;
    WordList linked_;  // objects, libraries and words for the linker, in this order
};

void ProgramCompiler::make(const std::string& file, const std::string& image) {
    check_kinds(request_, compiler_.program(), objects_ / "symbols");
    add_runtime();
    if (!compile_inputs()) {
        throw running::RunFailure(running::kBadInput,
                                  image + " is not made: the compiler has refused the program");
    }
    link(file, image);
}

void ProgramCompiler::add_objects(const WordList& files, const fs::path& folder, WordList flags) {
    RuntimeRequest request{.compiler = compiler_.program(),
                           .compiler_version = compiler_.version(),
                           .flags = std::move(flags)};
    std::transform(files.begin(), files.end(), std::back_inserter(request.sources),
                   [&](const std::string& file) { return folder / file; });
    // threads.ld knows the runtime's objects by the folder's name.
    const fs::path unkept = objects_ / "weir-runtime" / folder.filename();
    fs::create_directories(unkept);
    add(linked_, runtime_objects(request, unkept));
}

void ProgramCompiler::add_runtime() {
    WordList files(firmware::kRuntime.begin(), firmware::kRuntime.end());
    if (has_library()) {
        std::erase(files, "memory.c");  // the library defines the same functions
    }
    if (request_.shares_memory()) {
        add(files, firmware::kSharedRuntime);
    } else {
        add(files, firmware::kUnsharedRuntime);
    }
    add_objects(files, firmware_folder(), flags_.runtime());
    if (!has_library()) {
        return;
    }
    files.assign(firmware::kLibraryRuntime.begin(), firmware::kLibraryRuntime.end());
    if (request_.threads) {
        add_objects(WordList(firmware::kThreadRuntime.begin(), firmware::kThreadRuntime.end()),
                    firmware_folder() / "threads", flags_.library_runtime());
    } else {
        add(files, firmware::kNodeLibraryRuntime);
    }
    if (flags_.has_ranks()) {
        add(files, firmware::kRankLibraryRuntime);
    }
    if (has_cxx_library()) {
        std::erase(files, "operators.c");  // the C++ library defines the same functions
        add(files, firmware::kCxxRuntime);
    }
    add_objects(files, firmware_folder() / "library", flags_.library_runtime());
}

bool ProgramCompiler::compile_inputs() {
    for (std::size_t i = 0; i < request_.inputs.size(); ++i) {
        const ProgramInput& input = request_.inputs[i];
        if (input.language.empty()) {
            linked_.push_back(input.word);
            continue;
        }
        linked_.push_back((objects_ / fmt::format("{}.o", i)).string());
        if (!run_compiler(compiler_, flags_, input, {"-c", "-o", linked_.back()})) {
            return false;
        }
    }
    return true;
}

void ProgramCompiler::link(const std::string& file, const std::string& image) const {
    WordList words{compiler_.program()};
    add(words, flags_.machine());
    add(words, firmware::kImageLinkFlags);
    add(words, request_.flags);
    const fs::path layout = request_.threads ? fs::path("threads") / "threads.ld" : "image.ld";
    add(words, WordList{"-T", (firmware_folder() / layout).string(), "-o", file});
    if (flags_.has_ranks()) {
        // For copies of the program at other addresses (rank_copies.h).
        add(words, WordList{"-Wl,--emit-relocs", "-mno-relax"});
    }
    if (request_.threads) {
        // Marker, not an address: the nodes of such a program are one process (host_call.h).
        words.emplace_back("-Wl,--defsym=weir_one_process=-1");
    }
    words.emplace_back("-Wl,--start-group");
    add(words, linked_);
    if (has_cxx_library()) {
        add(words, cxx_archives(flags_.libraries().cxx));
    }
    if (has_library()) {
        const fs::path archives = flags_.libraries().c / "lib";
        add(words, WordList{"-Wl,--wrap=main", (archives / "libc.a").string(),
                            (archives / "libm.a").string()});
    }
    words.emplace_back("-Wl,--end-group");
    const fs::path messages = objects_ / "messages";
    const int status = running::run_tool(std::move(words), {}, kCompilerPackage, messages);
    const LinkErrors errors =
        read_link_errors(records::text_of_file(messages), {.threads = request_.threads,
                                                           .c_library = has_library(),
                                                           .cxx_library = has_cxx_library()});
    std::cerr << errors.other;
    for (const std::string& message : errors.undefined) {
        std::cerr << "weir: " << message << "\n";
    }
    if (status != 0) {
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("{} is not made: {}", image,
                        errors.undefined.empty()
                            ? "the linker has refused the program"
                            : fmt::format("undefined names: {}", errors.undefined.size())));
    }
}

// Throws running::RunFailure for C++ where no C++ compiler is installed.
void check_languages(const std::vector<ProgramInput>& inputs, const CrossCompiler& compiler) {
    const auto cxx = std::find_if(inputs.begin(), inputs.end(),
                                  [](const ProgramInput& input) { return input.is_cxx(); });
    if (cxx != inputs.end() && !compiler.knows_cxx()) {
        throw running::RunFailure(running::kBadInput,
                                  cxx->word +
                                      ": the cross compiler that is installed knows no C++; "
                                      "install it with: apt-get install "
                                      "g++-sparc64-linux-gnu");
    }
}

}  // namespace

std::string language_of(std::string_view file) {
    const std::string extension = fs::path(file).extension().string();
    const auto* const found =
        std::find_if(kLanguages.begin(), kLanguages.end(),
                     [&](const auto& language) { return language.first == extension; });
    return std::string(found == kLanguages.end() ? "" : found->second);
}

bool is_language(std::string_view name) {
    return std::any_of(kLanguages.begin(), kLanguages.end(),
                       [&](const auto& language) { return language.second == name; });
}

std::vector<ProgramInput> inputs_of(const std::vector<std::string>& files) {
    constexpr const char* kAccepted =
        "; accepted: files of C (.c), C++ (.cpp), assembly (.S), objects (.o) or libraries (.a)";
    std::vector<ProgramInput> inputs;
    for (const std::string& file : files) {
        std::string language = language_of(file);
        if (language.empty() && !file.ends_with(".o") && !file.ends_with(".a")) {
            throw running::RunFailure(running::kBadInput, file + ": of no known kind" + kAccepted);
        }
        std::error_code unknown;
        if (!fs::is_regular_file(file, unknown)) {
            throw running::RunFailure(running::kBadInput,
                                      file + ": there is no such file" + kAccepted);
        }
        inputs.push_back({.word = file, .language = std::move(language)});
    }
    return inputs;
}

std::string ProgramRequest::default_image() const {
    return fs::path(inputs.front().word).filename().replace_extension(".elf").string();
}

void ProgramRequest::check(const std::string& image) const {
    if (std::any_of(inputs.begin(), inputs.end(), [&](const ProgramInput& input) {
            return input.is_file && input.word == image;
        })) {
        throw running::RunFailure(running::kBadInput,
                                  image + " is a source; accepted: another name with --output");
    }
}

std::uint64_t compile_program(const ProgramRequest& request, const std::string& file,
                              const std::string& image) {
    const CrossCompiler compiler;
    check_languages(request.inputs, compiler);
    const setup::TemporaryFolder objects("weir-compile");
    ProgramCompiler(request, compiler, objects.path()).make(file, image);
    try {
        const auto checked = firmware::ElfImage::read_file(file);
        std::uint64_t bytes = 0;
        for (const auto& segment : checked.segments()) {
            bytes += segment.is_shared() ? 0 : segment.memory_bytes;
        }
        return bytes;
    } catch (const firmware::ImageFault& fault) {
        throw running::RunFailure(running::kBadInput, fault.what());
    }
}

void compile_input(const ProgramRequest& request, const ProgramInput& input,
                   const std::vector<std::string>& words) {
    const CrossCompiler compiler;
    check_languages({input}, compiler);
    if (!run_compiler(compiler, flags_for(request, compiler), input, words)) {
        throw running::RunFailure(running::kBadInput,
                                  input.word + ": the compiler has refused the file");
    }
}

void ask_compiler(const std::vector<std::string>& question) {
    std::vector<std::string> words{CrossCompiler().program(), "-m32", "-mcpu=v7"};
    words.insert(words.end(), question.begin(), question.end());
    if (running::run_tool(std::move(words), {}, kCompilerPackage) != 0) {
        throw running::RunFailure(running::kBadInput,
                                  question.front() + ": the compiler has refused the question");
    }
}

}  // namespace weir::experiments::programs
