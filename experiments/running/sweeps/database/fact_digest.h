#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weir::experiments::running {

/// A hash of texts in their order, each with its length, so that no two sequences are alike.
class FactDigest {
  public:
    void add(std::string_view text);
    /// XXH3-128, 32 hexadecimal digits.
    [[nodiscard]] std::string hex() const;

  private:
    std::string bytes_;
};

/// Of what is in a file, in the same form. Throws setup::SurroundingsFault where it can't be read.
[[nodiscard]] std::string file_digest(const std::filesystem::path& file);

}  // namespace weir::experiments::running
