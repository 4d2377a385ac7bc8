#pragma once

#include "firmware/kernels/shared_latencies/shared_latencies.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// shared_latencies.c on Sparcle nodes, with its twin's lines and check. The store that marks an
/// access's end, and the one before it that names the mark, are in what is measured: two stores
/// that hit.
class CompiledSharedLatencies final : public TwinKernel<SharedLatencies> {
  protected:
    [[nodiscard]] bool is_mark(const std::string& text) const override;
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-latencies"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
