#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

/// A kernel that `workload.kernel` can name.
struct KernelEntry {
    std::string name;
    std::string sentence;
    std::unique_ptr<Kernel> (*make)();
};

const std::vector<KernelEntry>& kernels();

/// The kernel of that name, or null.
std::unique_ptr<Kernel> make_kernel(std::string_view name);

}  // namespace weir::firmware
