#pragma once

#include "firmware/kernels/broadcast/broadcast.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// broadcast.c on Sparcle nodes.
class CompiledBroadcast final : public TwinKernel<Broadcast> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::uint32_t datum_ = 0;
};

}  // namespace weir::firmware
