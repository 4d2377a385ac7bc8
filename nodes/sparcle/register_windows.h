#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "nodes/sparcle/architecture.h"

namespace weir::nodes::sparcle {

/// The 136 integer registers: 8 globals, and 8 windows of 16 (outs and locals). A window's ins are
/// the outs of the window with the next higher number, modulo 8 (SPARC V7, register windows).
///
/// The current window's 32 registers are stored side by side. Therefore select() copies 24
/// registers out and 24 in, at each SAVE, RESTORE and trap, and all other instructions access
/// registers without window arithmetic.
class RegisterWindows {
  public:
    static constexpr unsigned kWindows = SPARCLE_WINDOWS;

    [[nodiscard]] std::uint32_t read(unsigned number) const { return current_[number]; }
    void write(unsigned number, std::uint32_t value) {
        current_[number] = value;
        current_[0] = 0;
    }
    /// Writes a register other than %g0.
    void write_above_0(unsigned number, std::uint32_t value) { current_[number] = value; }

    /// Number of the current window: PSR.CWP.
    [[nodiscard]] unsigned pointer() const { return pointer_; }
    void select(unsigned window) {
        for (unsigned group = 0; group < kGroupsOfWindow; ++group) {
            std::memcpy(&others_[first(pointer_, group)], &current_[in_current_of(group)],
                        kGroup * sizeof(std::uint32_t));
        }
        pointer_ = window % kWindows;
        for (unsigned group = 0; group < kGroupsOfWindow; ++group) {
            std::memcpy(&current_[in_current_of(group)], &others_[first(pointer_, group)],
                        kGroup * sizeof(std::uint32_t));
        }
    }

    /// Registers of the current window, by number.
    [[nodiscard]] const std::array<std::uint32_t, 32>& current() const { return current_; }

    /// Reads register `number` of `window`.
    [[nodiscard]] std::uint32_t read(unsigned window, unsigned number) const {
        const unsigned here = in_current(window, number);
        return here < 32 ? current_[here] : others_[place(window, number)];
    }
    void write(unsigned window, unsigned number, std::uint32_t value) {
        const unsigned here = in_current(window, number);
        if (here < 32) {
            write(here, value);
            return;
        }
        others_[place(window, number)] = value;
    }

  private:
    static constexpr unsigned kGroup = 8;
    static constexpr unsigned kGroupsOfWindow = 3;
    static constexpr unsigned kWindowed = kWindows * 2 * kGroup;

    static std::size_t in_current_of(unsigned group) { return std::size_t{kGroup} * (group + 1); }
    static unsigned first(unsigned window, unsigned group) {
        return (window * 2 + group) * kGroup % kWindowed;
    }
    static unsigned place(unsigned window, unsigned number) {
        return (window * 2 * kGroup + number - kGroup) % kWindowed;
    }
    /// Number of the same register in the current window; 32 or more if the register is outside
    /// that window.
    [[nodiscard]] unsigned in_current(unsigned window, unsigned number) const {
        if (number < kGroup) {
            return number;
        }
        return kGroup + (place(window, number) + kWindowed - pointer_ * 2 * kGroup) % kWindowed;
    }

    /// Globals, outs, locals and ins of the current window.
    std::array<std::uint32_t, 32> current_{};
    /// Registers of all windows; those of the current window are stale here.
    std::array<std::uint32_t, kWindowed> others_{};
    unsigned pointer_ = 0;
};

}  // namespace weir::nodes::sparcle
