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

/// Parts of a linked program besides its own files.
struct LinkedParts {
    bool threads = false;  ///< the program is compiled with --threads
    bool c_library = false;
    bool cxx_library = false;
};

/// Reads the linker's messages about a program with these parts.
[[nodiscard]] LinkErrors read_link_errors(std::string_view messages, const LinkedParts& parts);

}  // namespace weir::experiments::programs
