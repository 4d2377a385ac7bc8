#pragma once

#include <cstdint>
#include <string>

namespace weir::experiments::setup {

/// What a seed's number stands for in the name of a file that each seed has its own of:
/// "trace-{seed}.sqlite".
inline constexpr const char* kSeedInPath = "{seed}";

[[nodiscard]] bool names_each_seed(const std::string& path);
/// With the number in place of each kSeedInPath.
[[nodiscard]] std::string path_of_seed(std::string path, std::uint64_t seed);

}  // namespace weir::experiments::setup
