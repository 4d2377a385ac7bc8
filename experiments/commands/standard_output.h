#pragma once

#include <array>
#include <streambuf>

namespace weir::experiments::commands {

/// What std::cout writes to while this lives: file descriptor 1, and whether the system took it.
/// Where a pipe's reader has gone, SIGPIPE ends the process as it does any other.
class StandardOutput : public std::streambuf {
  public:
    StandardOutput();
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;
    ~StandardOutput() override;

    /// Writes what is left. Throws setup::SurroundingsFault where anything could not be written.
    void finish();

  protected:
    int_type overflow(int_type letter) override;
    int sync() override;

  private:
    static constexpr std::size_t kBytes = 1 << 16;

    std::array<char, kBytes> buffer_;
    int error_ = 0;  ///< the first
    std::streambuf* before_;
};

}  // namespace weir::experiments::commands
