#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace weir::hw {

/// An output string stream that throws std::bad_alloc when memory is refused; std::ostringstream
/// would silently truncate the text.
class TextWriter final : public std::ostringstream {
  public:
    TextWriter() { exceptions(badbit); }
};

/// The value in hexadecimal, such as "0x1f40".
inline std::string hexadecimal(std::uint64_t value) {
    TextWriter text;
    text << "0x" << std::hex << value;
    return text.str();
}

/// An input string stream that throws std::bad_alloc when memory is refused; std::istringstream
/// would report the end of the text. Reading at the end of the text throws nothing.
class TextReader final : public std::istringstream {
  public:
    explicit TextReader(const std::string& text) : std::istringstream(text) { exceptions(badbit); }
};

/// An input file stream that throws std::bad_alloc when memory is refused. A file that can't be
/// opened reads as empty, and the stream converts to false.
class FileReader final : public std::ifstream {
  public:
    explicit FileReader(const std::filesystem::path& path) : std::ifstream(path) {
        exceptions(badbit);
    }
};

}  // namespace weir::hw
