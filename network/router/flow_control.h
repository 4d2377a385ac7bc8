#pragma once

#include <cstdint>

namespace weir::network {

/// Condition for a message's header to go on.
enum class Switching : std::uint8_t {
    kWormhole,           ///< the next buffer has room for a flit
    kVirtualCutThrough,  ///< the next buffer has room for the whole message
    kStoreAndForward,    ///< as kVirtualCutThrough, and the whole message has arrived
};

/// Time at which a virtual channel is reallocated after its last message's tail was sent.
enum class Reallocation : std::uint8_t {
    kTail,          ///< at once: messages follow one another in a buffer
    kTailCredit,    ///< when the tail's credit has returned: the buffer is empty
    kWholeMessage,  ///< as kTailCredit, or when the buffer has room for the whole next message
                    ///< (whole packet forwarding: Ma, Enright Jerger and Wang, HPCA 2012)
};

/// Order of competing requests.
enum class Arbitration : std::uint8_t {
    /// the next requester after the last winner, in the order of ports and virtual channels
    kRoundRobin,
    /// the next requester but one after the last winner, in the same order (Becker's RTL:
    /// arbiter.h)
    kSkewedRoundRobin,
    kFixed,            ///< the lowest port and virtual channel
    kOldest,           ///< the message that has been in the network longest
    kOldestGenerated,  ///< the message that was generated first
    kOldestHere,       ///< the message whose header came to this router first
};

[[nodiscard]] constexpr bool is_by_age(Arbitration arbitration) {
    return arbitration == Arbitration::kOldest || arbitration == Arbitration::kOldestGenerated ||
           arbitration == Arbitration::kOldestHere;
}

/// Time from which a message holds its output.
enum class OutputBinding : std::uint8_t {
    kGranted,     ///< from the allocator's grant on, even if its header can't move
    kHeaderSent,  ///< when its header is sent; until then it requests the output in each cycle
    kFirstCome,   ///< from the grant on, which goes to the header that requested first
};

}  // namespace weir::network
