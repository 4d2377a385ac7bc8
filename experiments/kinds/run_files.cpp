#include "experiments/kinds/run_files.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "experiments/records/json_output.h"
#include "experiments/records/run_file.h"
#include "experiments/setup/files/resolved_configuration.h"
#include "experiments/setup/version.h"
#include "hw/text_streams.h"

namespace weir::experiments::kinds {

std::string configuration_text(Setup& setup, std::uint64_t seed,
                               const std::filesystem::path& folder) {
    const std::vector<std::string> comments{std::string("weir ") + setup::kVersion,
                                            "seed " + std::to_string(seed)};
    const std::vector<hw::ParameterGroup*> groups = setup.groups();
    return setup::resolved_toml(groups, setup.kernel_name, comments, folder);
}

void write_configuration(Setup& setup, std::uint64_t seed, const std::filesystem::path& path) {
    records::write_run_file(path, configuration_text(setup, seed, path.parent_path()));
}

void write_statistics(std::span<const hw::PartStatistics> parts,
                      const std::filesystem::path& folder) {
    // Parts are appended to JSON without a search for their names, since there may be thousands.
    auto json = nlohmann::ordered_json::object_t();
    hw::TextWriter csv;
    csv << "part,statistic,value,description\n";
    for (const hw::PartStatistics& part : parts) {
        if (part.group->counters().empty()) {
            continue;
        }
        nlohmann::ordered_json& counters =
            json.emplace_back(part.part, nlohmann::ordered_json::object()).second;
        for (const hw::Counter* counter : part.group->counters()) {
            counters[counter->name()] = counter->value();
            csv << part.part << ',' << counter->name() << ',' << counter->value() << ",\""
                << counter->sentence() << "\"\n";
        }
    }
    records::write_run_file(folder / "statistics.csv", csv.str());
    records::write_run_file(folder / "statistics.json",
                            records::json_text(nlohmann::ordered_json(std::move(json)), 1) + "\n");
}

}  // namespace weir::experiments::kinds
