#pragma once

#include "firmware/kernels/shared_lock/shared_lock.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// shared_lock.c on Sparcle nodes, with its twin's check; several threads of a node run in its
/// hardware contexts.
class CompiledSharedLock final : public TwinKernel<SharedLockKernel> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
