#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Every parameter of the groups with the value it has now, as ("table.key", value), tables
/// together. "workload.kernel" opens the table [workload], unless `kernel` is empty. Files' paths
/// are relative to `folder`; empty: to the working directory.
[[nodiscard]] std::vector<std::pair<std::string, hw::ParameterValue>> resolved_values(
    std::span<hw::ParameterGroup* const> groups, const std::string& kernel,
    const std::filesystem::path& folder = {});

/// The same as the text of a TOML file in `folder`, which ExperimentFile reads back to the same
/// values, under `comment_lines` ("weir 0.1.0", "seed 1"), each written behind a #.
[[nodiscard]] std::string resolved_toml(std::span<hw::ParameterGroup* const> groups,
                                        const std::string& kernel,
                                        std::span<const std::string> comment_lines = {},
                                        const std::filesystem::path& folder = {});

}  // namespace weir::experiments::setup
