#include "experiments/random_machines/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace weir::experiments::random_machines {

ScratchFolder::ScratchFolder() {
    std::string name = std::filesystem::temp_directory_path() / "weir-machines-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace weir::experiments::random_machines
