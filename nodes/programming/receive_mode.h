#pragma once

#include <cstdint>

namespace weir::nodes {

/// Way in which a node receives messages.
enum class ReceiveMode : std::uint8_t {
    kInterrupt,          ///< a message interrupts the thread
    kPolling,            ///< the thread takes messages when it waits, and after its end
    kProtocolProcessor,  ///< handlers run on a second processor beside the thread (LoPC Section
                         ///< 4.2)
};

}  // namespace weir::nodes
