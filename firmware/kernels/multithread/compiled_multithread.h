#pragma once

#include "firmware/kernels/multithread/multithread.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// multithread.c on Sparcle nodes, whose contexts its threads are.
class CompiledMultithread final : public TwinKernel<Multithread> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
