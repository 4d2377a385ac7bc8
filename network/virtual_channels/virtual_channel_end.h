#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/messages/message_pool.h"
#include "hw/units.h"

namespace weir::network {

/// The part at a node that sends into virtual channels of VirtualChannelRouters and takes from
/// others, without FlitChannels. `number` is the number that the part gave the pair of virtual
/// channels, into and out of the network, in VirtualChannelRouters::connect_end().
class VirtualChannelEnd {
  public:
    VirtualChannelEnd() = default;
    VirtualChannelEnd(const VirtualChannelEnd&) = delete;
    VirtualChannelEnd& operator=(const VirtualChannelEnd&) = delete;
    virtual ~VirtualChannelEnd() = default;

    /// Reports that `count` flits leave an injection channel, one per cycle. The first flit's
    /// credit is back in cycle `credit`, the others in the cycles after it.
    virtual void flits_left(std::size_t number, std::int64_t count, hw::Cycles credit,
                            hw::Cycles now) = 0;
    /// Withdraws the last `count` flits reported by flits_left(): the credits of cycle `credit` and
    /// later do not come back.
    virtual void flits_recalled(std::size_t number, std::int64_t count, hw::Cycles credit,
                                hw::Cycles now) = 0;
    /// Reports a flit that was sent into an ejection channel and arrives in cycle `arrival`.
    virtual void flit_comes(std::size_t number, hw::MessageSlot message, hw::Cycles arrival,
                            hw::Cycles now) = 0;
    /// True if the message's next `count` flits can be taken ahead, one per cycle.
    [[nodiscard]] virtual bool can_take_ahead(std::size_t number, hw::MessageSlot message,
                                              std::int64_t count, hw::Cycles now) = 0;
    /// Takes these flits ahead; the first one arrives in cycle `arrival`.
    virtual void take_ahead(std::size_t number, std::int64_t count, hw::Cycles arrival,
                            hw::Cycles now) = 0;
    /// Cancels the last `count` flits taken ahead.
    virtual void flits_do_not_come(std::size_t number, std::int64_t count) = 0;
    /// Number of flits sent ahead, in cycles after `now`.
    [[nodiscard]] virtual std::int64_t sent_ahead(std::size_t number, hw::Cycles now) const = 0;
    /// Number of flits taken ahead, in cycles after `now`.
    [[nodiscard]] virtual std::int64_t taken_ahead(std::size_t number, hw::Cycles now) const = 0;
};

}  // namespace weir::network
