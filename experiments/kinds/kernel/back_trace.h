#pragma once

#include <vector>

#include "firmware/sparcle/elf_image.h"
#include "nodes/sparcle/sparcle_core.h"

namespace weir::experiments::kinds {

/// Callers of the code that a core is about to execute, the last call first, and the code that its
/// traps interrupted. Sources are the core's register windows, its stack and the compiler's frame
/// information; without this information, a SAVE instruction in the code. Returns at most 10,000
/// callers.
[[nodiscard]] std::vector<nodes::sparcle::SparcleCore::Caller> callers_of(
    nodes::sparcle::SparcleCore& core, const firmware::ElfImage& image);
/// The same for a context of a program for contexts, which may wait for its turn.
[[nodiscard]] std::vector<nodes::sparcle::SparcleCore::Caller> callers_of(
    nodes::sparcle::SparcleCore& core, const firmware::ElfImage& image, std::int32_t context);

/// Context, of a program for contexts, whose thread or trap the core runs.
[[nodiscard]] std::int32_t context_of(const nodes::sparcle::SparcleCore& core);
/// Address of the next instruction of a context's thread.
[[nodiscard]] std::uint32_t pc_of(const nodes::sparcle::SparcleCore& core, std::int32_t context);

}  // namespace weir::experiments::kinds
