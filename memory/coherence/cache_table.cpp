#include "memory/coherence/cache_table.h"

#include "hw/per_enumerator.h"

namespace weir::memory {

namespace {

// Checks that a copy is gained only by packets that bring one, and lost only to INV, INVR, FWRITE
// and replacement.
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
            const bool brings = what == CacheEvent::kReadData || what == CacheEvent::kWriteData ||
                                what == CacheEvent::kWriteDataEarly;
            const bool takes = what == CacheEvent::kInvalidate || what == CacheEvent::kReplace ||
                               what == CacheEvent::kInvalidateFor ||
                               what == CacheEvent::kForwardWrite;
            if ((has && !had && !brings) || (had && !has && !takes)) {
                return false;
            }
        }
    }
    return true;
}
static_assert(keeps_copies());

// Checks that accesses wait only while a request is open, and that a transition that asks the home
// sends a packet.
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

// Checks that the answer to a forwarded request goes to the requester, with a notice to the home.
constexpr bool answers_forwarded_requests() {
    for (const auto& row : cache_table::kRows) {
        for (const CacheEvent event : {CacheEvent::kForwardRead, CacheEvent::kForwardWrite}) {
            const CacheTransition& cell = row[static_cast<std::size_t>(event)];
            if (cell.kind != CacheTransition::Kind::kImpossible && !(cell.sends && cell.answers)) {
                return false;
            }
        }
    }
    return true;
}
static_assert(answers_forwarded_requests());

}  // namespace

std::string_view name_of(CacheState state) {
    constexpr hw::PerEnumerator<CacheState, std::string_view, kCacheStates> kNames{
        "Invalid",        "Read-Only", "Read-Write", "read asked",  "write asked", "modify asked",
        "read overtaken", "granted",   "read again", "write again", "modify again"};
    return kNames[state];
}

std::string_view name_of(CacheEvent event) {
    constexpr hw::PerEnumerator<CacheEvent, std::string_view, kCacheEvents> kNames{
        "load", "store", "replace", "ask again", "RDATA", "WDATA",       "MODG",       "INV",
        "BUSY", "FREAD", "FWRITE",  "INVR",      "ACKR",  "early WDATA", "early MODG", "last ACKR"};
    return kNames[event];
}

}  // namespace weir::memory
