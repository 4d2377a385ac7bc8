#pragma once

#include <filesystem>
#include <span>

namespace weir::experiments::commands {

/// Throws setup::UserFault if the runs that left these files had different machines. They differ in
/// a parameter other than those of workload, run, trace and models. A file that is not in a run's
/// folder, such as a trace from elsewhere, is not compared.
void require_one_machine(std::span<const std::filesystem::path> files);

}  // namespace weir::experiments::commands
