#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace weir::hw {

/// A text that is written piece by piece. A std::ostringstream keeps a refusal of memory to itself,
/// and its text ends there; this one throws it (std::bad_alloc).
class TextWriter final : public std::ostringstream {
  public:
    TextWriter() { exceptions(badbit); }
};

/// "0x1f40".
inline std::string hexadecimal(std::uint64_t value) {
    TextWriter text;
    text << "0x" << std::hex << value;
    return text.str();
}

/// A text that is read word by word or line by line. A std::istringstream takes a refusal of memory
/// for the text's end; this one throws it (std::bad_alloc). The end itself is no exception.
class TextReader final : public std::istringstream {
  public:
    explicit TextReader(const std::string& text) : std::istringstream(text) { exceptions(badbit); }
};

/// The same of a file's text. One that can't be opened reads as an empty one, and is false.
class FileReader final : public std::ifstream {
  public:
    explicit FileReader(const std::filesystem::path& path) : std::ifstream(path) {
        exceptions(badbit);
    }
};

}  // namespace weir::hw
