#pragma once

#include <cstdint>
#include <string>

namespace weir::experiments::setup {

/// Placeholder for the seed's number in the name of a file per seed: "trace-{seed}.sqlite".
inline constexpr const char* kSeedInPath = "{seed}";

[[nodiscard]] bool names_each_seed(const std::string& path);
/// The path with the seed's number in place of each kSeedInPath.
[[nodiscard]] std::string path_of_seed(std::string path, std::uint64_t seed);

}  // namespace weir::experiments::setup
