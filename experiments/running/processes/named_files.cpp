#include "experiments/running/processes/named_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "experiments/kinds/setup.h"
#include "experiments/records/json_output.h"
#include "experiments/records/run_file.h"
#include "experiments/running/sweeps/database/fact_digest.h"
#include "experiments/setup/files/seed_path.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "named-files.json";

nlohmann::json digests_of(kinds::Setup& setup, std::uint64_t seed) {
    nlohmann::json digests = nlohmann::json::object();
    for (const auto& [key, file] : NamedFiles().of(setup, seed)) {
        digests[key] = file.digest;
    }
    return digests;
}

}  // namespace

std::map<std::string, NamedFile> NamedFiles::of(kinds::Setup& setup,
                                                const std::optional<std::uint64_t>& seed) {
    std::map<std::string, NamedFile> files;
    for (const hw::ParameterGroup* group : setup.groups()) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            const auto* named = dynamic_cast<const hw::Parameter<hw::FilePath>*>(parameter);
            if (named == nullptr) {
                continue;
            }
            const std::string path =
                seed ? setup::path_of_seed(named->value(), *seed) : named->value();
            std::error_code unknown;
            if (!fs::is_regular_file(path, unknown)) {
                continue;
            }
            std::string& digest = digests_[path];
            if (digest.empty()) {
                digest = file_digest(path);
            }
            files.emplace(group->table() + "." + parameter->name(), NamedFile{path, digest});
        }
    }
    return files;
}

void note_contents(kinds::Setup& setup, std::uint64_t seed, const fs::path& folder) {
    const nlohmann::json digests = digests_of(setup, seed);
    if (!digests.empty()) {
        records::write_run_file(folder / kFileName, records::json_text(digests, 1) + "\n");
    }
}

void require_same_contents(kinds::Setup& setup, std::uint64_t seed, const fs::path& folder) {
    const auto before =
        nlohmann::json::parse(records::text_of_file(folder / kFileName), nullptr, false);
    for (const auto& [key, file] : NamedFiles().of(setup, seed)) {
        if (!before.is_object() || before.value(key, nlohmann::json()) != file.digest) {
            throw setup::UserFault(
                {file.path},
                fmt::format("its content has changed since {} was run ({})", folder.string(), key),
                "the file as it was, or a new run (--out)");
        }
    }
}

}  // namespace weir::experiments::running
