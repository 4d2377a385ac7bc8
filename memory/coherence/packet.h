#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hw/per_enumerator.h"

namespace weir::memory {

/// Packets of the coherence protocol, between the cache of a node and the memory of a line's home.
/// Names as in Chaiken, Kubiatowicz and Agarwal, ASPLOS 1991; kModifyRequest and kModifyGrant are
/// those of the A-1000 (Alewife).
///
/// Sizes: 8 bytes, plus the bytes of the line if the packet carries one. A packet with a requester
/// or a number of acknowledgements has 4 bytes more: packets from kForwardRead on, and grants with
/// a number. A fetch-and-op has 8 bytes more, for its number and a word. With forwarding homes,
/// caches send packets to each other, too: the packets from kForwardRead on, RDATA, WDATA and BUSY.
enum class Packet : std::uint8_t {
    // From a cache to memory.
    kReadRequest,      ///< RREQ: request to read the line
    kWriteRequest,     ///< WREQ: request to write the line, without a copy
    kModifyRequest,    ///< MREQ: request to write the line, with a copy
    kReplaceModified,  ///< REPM: returns the replaced only copy; with the line
    kUpdate,           ///< UPDATE: returns the only copy after INV; with the line
    kAcknowledge,      ///< ACKC: acknowledges INV; no copy is left
    // With forwarding homes: results of a request that was forwarded to the cache.
    kShare,     ///< SHARE: the owner has sent a copy to read and keeps one; with the line
    kTransfer,  ///< XFER: the owner has sent the only copy
    kNotHere,   ///< NACK: the owner no longer has, or not yet has, the only copy
    // From memory to a cache, or from the owner of a forwarded request to the requester.
    kReadData,       ///< RDATA: a copy to read; with the line
    kWriteData,      ///< WDATA: the only copy; with the line
    kModifyGrant,    ///< MODG: the cache's copy is now the only one
    kInvalidate,     ///< INV: invalidates the copy
    kBusy,           ///< BUSY: refuses the request, which must be repeated
    kForwardRead,    ///< FREAD: another cache's request to read
    kForwardWrite,   ///< FWRITE: another cache's request to write
    kInvalidateFor,  ///< INVR: invalidates the copy; the cache acknowledges to the requester
    // From a cache to another cache.
    kCopyGone,  ///< ACKR: the copy is invalidated
    // Fetch-and-op. The directory does not see these packets: the home requests the line like one
    // of its own accesses.
    kFetch,      ///< FETCH: a node's request to the home to change a word; with the operand
    kFetched,    ///< FETCHED: the answer; with the old word
    kFetchBusy,  ///< FETCHB: refusal, since too many operations wait at the home
};

constexpr std::size_t kPackets = 21;
constexpr std::size_t kPacketsToMemory = 9;  ///< number of packets to memory, which come first

[[nodiscard]] constexpr bool is_to_memory(Packet packet) { return packet <= Packet::kNotHere; }
/// True if the packet is RREQ, WREQ or MREQ.
[[nodiscard]] constexpr bool is_request(Packet packet) { return packet <= Packet::kModifyRequest; }
[[nodiscard]] constexpr bool carries_line(Packet packet) {
    return packet == Packet::kReplaceModified || packet == Packet::kUpdate ||
           packet == Packet::kShare || packet == Packet::kReadData || packet == Packet::kWriteData;
}
[[nodiscard]] constexpr bool carries_word(Packet packet) {
    return packet == Packet::kFetch || packet == Packet::kFetched;
}
/// Name of a packet, such as "RREQ".
[[nodiscard]] constexpr std::string_view name_of(Packet packet) {
    constexpr hw::PerEnumerator<Packet, std::string_view, kPackets> kNames{
        "RREQ",  "WREQ",   "MREQ",  "REPM",  "UPDATE", "ACKC",    "SHARE",
        "XFER",  "NACK",   "RDATA", "WDATA", "MODG",   "INV",     "BUSY",
        "FREAD", "FWRITE", "INVR",  "ACKR",  "FETCH",  "FETCHED", "FETCHB"};
    return kNames[packet];
}

}  // namespace weir::memory
