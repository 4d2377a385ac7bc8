#include "network/virtual_channels/virtual_channel_interface.h"

#include <algorithm>

namespace weir::network {

VirtualChannelInterface::VirtualChannelInterface(const sc_core::sc_module_name& name,
                                                 hw::ClockDomain& domain, hw::NodeId node,
                                                 hw::Bytes flit_bytes, hw::MessagePool& messages,
                                                 Trip trip, MessageLots lots)
    : AheadInterface(name, domain, node, flit_bytes, messages, std::move(trip)), lots_(lots) {}

void VirtualChannelInterface::add_copy(VirtualChannelRouters& routers,
                                       const VirtualChannelRouters::InterfaceChannels& vcs) {
    routers.connect_end(*this, copies_.size(), vcs);
    copies_.push_back({routers, vcs, {}, {}});
}

void VirtualChannelInterface::tick(hw::Cycles now) {
    tell_of_headers(now);
    if (now > last_sent_) {
        if (has_message_to_send(now)) {
            has_looked_for_message_ = false;
            inject(now);
        } else {
            look_again(has_looked_for_message_, now);
        }
    }
    if (copies_.size() > 1) {
        choose_ejection(now);
    }
    Copy& copy = copies_[ejection_copy_];
    if (has_arrived(copy, now)) {
        eject(copy, now);
    }
}

// --- From the output queue ----------------------------------------------------------------------

void VirtualChannelInterface::inject(hw::Cycles now) {
    Copy& copy = copies_[injection_copy_];
    const std::int64_t credits =
        copy.routers.room_of(copy.vcs.injection) - copy.future_credits.count_after(now);
    if (credits == 0) {
        expect_credit(copy, now);
        return;
    }
    const std::int64_t count = flits_there(now);
    if (count == 0) {
        expect_flit(now);
        look_again(has_looked_for_bytes_, now);
        return;
    }
    has_looked_for_bytes_ = false;
    if (to_send().is_whole && refuses(messages()[to_send().message], hw::Flits(to_send().flits))) {
        return;
    }
    send_run(copy, std::min({count, credits, copy.routers.longest_run()}), now);
}

void VirtualChannelInterface::expect_credit(const Copy& copy, hw::Cycles now) {
    if (copy.future_credits.count_after(now) > 0) {
        wake_at(copy.future_credits.first_after(now));
    } else {
        awaits_credit_ = true;
    }
}

// After a wake-up without new bytes, ticks once more in the next cycle, as all parts that wait for
// bytes do.
void VirtualChannelInterface::look_again(bool& has_looked, hw::Cycles now) {
    if (!has_looked) {
        has_looked = true;
        wake_at(now + hw::Cycles(1));
    }
}

void VirtualChannelInterface::send_run(Copy& copy, std::int64_t count, hw::Cycles now) {
    VirtualChannelRouters::Run run{copy.vcs.injection, count, count == to_send().flits,
                                   std::nullopt};
    if (to_send().is_whole) {
        const hw::MessageSlot message = to_send().message;
        const hw::NodeId destination = messages()[message].destination;
        const std::uint16_t lot = lots_.draw(destination);
        run.header = Flit::header(message, static_cast<std::uint16_t>(destination.index()),
                                  to_send().flits, lot);
        note_entry(now, lot);
    }
    send(now, count, now);
    copy.routers.send(run, now);
    flits_sent_ += count;
    sent_copy_ = injection_copy_;
    last_sent_ = now + hw::Cycles(count - 1);
    domain().note_progress(last_sent_);
    wake_at(last_sent_ + hw::Cycles(1));
    if (run.has_tail) {
        injection_copy_ = (injection_copy_ + 1) % copies_.size();
    }
}

void VirtualChannelInterface::flits_left(std::size_t copy, std::int64_t count, hw::Cycles credit,
                                         hw::Cycles now) {
    copies_[copy].future_credits.add(credit, count, now);
    if (awaits_credit_ && copy == injection_copy_) {
        awaits_credit_ = false;
        wake_at(credit);
    }
}

void VirtualChannelInterface::flits_recalled(std::size_t copy, std::int64_t count,
                                             hw::Cycles credit, hw::Cycles now) {
    copies_[copy].future_credits.remove(credit, count, now);
}

// --- Into the input queue -----------------------------------------------------------------------

void VirtualChannelInterface::flit_comes(std::size_t copy, hw::MessageSlot message,
                                         hw::Cycles arrival, hw::Cycles now) {
    Copy& from = copies_[copy];
    if (can_take_ahead(copy, message, 1, now)) {
        take_from(from, 1, arrival, now);
    } else {
        from.arrivals.push_back({arrival, message});
        wake_at(arrival);
    }
}

bool VirtualChannelInterface::can_take_ahead(std::size_t copy, hw::MessageSlot message,
                                             std::int64_t count, hw::Cycles now) {
    return copies_.size() == 1 && copies_[copy].arrivals.empty() && has_room(message, count, now);
}

void VirtualChannelInterface::flits_do_not_come(std::size_t /*copy*/, std::int64_t count) {
    take_back(count);
    flits_taken_ -= count;
}

void VirtualChannelInterface::eject(Copy& copy, hw::Cycles now) {
    if (!has_room(copy.arrivals.front().message, 1, now)) {
        stop_for_room(now);
        return;
    }
    take_from(copy, 1, now, now);
    domain().note_progress(now);
    copy.arrivals.pop_front();
    const bool may_go_on = copies_.size() > 1 && to_take().flits == 0;
    if (may_go_on || has_arrived(copy, now)) {
        wake_at(now + hw::Cycles(1));
    }
}

// Chooses the copy from which the next message is taken: round robin over the copies with an
// arrived message.
void VirtualChannelInterface::choose_ejection(hw::Cycles now) {
    if (to_take().flits > 0 || is_stopped()) {
        return;
    }
    for (std::size_t i = 1; i <= copies_.size(); ++i) {
        const std::size_t copy = (ejection_copy_ + i) % copies_.size();
        if (has_arrived(copies_[copy], now)) {
            ejection_copy_ = copy;
            return;
        }
    }
}

// True if the input queue has room for the message's next `count` flits.
bool VirtualChannelInterface::has_room(hw::MessageSlot message, std::int64_t count,
                                       hw::Cycles now) {
    if (to_take().flits == 0) {
        begin_to_take(message);
    }
    return flits_with_room(count, now) == count;
}

void VirtualChannelInterface::take_from(Copy& copy, std::int64_t count, hw::Cycles cycle,
                                        hw::Cycles now) {
    take(cycle, count, now);
    flits_taken_ += count;
    copy.routers.taken(copy.vcs.ejection, count, cycle, now);
}

// --- Between cycles -----------------------------------------------------------------------------

// Flits sent ahead are of one run, which goes into the copy sent_copy_.
std::int64_t VirtualChannelInterface::sent_ahead(std::size_t copy, hw::Cycles now) const {
    return copy == sent_copy_ ? std::max((last_sent_ - now).count(), INT64_C(0)) : 0;
}

void VirtualChannelInterface::settle(hw::Cycles now) {
    settle_after(now, flits_sent_ - sent_ahead(sent_copy_, now),
                 flits_taken_ - taken_ahead(0, now));
}

void VirtualChannelInterface::report_waits(hw::WaitReport& report,
                                           const std::string& controller_input) const {
    const bool sends = last_sent_ > domain().now();
    const Copy& next = copies_[sends ? sent_copy_ : injection_copy_];
    report_wait_to_send(report, next.routers.name_of(next.vcs.injection), kNoRoomInChannel);
    for (const Copy& copy : copies_) {
        if (!copy.arrivals.empty()) {
            report.push_back(wait_to_take(copy.routers.name_of(copy.vcs.ejection), controller_input,
                                          copy.arrivals.front().message, kNoRoomInQueue));
        }
    }
}

}  // namespace weir::network
