#pragma once

#include "firmware/kernels/diamond_dag/diamond_dag.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// diamond_dag.c on Sparcle nodes, with its twin's sequences, stripes and messages. A task takes
/// the time of its instructions. The twin checks the score and the upper edges of all stripes
/// against the sequential program.
class CompiledDiamondDag final : public TwinKernel<DiamondDag> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    struct Buffers {
        std::uint32_t receive = 0;
        std::uint32_t send = 0;
    };
    [[nodiscard]] std::optional<std::string> check_stripe(std::size_t stripe, ImageMemory& memory);

    std::vector<Buffers> buffers_;  // by stripe
};

}  // namespace weir::firmware
