#pragma once

#include <cstdint>

namespace weir::hw {

/// Use of a word's full/empty bit by an access, and the bit's old state. The bit and the word are
/// accessed in one atomic step.
struct FullEmptyUse {
    /// State of the bit that the access requires. If the bit is in the other state, the access does
    /// nothing, and its core traps.
    enum class Needs : std::uint8_t { kEither, kFull, kEmpty };
    enum class Leaves : std::uint8_t { kAsItWas, kEmpty, kFull };

    bool is_used = false;  ///< false: the access neither reads nor changes the bit
    Needs needs = Needs::kEither;
    Leaves leaves = Leaves::kAsItWas;
    bool was_full = true;  ///< state before the access, known when it is answered

    [[nodiscard]] bool changes_bit() const { return is_used && leaves != Leaves::kAsItWas; }
    /// True for an answered access that found the bit in the other state than it requires.
    [[nodiscard]] bool is_refused() const {
        return is_used && needs != Needs::kEither && was_full != (needs == Needs::kFull);
    }
};

}  // namespace weir::hw
