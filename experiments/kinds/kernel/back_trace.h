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

}  // namespace weir::experiments::kinds
