#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "hw/testing/test_folder.h"

namespace weir::hw::testing {

/// A reader of users' inputs, as a fuzzer drives it. It is declared beside the reader, in
/// READER_fuzz.cpp: `const FuzzTarget kFasta({...});`. The tests of that folder drive it over its
/// seeds and some mutations of them (FuzzTest); `weir_fuzz NAME` drives it without a limit.
class FuzzTarget {
  public:
    struct Declaration {
        std::string name;  ///< name of the reader, for example "matrix-market"
        /// Source files of the reader, from the top of the tree; `.ci/fuzz --coverage` counts their
        /// lines.
        std::vector<std::string> sources;
        /// Reads an input. Any exception other than hw::Refusal is a finding.
        std::function<void(const std::string& input)> read;
        /// A few inputs that use much of the format; at least one is accepted.
        std::function<std::vector<std::string>()> seeds;
        /// Tests that pass their inputs to note_seed(), as a filter of GoogleTest: "FastaTest.*".
        std::string tests = {};
        bool refuses = true;  ///< false: the reader accepts every input
        /// Words of the format, for mutations.
        std::vector<std::string> words = {};
    };

    explicit FuzzTarget(Declaration declaration);

    [[nodiscard]] const std::string& name() const { return declaration_.name; }
    [[nodiscard]] const std::vector<std::string>& sources() const { return declaration_.sources; }
    [[nodiscard]] const std::string& tests() const { return declaration_.tests; }
    [[nodiscard]] bool refuses() const { return declaration_.refuses; }
    [[nodiscard]] const std::vector<std::string>& words() const { return declaration_.words; }
    [[nodiscard]] std::vector<std::string> seeds() const { return declaration_.seeds(); }

    /// Reads an input and returns the refusal's message; empty where the input is accepted. Throws
    /// std::logic_error when the message is empty, is longer than 4,000 bytes, or has a control
    /// character.
    [[nodiscard]] std::string read(const std::string& input) const;

  private:
    Declaration declaration_;
};

/// All fuzz targets of this program.
[[nodiscard]] const std::vector<const FuzzTarget*>& fuzz_targets();
/// The target of that name; null when there is none.
[[nodiscard]] const FuzzTarget* find_fuzz_target(std::string_view name);

/// Stores a test's input as a seed for the fuzzer: a file in folder `target` of the folder that
/// WEIR_SEEDS names. Without that variable, it does nothing.
void note_seed(std::string_view target, std::string_view input);

/// Checks a message as read() does, for readers that refuse with other types than hw::Refusal.
void require_sound_message(std::string_view message);

/// Small changes of an input, drawn from a seed. A byte is flipped; a piece is removed, repeated,
/// inserted from elsewhere, or replaced by a number or a word of the format.
class Mutator {
  public:
    Mutator(std::vector<std::string> seeds, std::vector<std::string> words, std::uint64_t seed);
    [[nodiscard]] std::string next();

  private:
    [[nodiscard]] std::size_t below(std::size_t count);
    void change(std::string& text);

    std::vector<std::string> seeds_;
    std::vector<std::string> words_;
    std::mt19937_64 random_;
};

/// A file for readers that need one; in memory where the system has such a folder. The file is
/// removed with the object.
class InputFile {
  public:
    /// `name`: name of the file, for example "a.mtx".
    explicit InputFile(std::string_view name);

    void write(std::string_view bytes) const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  private:
    static std::filesystem::path fast_place();

    TestFolder folder_;
    std::filesystem::path path_;
};

}  // namespace weir::hw::testing
