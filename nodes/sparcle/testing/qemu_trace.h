#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/sparcle/testing/random_program.h"

namespace weir::nodes::sparcle::testing {

/// What qemu-system-sparc says before an instruction.
struct LoggedState {
    std::uint32_t pc = 0;
    std::uint32_t npc = 0;
    std::array<std::uint32_t, 32> registers{};
    std::array<std::uint32_t, 32> floats{};
    std::uint32_t psr = 0;
    std::uint32_t wim = 0;
    std::uint32_t fsr = 0;
    std::uint32_t y = 0;
};

/// qemu-system-sparc's leon3_generic, which executes a program and says its state before each
/// instruction. Memory is a file that both see, in a folder of its own that goes with the object.
class QemuTrace {
  public:
    explicit QemuTrace(const BigEndianMemory& image);
    ~QemuTrace();
    QemuTrace(const QemuTrace&) = delete;
    QemuTrace& operator=(const QemuTrace&) = delete;
    QemuTrace(QemuTrace&&) = delete;
    QemuTrace& operator=(QemuTrace&&) = delete;

    /// False: it has ended.
    bool next(LoggedState& state);
    /// What it said that is no state: its complaints.
    [[nodiscard]] const std::string& said() const { return said_; }
    /// Memory as it is now: ask when next() has returned false.
    [[nodiscard]] std::vector<std::uint8_t> memory() const;

  private:
    bool read_line();

    std::filesystem::path folder_;
    pid_t process_ = -1;
    std::FILE* log_ = nullptr;
    std::array<char, 256> buffer_{};
    std::string_view line_;
    std::string said_;
};

}  // namespace weir::nodes::sparcle::testing
