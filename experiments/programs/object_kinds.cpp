#include "experiments/programs/object_kinds.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "experiments/programs/cross_compiler.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/run_experiment.h"
#include "experiments/running/processes/run_tool.h"
#include "hw/text_streams.h"

namespace weir::experiments::programs {

namespace {

constexpr const char* kMark = "weir_kind";
// Upper bits of the symbol's value, where no program has memory.
constexpr std::uint32_t kBase = 0xffffff00;

struct Option {
    std::uint32_t bit;
    const char* name;
    bool (*is_set)(const ProgramRequest&);
};
constexpr std::array kOptions{
    Option{1, "--threads", [](const ProgramRequest& request) { return request.threads; }},
    Option{2, "--contexts", [](const ProgramRequest& request) { return request.contexts; }},
    Option{4, "--shared-memory",
           [](const ProgramRequest& request) { return request.shares_memory(); }},
    Option{8, "--soft-float", [](const ProgramRequest& request) { return request.soft_float; }},
};

std::uint32_t kind_of(const ProgramRequest& request) {
    std::uint32_t kind = kBase;
    for (const Option& option : kOptions) {
        kind |= option.is_set(request) ? option.bit : 0;
    }
    return kind;
}

[[noreturn]] void refuse(const std::string& object, std::uint32_t found, std::uint32_t expected) {
    for (const Option& option : kOptions) {
        const bool has = (found & option.bit) != 0;
        if (has == ((expected & option.bit) != 0)) {
            continue;
        }
        throw running::RunFailure(
            running::kBadInput,
            fmt::format("{}: compiled {} {}, and the program is linked {}; accepted: the same "
                        "options for all files",
                        object, has ? "with" : "without", option.name,
                        has ? "without it" : "with it"));
    }
    throw running::RunFailure(running::kBadInput,
                              object +
                                  ": of a kind that this version of Weir does not know; "
                                  "accepted: objects that it has compiled");
}

}  // namespace

std::string mark_of_kind(const ProgramRequest& request) {
    return fmt::format("-Wa,--defsym,{}={:#x}", kMark, kind_of(request));
}

void check_kinds(const ProgramRequest& request, const std::string& compiler,
                 const std::filesystem::path& scratch) {
    const std::string nm = compiler.substr(0, compiler.size() - std::string("gcc").size()) + "nm";
    std::vector<std::string> words{nm, "-A", "--defined-only"};
    for (const ProgramInput& input : request.inputs) {
        if (input.is_file && input.language.empty()) {
            words.push_back(input.word);
        }
    }
    constexpr std::size_t kWordsWithoutFiles = 3;
    if (words.size() == kWordsWithoutFiles) {
        return;
    }
    // nm's messages, about files that are no objects, are the linker's too.
    const std::filesystem::path errors = scratch.string() + ".errors";
    static_cast<void>(running::run_tool(std::move(words), scratch, kCompilerPackage, errors));
    hw::TextReader lines(records::text_of_file(scratch));
    const std::uint32_t expected = kind_of(request);
    for (std::string line; std::getline(lines, line);) {
        // "lib.a:a.o:ffffff04 a weir_kind"
        const std::string end = std::string(" a ") + kMark;
        constexpr std::size_t kDigits = 8;
        if (!line.ends_with(end) || line.size() < end.size() + kDigits + 1) {
            continue;
        }
        const std::size_t digits = line.size() - end.size() - kDigits;
        constexpr int kHexadecimal = 16;
        const auto found = static_cast<std::uint32_t>(
            std::strtoul(line.substr(digits, kDigits).c_str(), nullptr, kHexadecimal));
        if (found != expected) {
            refuse(line.substr(0, digits - 1), found, expected);
        }
    }
}

}  // namespace weir::experiments::programs
