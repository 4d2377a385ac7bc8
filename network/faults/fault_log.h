#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/messages/message.h"
#include "hw/statistics.h"
#include "hw/units.h"

namespace weir::network {

/// Record of what faults have done to a network's flits and messages: counters, and a text that
/// explains a standstill or a wrong result.
class FaultLog {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter flits_lost{*this, "flits_lost",
                               "Flits that were unreadable at the end of a channel"};
        hw::Counter flits_flipped{*this, "flits_flipped",
                                  "Flits with a wrong bit at the end of a channel"};
        hw::Counter flits_discarded{
            *this, "flits_discarded",
            "Flits discarded by a router or network interface, since their header was lost"};
        hw::Counter messages_lost{*this, "messages_lost",
                                  "Messages lost: header lost or wrong in a channel, or message "
                                  "discarded at its destination"};
        hw::Counter bytes_lost{*this, "bytes_lost",
                               "Bytes of messages whose header was lost or wrong in a channel"};
        hw::Counter messages_damaged{*this, "messages_damaged",
                                     "Messages delivered with a wrong body"};
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    void flit_lost() { statistics_.flits_lost += 1; }
    void flit_flipped() { statistics_.flits_flipped += 1; }
    void flit_discarded() { statistics_.flits_discarded += 1; }
    /// Records that this channel has lost or flipped the message's header.
    void header_lost(const hw::Message& message, std::string_view channel, hw::Cycles now);
    /// Records that this channel has lost the message's tail. Parts behind it wait for the tail
    /// until another header comes by the same channel, perhaps for ever.
    void tail_lost(const hw::Message& message, std::string_view channel, hw::Cycles now);
    /// Records that the destination's network interface has discarded the message, whose words were
    /// wrong.
    void message_refused(const hw::Message& message, hw::Cycles now);
    /// Records that the message was delivered with a body that the interface knows to be wrong.
    void message_damaged(const hw::Message& message, hw::Cycles now);
    /// Records the failure of a channel or node, named by `what`.
    void part_failed(const std::string& what, hw::Cycles now);

    /// The first faults, in an order that does not depend on the tick order, as in "(3,1) +x failed
    /// in cycle 5000; ..."; empty without faults.
    [[nodiscard]] std::string text() const;

  private:
    struct Event {
        hw::Cycles cycle;
        std::string what;
        auto operator<=>(const Event&) const = default;
    };
    void note(hw::Cycles now, std::string what);

    Statistics statistics_;
    // the first events, and all further events of the same cycle as the last of these
    std::vector<Event> first_;
    std::int64_t events_ = 0;
};

}  // namespace weir::network
