#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace weir::experiments::records {

/// A file that a command leaves, written from its beginning. All but the destructor throw
/// setup::SurroundingsFault where the system does not take it.
class RunFile {
  public:
    explicit RunFile(const std::filesystem::path& path) : RunFile(path, path) {}
    /// Its faults are told of a file of another name.
    RunFile(const std::filesystem::path& path, const std::filesystem::path& told_of);

    void write(std::string_view text);
    /// What was written can be read by others.
    void flush();
    /// What was written is with the system then.
    void close();

  private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// A whole one: it is there as soon as all of it is, and else what was there before stays.
void write_run_file(const std::filesystem::path& path, std::string_view text);

/// What a file holds, to the byte; nothing where there is none. Throws setup::SurroundingsFault
/// where it can't be read.
[[nodiscard]] std::string text_of_file(const std::filesystem::path& path);

}  // namespace weir::experiments::records
