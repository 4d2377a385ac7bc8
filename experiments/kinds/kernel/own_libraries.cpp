#include "experiments/kinds/kernel/own_libraries.h"

#include <cstdlib>
#include <system_error>

#include "experiments/records/run_file.h"
#include "experiments/setup/files/permissions.h"
#include "experiments/setup/files/sha256.h"
#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::kinds {

namespace {

namespace fs = std::filesystem;

// Each library has a file of its own, so that commands which run at the same time need no lock.
fs::path note_of(const fs::path& library) {
    return settings_folder() / "libraries" / setup::sha256(library.string());
}

std::string note_text(const fs::path& library, std::string_view content) {
    return setup::sha256(content) + "  " + library.string() + "\n";
}

}  // namespace

fs::path settings_folder() {
    const char* const settings = std::getenv("XDG_CONFIG_HOME");
    if (settings != nullptr && fs::path(settings).is_absolute()) {
        return fs::path(settings) / "weir";
    }
    const char* const home = std::getenv("HOME");
    return home != nullptr && fs::path(home).is_absolute() ? fs::path(home) / ".config" / "weir"
                                                           : fs::path();
}

std::optional<std::string> note_own_library(const fs::path& library, std::string_view content) {
    if (settings_folder().empty()) {
        return "there is no home folder";
    }
    const fs::path whole = setup::resolved(library);
    const fs::path note = note_of(whole);
    std::error_code error;
    fs::create_directories(note.parent_path(), error);
    if (error) {
        return note.parent_path().string() + ": " + error.message();
    }
    try {
        records::write_run_file(note, note_text(whole, content));
    } catch (const setup::SurroundingsFault& fault) {
        return fault.what();
    }
    return std::nullopt;
}

bool is_own_library(const fs::path& library, std::string_view content) {
    const fs::path whole = setup::resolved(library);
    return !settings_folder().empty() &&
           records::text_of_file(note_of(whole)) == note_text(whole, content);
}

}  // namespace weir::experiments::kinds
