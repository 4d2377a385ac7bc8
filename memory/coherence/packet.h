#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hw/per_enumerator.h"

namespace weir::memory {

/// The packets of the coherence protocol, between the cache of one node and the memory of a line's
/// home. Those without a line are 8 bytes on the wire, those with one carry its bytes behind that.
/// (Names as in Chaiken, Kubiatowicz and Agarwal, ASPLOS 1991; kModifyRequest and kModifyGrant are
/// the A-1000's.) Where homes forward requests, caches send packets to each other, too: RDATA,
/// WDATA and BUSY among them. One that names who asked, or how many acknowledgements come, has 4
/// bytes more; it is one of those from kForwardRead on, or a grant with such a count. A
/// fetch-and-op has 8 bytes more, its number and a word.
enum class Packet : std::uint8_t {
    // From a cache to memory.
    kReadRequest,      ///< RREQ: the cache wants to read the line
    kWriteRequest,     ///< WREQ: it wants to write it, and has no copy
    kModifyRequest,    ///< MREQ: it wants to write it, and has a copy
    kReplaceModified,  ///< REPM: it gives up the only copy; with the line
    kUpdate,           ///< UPDATE: it had the only copy, which was taken; with the line
    kAcknowledge,      ///< ACKC: it has no copy any more
    // And where homes forward: what became of a request that was forwarded to the cache.
    kShare,     ///< SHARE: the cache has given a copy to read, and keeps one; with the line
    kTransfer,  ///< XFER: it has given the only copy
    kNotHere,   ///< NACK: it has not got the only copy
    // From memory to a cache, or from the cache that a request was forwarded to.
    kReadData,       ///< RDATA: a copy to read; with the line
    kWriteData,      ///< WDATA: the only copy; with the line
    kModifyGrant,    ///< MODG: the copy that the cache has is the only one
    kInvalidate,     ///< INV: the copy is to go
    kBusy,           ///< BUSY: ask again
    kForwardRead,    ///< FREAD: another cache wants to read the line
    kForwardWrite,   ///< FWRITE: it wants to write it
    kInvalidateFor,  ///< INVR: the copy is to go, and who asked is to be told
    // From a cache to another.
    kCopyGone,  ///< ACKR: the copy is gone
    // Of a fetch-and-op, which the directory does not see: the home asks it for the line as for an
    // access of its own.
    kFetch,      ///< FETCH: from a node to the home, which is to change a word; with the operand
    kFetched,    ///< FETCHED: back; with the word as it was
    kFetchBusy,  ///< FETCHB: back; as many wait there as can, ask again
};

constexpr std::size_t kPackets = 21;
constexpr std::size_t kPacketsToMemory = 9;  ///< the first of them

[[nodiscard]] constexpr bool is_to_memory(Packet packet) { return packet <= Packet::kNotHere; }
/// RREQ, WREQ or MREQ.
[[nodiscard]] constexpr bool is_request(Packet packet) { return packet <= Packet::kModifyRequest; }
[[nodiscard]] constexpr bool carries_line(Packet packet) {
    return packet == Packet::kReplaceModified || packet == Packet::kUpdate ||
           packet == Packet::kShare || packet == Packet::kReadData || packet == Packet::kWriteData;
}
[[nodiscard]] constexpr bool carries_word(Packet packet) {
    return packet == Packet::kFetch || packet == Packet::kFetched;
}
/// "RREQ".
[[nodiscard]] constexpr std::string_view name_of(Packet packet) {
    constexpr hw::PerEnumerator<Packet, std::string_view, kPackets> kNames{
        "RREQ",  "WREQ",   "MREQ",  "REPM",  "UPDATE", "ACKC",    "SHARE",
        "XFER",  "NACK",   "RDATA", "WDATA", "MODG",   "INV",     "BUSY",
        "FREAD", "FWRITE", "INVR",  "ACKR",  "FETCH",  "FETCHED", "FETCHB"};
    return kNames[packet];
}

}  // namespace weir::memory
