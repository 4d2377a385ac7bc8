#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "network/fabric/ahead_end.h"
#include "network/fabric/message_lots.h"
#include "network/lanes/coming_cycles.h"
#include "network/lanes/lane_routers.h"

namespace weir::network {

/// The edge of a network of LaneRouters at a node: to the cycle what NetworkInterface does flit by
/// flit, without channels.
///
/// It sends a run of flits at once: as many as it has bytes and credits for in the cycle of the
/// first. A flit that comes is taken when it is sent here, ahead of its arrival, if there is room
/// for it and none before it waits. In a network of several copies, which are gone through in turn
/// by what has arrived, and after a stop, flits are taken as they arrive.
class LaneEnd final : public AheadEnd {
  public:
    LaneEnd(const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
            hw::Bytes flit_bytes, hw::MessagePool& messages, Trip trip, MessageLots lots);

    /// In each copy of the network, before the run: the node's lanes into and out of it.
    void add_copy(LaneRouters& routers, const LaneRouters::EndLanes& lanes);

    void tick(hw::Cycles now) override;
    void report_waits(hw::WaitReport& report, const std::string& controller_input) const override;
    /// Counts what has happened up to cycle `now`, the present one, between cycles.
    void settle(hw::Cycles now);

    // For the routers.
    /// So many flits leave the lane into that copy one a cycle: the first one's credit comes back
    /// in cycle `credit`.
    void flits_left(std::size_t copy, std::int64_t count, hw::Cycles credit, hw::Cycles now);
    /// The last so many of these do not: credits from cycle `credit` on do not come back.
    void flits_recalled(std::size_t copy, std::int64_t count, hw::Cycles credit, hw::Cycles now);
    /// A flit was sent into the lane out of that copy, and arrives in cycle `arrival`.
    void flit_comes(std::size_t copy, hw::MessageSlot message, hw::Cycles arrival, hw::Cycles now);
    /// Whether the message's next flits from that copy can be taken ahead, one a cycle; if so, the
    /// first of them in cycle `arrival`.
    [[nodiscard]] bool can_take_ahead(std::size_t copy, hw::MessageSlot message, std::int64_t count,
                                      hw::Cycles now);
    void take_ahead(std::size_t copy, std::int64_t count, hw::Cycles arrival, hw::Cycles now) {
        take_from(copies_[copy], count, arrival, now);
    }
    /// The last so many of these do not come.
    void flits_do_not_come(std::int64_t count);
    /// So many flits were sent, or taken, ahead: in cycles after `now`.
    [[nodiscard]] std::int64_t sent_ahead(std::size_t copy, hw::Cycles now) const;
    /// Of all copies: where there are several, nothing is taken ahead.
    [[nodiscard]] std::int64_t taken_ahead(hw::Cycles now) const {
        return input_queue().moves_after(now);
    }

  private:
    struct Arrival {
        hw::Cycles cycle;
        hw::MessageSlot message;
    };
    struct Copy {
        LaneRouters& routers;
        LaneRouters::EndLanes lanes;
        ComingCycles coming_credits;  // of the lane into it
        hw::Fifo<Arrival> arrivals;   // by the lane out of it, that are not taken
    };

    [[nodiscard]] hw::MessageSlot stopped_message() const override {
        return copies_[ejection_copy_].arrivals.front().message;
    }
    [[gnu::noinline]] void inject(hw::Cycles now);
    void expect_credit(const Copy& copy, hw::Cycles now);
    void send_run(Copy& copy, std::int64_t count, hw::Cycles now);
    void look_again(bool& has_looked, hw::Cycles now);
    [[gnu::noinline]] void eject(Copy& copy, hw::Cycles now);
    [[nodiscard]] static bool has_arrived(const Copy& copy, hw::Cycles now) {
        return !copy.arrivals.empty() && copy.arrivals.front().cycle <= now;
    }
    void choose_ejection(hw::Cycles now);
    [[nodiscard]] bool has_room(hw::MessageSlot message, std::int64_t count, hw::Cycles now);
    void take_from(Copy& copy, std::int64_t count, hw::Cycles cycle, hw::Cycles now);

    MessageLots lots_;
    std::vector<Copy> copies_;
    std::size_t injection_copy_ = 0;  // that the present, or next, message goes into
    std::size_t sent_copy_ = 0;       // that the last flit went into
    hw::Cycles last_sent_{-1};
    std::int64_t flits_sent_ = 0;
    bool awaits_credit_ = false;
    bool has_looked_for_message_ = true;
    bool has_looked_for_bytes_ = false;
    std::size_t ejection_copy_ = 0;  // that the present, or last, one came from
    std::int64_t flits_taken_ = 0;
};

}  // namespace weir::network
