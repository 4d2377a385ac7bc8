#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"
#include "hw/parameter.h"

namespace weir::experiments::kinds {

/// Additional parameter of a user's kernels, which are in a shared library.
struct LibraryParameters : hw::ParameterGroup {
    LibraryParameters() : ParameterGroup("workload", "Kernel of your own") {}

    hw::Parameter<hw::FilePath> library{
        *this, "library", "", {}, "Shared object with the kernel, made by weir build-kernel"};
};

/// Version, compiler and a digest of all headers of machine and kernels. All three must be equal in
/// a library and in the program that loads it.
[[nodiscard]] const char* kernel_interface();

/// A shared object with kernels, made by `weir build-kernel`. Its section kSection describes them,
/// so that a library is read without running its code; only load() runs code.
///
/// The file is read once. Descriptions, digest and code come from the same bytes, even if the file
/// changes in the meantime.
class KernelLibrary {
  public:
    static constexpr const char* kSection = ".weir.kernels";

    /// The library in a file; read once in a process. Messages of faults begin with `asked_at`.
    /// Throws setup::UserFault for a missing file, a file without the section, and a library made
    /// for another version of Weir.
    [[nodiscard]] static const KernelLibrary& of(const std::filesystem::path& file,
                                                 const setup::Place& asked_at);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::vector<std::string> names() const;
    /// The named kernel without its code (DescribedKernel); null if there is none.
    [[nodiscard]] std::unique_ptr<firmware::Kernel> describe(const std::string& name) const;
    /// True if this user's own `weir build-kernel` has made the library.
    [[nodiscard]] bool is_own() const;
    /// The named kernel with its code. Loads the library, which runs code of it; the caller has
    /// checked that it may. Throws setup::UserFault.
    [[nodiscard]] std::unique_ptr<firmware::Kernel> load(const std::string& name,
                                                         const setup::Place& asked_at) const;

    ~KernelLibrary();
    KernelLibrary(const KernelLibrary&) = delete;
    KernelLibrary& operator=(const KernelLibrary&) = delete;

  private:
    KernelLibrary(const std::filesystem::path& file, const setup::Place& asked_at);

    std::filesystem::path path_;
    std::string content_;
    std::unique_ptr<nlohmann::ordered_json> kernels_;  // descriptions, checked
    mutable std::optional<bool> is_own_;               // computed on first use
};

/// Kernels of a shared object, whose code this loads and runs. For the command that has compiled
/// it. `file` is the library's name in messages.
[[nodiscard]] std::vector<firmware::KernelEntry> loaded_kernels(const std::string& content,
                                                                const std::filesystem::path& file,
                                                                const setup::Place& asked_at);

/// Content of the section KernelLibrary::kSection for these kernels.
[[nodiscard]] std::string library_description(const std::vector<firmware::KernelEntry>& kernels);

}  // namespace weir::experiments::kinds
