#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::experiments::programs {

/// Messages of the linker, with those about undefined names collected: one message for each name.
struct LinkErrors {
    std::string other;                   ///< other messages, as the linker prints them
    std::vector<std::string> undefined;  ///< a message for each undefined name
};

/// Reads the linker's messages. `has_threads`: the program is compiled with --threads.
/// `has_library`: it is linked with the C library.
[[nodiscard]] LinkErrors read_link_errors(std::string_view messages, bool has_threads,
                                          bool has_library);

}  // namespace weir::experiments::programs
