#include "experiments/setup/files/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::setup {

namespace fs = std::filesystem;

namespace {

fs::path place_for_temporary_files() {
    std::error_code error;
    fs::path place = fs::temp_directory_path(error);
    if (error) {
        const char* set = std::getenv("TMPDIR");
        throw SurroundingsFault(
            std::string("the folder for temporary files, TMPDIR=") + (set != nullptr ? set : ""),
            error.message());
    }
    return place;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& name) {
    std::string made = (place_for_temporary_files() / (name + "-XXXXXX")).string();
    if (mkdtemp(made.data()) == nullptr) {
        throw SurroundingsFault(made, system_reason(errno));
    }
    path_ = made;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace weir::experiments::setup
