#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "memory/coherence/packet.h"

namespace weir::memory {

/// State of a shared line at a node: its copy, and its pending request to the home. A copy is in
/// the cache. From its arrival to its first use it may be in the transaction store instead.
enum class CacheState : std::uint8_t {
    kInvalid,      ///< no copy
    kReadOnly,     ///< a copy to read; other nodes may have one
    kReadWrite,    ///< the only copy; memory is stale
    kReadAsked,    ///< no copy; RREQ sent
    kWriteAsked,   ///< no copy; WREQ sent, or MREQ sent and the copy invalidated since
    kModifyAsked,  ///< a copy to read; MREQ sent
    // States of forwarding homes, where packets from two nodes may overtake each other.
    kReadOvertaken,  ///< RREQ sent; a copy that now arrives may already be invalidated
    kGranted,        ///< a copy, which is the only one once all acknowledgements have arrived
    kReadAgain,      ///< no copy; RREQ to be sent (again), after BUSY or at first
    kWriteAgain,
    kModifyAgain,
};
constexpr std::size_t kCacheStates = 11;

/// Events of a line at a node.
enum class CacheEvent : std::uint8_t {
    kLoad,
    kStore,     ///< a store, or a prefetch of the only copy
    kReplace,   ///< the cache wants to replace the line
    kAskAgain,  ///< the pause after BUSY is over
    // Arrival of a packet.
    kReadData,
    kWriteData,
    kModifyGrant,
    kInvalidate,
    kBusy,
    kForwardRead,
    kForwardWrite,
    kInvalidateFor,
    kCopyGone,
    // Arrival of a packet, by the number of acknowledgements still to come to this node.
    kWriteDataEarly,    ///< WDATA, with acknowledgements still to come
    kModifyGrantEarly,  ///< MODG, with acknowledgements still to come
    kLastCopyGone,      ///< the last ACKR to this node
};
constexpr std::size_t kCacheEvents = 16;

/// Reaction of the node to an event.
struct CacheTransition {
    enum class Kind : std::uint8_t {
        kImpossible,  ///< such an event is a fault of the protocol
        kDone,        ///< the access is performed, the line replaced, or the packet obeyed
        kAsks,        ///< a request is sent to the home; the access waits
        kWaits,       ///< no effect; the access or the replacement waits
    };
    Kind kind = Kind::kImpossible;
    CacheState next = CacheState::kInvalid;
    std::optional<Packet> sends = std::nullopt;    ///< packet to the home
    std::optional<Packet> answers = std::nullopt;  ///< packet to the requester of a forwarded
                                                   ///< request, sent before that to the home
};

[[nodiscard]] constexpr bool has_copy(CacheState state) {
    return state == CacheState::kReadOnly || state == CacheState::kReadWrite ||
           state == CacheState::kModifyAsked || state == CacheState::kModifyAgain ||
           state == CacheState::kGranted;
}
/// True if a request was sent, or waits to be sent again.
[[nodiscard]] constexpr bool is_open(CacheState state) { return state >= CacheState::kReadAsked; }
[[nodiscard]] constexpr bool is_to_ask_again(CacheState state) {
    return state >= CacheState::kReadAgain;
}
/// Returns the state in which the request of state `asked` is still to be sent.
[[nodiscard]] constexpr CacheState to_be_asked(CacheState asked) {
    return asked == CacheState::kReadAsked    ? CacheState::kReadAgain
           : asked == CacheState::kWriteAsked ? CacheState::kWriteAgain
                                              : CacheState::kModifyAgain;
}

/// Returns the table's entry for a state and an event. States and packets are those of LimitLESS's
/// cache (recalled from ASPLOS 1991, Table 2); the models in models/ check the table.
[[nodiscard]] constexpr const CacheTransition& cache_transition(CacheState state, CacheEvent event);

[[nodiscard]] std::string_view name_of(CacheState state);
[[nodiscard]] std::string_view name_of(CacheEvent event);
/// Event of a packet to a cache. `to_come`: acknowledgements still to come to this node after the
/// packet; negative if some arrived before the grant with their number.
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
// Answers BUSY to a forwarded request, since the only copy has gone home, or has not arrived yet.
constexpr CacheTransition not_here(CacheState next) {
    return {CacheTransition::Kind::kDone, next, Packet::kNotHere, Packet::kBusy};
}
constexpr CacheTransition gone(CacheState next) {
    return {CacheTransition::Kind::kDone, next, std::nullopt, Packet::kCopyGone};
}
constexpr CacheTransition gives(CacheState next, Packet line, Packet notice) {
    return {CacheTransition::Kind::kDone, next, notice, line};
}

// NOLINTBEGIN(readability-identifier-naming): abbreviated states, for the table
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
/// Rows: states. Columns: load, store, replace, ask again; RDATA, WDATA, MODG, INV, BUSY; FREAD,
/// FWRITE, INVR, ACKR; WDATA and MODG before the last ACKR, the last ACKR.
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
