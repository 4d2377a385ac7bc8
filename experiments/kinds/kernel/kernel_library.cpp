#include "experiments/kinds/kernel/kernel_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "experiments/kinds/kernel/described_kernel.h"
#include "experiments/kinds/kernel/own_libraries.h"
#include "experiments/records/json_input.h"
#include "experiments/setup/files/permissions.h"
#include "experiments/setup/surroundings_fault.h"
#include "hw/input_limits.h"

namespace weir::experiments::kinds {

namespace {

namespace fs = std::filesystem;
using firmware::KernelEntry;
using Json = nlohmann::ordered_json;
using setup::UserFault;

using TellInterface = const char* (*)();
using TellKernels = void (*)(std::vector<KernelEntry>* entries);

constexpr const char* kAccepted = "a library made by weir build-kernel";

std::string content_of(const fs::path& file, const setup::Place& asked_at) {
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) {
        throw UserFault(asked_at, "the file \"" + file.string() + "\" does not exist", kAccepted);
    }
    std::ifstream in(file, std::ios::binary);
    std::string content = hw::text_of(in, hw::kImageLimits);
    if (!in.is_open() || in.bad() || content.size() > hw::kImageLimits.bytes) {
        throw UserFault(asked_at, file.string() + " cannot be read, or is too large",
                        fmt::format("a library of at most {} bytes", hw::kImageLimits.bytes));
    }
    return content;
}

struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};

// Content of a section; empty if the bytes are no ELF file, or if it has no such section.
std::string section_of(const std::string& content, std::string_view name) {
    elf_version(EV_CURRENT);
    const std::unique_ptr<Elf, EndElf> elf(
        elf_memory(const_cast<char*>(content.data()), content.size()));
    std::size_t names = 0;
    if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF ||
        elf_getshdrstrndx(elf.get(), &names) != 0) {
        return {};
    }
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
        GElf_Shdr header{};
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) {
            continue;
        }
        const char* const found = elf_strptr(elf.get(), names, header.sh_name);
        if (found == nullptr || found != name) {
            continue;
        }
        const Elf_Data* const data = elf_rawdata(section, nullptr);
        if (data != nullptr && data->d_buf != nullptr) {
            return {static_cast<const char*>(data->d_buf), data->d_size};
        }
    }
    return {};
}

void require_this_version(const std::string& interface, const fs::path& file,
                          const setup::Place& asked_at) {
    if (interface != kernel_interface()) {
        throw UserFault(asked_at,
                        fmt::format("{} was made for another version of Weir ({}; this is {})",
                                    file.string(), interface, kernel_interface()),
                        "the library, rebuilt by weir build-kernel");
    }
}

// Descriptions of the library's kernels.
Json described_kernels(const std::string& content, const fs::path& file,
                       const setup::Place& asked_at) {
    std::string text = section_of(content, KernelLibrary::kSection);
    while (text.ends_with('\0')) {
        text.pop_back();
    }
    if (text.empty()) {
        throw UserFault(
            asked_at,
            fmt::format("the file \"{}\" has no description of its kernels (section {})",
                        file.string(), KernelLibrary::kSection),
            kAccepted);
    }
    const records::StoredJson stored{
        asked_at.text(), fmt::format("{} has an invalid description of its kernels", file.string()),
        kAccepted};
    return records::read_stored_json(text, stored, [&](const Json& json) {
        require_this_version(json.at("interface").get<std::string>(), file, asked_at);
        Json kernels = json.at("kernels");
        for (const Json& kernel : kernels) {
            static_cast<void>(kernel.at("name").get<std::string>());
            static_cast<void>(DescribedKernel(kernel));
        }
        return kernels;
    });
}

/// File in memory with given bytes, which no process can change.
class SealedFile {
  public:
    explicit SealedFile(const std::string& content)
        : file_(memfd_create("weir-library", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
        const bool is_made = file_ >= 0 && write(content) &&
                             fcntl(file_, F_ADD_SEALS,
                                   F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
        if (!is_made) {
            const int reason = errno;
            close(file_);
            throw setup::SurroundingsFault("a copy of the library in memory",
                                           setup::system_reason(reason));
        }
    }
    SealedFile(const SealedFile&) = delete;
    SealedFile& operator=(const SealedFile&) = delete;
    ~SealedFile() { close(file_); }

    /// Path of the file: by the process's number, which debuggers can use, too.
    [[nodiscard]] std::string path() const {
        const std::string path = fmt::format("/proc/{}/fd/{}", getpid(), file_);
        struct stat own {};
        struct stat named {};
        const bool is_own = fstat(file_, &own) == 0 && stat(path.c_str(), &named) == 0 &&
                            own.st_ino == named.st_ino && own.st_dev == named.st_dev;
        return is_own ? path : fmt::format("/proc/self/fd/{}", file_);
    }

  private:
    [[nodiscard]] bool write(const std::string& content) const {
        for (std::size_t at = 0; at < content.size();) {
            const ssize_t written = ::write(file_, content.data() + at, content.size() - at);
            if (written <= 0) {
                return false;
            }
            at += static_cast<std::size_t>(written);
        }
        return true;
    }

    int file_;
};

template <class Function>
Function function_of(void* library, const char* name, const fs::path& file,
                     const setup::Place& asked_at) {
    void* const found = dlsym(library, name);
    if (found == nullptr) {
        throw UserFault(asked_at, file.string() + " has no kernels", kAccepted);
    }
    return reinterpret_cast<Function>(found);
}

}  // namespace

std::vector<KernelEntry> loaded_kernels(const std::string& content, const fs::path& file,
                                        const setup::Place& asked_at) {
    // Copies stay open, because dlopen takes an equal path for the same library.
    static std::list<SealedFile> copies;
    void* const library =
        dlopen(copies.emplace_back(content).path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw UserFault(asked_at, fmt::format("{} cannot be loaded: {}", file.string(), dlerror()),
                        kAccepted);
    }
    require_this_version(
        function_of<TellInterface>(library, "weir_kernel_interface", file, asked_at)(), file,
        asked_at);
    std::vector<KernelEntry> kernels;
    function_of<TellKernels>(library, "weir_kernels", file, asked_at)(&kernels);
    return kernels;
}

std::string library_description(const std::vector<KernelEntry>& kernels) {
    Json list = Json::array();
    for (const KernelEntry& kernel : kernels) {
        list.push_back(description_of(kernel));
    }
    return Json{{"interface", kernel_interface()}, {"kernels", std::move(list)}}.dump();
}

KernelLibrary::KernelLibrary(const fs::path& file, const setup::Place& asked_at)
    : path_(setup::resolved(file)),
      content_(content_of(file, asked_at)),
      kernels_(std::make_unique<Json>(described_kernels(content_, file, asked_at))) {}

KernelLibrary::~KernelLibrary() = default;

const KernelLibrary& KernelLibrary::of(const fs::path& file, const setup::Place& asked_at) {
    static std::map<fs::path, std::unique_ptr<const KernelLibrary>> libraries;
    std::unique_ptr<const KernelLibrary>& library = libraries[setup::resolved(file)];
    if (library == nullptr) {
        library.reset(new KernelLibrary(file, asked_at));
    }
    return *library;
}

std::vector<std::string> KernelLibrary::names() const {
    std::vector<std::string> names;
    for (const Json& kernel : *kernels_) {
        names.push_back(kernel.at("name").get<std::string>());
    }
    return names;
}

std::unique_ptr<firmware::Kernel> KernelLibrary::describe(const std::string& name) const {
    for (const Json& kernel : *kernels_) {
        if (kernel.at("name") == name) {
            return std::make_unique<DescribedKernel>(kernel);
        }
    }
    return nullptr;
}

bool KernelLibrary::is_own() const {
    if (!is_own_) {
        is_own_ = is_own_library(path_, content_);
    }
    return *is_own_;
}

std::unique_ptr<firmware::Kernel> KernelLibrary::load(const std::string& name,
                                                      const setup::Place& asked_at) const {
    static std::map<const KernelLibrary*, std::vector<KernelEntry>> loaded;
    auto known = loaded.find(this);
    if (known == loaded.end()) {
        known = loaded.emplace(this, loaded_kernels(content_, path_, asked_at)).first;
    }
    std::unique_ptr<firmware::Kernel> kernel = firmware::make_kernel(name, known->second);
    if (kernel == nullptr) {
        throw UserFault(asked_at,
                        fmt::format("{} does not have the kernel \"{}\" that it describes",
                                    path_.string(), name),
                        kAccepted);
    }
    return kernel;
}

}  // namespace weir::experiments::kinds
