#pragma once

#include "firmware/kernels/spmv/spmv.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// spmv.c on Sparcle nodes, with its twin's matrix, vector and check: y is the plain product to the
/// bit.
class CompiledSpmv final : public TwinKernel<Spmv> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::vector<std::uint32_t> y_;  // by node: where it is
};

}  // namespace weir::firmware
