#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "hw/testing/test_folder.h"
#include "nodes/sparcle/testing/functional_machine.h"

namespace weir::nodes::sparcle::testing {

/// State of the processor in qemu-system-sparc's log, before an instruction.
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

/// A run of a program on qemu-system-sparc's leon3_generic, with the state before each instruction.
/// Memory and states are kept in a temporary folder, which is removed with the object.
///
/// States go to a file, which is read when qemu has ended. A pipe would take ten times as long for
/// each instruction, since qemu flushes its log after each.
class QemuTrace {
  public:
    /// Runs from `boot` with memory as in `image`, and ends qemu after about `most_states` states.
    QemuTrace(const BigEndianMemory& image, std::uint32_t boot, std::uint64_t most_states);
    ~QemuTrace();
    QemuTrace(const QemuTrace&) = delete;
    QemuTrace& operator=(const QemuTrace&) = delete;
    QemuTrace(QemuTrace&&) = delete;
    QemuTrace& operator=(QemuTrace&&) = delete;

    /// Reads the next state. Returns false at the end.
    bool next(LoggedState& state);
    /// qemu's messages other than states.
    [[nodiscard]] std::string said() const { return text_of("said"); }
    /// Memory after the end of qemu.
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
