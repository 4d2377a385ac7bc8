#include "experiments/running/processes/wanted_access.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

std::string accesses_text(std::span<const kinds::Want> wants) {
    std::string text;
    for (const kinds::Want& want : wants) {
        text += fmt::format("{}it {} {} ({})", text.empty() ? "" : "; ", want.what,
                            want.path.string(), want.key);
    }
    return text;
}

std::string options_text(std::span<const kinds::Want> wants) {
    CommandLine words;
    for (const kinds::Want& want : wants) {
        words.insert(words.end(), {want.option, want.path.string()});
    }
    return shell_text(words);
}

}  // namespace

void add_wants(const std::vector<kinds::Want>& more, std::vector<kinds::Want>& all) {
    for (const kinds::Want& want : more) {
        const bool is_known = std::any_of(all.begin(), all.end(), [&](const kinds::Want& other) {
            return other.key == want.key && other.path == want.path;
        });
        if (!is_known) {
            all.push_back(want);
        }
    }
}

void require_permitted(std::span<const kinds::Want> wants) {
    if (!wants.empty()) {
        throw setup::UserFault(
            wants.front().place,
            "the experiment asks for more than its own folder: " + accesses_text(wants),
            options_text(wants) + ", if you trust its author");
    }
}

std::string wants_text(std::span<const kinds::Want> wants) {
    return wants.empty() ? ""
                         : fmt::format(
                               "A run asks for more than the experiment's own folder: {}. "
                               "It needs the options {}",
                               accesses_text(wants), options_text(wants));
}

void add_permission_words(const setup::Permissions& permissions, CommandLine& words) {
    for (const std::string& library : permissions.libraries) {
        words.insert(words.end(), {setup::kAllowLibrary, library});
    }
    for (const std::string& folder : permissions.folders) {
        words.insert(words.end(), {setup::kAllowFolder, folder});
    }
}

}  // namespace weir::experiments::running
