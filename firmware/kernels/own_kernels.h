#pragma once

#include <vector>

#include "firmware/kernels/registry.h"

namespace weir::firmware {

/// The kernels that the program was built with besides Weir's (WEIR_KERNELS). CMake writes what
/// this returns, for each program (weir_program in cmake/WeirTargets.cmake).
std::vector<KernelEntry> own_kernels();

}  // namespace weir::firmware
