#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/messages/message.h"
#include "hw/statistics.h"
#include "hw/units.h"

namespace weir::network {

/// What faults have done to a network's flits and messages: counted, and told to who asks why a
/// machine stands still or has a wrong result.
class FaultLog {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter flits_lost{*this, "flits_lost",
                               "Flits that could not be read behind a channel"};
        hw::Counter flits_flipped{*this, "flits_flipped",
                                  "Flits with a wrong bit behind a channel"};
        hw::Counter flits_discarded{*this, "flits_discarded",
                                    "Flits thrown away, since they had no header to follow"};
        hw::Counter messages_lost{*this, "messages_lost",
                                  "Messages whose header was lost or wrong, or that were thrown "
                                  "away at their destination"};
        hw::Counter bytes_lost{*this, "bytes_lost",
                               "Bytes of messages whose header was lost or wrong"};
        hw::Counter messages_damaged{*this, "messages_damaged",
                                     "Messages that were delivered with a wrong body"};
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    void flit_lost() { statistics_.flits_lost += 1; }
    void flit_flipped() { statistics_.flits_flipped += 1; }
    void flit_discarded() { statistics_.flits_discarded += 1; }
    /// Its header can't be read, or is wrong, behind this channel.
    void header_lost(const hw::Message& message, std::string_view channel, hw::Cycles now);
    /// Its tail can't be read behind this channel: what waits for it waits for ever, unless another
    /// message comes the same way.
    void tail_lost(const hw::Message& message, std::string_view channel, hw::Cycles now);
    /// Its words were wrong when they came to the network interface at the destination.
    void message_refused(const hw::Message& message, hw::Cycles now);
    /// It is delivered, with a body that the interface knows to be wrong.
    void message_damaged(const hw::Message& message, hw::Cycles now);
    /// A channel or node fails.
    void part_failed(const std::string& what, hw::Cycles now);

    /// The first that happened, in an order that is the same in every run: "channel (3,1) +x takes
    /// no flit from cycle 5000 on; ..." Empty when nothing did.
    [[nodiscard]] std::string text() const;

  private:
    struct Event {
        hw::Cycles cycle;
        std::string what;
        auto operator<=>(const Event&) const = default;
    };
    void note(hw::Cycles now, std::string what);

    Statistics statistics_;
    std::vector<Event> first_;  // and all of the last one's cycle
    std::int64_t events_ = 0;
};

}  // namespace weir::network
