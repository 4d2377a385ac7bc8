#include "experiments/setup/files/resolved_configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "experiments/setup/files/path_text.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/parameter_listing.h"
#include "experiments/setup/text/utf8_text.h"

namespace weir::experiments::setup {

namespace {

constexpr std::string_view kWorkload = "workload";

/// Comment without line ends and other control characters, which TOML does not allow there.
std::string comment(std::string line) {
    for (char& letter : line) {
        if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) {
            letter = ' ';
        }
    }
    return "# " + line + "\n";
}

hw::ParameterValue value_seen_from(const std::filesystem::path& folder,
                                   const hw::ParameterBase& parameter) {
    hw::ParameterValue value = parameter.value_as_variant();
    const auto* text = std::get_if<std::string>(&value);
    if (!parameter.is_file_path() || text->empty()) {
        return value;
    }
    const std::filesystem::path path = *text;
    if (folder.empty() || !path.is_relative()) {
        return path_as_text(path);
    }
    const std::filesystem::path seen = std::filesystem::proximate(
        std::filesystem::absolute(path), std::filesystem::absolute(folder));
    return is_utf8(seen.string()) ? seen.string() : path_as_text(std::filesystem::absolute(path));
}

}  // namespace

std::vector<std::pair<std::string, hw::ParameterValue>> resolved_values(
    std::span<hw::ParameterGroup* const> groups, const std::string& kernel,
    const std::filesystem::path& folder) {
    std::vector<std::pair<std::string, hw::ParameterValue>> values;
    std::vector<std::string> tables = tables_of(groups);
    if (!kernel.empty() && std::find(tables.begin(), tables.end(), kWorkload) == tables.end()) {
        tables.emplace_back(kWorkload);
    }
    for (const std::string& table : tables) {
        const bool names_kernel = table == kWorkload && !kernel.empty();
        if (names_kernel) {
            values.emplace_back("workload.kernel", kernel);
        }
        for (const hw::ParameterGroup* group : groups) {
            if (group->table() != table) {
                continue;
            }
            for (const hw::ParameterBase* parameter : group->parameters()) {
                if (!names_kernel || parameter->name() != "kernel") {
                    values.emplace_back(table + "." + parameter->name(),
                                        value_seen_from(folder, *parameter));
                }
            }
        }
    }
    return values;
}

std::string resolved_toml(std::span<hw::ParameterGroup* const> groups, const std::string& kernel,
                          std::span<const std::string> comment_lines,
                          const std::filesystem::path& folder) {
    std::string text;
    for (const std::string& line : comment_lines) {
        text += comment(line);
    }
    std::string open_table;
    for (const auto& [key, value] : resolved_values(groups, kernel, folder)) {
        const std::size_t dot = key.find('.');
        const std::string table = key.substr(0, dot);
        if (table != open_table) {
            text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", table);
            open_table = table;
        }
        text += fmt::format("{} = {}\n", key.substr(dot + 1), toml_text(value));
    }
    return text;
}

}  // namespace weir::experiments::setup
