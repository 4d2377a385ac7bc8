// weir_fuzz: libFuzzer on one of Weir's readers.
//   weir_fuzz --list                         the readers: name, tests that have seeds, sources
//   weir_fuzz READER --seeds FOLDER          writes the seeds into the folder
//   weir_fuzz READER [option or folder]...   as libFuzzer takes them (-help=1), or files to read
//   once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>

#include "hw/testing/fuzz_target.h"

namespace {

using weir::hw::testing::FuzzTarget;

const FuzzTarget* chosen = nullptr;

[[noreturn]] void list_readers() {
    for (const FuzzTarget* target : weir::hw::testing::fuzz_targets()) {
        std::printf("%s %s", target->name().c_str(),
                    target->tests().empty() ? "-" : target->tests().c_str());
        for (const std::string& source : target->sources()) {
            std::printf(" %s", source.c_str());
        }
        std::printf("\n");
    }
    std::exit(0);
}

[[noreturn]] void write_seeds(const std::string& folder) {
    std::size_t number = 0;
    for (const std::string& seed : chosen->seeds()) {
        std::ofstream(folder + "/seed-" + std::to_string(++number), std::ios::binary) << seed;
    }
    std::ofstream words(folder + ".words");
    for (const std::string& word : chosen->words()) {
        words << '"';
        for (const char letter : word) {
            std::array<char, 5> digits{};
            std::snprintf(digits.data(), digits.size(), "\\x%02X",
                          static_cast<unsigned>(static_cast<unsigned char>(letter)));
            words << digits.data();
        }
        words << "\"\n";
    }
    std::exit(words ? 0 : 2);
}

}  // namespace

// libsystemc needs an sc_main; main() is libFuzzer's.
int sc_main(int /*argc*/, char** /*argv*/) { return 1; }

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr int kBadInput = 2;
    // Processes that libFuzzer itself starts do not get the reader's name as an argument.
    constexpr const char* kReader = "WEIR_FUZZ_READER";
    if (const char* const reader = std::getenv(kReader)) {
        chosen = weir::hw::testing::find_fuzz_target(reader);
        return 0;
    }
    const std::string_view name = *argc > 1 ? (*argv)[1] : "";
    if (name == "--list") {
        list_readers();
    }
    chosen = weir::hw::testing::find_fuzz_target(name);
    if (chosen == nullptr) {
        std::fprintf(stderr, "weir_fuzz: no reader \"%.*s\"; accepted: a name that --list prints\n",
                     static_cast<int>(name.size()), name.data());
        std::exit(kBadInput);
    }
    setenv(kReader, chosen->name().c_str(), 1);
    if (*argc == 4 && std::string_view((*argv)[2]) == "--seeds") {
        write_seeds((*argv)[3]);
    }
    std::move(*argv + 2, *argv + *argc + 1, *argv + 1);
    --*argc;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    try {
        static_cast<void>(chosen->read({reinterpret_cast<const char*>(bytes), size}));
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s: %s\n", chosen->name().c_str(), fault.what());
        std::abort();
    }
    return 0;
}
