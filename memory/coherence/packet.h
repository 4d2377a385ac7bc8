#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::memory {

/// The packets of the coherence protocol, between the cache of one node and the memory of a line's
/// home. Those without a line are 8 bytes on the wire, those with one carry its bytes behind that.
/// (Names as in Chaiken, Kubiatowicz and Agarwal, ASPLOS 1991; kModifyRequest and kModifyGrant are
/// the A-1000's.)
enum class Packet : std::uint8_t {
    // From a cache to memory.
    kReadRequest,      ///< RREQ: the cache wants to read the line
    kWriteRequest,     ///< WREQ: it wants to write it, and has no copy
    kModifyRequest,    ///< MREQ: it wants to write it, and has a copy
    kReplaceModified,  ///< REPM: it gives up the only copy; with the line
    kUpdate,           ///< UPDATE: it had the only copy, which was taken; with the line
    kAcknowledge,      ///< ACKC: it has no copy any more
    // From memory to a cache.
    kReadData,     ///< RDATA: a copy to read; with the line
    kWriteData,    ///< WDATA: the only copy; with the line
    kModifyGrant,  ///< MODG: the copy that the cache has is the only one
    kInvalidate,   ///< INV: the copy is to go
    kBusy,         ///< BUSY: ask again
};

constexpr std::size_t kPackets = 11;
constexpr std::size_t kPacketsToMemory = 6;  ///< the first of them

[[nodiscard]] constexpr bool is_to_memory(Packet packet) { return packet <= Packet::kAcknowledge; }
/// RREQ, WREQ or MREQ.
[[nodiscard]] constexpr bool is_request(Packet packet) { return packet <= Packet::kModifyRequest; }
[[nodiscard]] constexpr bool carries_line(Packet packet) {
    return packet == Packet::kReplaceModified || packet == Packet::kUpdate ||
           packet == Packet::kReadData || packet == Packet::kWriteData;
}
/// "RREQ".
[[nodiscard]] constexpr std::string_view name_of(Packet packet) {
    constexpr std::array<std::string_view, kPackets> kNames{
        "RREQ", "WREQ", "MREQ", "REPM", "UPDATE", "ACKC", "RDATA", "WDATA", "MODG", "INV", "BUSY"};
    return kNames[static_cast<std::size_t>(packet)];
}

}  // namespace weir::memory
