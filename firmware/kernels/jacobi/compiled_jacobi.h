#pragma once

#include "firmware/kernels/jacobi/jacobi.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// jacobi.c on Sparcle nodes, with its twin's grid and check: every point is that of the sequential
/// program to the bit.
class CompiledJacobi final : public TwinKernel<Jacobi> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("jacobi"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::uint32_t data_at_ = 0;  // of all nodes
};

}  // namespace weir::firmware
