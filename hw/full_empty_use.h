#pragma once

#include <cstdint>

namespace weir::hw {

/// What an access does with the full/empty bit of its word, and what it has found there. In one
/// step: nothing comes between the bit and the word.
struct FullEmptyUse {
    /// The state that the access needs. In the other one it does nothing, and its core traps.
    enum class Needs : std::uint8_t { kEither, kFull, kEmpty };
    enum class Leaves : std::uint8_t { kAsItWas, kEmpty, kFull };

    bool is_used = false;  ///< an ordinary access neither sees the bit nor changes it
    Needs needs = Needs::kEither;
    Leaves leaves = Leaves::kAsItWas;
    bool was_full = true;  ///< the answer

    [[nodiscard]] bool changes_bit() const { return is_used && leaves != Leaves::kAsItWas; }
    /// Whether the access, which is answered, has found the state that it does not need.
    [[nodiscard]] bool is_refused() const {
        return is_used && needs != Needs::kEither && was_full != (needs == Needs::kFull);
    }
};

}  // namespace weir::hw
