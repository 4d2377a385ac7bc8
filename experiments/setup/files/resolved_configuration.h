#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hw/parameter.h"

namespace weir::experiments::setup {

/// Every parameter of the groups with its current value, as ("table.key", value), grouped by table.
/// "workload.kernel" is first in the table [workload], unless `kernel` is empty. Paths of files are
/// relative to `folder`; if that is empty, to the working directory.
[[nodiscard]] std::vector<std::pair<std::string, hw::ParameterValue>> resolved_values(
    std::span<hw::ParameterGroup* const> groups, const std::string& kernel,
    const std::filesystem::path& folder = {});

/// Text of a TOML file in `folder` with these values, which ExperimentFile reads back unchanged.
/// The file begins with `comment_lines` ("weir 0.1.0", "seed 1"), each behind a #.
[[nodiscard]] std::string resolved_toml(std::span<hw::ParameterGroup* const> groups,
                                        const std::string& kernel,
                                        std::span<const std::string> comment_lines = {},
                                        const std::filesystem::path& folder = {});

}  // namespace weir::experiments::setup
