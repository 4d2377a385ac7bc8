#pragma once

#include <filesystem>
#include <string>

#include "experiments/programs/program_compiler.h"

namespace weir::experiments::programs {

/// Assembler flag that marks an object with the kind of its program: --threads, --contexts,
/// --shared-memory, --soft-float. The mark is a local symbol.
[[nodiscard]] std::string mark_of_kind(const ProgramRequest& request);

/// Throws running::RunFailure for an object of the request, in a library too, with the mark of
/// another kind. Objects without a mark are accepted. `compiler`: the cross compiler, beside which
/// is nm; `scratch`: a file for its output.
void check_kinds(const ProgramRequest& request, const std::string& compiler,
                 const std::filesystem::path& scratch);

}  // namespace weir::experiments::programs
