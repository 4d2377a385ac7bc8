#include "firmware/kernels/image/image_kernel.h"

namespace weir::firmware {

ElfImage ImageKernel::load_image() {
    if (parameters_.image.value().empty()) {
        throw InputFault("workload.image", "no program is given", "an ELF file for SPARC V7");
    }
    return ElfImage::read_file(parameters_.image.value());
}

std::vector<std::uint32_t> ImageKernel::arguments() const {
    std::vector<std::uint32_t> words;
    for (const std::int64_t argument : parameters_.arguments.value()) {
        words.push_back(static_cast<std::uint32_t>(argument));
    }
    return words;
}

}  // namespace weir::firmware
