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

/// A reader of what users give, as a fuzzer drives it. It is declared beside the reader, in
/// READER_fuzz.cpp: `const FuzzTarget kFasta({...});`. The tests of that folder then drive it over
/// its seeds and some mutations of them (FuzzTest), and `weir_fuzz NAME` for as long as one likes.
class FuzzTarget {
  public:
    struct Declaration {
        std::string name;  ///< "matrix-market"
        /// The reader's sources, from the top of the tree: whose lines `.ci/fuzz --coverage`
        /// counts.
        std::vector<std::string> sources;
        /// Reads an input. What it throws other than hw::Refusal is a finding.
        std::function<void(const std::string& input)> read;
        /// A few inputs with much of the format in them, one of which at least is accepted.
        std::function<std::vector<std::string>()> seeds;
        /// Tests that read with note_seed(), as GoogleTest's filter has them: "FastaTest.*"
        std::string tests = {};
        bool refuses = true;  ///< or whatever is read has an answer
        /// Words of the format, which mutations put in.
        std::vector<std::string> words = {};
    };

    explicit FuzzTarget(Declaration declaration);

    [[nodiscard]] const std::string& name() const { return declaration_.name; }
    [[nodiscard]] const std::vector<std::string>& sources() const { return declaration_.sources; }
    [[nodiscard]] const std::string& tests() const { return declaration_.tests; }
    [[nodiscard]] bool refuses() const { return declaration_.refuses; }
    [[nodiscard]] const std::vector<std::string>& words() const { return declaration_.words; }
    [[nodiscard]] std::vector<std::string> seeds() const { return declaration_.seeds(); }

    /// The refusal's message, which is empty where the input is accepted. Throws std::logic_error
    /// when the message breaks a rule of messages: it is none, it is longer than 4,000 bytes, or it
    /// has a control character.
    [[nodiscard]] std::string read(const std::string& input) const;

  private:
    Declaration declaration_;
};

/// Those that this program is made with, by name.
[[nodiscard]] const std::vector<const FuzzTarget*>& fuzz_targets();
/// Null when there is none of that name.
[[nodiscard]] const FuzzTarget* find_fuzz_target(std::string_view name);

/// Of a test that reads this: with a folder in WEIR_SEEDS, a file in its folder `target`, from
/// which a fuzzer goes on.
void note_seed(std::string_view target, std::string_view input);

/// What a refusal says, for readers whose refusals are of other types than hw::Refusal.
void require_sound_message(std::string_view message);

/// Small changes, drawn from a seed: a byte flipped, a piece taken out, said twice, or put in from
/// elsewhere, a number or a word of the format in its place.
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

/// A file for readers that want one: in memory where the system has such a folder, gone at the end.
class InputFile {
  public:
    /// `name`: "a.mtx"
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
