#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "memory/coherence/packet.h"

namespace weir::memory {

/// What a node has of a shared line, and what it has asked the line's home for. A copy lies in the
/// cache or, from the packet that brought it to its first use, in the transaction store.
enum class CacheState : std::uint8_t {
    kInvalid,      ///< no copy
    kReadOnly,     ///< one of any number of copies
    kReadWrite,    ///< the only copy; memory does not have its bytes
    kReadAsked,    ///< no copy; RREQ is under way
    kWriteAsked,   ///< no copy; WREQ, or an MREQ whose copy was taken, is under way
    kModifyAsked,  ///< a copy to read; MREQ is under way
    // Where homes forward, and packets of two nodes may overtake each other.
    kReadOvertaken,  ///< as kReadAsked; what comes may be a copy that was to go meanwhile
    kGranted,        ///< a copy; the only one as soon as acknowledgements that are to come have
    kReadAgain,      ///< as before, but to be asked again, as the home was busy, or yet to be asked
    kWriteAgain,
    kModifyAgain,
};
constexpr std::size_t kCacheStates = 11;

/// What happens to a line at its node.
enum class CacheEvent : std::uint8_t {
    kLoad,
    kStore,     ///< or a prefetch of the only copy
    kReplace,   ///< its place in the cache is wanted for another line
    kAskAgain,  ///< the pause after BUSY is over
    // A packet has come.
    kReadData,
    kWriteData,
    kModifyGrant,
    kInvalidate,
    kBusy,
    kForwardRead,
    kForwardWrite,
    kInvalidateFor,
    kCopyGone,
    // The same, told apart by the acknowledgements that are still to come to this node.
    kWriteDataEarly,    ///< WDATA, and some are
    kModifyGrantEarly,  ///< MODG, and some are
    kLastCopyGone,      ///< ACKR, and none is
};
constexpr std::size_t kCacheEvents = 16;

/// What the node does then.
struct CacheTransition {
    enum class Kind : std::uint8_t {
        kImpossible,  ///< a fault of the protocol
        kDone,        ///< the access is performed, the line replaced, the packet's order obeyed
        kAsks,        ///< the home is asked; the access waits
        kWaits,       ///< nothing happens; the access, or the other line, waits
    };
    Kind kind = Kind::kImpossible;
    CacheState next = CacheState::kInvalid;
    std::optional<Packet> sends = std::nullopt;    ///< to the home
    std::optional<Packet> answers = std::nullopt;  ///< before that, to the node that asked the home
};

[[nodiscard]] constexpr bool has_copy(CacheState state) {
    return state == CacheState::kReadOnly || state == CacheState::kReadWrite ||
           state == CacheState::kModifyAsked || state == CacheState::kModifyAgain ||
           state == CacheState::kGranted;
}
/// Whether a request is under way, or waits to be asked again.
[[nodiscard]] constexpr bool is_open(CacheState state) { return state >= CacheState::kReadAsked; }
[[nodiscard]] constexpr bool is_to_ask_again(CacheState state) {
    return state >= CacheState::kReadAgain;
}
/// Of a state in which the home has been asked: the one in which it is still to be.
[[nodiscard]] constexpr CacheState to_be_asked(CacheState asked) {
    return asked == CacheState::kReadAsked    ? CacheState::kReadAgain
           : asked == CacheState::kWriteAsked ? CacheState::kWriteAgain
                                              : CacheState::kModifyAgain;
}

/// The row of the table for the state and the event: LimitLESS's cache (the states and what is sent
/// as remembered of ASPLOS 1991, Table 2; held to the models beside it, models/).
[[nodiscard]] constexpr const CacheTransition& cache_transition(CacheState state, CacheEvent event);

[[nodiscard]] std::string_view name_of(CacheState state);
[[nodiscard]] std::string_view name_of(CacheEvent event);
/// Of a packet to a cache, behind which so many acknowledgements are still to come to this node;
/// less than none where some came before the grant that says how many there are.
[[nodiscard]] constexpr CacheEvent event_of(Packet packet, std::int32_t to_come = 0) {
    if (packet == Packet::kWriteData && to_come != 0) {
        return CacheEvent::kWriteDataEarly;
    }
    if (packet == Packet::kModifyGrant && to_come != 0) {
        return CacheEvent::kModifyGrantEarly;
    }
    if (packet == Packet::kCopyGone && to_come == 0) {
        return CacheEvent::kLastCopyGone;
    }
    return static_cast<CacheEvent>(static_cast<std::size_t>(CacheEvent::kReadData) +
                                   static_cast<std::size_t>(packet) - kPacketsToMemory);
}

namespace cache_table {

using Row = std::array<CacheTransition, kCacheEvents>;

constexpr CacheTransition impossible() { return {}; }
constexpr CacheTransition done(CacheState next) {
    return {CacheTransition::Kind::kDone, next, std::nullopt};
}
constexpr CacheTransition done(CacheState next, Packet sends) {
    return {CacheTransition::Kind::kDone, next, sends};
}
constexpr CacheTransition asks(CacheState next, Packet sends) {
    return {CacheTransition::Kind::kAsks, next, sends};
}
constexpr CacheTransition waits(CacheState next) {
    return {CacheTransition::Kind::kWaits, next, std::nullopt};
}
// A forwarded request: for the only copy, which has gone home, or has not come yet.
constexpr CacheTransition not_here(CacheState next) {
    return {CacheTransition::Kind::kDone, next, Packet::kNotHere, Packet::kBusy};
}
constexpr CacheTransition gone(CacheState next) {
    return {CacheTransition::Kind::kDone, next, std::nullopt, Packet::kCopyGone};
}
constexpr CacheTransition gives(CacheState next, Packet line, Packet notice) {
    return {CacheTransition::Kind::kDone, next, notice, line};
}

// NOLINTBEGIN(readability-identifier-naming): the states, as short as a table wants them
constexpr CacheState I = CacheState::kInvalid;
constexpr CacheState RO = CacheState::kReadOnly;
constexpr CacheState RW = CacheState::kReadWrite;
constexpr CacheState RA = CacheState::kReadAsked;
constexpr CacheState WA = CacheState::kWriteAsked;
constexpr CacheState MA = CacheState::kModifyAsked;
constexpr CacheState OV = CacheState::kReadOvertaken;
constexpr CacheState GR = CacheState::kGranted;
constexpr CacheState RB = CacheState::kReadAgain;
constexpr CacheState WB = CacheState::kWriteAgain;
constexpr CacheState MB = CacheState::kModifyAgain;
constexpr CacheTransition x = impossible();
// NOLINTEND(readability-identifier-naming)

// clang-format off
/// By state; in each row by event: load, store, replace, ask again; RDATA, WDATA, MODG, INV, BUSY;
/// FREAD, FWRITE, INVR, ACKR; WDATA and MODG before the last ACKR, the last ACKR.
constexpr std::array<Row, kCacheStates> kRows{{
    /* I  */ {asks(RA, Packet::kReadRequest), asks(WA, Packet::kWriteRequest), x, x,
              x, x, x, done(I, Packet::kAcknowledge), x,
              not_here(I), not_here(I), gone(I), x, x, x, x},
    /* RO */ {done(RO), asks(MA, Packet::kModifyRequest), done(I), x,
              x, x, x, done(I, Packet::kAcknowledge), x,
              x, x, gone(I), x, x, x, x},
    /* RW */ {done(RW), done(RW), done(I, Packet::kReplaceModified), x,
              x, x, x, done(I, Packet::kUpdate), x,
              gives(RO, Packet::kReadData, Packet::kShare),
              gives(I, Packet::kWriteData, Packet::kTransfer), x, x, x, x, x},
    /* RA */ {waits(RA), waits(RA), x, x,
              done(RO), x, x, done(RA, Packet::kAcknowledge), done(RB),
              not_here(RA), not_here(RA), gone(OV), x, x, x, x},
    /* WA */ {waits(WA), waits(WA), x, x,
              x, done(RW), x, done(WA, Packet::kAcknowledge), done(WB),
              not_here(WA), not_here(WA), gone(WA), done(WA), done(GR), x, x},
    /* MA */ {done(MA), waits(MA), waits(MA), x,
              x, x, done(RW), done(WA, Packet::kAcknowledge), done(MB),
              x, x, gone(WA), done(MA), x, done(GR), x},
    /* OV */ {waits(OV), waits(OV), x, x,
              done(RB), x, x, x, done(RB),
              x, x, gone(OV), x, x, x, x},
    /* GR */ {done(GR), waits(GR), waits(GR), x,
              x, x, x, x, x,
              not_here(GR), not_here(GR), x, done(GR), x, x, done(RW)},
    /* RB */ {waits(RB), waits(RB), x, asks(RA, Packet::kReadRequest),
              x, x, x, done(RB, Packet::kAcknowledge), x,
              not_here(RB), not_here(RB), gone(RB), x, x, x, x},
    /* WB */ {waits(WB), waits(WB), x, asks(WA, Packet::kWriteRequest),
              x, x, x, done(WB, Packet::kAcknowledge), x,
              not_here(WB), not_here(WB), gone(WB), x, x, x, x},
    /* MB */ {done(MB), waits(MB), waits(MB), asks(MA, Packet::kModifyRequest),
              x, x, x, done(WB, Packet::kAcknowledge), x,
              x, x, gone(WB), x, x, x, x},
}};
// clang-format on

}  // namespace cache_table

constexpr const CacheTransition& cache_transition(CacheState state, CacheEvent event) {
    return cache_table::kRows[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

}  // namespace weir::memory
