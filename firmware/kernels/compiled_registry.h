#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// A kernel that `workload.kernel` can name on a machine of Sparcle nodes; where the behavioural
/// core has it too, by the same name.
struct CompiledKernelEntry {
    std::string name;
    std::string sentence;
    std::unique_ptr<CompiledKernel> (*make)();
};

const std::vector<CompiledKernelEntry>& compiled_kernels();

/// The kernel of that name, or null.
std::unique_ptr<CompiledKernel> make_compiled_kernel(std::string_view name);

}  // namespace weir::firmware
