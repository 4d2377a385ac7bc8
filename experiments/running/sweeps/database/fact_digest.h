#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weir::experiments::running {

/// Hash of a sequence of texts. Lengths are hashed too, so different sequences do not collide by
/// concatenation.
class FactDigest {
  public:
    void add(std::string_view text);
    /// XXH3-128, 32 hexadecimal digits.
    [[nodiscard]] std::string hex() const;

  private:
    std::string bytes_;
};

/// Digest of a file's content, in the form of FactDigest::hex(). Throws setup::SurroundingsFault if
/// it cannot be read.
[[nodiscard]] std::string file_digest(const std::filesystem::path& file);

}  // namespace weir::experiments::running
