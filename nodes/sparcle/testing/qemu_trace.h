#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "hw/testing/test_folder.h"
#include "nodes/sparcle/testing/functional_machine.h"

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

/// qemu-system-sparc's leon3_generic, which has executed a program, and noted its state before each
/// instruction. Memory and states are in a folder of its own that goes with the object.
///
/// States go into a file, which is read when qemu has ended: with a pipe each instruction takes ten
/// times as long, since qemu hands its notes over after each.
class QemuTrace {
  public:
    /// Starts at `boot`, with memory as in `image`, and ends qemu after about `most_states`.
    QemuTrace(const BigEndianMemory& image, std::uint32_t boot, std::uint64_t most_states);
    ~QemuTrace();
    QemuTrace(const QemuTrace&) = delete;
    QemuTrace& operator=(const QemuTrace&) = delete;
    QemuTrace(QemuTrace&&) = delete;
    QemuTrace& operator=(QemuTrace&&) = delete;

    /// False: there are no more.
    bool next(LoggedState& state);
    /// What it said that is no state: its complaints.
    [[nodiscard]] std::string said() const { return text_of("said"); }
    /// Memory when qemu had ended.
    [[nodiscard]] std::string memory() const { return text_of("memory"); }

  private:
    void start(std::uint32_t bytes, std::uint64_t most_states) const;
    bool read_line();
    [[nodiscard]] std::string text_of(const char* name) const;

    hw::testing::TestFolder folder_;
    std::FILE* log_ = nullptr;
    std::array<char, 256> buffer_{};
    std::string_view line_;
};

}  // namespace weir::nodes::sparcle::testing
