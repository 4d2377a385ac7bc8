#include "experiments/setup/files/extends_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "experiments/setup/surroundings_fault.h"
#include "hw/input_limits.h"

namespace weir::experiments::setup {

namespace {

namespace fs = std::filesystem;

/// Names, without .toml, of a directory's TOML files in alphabetical order. The list is empty if
/// the directory does not exist or cannot be read.
std::vector<std::string> toml_names(const fs::path& directory, std::error_code& error) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(directory.empty() ? fs::path(".") : directory, error)) {
        if (entry.path().extension() == ".toml") {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// `asked_at`: place of the `extends` that names the file, or the file itself.
UserFault unreadable(const fs::path& file, const Place& asked_at, const std::string& what,
                     const std::optional<std::string>& nearest = {}) {
    const bool is_extended = asked_at.line != 0;
    std::error_code unknown;
    const bool is_folder = !is_extended && fs::is_directory(file, unknown);
    return {asked_at, is_extended ? fmt::format("extends {}, which {}", file.string(), what) : what,
            is_folder ? "a TOML file (weir list experiments); weir report takes a run's folder"
                      : "a TOML file",
            nearest};
}

std::optional<std::string> nearest_file(const fs::path& file) {
    std::error_code unknown;
    std::optional<std::string> name =
        nearest_name(file.stem().string(), toml_names(file.parent_path(), unknown));
    if (name) {
        *name = (file.parent_path() / (*name + ".toml")).string();
    }
    return name;
}

std::string read_text(const fs::path& file, const Place& asked_at) {
    std::error_code unknown;
    const fs::file_status status = fs::status(file, unknown);
    if (status.type() == fs::file_type::not_found) {
        throw unreadable(file, asked_at, "does not exist", nearest_file(file));
    }
    if (fs::is_directory(status)) {
        throw unreadable(file, asked_at, "is a directory");
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                                 std::fclose);
    std::string text;
    std::array<char, 4096> block{};
    while (stream && std::feof(stream.get()) == 0 && std::ferror(stream.get()) == 0 &&
           text.size() <= hw::kTomlLimits.bytes) {
        text.append(block.data(), std::fread(block.data(), 1, block.size(), stream.get()));
    }
    if (!stream || std::ferror(stream.get()) != 0) {
        throw unreadable(file, asked_at, "can't be read: " + system_reason(errno));
    }
    return text;
}

fs::path extended_file(const TomlEntry& extends, const fs::path& file,
                       const fs::path& presets_directory) {
    const std::string* name = extends.as_string();
    if (name == nullptr) {
        throw UserFault(extends.place, "extends is " + described(extends),
                        "the name of a preset, or a path that ends in .toml");
    }
    if (fs::path(*name).extension() == ".toml") {
        return file.parent_path() / *name;
    }
    std::error_code error;
    const std::vector<std::string> presets = toml_names(presets_directory, error);
    if (error && error != std::errc::no_such_file_or_directory) {
        throw SurroundingsFault(presets_directory.string(), system_reason(error.value()));
    }
    if (std::find(presets.begin(), presets.end(), *name) == presets.end()) {
        const std::string presets_found =
            presets.empty()
                ? fmt::format("(there are no presets in {})", presets_directory.string())
                : quoted_list(presets);
        throw UserFault(extends.place, fmt::format("no preset \"{}\"", *name),
                        presets_found + " or a path that ends in .toml",
                        nearest_name(*name, presets));
    }
    return presets_directory / (*name + ".toml");
}

void refuse_cycle(const std::vector<fs::path>& files, const Place& extends) {
    std::error_code unknown;
    const auto again = std::find_if(files.begin(), files.end() - 1, [&](const fs::path& earlier) {
        return fs::equivalent(earlier, files.back(), unknown);
    });
    if (again == files.end() - 1) {
        return;
    }
    std::string cycle;
    for (auto file = again; file != files.end(); ++file) {
        cycle += (cycle.empty() ? "" : " -> ") + file->string();
    }
    throw UserFault(extends, "extends in a circle: " + cycle, "a chain that ends");
}

}  // namespace

TomlEntry read_toml_file(const fs::path& file, const Place& asked_at,
                         std::span<const Correction> corrections) {
    TomlEntry tree = parse_toml(read_text(file, asked_at), file.string());
    for (const Correction& correction : corrections) {
        correct(tree, correction);
    }
    return tree;
}

std::vector<TomlEntry> read_extends_chain(const fs::path& file, const fs::path& presets_directory,
                                          std::span<const Correction> corrections) {
    std::vector<TomlEntry> chain;
    std::vector<fs::path> files = {file};
    Place asked_at = {file.string()};
    while (true) {
        const fs::path& current = files.back();
        chain.push_back(read_toml_file(current, asked_at, corrections));
        const TomlEntry* extends = chain.back().as_table()->find("extends");
        if (extends == nullptr) {
            break;
        }
        asked_at = extends->place;
        files.push_back(extended_file(*extends, current, presets_directory));
        refuse_cycle(files, asked_at);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

}  // namespace weir::experiments::setup
