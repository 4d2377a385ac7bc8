#include "firmware/kernels/image/image_kernel.h"

namespace weir::firmware {

ElfImage ImageKernel::load_image() {
    if (parameters_.image.value().empty()) {
        throw InputFault("workload.image", "no program is given", "an ELF file for SPARC V7");
    }
    return ElfImage::read_file(parameters_.image.value());
}

std::optional<CompiledKernel::HostAccess> ImageKernel::host_access() const {
    const std::filesystem::path named = parameters_.files.value();
    return HostAccess{.folder = named.empty() ? experiment_folder_ : named,
                      .call_cycles = parameters_.host_call_cycles.value().count(),
                      .cycles_per_byte = parameters_.host_cycles_per_byte.value()};
}

}  // namespace weir::firmware
