#include <algorithm>

#include "network/lanes/lane_end.h"
#include "network/lanes/lane_routers.h"

// Stretches of LaneRouters: several flits, one per cycle, granted with the first.
namespace weir::network {

// True if `count` flits can be ejected, one per cycle. Credits must suffice for all, or for the
// time until the first credit is back.
bool LaneRouters::can_eject(const Lane& input, std::int32_t count, hw::Cycles now) const {
    const Lane& output = *input.output;
    const hw::Cycles back = design_.ejection_cycles + design_.credit_cycles;
    if (design_.has_channels || (output.credits < count && output.credits < back.count())) {
        return false;
    }
    const End& end = ends_[output.receiver];
    return end.end->can_take_ahead(end.copy, input.message, count, now);
}

// Adds the stretch to the list of its end. A recalled stretch may still be in this list.
inline void LaneRouters::list_end(Lane& lane, hw::Cycles now) {
    Stretch& stretch = stretch_of(lane);
    LaneList& ends = stretch_ends_at(stretch.end);
    if (stretch.listed <= now || !ends.has(lane)) {
        ends.push(lane);
    }
    stretch.listed = std::max(stretch.listed, stretch.end);
}

void LaneRouters::send_stretch(RouterState& router, Lane& input, LaneSet own, std::int32_t count,
                               hw::Cycles now) {
    Lane& output = *input.output;
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
        sender.end->flits_left(sender.copy, count, now + design_.credit_cycles, now);
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
        end.end->take_ahead(end.copy, count, now + design_.ejection_cycles, now);
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
void LaneRouters::note_stretches(hw::Cycles now) {
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
    for (const Lane* lane : stretch_ends_at(next).lanes()) {
        if (stretch_of(*lane).end == next) {
            ++ending;
            has_flits = has_flits || routers_[lane->receiver].visible != 0;
        }
    }
    if (ending < stretches_ || has_flits) {
        wake_after(hw::Cycles(1));
    }
}

// Ends the stretches in this cycle's list, except those that were recalled or end later.
void LaneRouters::end_stretches(hw::Cycles cycle) {
    LaneList& ends = stretch_ends_at(cycle);
    for (Lane* lane : ends.lanes()) {
        const hw::Cycles end = stretch_of(*lane).end;
        if (end != hw::Cycles(kNone) && end <= cycle) {
            end_stretch(*lane);
        }
    }
    ends.clear();
}

// Called after the stretch's last cycle.
void LaneRouters::end_stretch(Lane& lane) {
    RouterState& router = routers_[lane.receiver];
    const LaneSet own = bit_of(lane.number);
    Stretch& stretch = stretch_of(lane);
    stretch.end = hw::Cycles(kNone);
    router.in_stretch &= ~own;
    --stretches_;
    ejecting_stretches_ -= (router.ejecting & own) != 0 ? 1 : 0;
    if (lane.taken == lane.tail) {
        end_message(router, lane, own);
    } else {
        router.holding |= own;
    }
    if (router.has_to_act()) {
        visit(lane.receiver);
    }
}

// Recalls the flits of the stretch that have not left before `now`.
void LaneRouters::recall_stretch(Lane& lane, hw::Cycles now) {
    Stretch& stretch = stretch_of(lane);
    shorten_stretch(lane, static_cast<std::int32_t>((stretch.end - now).count()), now);
    end_stretch(lane);
}

// Removes the last `count` flits of a stretch. Stretches elsewhere that rely on these flits or on
// their credits become shorter, too.
void LaneRouters::shorten_stretch(Lane& lane, std::int32_t count, hw::Cycles now) {
    Stretch& stretch = stretch_of(lane);
    Lane& output = *lane.output;
    stretch.end -= hw::Cycles(count);
    sc_assert(count > 0 && stretch.end >= now && stretch.end > stretch.first);
    if (stretch.end > now) {
        list_end(lane, now);
    }
    lane.taken -= count;
    lane.flits += count;
    see_flits(lane);
    if (lane.is_injection) {
        const End& sender = ends_[lane.sender];
        sender.end->flits_recalled(sender.copy, count, stretch.end + design_.credit_cycles, now);
    } else {
        recall_credits(lane, stretch.first + design_.credit_cycles, count);
    }
    output.sent -= count;
    output.credits += count;
    if (output.credits > 0) {
        routers_[lane.receiver].credited |= bit_of(lane.number);
    }
    recall_flits(output, stretch.first, count);
    if (output.flits < 0) {
        shorten_stretch(output, -output.flits, now);
    }
    if (lane.credits < 0) {
        shorten_stretch(input_of(lane.sender, lane.owner), -lane.credits, now);
    }
}

// Cancels the arrivals of the last `count` flits of the stretch that begins in cycle `first`.
void LaneRouters::recall_flits(Lane& lane, hw::Cycles first, std::int32_t count) {
    if (is_ejection(lane)) {
        ends_[lane.receiver].end->flits_do_not_come(count);
        lane.taken -= count;
        recall_credits(lane, first + design_.ejection_cycles + design_.credit_cycles, count);
        return;
    }
    const hw::Cycles arrival = first + design_.link_cycles;
    if (arrival > brought_) {
        shorten_run(due_at(arrival).runs, lane, count);
    } else {
        lane.flits -= count;
        see_flits(lane);
    }
}

// Cancels the last `count` credits of a stretch, whose first credit returns in cycle `first`.
void LaneRouters::recall_credits(Lane& lane, hw::Cycles first, std::int32_t count) {
    if (first > brought_) {
        shorten_run(due_at(first).credit_runs, lane, count);
        return;
    }
    lane.credits -= count;
    if (lane.credits <= 0 && lane.owner != kNoOwner) {
        routers_[lane.sender].credited &= ~bit_of(lane.owner);
    }
}

void LaneRouters::shorten_run(std::vector<RunThatComes>& runs, const Lane& lane,
                              std::int32_t count) {
    std::find_if(runs.begin(), runs.end(), [&lane](const RunThatComes& run) {
        return run.lane == &lane;
    })->count -= count;
}

void LaneRouters::see_flits(const Lane& lane) {
    LaneSet& visible = routers_[lane.receiver].visible;
    const LaneSet own = bit_of(lane.number);
    visible = lane.flits > 0 ? visible | own : visible & ~own;
}

}  // namespace weir::network
