#pragma once

#include <string>

namespace weir::experiments::running {

/// Functions of the module that calls MPI (HostModule).
struct MpiFunctions {
    std::string (*library)();
    void (*begin)(int& rank, int& count);
    void (*end)();
    void (*send)(int to, const std::string& text);
    /// Takes the next message that has arrived, without waiting; false if there is none.
    bool (*receive)(int& from, std::string& text);
};

}  // namespace weir::experiments::running
