#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "nodes/sparcle/architecture.h"

namespace weir::nodes::sparcle {

/// The 136 integer registers: 8 globals, and 8 windows of 16 (outs and locals) whose ins are the
/// outs of the window with the next higher number, modulo 8 (SPARC V7, register windows).
///
/// The 32 of the current window lie side by side; select() moves 24 of them out and 24 in, which
/// is paid by SAVE, RESTORE and traps and spares every other instruction the arithmetic of windows.
class RegisterWindows {
  public:
    static constexpr unsigned kWindows = SPARCLE_WINDOWS;

    [[nodiscard]] std::uint32_t read(unsigned number) const { return current_[number]; }
    void write(unsigned number, std::uint32_t value) {
        current_[number] = value;
        current_[0] = 0;
    }
    /// Of any but %g0.
    void write_above_0(unsigned number, std::uint32_t value) { current_[number] = value; }

    /// The current window: PSR.CWP.
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

    /// Register `number` as it is called in `window`.
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
    /// What the current window calls that register; 32 and above: it is in none of its groups.
    [[nodiscard]] unsigned in_current(unsigned window, unsigned number) const {
        if (number < kGroup) {
            return number;
        }
        return kGroup + (place(window, number) + kWindowed - pointer_ * 2 * kGroup) % kWindowed;
    }

    /// Globals, outs, locals, ins.
    std::array<std::uint32_t, 32> current_{};
    /// Those of all windows; what the current window shows is stale here.
    std::array<std::uint32_t, kWindowed> others_{};
    unsigned pointer_ = 0;
};

}  // namespace weir::nodes::sparcle
