#pragma once

#include <cstdint>

namespace weir::network {

/// When a message's header may go on.
enum class Switching : std::uint8_t {
    kWormhole,           ///< when there is room for a flit
    kVirtualCutThrough,  ///< when the next buffer has room for the whole message
    kStoreAndForward,    ///< the same, and all of it has arrived
};

/// When a virtual channel whose last message has been sent goes to the next one.
enum class Reallocation : std::uint8_t {
    kTail,          ///< at once: messages follow one another in a buffer
    kTailCredit,    ///< once the tail's credit has come back: the buffer is empty
    kWholeMessage,  ///< then, or once the buffer has room for all of the next message (whole packet
                    ///< forwarding: Ma, Enright Jerger and Wang, HPCA 2012)
};

/// Which of several that ask for the same comes first.
enum class Arbitration : std::uint8_t {
    kRoundRobin,        ///< the next one after the last winner
    kSkewedRoundRobin,  ///< the next but one after the last winner (Becker's RTL: arbiter.h)
    kFixed,             ///< the lowest port and virtual channel
    kOldest,            ///< the message that has been in the network longest
    kOldestGenerated,   ///< the message that was generated first
    kOldestHere,        ///< the message whose header came to this router first
};

[[nodiscard]] constexpr bool is_by_age(Arbitration arbitration) {
    return arbitration == Arbitration::kOldest || arbitration == Arbitration::kOldestGenerated ||
           arbitration == Arbitration::kOldestHere;
}

/// When a message holds the output that it leaves by.
enum class OutputBinding : std::uint8_t {
    kGranted,     ///< from the allocator's grant on, whether its header can move or not
    kHeaderSent,  ///< once its header is sent; until then it asks again in each cycle
    kFirstCome,   ///< from the grant on, which goes to the header that began to ask first
};

}  // namespace weir::network
