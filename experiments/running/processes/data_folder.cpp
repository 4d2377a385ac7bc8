#include "experiments/running/processes/data_folder.h"

#include <system_error>

#include "experiments/setup/version.h"

namespace weir::experiments::running {

namespace fs = std::filesystem;

fs::path program_folder() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

fs::path data_folder() {
    std::error_code absent;
    const fs::path folder = program_folder();
    const fs::path installed = fs::weakly_canonical(folder / setup::kDataFromProgram, absent);
    return !folder.empty() && fs::is_directory(installed / "experiments" / "machines", absent)
               ? installed
               : fs::path(setup::kSourceFolder);
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
