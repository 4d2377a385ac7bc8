#pragma once

#include <string>

namespace weir::experiments::running {

/// Part of the program that needs a library which not every host has. It is a shared object, loaded
/// when a command first uses it; the program itself runs without the library.
///
/// The shared object does not name its library. So packages of the program depend only on the
/// libraries that each command needs.
struct HostModule {
    const char* file;     ///< name of the shared object, which lies beside the program's libraries
    const char* library;  ///< file name of the library that it needs: "libmpi.so.40"
    const char* functions;  ///< its function without arguments, which returns the table of others
    const char* package;    ///< Debian package of the library
    const char* headers;    ///< Debian package that building the module needs
};

/// Table of functions of the module, which stays loaded. Throws setup::UserFault, which names the
/// package to install, if the library or the module is missing. `wanted_by` is the place of the
/// fault.
[[nodiscard]] const void* functions_of(const HostModule& module, const std::string& wanted_by);

}  // namespace weir::experiments::running
