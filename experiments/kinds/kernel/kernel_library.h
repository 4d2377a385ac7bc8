#pragma once

#include <filesystem>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {

/// Additional parameter of a user's kernels, which are in a shared library.
struct LibraryParameters : hw::ParameterGroup {
    LibraryParameters() : ParameterGroup("workload", "Kernel of your own") {}

    hw::Parameter<hw::FilePath> library{
        *this, "library", "", {}, "Shared object with the kernel, made by weir build-kernel"};
};

/// Version, compiler and a digest of all headers of machine and kernels. All three must be equal in
/// a library and in the program that loads it.
[[nodiscard]] const char* kernel_interface();

/// Kernels of a shared object made by `weir build-kernel` (WEIR_KERNELS in
/// firmware/kernels/own_kernel.h), which stays loaded until the program ends. Messages of faults
/// begin with `asked_at`. Throws setup::UserFault for a missing file, a file that is no library of
/// kernels, and a library made for another version of Weir.
[[nodiscard]] const std::vector<firmware::KernelEntry>& kernels_of_library(
    const std::filesystem::path& file, const setup::Place& asked_at);

}  // namespace weir::experiments::kinds
