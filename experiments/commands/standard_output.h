#pragma once

#include <array>
#include <streambuf>
#include <string>

namespace weir::experiments::commands {

/// Buffer of std::cout that writes to file descriptor 1 and notes a failed write. Texts of files
/// are printed as texts: setup::printable() escapes control characters. If a pipe's reader has
/// closed it, SIGPIPE ends the process as usual.
class StandardOutput : public std::streambuf {
  public:
    StandardOutput();
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;
    ~StandardOutput() override;

    /// Flushes the buffer. Throws setup::SurroundingsFault if any write has failed.
    void finish();

  protected:
    int_type overflow(int_type letter) override;
    int sync() override;

  private:
    static constexpr std::size_t kBytes = 1 << 16;

    void write(const std::string& text);

    std::array<char, kBytes> buffer_;
    std::string begun_;  ///< bytes of a character whose other bytes have not come yet
    int error_ = 0;      ///< errno of the first failed write
    std::streambuf* before_;
};

}  // namespace weir::experiments::commands
