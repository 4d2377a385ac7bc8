#include "experiments/programs/cross_compiler.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "experiments/records/run_file.h"
#include "experiments/running/processes/run_tool.h"
#include "experiments/setup/files/temporary_folder.h"
#include "firmware/sparcle/compiler_flags.h"
#include "hw/text_streams.h"

namespace weir::experiments::programs {

namespace fs = std::filesystem;

namespace {

// Headers of C and POSIX that newlib has and the compiler itself lacks, and Weir's own.
constexpr std::array<std::string_view, 46> kLibraryHeaders{
    "alloca.h", "assert.h", "byteswap.h", "complex.h",   "ctype.h",    "dirent.h",  "endian.h",
    "envz.h",   "err.h",    "errno.h",    "fcntl.h",     "features.h", "fenv.h",    "fnmatch.h",
    "getopt.h", "glob.h",   "iconv.h",    "inttypes.h",  "langinfo.h", "libgen.h",  "locale.h",
    "malloc.h", "math.h",   "memory.h",   "mpi.h",       "paths.h",    "pthread.h", "pwd.h",
    "regex.h",  "sched.h",  "search.h",   "semaphore.h", "setjmp.h",   "signal.h",  "stdio.h",
    "stdlib.h", "string.h", "strings.h",  "tgmath.h",    "threads.h",  "time.h",    "unistd.h",
    "utime.h",  "values.h", "wchar.h",    "wctype.h"};

bool is_of_library(std::string_view header) {
    return header.starts_with("sys/") || std::find(kLibraryHeaders.begin(), kLibraryHeaders.end(),
                                                   header) != kLibraryHeaders.end();
}

// Headers of C++ have no extension, except for those of GNU's additions.
bool is_of_cxx_library(const std::string& header) {
    return !fs::path(header).has_extension() || header.starts_with("bits/") ||
           header.starts_with("ext/");
}

}  // namespace

CrossCompiler::CrossCompiler()
    : program_(firmware::kSparcCompiler),
      headers_(answer({"-print-file-name=include"})),
      version_(answer({"--version"})) {}

bool CrossCompiler::knows_cxx() const {
    return fs::path(answer({"-print-prog-name=cc1plus"})).is_absolute();
}

std::string CrossCompiler::answer(const std::vector<std::string>& question) const {
    const setup::TemporaryFolder folder("weir-compile");
    const fs::path file = folder.path() / "answer";
    std::vector<std::string> words{program_};
    words.insert(words.end(), question.begin(), question.end());
    static_cast<void>(running::run_tool(words, file, kCompilerPackage));
    std::string text = records::text_of_file(file);
    while (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

std::string CrossCompiler::major_version() const {
    const std::string numbers = answer({"-dumpversion"});
    return numbers.substr(0, numbers.find('.'));
}

std::vector<std::string> CrossCompiler::missing_headers(
    const std::string& source, const std::vector<std::string>& flags) const {
    // -MG lists a header that does not exist by the name in the source.
    std::vector<std::string> question = flags;
    question.insert(question.end(), {"-w", "-E", "-M", "-MG", source});
    hw::TextReader words(answer(question));
    std::vector<std::string> missing;
    for (std::string word; words >> word;) {
        std::error_code unknown;
        if (word != "\\" && !word.ends_with(':') && !fs::exists(word, unknown)) {
            missing.push_back(word);
        }
    }
    return missing;
}

bool CrossCompiler::asks_for_library(const std::string& source,
                                     const std::vector<std::string>& flags) const {
    const std::vector<std::string> headers = missing_headers(source, flags);
    return std::any_of(headers.begin(), headers.end(), is_of_library);
}

bool CrossCompiler::asks_for_cxx_library(const std::string& source,
                                         const std::vector<std::string>& flags) const {
    const std::vector<std::string> headers = missing_headers(source, flags);
    return std::any_of(headers.begin(), headers.end(), is_of_cxx_library);
}

}  // namespace weir::experiments::programs
