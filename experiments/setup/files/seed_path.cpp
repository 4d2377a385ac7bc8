#include "experiments/setup/files/seed_path.h"

#include <string_view>

namespace weir::experiments::setup {

bool names_each_seed(const std::string& path) {
    return path.find(kSeedInPath) != std::string::npos;
}

std::string path_of_seed(std::string path, std::uint64_t seed) {
    constexpr std::string_view kPlace = kSeedInPath;
    for (std::size_t at = path.find(kPlace); at != std::string::npos; at = path.find(kPlace)) {
        path.replace(at, kPlace.size(), std::to_string(seed));
    }
    return path;
}

}  // namespace weir::experiments::setup
