#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/sparcle/elf_image.h"
#include "nodes/sparcle/sparcle_core.h"

namespace weir::experiments::kinds {

/// Call in a program's own code that led into the C library or its system interface
/// (firmware/sparcle/library).
struct LibraryCall {
    std::string function;  ///< library function that was called; empty if unknown
    std::uint32_t pc = 0;  ///< address of the call in the program
    /// Callers of the code at pc, the last call first.
    std::vector<nodes::sparcle::SparcleCore::Caller> callers;

    /// The function's name if it is an MPI function, such as "MPI_Recv"; otherwise empty.
    [[nodiscard]] std::string mpi_function() const;
};

/// The call that a core is in; empty if it executes the program's own code, or no caller is known.
[[nodiscard]] std::optional<LibraryCall> library_call(nodes::sparcle::SparcleCore& core,
                                                      const firmware::ElfImage& image);
/// The same for the thread of a context, in a program for contexts.
[[nodiscard]] std::optional<LibraryCall> library_call(nodes::sparcle::SparcleCore& core,
                                                      const firmware::ElfImage& image,
                                                      std::int32_t context);
/// Source place of an address, "function main (file.c:12)", or the address if it is unknown.
[[nodiscard]] std::string source_place(const firmware::ElfImage& image, std::uint32_t pc);
/// Text of a fault that a core's program reports: node, cycle, MPI call and rank, the program's
/// line, and its callers.
[[nodiscard]] std::string fault_text(nodes::sparcle::SparcleCore& core,
                                     const firmware::ElfImage& image, std::int32_t rank,
                                     const std::string& what);

}  // namespace weir::experiments::kinds
