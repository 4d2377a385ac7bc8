#pragma once

#include "firmware/kernels/remap/remap.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// remap.c on Sparcle nodes, with its twin's destinations and times of work. A node answers with
/// the number of the request and a word of its own. The check: every message came once, and every
/// reply with the right answer. Bodies (body_bytes) it has not.
class CompiledRemap final : public TwinKernel<Remap> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    /// Where a node's records are.
    struct Records {
        std::uint32_t replies = 0;              // words, by iteration
        std::vector<std::uint32_t> deliveries;  // bytes, by node that asks and iteration
    };
    std::size_t iterations_ = 0;
    bool synchronous_ = false;
    std::vector<std::vector<std::uint16_t>> destinations_;  // by node, iteration
    std::vector<std::uint32_t> keys_;                       // by node
    std::vector<Records> records_;                          // by node
};

}  // namespace weir::firmware
