#pragma once

#include "firmware/kernels/shared_wavefront/shared_wavefront.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// shared_wavefront.c on Sparcle nodes, with its twin's grid and check: every value is that of the
/// sequential program to the bit.
class CompiledSharedWavefront final : public TwinKernel<SharedWavefront> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-wavefront"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
