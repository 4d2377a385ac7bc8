#include <algorithm>

#include "network/virtual_channels/virtual_channel_routers.h"

// Stretches of VirtualChannelRouters: several flits, one per cycle, granted with the first.
namespace weir::network {

// True if `count` flits can be ejected, one per cycle. Credits must suffice for all flits, or for
// the time until the first credit is back.
bool VirtualChannelRouters::can_eject(const VirtualChannel& input, std::int32_t count,
                                      hw::Cycles now) const {
    const VirtualChannel& output = *input.output;
    const hw::Cycles back = design_.ejection_cycles + design_.credit_cycles;
    if (design_.has_channels || (output.credits < count && output.credits < back.count())) {
        return false;
    }
    const End& end = ends_[output.receiver];
    return end.end->can_take_ahead(end.number, input.message, count, now);
}

// Adds the stretch to the list of the cycle in which it ends, in which a recalled stretch may still
// be.
inline void VirtualChannelRouters::list_end(VirtualChannel& vc, hw::Cycles now) {
    Stretch& stretch = stretch_of(vc);
    VirtualChannelList& ends = stretch_ends_at(stretch.end);
    if (stretch.listed <= now || !ends.has(vc)) {
        ends.push(vc);
    }
    stretch.listed = std::max(stretch.listed, stretch.end);
}

void VirtualChannelRouters::send_stretch(RouterState& router, VirtualChannel& input,
                                         VirtualChannelSet own, std::int32_t count,
                                         hw::Cycles now) {
    VirtualChannel& output = *input.output;
    input.taken += count;
    input.flits -= count;
    Stretch& stretch = stretch_of(input);
    stretch.first = now;
    stretch.end = now + hw::Cycles(count);
    list_end(input, now);
    see_flits(input);
    router.holding &= ~own;
    router.in_stretch |= own;
    if (input.is_injection) {
        const End& sender = ends_[input.sender];
        sender.end->flits_left(sender.number, count, now + design_.credit_cycles, now);
    } else {
        due_at(now + design_.credit_cycles).credit_runs.push_back({&input, count});
        if (input.sender_waits) {
            wake_sender(input, *awaited_credits_);
        }
    }
    use_credits(router, output, own, count);
    ++stretches_;
    if ((router.ejecting & own) != 0) {
        ++ejecting_stretches_;
        const End& end = ends_[output.receiver];
        end.end->take_ahead(end.number, count, now + design_.ejection_cycles, now);
    } else {
        due_at(now + design_.link_cycles).runs.push_back({&output, count});
        if (!input.header_has_left) {
            begin_message(output, input.message);
        }
        if (input.taken == input.tail) {
            last_tail_of(output) = output.sent;
        }
    }
    input.header_has_left = true;
}

// Wakes this part for the effects of this cycle's flits in stretches: arrivals, and further flits.
// A router with other flits is also woken when its stretch ends.
void VirtualChannelRouters::note_stretches(hw::Cycles now) {
    has_moved_ = true;
    if (stretches_ > ejecting_stretches_) {
        wake_after(design_.link_cycles);
    }
    if (ejecting_stretches_ > 0) {
        wake_after(design_.ejection_cycles);
        takes_ahead_.add(now + design_.ejection_cycles, now);
    }
    const hw::Cycles next = now + hw::Cycles(1);
    std::int64_t ending = 0;
    bool has_flits = false;
    for (const VirtualChannel* vc : stretch_ends_at(next).vcs()) {
        if (stretch_of(*vc).end == next) {
            ++ending;
            has_flits = has_flits || routers_[vc->receiver].visible != 0;
        }
    }
    if (ending < stretches_ || has_flits) {
        wake_after(hw::Cycles(1));
    }
}

// Ends the stretches in this cycle's list, except those that were recalled or end later.
void VirtualChannelRouters::end_stretches(hw::Cycles cycle) {
    VirtualChannelList& ends = stretch_ends_at(cycle);
    for (VirtualChannel* vc : ends.vcs()) {
        const hw::Cycles end = stretch_of(*vc).end;
        if (end != hw::Cycles(kNone) && end <= cycle) {
            end_stretch(*vc);
        }
    }
    ends.clear();
}

// Ends a stretch: its virtual channel holds its output as before, or its message ends. To be called
// after the stretch's last cycle.
void VirtualChannelRouters::end_stretch(VirtualChannel& vc) {
    RouterState& router = routers_[vc.receiver];
    const VirtualChannelSet own = bit_of(vc.number);
    Stretch& stretch = stretch_of(vc);
    stretch.end = hw::Cycles(kNone);
    router.in_stretch &= ~own;
    --stretches_;
    ejecting_stretches_ -= (router.ejecting & own) != 0 ? 1 : 0;
    if (vc.taken == vc.tail) {
        end_message(router, vc, own);
    } else {
        router.holding |= own;
    }
    if (router.has_to_act()) {
        visit(vc.receiver);
    }
}

// Recalls the flits of the stretch that have not left before `now`.
void VirtualChannelRouters::recall_stretch(VirtualChannel& vc, hw::Cycles now) {
    Stretch& stretch = stretch_of(vc);
    shorten_stretch(vc, static_cast<std::int32_t>((stretch.end - now).count()), now);
    end_stretch(vc);
}

// Removes the last `count` flits of a stretch. Stretches elsewhere that rely on these flits or on
// their credits become shorter, too.
void VirtualChannelRouters::shorten_stretch(VirtualChannel& vc, std::int32_t count,
                                            hw::Cycles now) {
    Stretch& stretch = stretch_of(vc);
    VirtualChannel& output = *vc.output;
    stretch.end -= hw::Cycles(count);
    sc_assert(count > 0 && stretch.end >= now && stretch.end > stretch.first);
    if (stretch.end > now) {
        list_end(vc, now);
    }
    vc.taken -= count;
    vc.flits += count;
    see_flits(vc);
    if (vc.is_injection) {
        const End& sender = ends_[vc.sender];
        sender.end->flits_recalled(sender.number, count, stretch.end + design_.credit_cycles, now);
    } else {
        recall_credits(vc, stretch.first + design_.credit_cycles, count);
    }
    output.sent -= count;
    output.credits += count;
    if (output.credits > 0) {
        routers_[vc.receiver].credited |= bit_of(vc.number);
    }
    recall_flits(output, stretch.first, count);
    if (output.flits < 0) {
        shorten_stretch(output, -output.flits, now);
    }
    if (vc.credits < 0) {
        shorten_stretch(input_of(vc.sender, vc.owner), -vc.credits, now);
    }
}

// Cancels the arrivals of the last `count` flits of the stretch that begins in cycle `first`.
void VirtualChannelRouters::recall_flits(VirtualChannel& vc, hw::Cycles first, std::int32_t count) {
    if (vc.is_ejection) {
        const End& end = ends_[vc.receiver];
        end.end->flits_do_not_come(end.number, count);
        vc.taken -= count;
        recall_credits(vc, first + design_.ejection_cycles + design_.credit_cycles, count);
        return;
    }
    const hw::Cycles arrival = first + design_.link_cycles;
    if (arrival > brought_) {
        shorten_run(due_at(arrival).runs, vc, count);
    } else {
        vc.flits -= count;
        see_flits(vc);
    }
}

// Cancels the last `count` credits of a stretch, whose first credit returns in cycle `first`.
void VirtualChannelRouters::recall_credits(VirtualChannel& vc, hw::Cycles first,
                                           std::int32_t count) {
    if (first > brought_) {
        shorten_run(due_at(first).credit_runs, vc, count);
        return;
    }
    vc.credits -= count;
    if (looks_for_room_) {
        rare_state_of(vc).last_credit -= hw::Cycles(count);
    }
    if (vc.credits <= 0 && vc.owner != kNoOwner) {
        routers_[vc.sender].credited &= ~bit_of(vc.owner);
    }
}

void VirtualChannelRouters::shorten_run(std::vector<RunThatComes>& runs, const VirtualChannel& vc,
                                        std::int32_t count) {
    std::find_if(runs.begin(), runs.end(), [&vc](const RunThatComes& run) {
        return run.vc == &vc;
    })->count -= count;
}

void VirtualChannelRouters::see_flits(const VirtualChannel& vc) {
    VirtualChannelSet& visible = routers_[vc.receiver].visible;
    const VirtualChannelSet own = bit_of(vc.number);
    visible = vc.flits > 0 ? visible | own : visible & ~own;
}

}  // namespace weir::network
