#include "experiments/commands/version_text.h"

#include <elfutils/libdwfl.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <toml++/toml.h>
#include <xxhash.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <array>
#include <boost/version.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <systemc>

#include "experiments/commands/build_facts.h"
#include "experiments/running/clusters/mpi_ranks.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/setup/version.h"
#include "hw/text_streams.h"

namespace weir::experiments::commands {

namespace {

/// Sources of this build: a commit, or a hash of the sources outside a repository. The text is in a
/// file beside the program, or in the installed data folder.
std::string sources_built() {
    for (const auto& folder : {running::program_folder() / "beside", running::data_folder()}) {
        hw::FileReader file(folder / "sources.txt");
        std::string line;
        if (std::getline(file, line)) {
            return line;
        }
    }
    return "unknown";
}

/// First line of the command's output; empty if the program is not installed.
std::string first_line_printed_by(const std::string& command) {
    struct Close {
        void operator()(std::FILE* pipe) const { pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(popen((command + " 2>/dev/null").c_str(), "re"));
    std::array<char, 200> line{};
    if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) {
        return {};
    }
    std::string text = line.data();
    text.erase(text.find_last_not_of(" \n") + 1);
    return text;
}

std::string found_or_not(const std::string& line) { return line.empty() ? "not installed" : line; }

std::string systemc_version() {
    const std::string text = sc_core::sc_release();
    return text.substr(0, text.find('-'));
}

}  // namespace

std::string version_text() {
    std::string text = fmt::format("{}\n\n", setup::kVersion);
    const auto add = [&text](const char* what, const std::string& value) {
        text += fmt::format("{:<14} {}\n", what, value);
    };
    add("sources", sources_built());
    add("build",
        fmt::format("{}, {}", kBuildType,
                    kOptimisedAtLink ? "optimised at link time" : "no optimisation at link time"));
    add("compiler", kCompiler);
    add("flags", kCompilerFlags);
    text += "\n";
    add("SystemC", systemc_version());
    add("Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1000,
                             BOOST_VERSION % 100));
    add("SQLite", sqlite3_libversion());
    add("fmt",
        fmt::format("{}.{}.{}", FMT_VERSION / 10'000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
    add("CLI11", CLI11_VERSION);
    add("toml++", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH));
    add("nlohmann json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                     NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH));
    add("zlib", zlibVersion());
    const unsigned xxhash = XXH_versionNumber();
    add("xxHash", fmt::format("{}.{}.{}", xxhash / 10'000, xxhash / 100 % 100, xxhash % 100));
    add("elfutils", dwfl_version(nullptr));
    const std::string mpi = running::MpiRanks::library();
    add("MPI", mpi.empty() ? "none: not installed, or built without it" : mpi);
    text += "\n";
    const std::string gnuplot = first_line_printed_by("gnuplot --version");
    add("gnuplot", found_or_not(gnuplot.starts_with("gnuplot ") ? gnuplot.substr(8) : gnuplot));
    add("SPARC compiler",
        found_or_not(first_line_printed_by("sparc64-linux-gnu-gcc -dumpfullversion")));
    return text;
}

}  // namespace weir::experiments::commands
