#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

class CompiledKernel;

/// A kernel that `workload.kernel` can name.
struct KernelEntry {
    std::string name;
    std::string sentence;
    std::unique_ptr<Kernel> (*make)();
};

/// Entry of a kernel class; the macro WEIR_KERNELS at the end of a user's file takes such entries.
template <class K>
KernelEntry kernel_entry(std::string name, std::string sentence) {
    return {std::move(name), std::move(sentence),
            []() -> std::unique_ptr<Kernel> { return std::make_unique<K>(); }};
}

/// Entries of Weir's own kernels.
const std::vector<KernelEntry>& kernels();

/// Makes the kernel with this name among `among`; null if there is none.
std::unique_ptr<Kernel> make_kernel(std::string_view name,
                                    const std::vector<KernelEntry>& among = kernels());

/// A kernel that `workload.kernel` can name on a machine of Sparcle nodes. A kernel that exists for
/// the behavioural core too has the same name there.
struct CompiledKernelEntry {
    std::string name;
    std::string sentence;
    std::unique_ptr<CompiledKernel> (*make)();
};

const std::vector<CompiledKernelEntry>& compiled_kernels();

/// Makes the compiled kernel with this name; null if there is none.
std::unique_ptr<CompiledKernel> make_compiled_kernel(std::string_view name);

}  // namespace weir::firmware
