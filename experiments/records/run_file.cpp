#include "experiments/records/run_file.h"

#include <array>
#include <cerrno>
#include <memory>

#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::records {

namespace {

// Temporary name of a file while it is written. The file is removed if it was not completed.
struct Unfinished {
    explicit Unfinished(const std::filesystem::path& of) : path(of.string() + ".unfinished") {}
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    ~Unfinished() { std::remove(path.c_str()); }

    std::string path;
};

[[noreturn]] void refused(const std::filesystem::path& path, int error) {
    throw setup::SurroundingsFault(path.string(), setup::system_reason(error));
}

}  // namespace

RunFile::RunFile(const std::filesystem::path& path, const std::filesystem::path& told_of)
    : path_(told_of.string()), file_(std::fopen(path.c_str(), "wb"), std::fclose) {
    if (file_ == nullptr) {
        fail();
    }
}

void RunFile::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
        fail();
    }
}

void RunFile::flush() {
    if (std::fflush(file_.get()) != 0) {
        fail();
    }
}

void RunFile::close() {
    if (std::fclose(file_.release()) != 0) {
        fail();
    }
}

void RunFile::fail() const { refused(path_, errno); }

void write_run_file(const std::filesystem::path& path, std::string_view text) {
    const Unfinished unfinished(path);
    std::remove(unfinished.path.c_str());  // an earlier one, or a link to a file elsewhere
    RunFile file(unfinished.path, path);
    file.write(text);
    file.close();
    if (std::rename(unfinished.path.c_str(), path.c_str()) != 0) {
        refused(path, errno);
    }
}

std::string text_of_file(const std::filesystem::path& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (file == nullptr && (errno == ENOENT || errno == ENOTDIR)) {
        return {};
    }
    std::string text;
    std::array<char, 65'536> block{};
    while (file != nullptr && std::feof(file.get()) == 0 && std::ferror(file.get()) == 0) {
        text.append(block.data(), std::fread(block.data(), 1, block.size(), file.get()));
    }
    if (file == nullptr || std::ferror(file.get()) != 0) {
        refused(path, errno);
    }
    return text;
}

}  // namespace weir::experiments::records
