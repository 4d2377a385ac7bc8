#include "experiments/commands/model/one_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "experiments/records/run_file.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kOtherTables{"workload", "run", "trace", "models"};

using Values = std::map<std::string, std::string>;

// Parameters of the machine of a run, by their keys.
Values machine_in(const fs::path& configuration) {
    Values values;
    const setup::TomlEntry whole =
        setup::parse_toml(records::text_of_file(configuration), configuration.string());
    for (const setup::TomlEntry& table : whole.as_table()->entries) {
        if (std::ranges::find(kOtherTables, table.key) != kOtherTables.end() || !table.as_table()) {
            continue;
        }
        for (const setup::TomlEntry& entry : table.as_table()->entries) {
            values[table.key + "." + entry.key] = setup::toml_text(entry);
        }
    }
    return values;
}

void require_equal(const fs::path& file, const Values& machine, const fs::path& first_file,
                   const Values& first) {
    for (const auto& [key, value] : machine) {
        const auto other = first.find(key);
        if (other == first.end() || other->second != value) {
            throw setup::UserFault({file.string()},
                                   fmt::format("{} is {}, and {} in the run of {}", key, value,
                                               other == first.end() ? "not given" : other->second,
                                               first_file.string()),
                                   "runs of one machine");
        }
    }
}

}  // namespace

void require_one_machine(std::span<const fs::path> files) {
    const fs::path* first_file = nullptr;
    Values first;
    for (const fs::path& file : files) {
        const fs::path configuration = file.parent_path() / "configuration.toml";
        std::error_code unknown;
        if (!fs::is_regular_file(configuration, unknown)) {
            continue;
        }
        Values machine = machine_in(configuration);
        if (first_file == nullptr) {
            first_file = &file;
            first = std::move(machine);
            continue;
        }
        require_equal(file, machine, *first_file, first);
    }
}

}  // namespace weir::experiments::commands
