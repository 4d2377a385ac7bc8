#pragma once

#include "firmware/kernels/shared_jacobi/shared_jacobi.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// shared_jacobi.c on Sparcle nodes, with its twin's grid and check: every point is that of the
/// sequential program to the bit.
class CompiledSharedJacobi final : public TwinKernel<SharedJacobi> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-jacobi"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
