#include "memory/coherence/cache_table.h"

namespace weir::memory {

namespace {

// A copy is gained by the packets that bring one, and lost to INV and to another line alone.
constexpr bool keeps_copies() {
    for (std::size_t state = 0; state < kCacheStates; ++state) {
        for (std::size_t event = 0; event < kCacheEvents; ++event) {
            const CacheTransition& row = cache_table::kRows[state][event];
            if (row.kind == CacheTransition::Kind::kImpossible) {
                continue;
            }
            const bool had = has_copy(static_cast<CacheState>(state));
            const bool has = has_copy(row.next);
            const auto what = static_cast<CacheEvent>(event);
            const bool brings = what == CacheEvent::kReadData || what == CacheEvent::kWriteData;
            const bool takes = what == CacheEvent::kInvalidate || what == CacheEvent::kReplace;
            if ((has && !had && !brings) || (had && !has && !takes)) {
                return false;
            }
        }
    }
    return true;
}
static_assert(keeps_copies());

// What waits for nothing has asked nobody.
constexpr bool waits_for_answers() {
    for (std::size_t state = 0; state < kCacheStates; ++state) {
        for (const CacheTransition& row : cache_table::kRows[state]) {
            const bool waits = row.kind == CacheTransition::Kind::kWaits;
            const bool asks = row.kind == CacheTransition::Kind::kAsks;
            if ((waits && !is_open(static_cast<CacheState>(state))) ||
                (asks && (!row.sends.has_value() || !is_open(row.next)))) {
                return false;
            }
        }
    }
    return true;
}
static_assert(waits_for_answers());

}  // namespace

std::string_view name_of(CacheState state) {
    constexpr std::array<std::string_view, kCacheStates> kNames{
        "Invalid",      "Read-Only",  "Read-Write",  "read asked",  "write asked",
        "modify asked", "read again", "write again", "modify again"};
    return kNames[static_cast<std::size_t>(state)];
}

std::string_view name_of(CacheEvent event) {
    constexpr std::array<std::string_view, kCacheEvents> kNames{
        "load", "store", "replace", "ask again", "RDATA", "WDATA", "MODG", "INV", "BUSY"};
    return kNames[static_cast<std::size_t>(event)];
}

}  // namespace weir::memory
