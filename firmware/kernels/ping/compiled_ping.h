#pragma once

#include "firmware/kernels/ping/ping.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// ping.c on Sparcle nodes. The check: every node has the arguments of all messages to it, in the
/// order of their slots. Slots begin one slot late, so that all nodes have started by then.
class CompiledPing final : public TwinKernel<Ping> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::vector<std::vector<std::uint32_t>> expected_;  // by receiver: arguments in their order
    std::vector<std::uint32_t> log_;                    // by node: where those are put
    std::uint32_t without_arguments_ = 0;               // messages to each node
};

}  // namespace weir::firmware
