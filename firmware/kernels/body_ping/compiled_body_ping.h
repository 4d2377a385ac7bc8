#pragma once

#include "firmware/kernels/body_ping/body_ping.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// body_ping.c on Sparcle nodes, with its twin's slots, which begin one of them late, so that all
/// nodes have started by then. The check: every body is in its receiver's memory, byte by byte.
class CompiledBodyPing final : public TwinKernel<BodyPing> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::vector<std::uint32_t> received_at_;          // by slot
    std::vector<std::vector<std::uint8_t>> sent_by_;  // by node
};

}  // namespace weir::firmware
