#include "experiments/running/processes/data_folder.h"

#include <system_error>

#include "experiments/setup/version.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

fs::path program_folder() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

namespace {

bool is_installed() {
    std::error_code absent;
    return !program_folder().empty() &&
           fs::is_directory(program_folder() / setup::kDataFromProgram / "experiments" / "machines",
                            absent);
}

fs::path installed(const char* from_program) {
    std::error_code absent;
    return fs::weakly_canonical(program_folder() / from_program, absent);
}

}  // namespace

fs::path data_folder() {
    return is_installed() ? installed(setup::kDataFromProgram) : fs::path(setup::kSourceFolder);
}

fs::path header_folder() {
    return is_installed() ? installed(setup::kHeadersFromProgram) : fs::path(setup::kSourceFolder);
}

fs::path experiment_named(const fs::path& file) {
    std::error_code absent;
    if (file.is_absolute() || fs::exists(file, absent)) {
        return file;
    }
    const fs::path own = data_folder() / file;
    return fs::is_regular_file(own, absent) ? own : file;
}

}  // namespace weir::experiments::running
