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
            "Flits discarded at their destination, since their header was lost"};
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
    /// The message's header is unreadable or wrong behind this channel.
    void header_lost(const hw::Message& message, std::string_view channel, hw::Cycles now);
    /// The message's tail is unreadable behind this channel. Parts that wait for the tail wait
    /// until another message's header comes by the same channel, perhaps for ever.
    void tail_lost(const hw::Message& message, std::string_view channel, hw::Cycles now);
    /// The message's words were wrong when they arrived at the destination's network interface.
    void message_refused(const hw::Message& message, hw::Cycles now);
    /// The message is delivered with a body that the interface knows to be wrong.
    void message_damaged(const hw::Message& message, hw::Cycles now);
    /// A channel or node fails.
    void part_failed(const std::string& what, hw::Cycles now);

    /// The first faults, in an order that is the same in every run: "channel (3,1) +x takes no flit
    /// from cycle 5000 on; ..." Empty if there was none.
    [[nodiscard]] std::string text() const;

  private:
    struct Event {
        hw::Cycles cycle;
        std::string what;
        auto operator<=>(const Event&) const = default;
    };
    void note(hw::Cycles now, std::string what);

    Statistics statistics_;
    std::vector<Event> first_;  // the first events, and all events of the last of these cycles
    std::int64_t events_ = 0;
};

}  // namespace weir::network
