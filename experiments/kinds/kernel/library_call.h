#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/sparcle/elf_image.h"
#include "nodes/sparcle/sparcle_core.h"

namespace weir::experiments::kinds {

/// Call of a program's own code that has led into the C library or its lower end
/// (firmware/sparcle/library).
struct LibraryCall {
    std::string function;  ///< the library's function that was called; empty where it is not known
    std::uint32_t pc = 0;  ///< of the call in the program
    /// Callers of the code there, the last call first.
    std::vector<nodes::sparcle::SparcleCore::Caller> callers;

    /// "MPI_Recv", or nothing where another function was called.
    [[nodiscard]] std::string mpi_function() const;
};

/// Nothing where a core executes the program's own code, or no caller is known.
[[nodiscard]] std::optional<LibraryCall> library_call(nodes::sparcle::SparcleCore& core,
                                                      const firmware::ElfImage& image);
/// "function main (file.c:12)", or the address.
[[nodiscard]] std::string source_place(const firmware::ElfImage& image, std::uint32_t pc);
/// The fault that a core's program has found in itself: node, cycle, MPI call and rank, the
/// program's line, and its callers.
[[nodiscard]] std::string fault_text(nodes::sparcle::SparcleCore& core,
                                     const firmware::ElfImage& image, const std::string& what);

}  // namespace weir::experiments::kinds
