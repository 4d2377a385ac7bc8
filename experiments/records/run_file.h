#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace weir::experiments::records {

/// Output file of a command, written from its beginning. All functions but the destructor throw
/// setup::SurroundingsFault if the system refuses the operation.
class RunFile {
  public:
    explicit RunFile(const std::filesystem::path& path) : RunFile(path, path) {}
    /// `told_of` is the name of the file in messages about faults.
    RunFile(const std::filesystem::path& path, const std::filesystem::path& told_of);

    void write(std::string_view text);
    /// Makes the written text visible to other processes.
    void flush();
    /// Writes the remaining text and closes the file.
    void close();

  private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Writes a whole file atomically: after a fault the previous file is unchanged.
void write_run_file(const std::filesystem::path& path, std::string_view text);

/// Content of a file, to the byte; empty if the file does not exist. Throws
/// setup::SurroundingsFault if the file cannot be read.
[[nodiscard]] std::string text_of_file(const std::filesystem::path& path);

}  // namespace weir::experiments::records
