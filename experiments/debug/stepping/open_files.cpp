#include "experiments/debug/stepping/open_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>

namespace weir::experiments::debug {

namespace fs = std::filesystem;

OpenFiles OpenFiles::in(const fs::path& folder) {
    const fs::path inside = fs::canonical(folder);
    OpenFiles open;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
        std::error_code gone;  // the iterator's own descriptor
        const fs::path file = fs::read_symlink(entry.path(), gone);
        const int descriptor = std::stoi(entry.path().filename().string());
        struct stat state {};
        if (file.parent_path() == inside && fstat(descriptor, &state) == 0 &&
            S_ISREG(state.st_mode)) {
            open.files_.push_back({descriptor, lseek(descriptor, 0, SEEK_CUR), state.st_size});
        }
    }
    return open;
}

void OpenFiles::restore() const {
    for (const File& file : files_) {
        static_cast<void>(ftruncate(file.descriptor, file.bytes));
        lseek(file.descriptor, file.position, SEEK_SET);
    }
}

}  // namespace weir::experiments::debug
