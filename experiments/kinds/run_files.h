#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "experiments/kinds/setup.h"
#include "hw/statistics.h"

/// Files that every run leaves. A file that cannot be written is a std::ios_base::failure.
namespace weir::experiments::kinds {

/// Text of the resolved configuration, with version and seed: an experiment file for that folder,
/// which can be run again.
[[nodiscard]] std::string configuration_text(Setup& setup, std::uint64_t seed,
                                             const std::filesystem::path& folder);
void write_configuration(Setup& setup, std::uint64_t seed, const std::filesystem::path& path);

/// Writes statistics.json and statistics.csv.
void write_statistics(std::span<const hw::PartStatistics> parts,
                      const std::filesystem::path& folder);

}  // namespace weir::experiments::kinds
