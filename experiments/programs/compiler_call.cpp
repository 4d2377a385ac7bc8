#include "experiments/programs/compiler_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "experiments/records/run_file.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

namespace {

// Position of an option's value.
enum class Value {
    kNone,    // the option has no value
    kJoined,  // rest of the word, may be empty: -O2
    kNext,    // next word: -include FILE
    kEither,  // rest of the word, or the next word if there is none: -I FOLDER
};

// Effect of an option.
enum class Effect {
    kFlag,     // passed to the compiler
    kLink,     // passed to the linker, at its place among the inputs
    kLinker,   // as kLink, without words that a static program does not need
    kLibrary,  // -l: passed to the linker, except for libraries that every program has
    kQuestion,
    kResult,  // last step of the call
    kOutput,
    kLanguage,
    kSoftFloat,
    kContexts,
    kSharedMemory,
    kThreads,
    kNoLibrary,
    kIgnored,
    kRefused,
};

struct Option {
    std::string_view name;
    Value value;
    Effect effect;
    std::string_view reason = {};  // why the option is ignored or refused
};

constexpr std::string_view kStatic = "programs are static; accepted: static libraries, made by ar";
constexpr std::string_view kV7 =
    "a Sparcle node executes SPARC V7; accepted: -mcpu=v7, -mtune=CPU, -msoft-float";
constexpr std::string_view kLayout =
    "the memory of a node has a fixed layout (firmware/sparcle/image.ld); accepted: programs "
    "without a layout of their own";
constexpr std::string_view kMeasured =
    "programs have no instrumentation; accepted: weir profile, which counts instructions";

// The first option whose name matches counts.
constexpr std::array kOptions{
    // Weir's own
    Option{"--threads", Value::kNone, Effect::kThreads},
    Option{"--contexts", Value::kNone, Effect::kContexts},
    Option{"--shared-memory", Value::kNone, Effect::kSharedMemory},
    Option{"--soft-float", Value::kNone, Effect::kSoftFloat},
    Option{"-pthread", Value::kNone, Effect::kThreads},
    Option{"-msoft-float", Value::kNone, Effect::kSoftFloat},
    Option{"-mno-fpu", Value::kNone, Effect::kSoftFloat},
    // Result
    Option{"-c", Value::kNone, Effect::kResult},
    Option{"-S", Value::kNone, Effect::kResult},
    Option{"-E", Value::kNone, Effect::kResult},
    Option{"-M", Value::kNone, Effect::kResult},
    Option{"-MM", Value::kNone, Effect::kResult},
    Option{"--help", Value::kNone, Effect::kResult},
    Option{"-o", Value::kEither, Effect::kOutput},
    Option{"-x", Value::kEither, Effect::kLanguage},
    Option{"--version", Value::kNone, Effect::kQuestion},
    Option{"-v", Value::kNone, Effect::kFlag},
    Option{"-###", Value::kNone, Effect::kQuestion},
    Option{"-V", Value::kNone, Effect::kQuestion},
    Option{"-qversion", Value::kNone, Effect::kRefused, "an option of other compilers"},
    Option{"-print-", Value::kJoined, Effect::kQuestion},
    Option{"--print-", Value::kJoined, Effect::kQuestion},
    Option{"-dumpversion", Value::kNone, Effect::kQuestion},
    Option{"-dumpfullversion", Value::kNone, Effect::kQuestion},
    Option{"-dumpmachine", Value::kNone, Effect::kQuestion},
    Option{"-dumpspecs", Value::kNone, Effect::kQuestion},
    // Preprocessor
    Option{"-include", Value::kNext, Effect::kFlag},
    Option{"-imacros", Value::kNext, Effect::kFlag},
    Option{"-isystem", Value::kEither, Effect::kFlag},
    Option{"-iquote", Value::kEither, Effect::kFlag},
    Option{"-idirafter", Value::kEither, Effect::kFlag},
    Option{"-isysroot", Value::kNext, Effect::kIgnored},
    Option{"-I", Value::kEither, Effect::kFlag},
    Option{"-D", Value::kEither, Effect::kFlag},
    Option{"-U", Value::kEither, Effect::kFlag},
    Option{"-MD", Value::kNone, Effect::kFlag},
    Option{"-MMD", Value::kNone, Effect::kFlag},
    Option{"-MG", Value::kNone, Effect::kFlag},
    Option{"-MP", Value::kNone, Effect::kFlag},
    Option{"-MF", Value::kEither, Effect::kFlag},
    Option{"-MT", Value::kEither, Effect::kFlag},
    Option{"-MQ", Value::kEither, Effect::kFlag},
    Option{"-C", Value::kNone, Effect::kFlag},
    Option{"-CC", Value::kNone, Effect::kFlag},
    Option{"-P", Value::kNone, Effect::kFlag},
    Option{"-H", Value::kNone, Effect::kFlag},
    Option{"-dM", Value::kNone, Effect::kFlag},
    Option{"-dD", Value::kNone, Effect::kFlag},
    Option{"-dN", Value::kNone, Effect::kFlag},
    Option{"-dI", Value::kNone, Effect::kFlag},
    Option{"-undef", Value::kNone, Effect::kFlag},
    Option{"-nostdinc", Value::kNone, Effect::kIgnored,
           "the only headers are the compiler's and the C library's"},
    Option{"-nostdinc++", Value::kNone, Effect::kFlag},
    Option{"-trigraphs", Value::kNone, Effect::kFlag},
    Option{"-traditional-cpp", Value::kNone, Effect::kFlag},
    Option{"-Wp,", Value::kJoined, Effect::kFlag},
    Option{"-Xpreprocessor", Value::kNext, Effect::kFlag},
    Option{"-Wa,", Value::kJoined, Effect::kFlag},
    Option{"-Xassembler", Value::kNext, Effect::kFlag},
    // Linker
    Option{"-Wl,", Value::kJoined, Effect::kLinker},
    Option{"-Xlinker", Value::kNext, Effect::kLinker},
    Option{"-L", Value::kEither, Effect::kLink},
    Option{"-l", Value::kEither, Effect::kLibrary},
    Option{"-u", Value::kEither, Effect::kLink},
    Option{"-z", Value::kEither, Effect::kLink},
    Option{"-nostdlib", Value::kNone, Effect::kNoLibrary},
    Option{"-nodefaultlibs", Value::kNone, Effect::kNoLibrary},
    Option{"-nostartfiles", Value::kNone, Effect::kRefused,
           "a program begins with Weir's trap table and start; accepted: -nostdlib, for a program "
           "without the C library"},
    Option{"-static", Value::kNone, Effect::kIgnored, "every program is static"},
    Option{"-static-libgcc", Value::kNone, Effect::kIgnored, "every program is static"},
    Option{"-static-libstdc++", Value::kNone, Effect::kIgnored, "every program is static"},
    Option{"-rdynamic", Value::kNone, Effect::kIgnored, "every program is static"},
    Option{"-pie", Value::kNone, Effect::kIgnored, "a program's addresses are fixed"},
    Option{"-no-pie", Value::kNone, Effect::kIgnored, "a program's addresses are fixed"},
    Option{"-s", Value::kNone, Effect::kIgnored, "the emulator uses a program's symbols"},
    Option{"-shared", Value::kNone, Effect::kRefused, kStatic},
    Option{"-T", Value::kEither, Effect::kRefused, kLayout},
    Option{"-B", Value::kEither, Effect::kRefused,
           "the compiler is fixed; accepted: calls without -B"},
    // Code
    Option{"-O", Value::kJoined, Effect::kFlag},
    Option{"-gsplit-dwarf", Value::kNone, Effect::kIgnored, "lines are read from the program"},
    Option{"-g", Value::kJoined, Effect::kFlag},
    Option{"-std=", Value::kJoined, Effect::kFlag},
    Option{"--std=", Value::kJoined, Effect::kFlag},
    Option{"-ansi", Value::kNone, Effect::kFlag},
    Option{"-pedantic", Value::kJoined, Effect::kFlag},
    Option{"-W", Value::kJoined, Effect::kFlag},
    Option{"-w", Value::kNone, Effect::kFlag},
    Option{"-pipe", Value::kNone, Effect::kFlag},
    Option{"--param", Value::kEither, Effect::kFlag},
    Option{"-save-temps", Value::kJoined, Effect::kFlag},
    Option{"-fPIC", Value::kNone, Effect::kIgnored, "a program's addresses are fixed"},
    Option{"-fpic", Value::kNone, Effect::kIgnored, "a program's addresses are fixed"},
    Option{"-fPIE", Value::kNone, Effect::kIgnored, "a program's addresses are fixed"},
    Option{"-fpie", Value::kNone, Effect::kIgnored, "a program's addresses are fixed"},
    Option{"-flto", Value::kJoined, Effect::kIgnored, "objects have machine code only"},
    Option{"-fuse-ld=", Value::kJoined, Effect::kIgnored, "the cross linker is used"},
    Option{"-fstack-protector", Value::kJoined, Effect::kIgnored,
           "the emulator reports an overflow of the stack"},
    Option{"-fstack-clash-protection", Value::kNone, Effect::kIgnored,
           "the emulator reports an overflow of the stack"},
    Option{"-fcf-protection", Value::kJoined, Effect::kIgnored, "an option of other processors"},
    Option{"-fopenmp", Value::kJoined, Effect::kRefused,
           "there is no OpenMP library; accepted: pthread.h with --threads, mpi.h"},
    Option{"-fsanitize=", Value::kJoined, Effect::kRefused, kMeasured},
    Option{"-fprofile-generate", Value::kJoined, Effect::kRefused, kMeasured},
    Option{"-fprofile-arcs", Value::kNone, Effect::kRefused, kMeasured},
    Option{"-ftest-coverage", Value::kNone, Effect::kRefused, kMeasured},
    Option{"--coverage", Value::kNone, Effect::kRefused, kMeasured},
    Option{"-pg", Value::kNone, Effect::kRefused, kMeasured},
    Option{"-p", Value::kNone, Effect::kRefused, kMeasured},
    Option{"-fplugin", Value::kJoined, Effect::kRefused,
           "the compiler is fixed; accepted: calls without plug-ins"},
    Option{"-f", Value::kJoined, Effect::kFlag},  // the compiler refuses unknown ones
    Option{"-m32", Value::kNone, Effect::kIgnored, "a node has 32 bits"},
    Option{"-mcpu=v7", Value::kNone, Effect::kIgnored, "the nodes' processor"},
    Option{"-mcpu=cypress", Value::kNone, Effect::kIgnored, "the nodes' processor"},
    Option{"-mtune=", Value::kJoined, Effect::kFlag},
    Option{"-mhard-float", Value::kNone, Effect::kIgnored, "the default"},
    Option{"-mfpu", Value::kNone, Effect::kIgnored, "the default"},
    Option{"-m64", Value::kNone, Effect::kRefused,
           "a node has 32 bits; accepted: -m32, which is the default"},
    Option{"-m", Value::kJoined, Effect::kRefused, kV7},
};

// Names of the C++ library's parts: "-lstdc++".
constexpr std::array<std::string_view, 3> kCxxLibraries{"stdc++", "supc++", "gcc_eh"};

// Libraries that every program has, or whose functions are in its C library.
constexpr std::array<std::string_view, 12> kOwnLibraries{
    "c", "m", "pthread", "rt", "dl", "gcc", "gcc_s", "g", "util", "mpi", "atomic", "nosys"};

std::string language_for_call(const std::string& file, bool is_cxx) {
    const std::string language = language_of(file);
    if (is_cxx && language == "c") {
        return "c++";
    }
    return is_cxx && language == "cpp-output" ? "c++-cpp-output" : language;
}

bool matches(const Option& option, std::string_view word) {
    return option.value == Value::kJoined || option.value == Value::kEither
               ? word.starts_with(option.name)
               : word == option.name;
}

// Words of a file for @FILE: separated by blanks, with quotes and backslashes.
std::vector<std::string> words_in(const std::string& text) {
    std::vector<std::string> words;
    bool is_in_word = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char character = text[i];
        const bool is_blank = std::isspace(static_cast<unsigned char>(character)) != 0;
        if (quote == '\0' && is_blank) {
            is_in_word = false;
            continue;
        }
        if (!is_in_word) {
            words.emplace_back();
            is_in_word = true;
        }
        if (character == '\\' && i + 1 < text.size()) {
            words.back() += text[++i];
        } else if (quote == character) {
            quote = '\0';
        } else if (quote == '\0' && (character == '"' || character == '\'')) {
            quote = character;
        } else {
            words.back() += character;
        }
    }
    return words;
}

class CallReader {
  public:
    CallReader(std::vector<std::string> words, bool is_cxx)
        : words_(std::move(words)), is_cxx_(is_cxx) {
        call_.request.library = LibraryUse::kAlways;
        call_.request.cxx_library = is_cxx;
        call_.request.has_own_warnings = false;
    }

    CompilerCall read() {
        while (next_ < words_.size()) {
            const std::string word = words_[next_++];
            if (word.starts_with('@') && is_file(word.substr(1))) {
                insert_words_of(word.substr(1));
            } else if (word.size() > 1 && word.starts_with('-')) {
                read_option(word);
            } else {
                add_input(word);
            }
        }
        check();
        return std::move(call_);
    }

  private:
    static bool is_file(const std::string& name) {
        std::error_code unknown;
        return fs::is_regular_file(name, unknown);
    }

    void insert_words_of(const std::string& file) {
        constexpr std::size_t kMostWords = 1'000'000;
        const std::vector<std::string> more = words_in(records::text_of_file(file));
        if (words_.size() + more.size() > kMostWords) {
            throw setup::UserFault({"@" + file}, "the command line has too many words",
                                   fmt::format("at most {}", kMostWords));
        }
        words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(next_), more.begin(),
                      more.end());
    }

    void read_option(const std::string& word);
    void apply(const Option& option, const std::string& word,
               const std::optional<std::string>& value);
    void set_result(std::string_view name);
    void add_linker_words(const std::string& value);
    void add_library(const std::string& name, const std::string& word);
    void add_input(const std::string& file);
    void check() const;
    void link(const std::string& word) {
        call_.request.inputs.push_back({.word = word, .is_file = false});
    }

    std::vector<std::string> words_;
    std::size_t next_ = 0;
    bool is_cxx_;
    bool skips_linker_word_ = false;  // the next word for the linker is a dropped option's value
    std::string language_;            // operand of -x; empty: by the name's ending
    CompilerCall call_;
};

void CallReader::read_option(const std::string& word) {
    const auto* const option = std::find_if(
        kOptions.begin(), kOptions.end(), [&](const Option& each) { return matches(each, word); });
    if (option == kOptions.end()) {
        std::vector<std::string> names;
        std::transform(kOptions.begin(), kOptions.end(), std::back_inserter(names),
                       [](const Option& each) { return std::string(each.name); });
        throw setup::UserFault({word}, "unknown option", "the options that weir-cc --help lists",
                               setup::nearest_name(word, names));
    }
    std::optional<std::string> value;
    const bool has_joined_value = word.size() > option->name.size();
    if (option->value == Value::kNext || (option->value == Value::kEither && !has_joined_value)) {
        if (next_ == words_.size()) {
            throw setup::UserFault({word}, "its value is missing", "a word behind it");
        }
        value = words_[next_++];
    }
    apply(*option, word, value);
}

void CallReader::apply(const Option& option, const std::string& word,
                       const std::optional<std::string>& value) {
    const std::string text = value ? *value : word.substr(option.name.size());
    ProgramRequest& request = call_.request;
    switch (option.effect) {
        case Effect::kFlag:
            request.flags.push_back(word);
            if (value) {
                request.flags.push_back(*value);
            }
            break;
        case Effect::kLink:
            link(word);
            if (value) {
                link(*value);
            }
            break;
        case Effect::kLinker:
            add_linker_words(text);
            break;
        case Effect::kLibrary:
            add_library(text, "-l" + text);
            break;
        case Effect::kQuestion:
            call_.question.push_back(word);
            break;
        case Effect::kResult:
            set_result(word);
            break;
        case Effect::kOutput:
            call_.output = text;
            break;
        case Effect::kLanguage:
            if (text != "none" && !is_language(text)) {
                throw setup::UserFault({"-x"}, "found \"" + text + "\"",
                                       "c, c++, assembler, assembler-with-cpp, cpp-output, "
                                       "c++-cpp-output or none");
            }
            language_ = text == "none" ? "" : text;
            break;
        case Effect::kSoftFloat:
            request.soft_float = true;
            break;
        case Effect::kContexts:
            request.contexts = true;
            break;
        case Effect::kSharedMemory:
            request.shared_memory = true;
            break;
        case Effect::kThreads:
            request.threads = true;
            break;
        case Effect::kNoLibrary:
            request.library = LibraryUse::kNever;
            break;
        case Effect::kIgnored:
            break;
        case Effect::kRefused:
            throw setup::UserFault(fmt::format("{}: {}", word, option.reason));
    }
}

// The earliest step counts, as in gcc: -E before -S before -c.
void CallReader::set_result(std::string_view name) {
    using Result = CompilerCall::Result;
    Result result = Result::kText;
    if (name == "--help") {
        result = Result::kHelp;
    } else if (name == "-S") {
        result = Result::kAssembly;
    } else if (name == "-c") {
        result = Result::kObjects;
    } else {
        call_.request.flags.emplace_back(name);
    }
    call_.result = std::min(call_.result, result);
}

// Words for the linker, separated by commas. A static program needs no paths or names of dynamic
// libraries; all inputs are in one group; and symbols must stay.
void CallReader::add_linker_words(const std::string& value) {
    static constexpr std::array<std::string_view, 12> kDropped{
        "--start-group", "--end-group",  "-(",  "-)",         "-s", "--strip-all",
        "-Bdynamic",     "-call_shared", "-dy", "-Bsymbolic", "-S", "--strip-debug"};
    static constexpr std::array<std::string_view, 7> kDroppedWithValue{
        "-rpath", "--rpath", "-rpath-link", "--rpath-link", "-soname", "-h", "--dynamic-linker"};
    std::size_t begin = 0;
    while (begin <= value.size()) {
        const std::size_t end = std::min(value.find(',', begin), value.size());
        const std::string word = value.substr(begin, end - begin);
        begin = end + 1;
        const std::string name = word.substr(0, word.find('='));
        if (std::exchange(skips_linker_word_, false) || word.empty() ||
            std::find(kDropped.begin(), kDropped.end(), word) != kDropped.end()) {
            continue;
        }
        if (std::find(kDroppedWithValue.begin(), kDroppedWithValue.end(), name) !=
            kDroppedWithValue.end()) {
            skips_linker_word_ = name == word;
            continue;
        }
        if (word == "-shared" || word == "-Bshareable") {
            throw setup::UserFault(fmt::format("-Wl,{}: {}", word, kStatic));
        }
        if (name == "-T" || name == "--script" || name.starts_with("-Ttext") ||
            name.starts_with("-Tdata") || name.starts_with("-Tbss")) {
            throw setup::UserFault(fmt::format("-Wl,{}: {}", word, kLayout));
        }
        link("-Xlinker");
        link(word);
    }
}

void CallReader::add_library(const std::string& name, const std::string& word) {
    const auto is_among = [&name](const auto& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_among(kCxxLibraries)) {
        call_.request.cxx_library = true;
    } else if (!is_among(kOwnLibraries)) {
        link(word);
    }
}

void CallReader::add_input(const std::string& file) {
    const bool is_standard_input = file == "-";
    if (!is_standard_input && !is_file(file)) {
        throw setup::UserFault({file}, "there is no such file",
                               "sources, objects (.o), libraries (.a) and options");
    }
    if (file.ends_with(".so") || file.find(".so.") != std::string::npos) {
        throw setup::UserFault({file}, "a dynamic library, which no node can load",
                               "static libraries (.a)");
    }
    std::string language = language_.empty() ? language_for_call(file, is_cxx_) : language_;
    if (is_standard_input && language.empty()) {
        language = is_cxx_ ? "c++" : "c";
    }
    call_.request.inputs.push_back({.word = file, .language = std::move(language)});
}

void CallReader::check() const {
    using Result = CompilerCall::Result;
    const std::vector<ProgramInput>& inputs = call_.request.inputs;
    if (call_.result == Result::kHelp || !call_.question.empty()) {
        return;
    }
    const auto files = std::count_if(inputs.begin(), inputs.end(),
                                     [](const ProgramInput& input) { return input.is_file; });
    const auto sources = std::count_if(inputs.begin(), inputs.end(), [](const ProgramInput& input) {
        return !input.language.empty();
    });
    if (files == 0) {
        // gcc -v prints the version
        if (call_.request.flags == std::vector<std::string>{"-v"}) {
            return;
        }
        throw setup::UserFault(
            "no input files; accepted: sources, objects (.o) and libraries (.a); see "
            "weir-cc --help");
    }
    if (call_.result != Result::kProgram && !call_.output.empty() && sources > 1) {
        throw setup::UserFault({"-o"}, "found with several sources and -c, -S or -E",
                               "one source, or no -o");
    }
    const auto same = std::find_if(inputs.begin(), inputs.end(), [&](const ProgramInput& input) {
        return input.is_file && input.word == call_.output;
    });
    if (same != inputs.end()) {
        throw setup::UserFault({"-o"}, "found " + call_.output + ", which is an input",
                               "another name");
    }
}

}  // namespace

std::string CompilerCall::file_for(const ProgramInput& input) const {
    if (!output.empty()) {
        return output;
    }
    const char* const extension = result == Result::kAssembly ? ".s" : ".o";
    return fs::path(input.word).filename().replace_extension(extension).string();
}

CompilerCall compiler_call(std::vector<std::string> words, bool is_cxx) {
    CompilerCall call = CallReader(std::move(words), is_cxx).read();
    if (call.result != CompilerCall::Result::kHelp) {
        const bool is_version =
            call.request.inputs.empty() && call.request.flags == std::vector<std::string>{"-v"};
        if (is_version) {
            call.question = call.request.flags;
        }
        if (!call.question.empty()) {
            call.result = CompilerCall::Result::kAnswer;
        }
    }
    return call;
}

std::string help_of_compiler_calls() {
    constexpr std::size_t kWidth = 78;
    const auto list = [](Effect first, Effect last) {
        std::string text;
        std::string line = " ";
        for (const Option& option : kOptions) {
            if (option.effect < first || option.effect > last) {
                continue;
            }
            const std::string name =
                std::string(option.name) + (option.value == Value::kJoined ? "*" : "");
            if (line.size() + 1 + name.size() > kWidth) {
                text += line + "\n";
                line = " ";
            }
            line += " " + name;
        }
        return text + line + "\n";
    };
    return "Usage: weir-cc [OPTIONS] FILE ...      C, as gcc\n"
           "       weir-c++ [OPTIONS] FILE ...     C++, as g++, with the C++ library\n"
           "Compiles programs for Sparcle nodes, for Makefiles:\n"
           "  make CC='weir-cc --threads' AR=sparc64-linux-gnu-ar RANLIB=sparc64-linux-gnu-ranlib\n"
           "\n"
           "Weir's own options, equal for all files of a program:\n"
           "  --threads        Support threads (pthread.h): one on each node, or on each\n"
           "                   context with --contexts; the same as -pthread\n"
           "  --contexts       Run the program in each hardware context, as a rank of MPI\n"
           "  --shared-memory  Support nodes that share memory (shared_memory.h)\n"
           "  --soft-float     Compile for nodes without a floating-point unit\n"
           "\n"
           "Options of gcc that work; without -O*, -O2 is used:\n" +
           list(Effect::kFlag, Effect::kLanguage) +
           "  -nostdlib, which links no C or C++ library\n" + "Options of gcc without effect:\n" +
           list(Effect::kIgnored, Effect::kIgnored) + "Refused:\n" +
           list(Effect::kRefused, Effect::kRefused);
}

}  // namespace weir::experiments::programs
