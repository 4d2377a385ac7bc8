#pragma once

#include <filesystem>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {

/// Beside a kernel's own parameters, where the kernel is of a library.
struct LibraryParameters : hw::ParameterGroup {
    LibraryParameters() : ParameterGroup("workload", "A kernel of one's own") {}

    hw::Parameter<hw::FilePath> library{
        *this, "library", "", {}, "The shared object that has the kernel: what build-kernel makes"};
};

/// What a library and the program that loads it must agree in: version, compiler and all headers of
/// the machine and of kernels.
[[nodiscard]] const char* kernel_interface();

/// The kernels of a shared object that `weir build-kernel` has made (WEIR_KERNELS in
/// firmware/kernels/own_kernel.h). It stays loaded until the program ends. `asked_at` is told in
/// messages. Throws setup::UserFault for a file that is not there, no such library, and one that
/// was made for another Weir.
[[nodiscard]] const std::vector<firmware::KernelEntry>& kernels_of_library(
    const std::filesystem::path& file, const setup::Place& asked_at);

}  // namespace weir::experiments::kinds
