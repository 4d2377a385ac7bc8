#pragma once

#include <vector>

#include "firmware/sparcle/elf_image.h"
#include "nodes/sparcle/sparcle_core.h"

namespace weir::experiments::kinds {

/// Who has called what a core is about to execute, the last call first, and which code its traps
/// have interrupted: from its windows, its stack and what the compiler says of frames. Of code
/// without that, from whether it has a SAVE. At most 10,000.
[[nodiscard]] std::vector<nodes::sparcle::SparcleCore::Caller> callers_of(
    nodes::sparcle::SparcleCore& core, const firmware::ElfImage& image);

}  // namespace weir::experiments::kinds
