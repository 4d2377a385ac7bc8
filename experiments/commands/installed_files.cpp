#include "experiments/commands/installed_files.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "experiments/running/processes/data_folder.h"
#include "experiments/setup/files/extends_chain.h"
#include "experiments/setup/files/toml_tree.h"
#include "hw/text_streams.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

/// Text of the file's first comment up to the first full stop or parenthesis.
std::string first_sentence_of_comment(const fs::path& file) {
    hw::FileReader in(file);
    std::string comment;
    for (std::string line; std::getline(in, line) && line.starts_with("#");) {
        comment += line.substr(std::min<std::size_t>(line.size(), 2)) + " ";
    }
    const std::size_t end = std::min(comment.find(". "), comment.find(" ("));
    return comment.substr(0, end);
}

InstalledFile described_file(const fs::path& file, const std::string& name) {
    const setup::TomlEntry entry = setup::read_toml_file(file, {file.string()});
    const setup::TomlTable& table = *entry.as_table();
    InstalledFile own;
    own.name = name;
    if (file.parent_path().filename() == "machines") {
        own.kind = InstalledFile::Kind::kMachine;
        own.name = file.stem().string();
        own.title = first_sentence_of_comment(file);
        return own;
    }
    own.kind = table.find("sweep") != nullptr        ? InstalledFile::Kind::kSweep
               : table.find("claim") != nullptr      ? InstalledFile::Kind::kClaims
               : table.find("hypothesis") != nullptr ? InstalledFile::Kind::kHypotheses
                                                     : InstalledFile::Kind::kExperiment;
    const setup::TomlEntry* title = table.find("title");
    if (title != nullptr && title->as_string() != nullptr) {
        own.title = *title->as_string();
    }
    return own;
}

}  // namespace

std::vector<InstalledFile> installed_files(const fs::path& folder) {
    std::vector<fs::path> found;
    const fs::path experiments = folder / "experiments";
    std::error_code absent;
    for (auto entry = fs::recursive_directory_iterator(experiments, absent);
         entry != fs::recursive_directory_iterator(); ++entry) {
        if (entry->is_directory() && entry.depth() > 0) {
            entry.disable_recursion_pending();
        } else if (entry->path().extension() == ".toml" &&
                   entry->path().filename() != "pyproject.toml") {  // Python's
            found.push_back(entry->path());
        }
    }
    std::sort(found.begin(), found.end());
    std::vector<InstalledFile> files;
    files.reserve(found.size());
    for (const fs::path& file : found) {
        files.push_back(described_file(file, file.lexically_relative(folder).string()));
    }
    return files;
}

ValueCheck from_own_experiments() {
    return {[](std::string& file) {
                file = running::experiment_named(file).string();
                return std::string();
            },
            ""};
}

}  // namespace weir::experiments::commands
