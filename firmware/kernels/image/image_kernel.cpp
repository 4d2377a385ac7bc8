#include "firmware/kernels/image/image_kernel.h"

#include <filesystem>
#include <system_error>

namespace weir::firmware {

ElfImage ImageKernel::load_image() {
    if (parameters_.image.value().empty()) {
        throw InputFault("workload.image", "no program is given", "an ELF file for SPARC V7");
    }
    const std::filesystem::path input = parameters_.input.value();
    std::error_code unknown;
    if (!input.empty() && !std::filesystem::is_regular_file(input, unknown)) {
        throw InputFault("workload.stdin",
                         "found \"" + input.string() + "\", and there is no such file",
                         "a file for the program's standard input");
    }
    return ElfImage::read_file(parameters_.image.value());
}

std::optional<CompiledKernel::HostAccess> ImageKernel::host_access() const {
    const std::filesystem::path named = parameters_.files.value();
    return HostAccess{.folder = named.empty() ? experiment_folder_ : named,
                      .input = parameters_.input.value(),
                      .call_cycles = parameters_.host_call_cycles.value().count(),
                      .cycles_per_byte = parameters_.host_cycles_per_byte.value(),
                      .is_one_process = is_one_process(),
                      .processes_per_node = processes_per_node()};
}

}  // namespace weir::firmware
