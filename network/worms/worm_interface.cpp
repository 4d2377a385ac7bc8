#include "network/worms/worm_interface.h"

#include <algorithm>
#include <utility>

namespace weir::network {

WormInterface::WormInterface(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                             hw::NodeId node, hw::Bytes flit_bytes, hw::MessagePool& messages,
                             Trip trip, WormFabric& fabric)
    : AheadInterface(name, domain, node, flit_bytes, messages, std::move(trip)),
      fabric_(fabric),
      injection_(fabric.channel(fabric.injection_channel(node))),
      ejection_(fabric.channel(fabric.ejection_channel(node))) {
    fabric.connect(*this, node);
}

void WormInterface::tick(hw::Cycles now) {
    tell_of_headers(now);
    if (has_unsent_bytes(now)) {
        inject(now);
    }
    if (ejection_.sent.count() > ejection_.taken.count()) {
        eject(now);
    }
    fabric_.go_on(now);
}

// --- From the output queue ----------------------------------------------------------------------

void WormInterface::inject(hw::Cycles now) {
    injection_.left = 0;  // 0: the interface awaits no credit
    bool has_sent = false;
    while (has_message_to_send(now)) {
        std::int64_t count = flits_there(now);
        const std::int64_t credits = injection_.credits();
        if (count == 0) {
            expect_flit(now);
            look_again(now);
            break;
        }
        if (credits <= 0) {
            injection_.left = 1;
            break;
        }
        count = std::min(count, credits);
        hw::Cycles first = std::max(injection_.last + hw::Cycles(1), now);
        if (!injection_.has_credits_from(first)) {
            const CycleRuns::Flits taken =
                injection_.taken.flits_from(injection_.sent.count() - injection_.places);
            first = std::max(first, taken.cycle + hw::Cycles(1));
            count = std::min(count, taken.left);
        }
        send_into_channel(first, count, now);
        has_sent = true;
    }
    if (has_sent) {
        fabric_.note_move(injection_.last);
        fabric_.go_on_behind(injection_);
    }
}

[[gnu::always_inline]] inline void WormInterface::send_into_channel(hw::Cycles first,
                                                                    std::int64_t count,
                                                                    hw::Cycles now) {
    if (to_send().is_whole) {
        has_looked_ = false;
        note_entry(first);
        const hw::MessageSlot message = to_send().message;
        fabric_.header_sent(injection_, message, messages()[message].destination.index(),
                            to_send().flits, first, now);
    }
    injection_.sent.add(count, first, injection_.taken.count(), now);
    injection_.last = first + hw::Cycles(count - 1);
    send(first, count, now);
}

// If the first flit's bytes are not complete, ticks once more in the next cycle, as
// FlitInterface would.
void WormInterface::look_again(hw::Cycles now) {
    if (!to_send().is_whole || has_looked_) {
        return;
    }
    has_looked_ = true;
    if (injection_.last < now && injection_.taken.last() < now) {
        wake_at(now + hw::Cycles(1));
    }
}

// After a flit, FlitInterface looks for the next flit's bytes in the next cycle, or when a
// credit is there. If the bytes are missing, it looks once more a cycle later.
hw::Cycles WormInterface::last_look() const {
    const hw::Cycles sent = injection_.sent.count() == 0 ? hw::Cycles(-3) : injection_.sent.last();
    hw::Cycles look = sent + hw::Cycles(1);
    if (to_send().flits > 0) {
        if (injection_.credits() <= 0) {
            return look;
        }
        look = std::max(
            look, injection_.taken.flits_from(injection_.sent.count() - injection_.places).cycle +
                      hw::Cycles(1));
    }
    return look + hw::Cycles(1);
}

// --- Into the input queue -----------------------------------------------------------------------

void WormInterface::eject(hw::Cycles now) {
    bool has_taken = false;
    while (!ejection_.worms.empty()) {
        std::int64_t count = ejection_.sent.count() - ejection_.taken.count();
        if (count <= 0) {
            break;
        }
        if (to_take().flits == 0) {
            begin_to_take(ejection_.worms.front());
        }
        const CycleRuns::Flits arriving = ejection_.sent.flits_from(ejection_.taken.count());
        count = std::min({count, to_take().flits, arriving.left});
        const hw::Cycles first =
            std::max({last_taken_ + hw::Cycles(1), arriving.cycle + ejection_.link(), now});
        count = flits_with_room(count, now);
        if (count == 0) {
            await_room(first, now);
            break;
        }
        ejection_.taken.add(count, first, now);
        last_taken_ = first + hw::Cycles(count - 1);
        take(first, count, now);
        if (to_take().flits == 0) {
            ejection_.worms.pop_front();
        }
        has_taken = true;
    }
    if (has_taken) {
        fabric_.note_move(last_taken_);
        fabric_.go_on_before(ejection_);
    }
}

// Waits for room for a flit that arrives in cycle `cycle`.
void WormInterface::await_room(hw::Cycles cycle, hw::Cycles now) {
    if (cycle <= now) {
        stop_for_room(now);
    } else if (looks_for_room_ != cycle) {
        looks_for_room_ = cycle;
        wake_at(cycle);
    }
}

// --- Between cycles -----------------------------------------------------------------------------

void WormInterface::settle(hw::Cycles now) {
    settle_after(now, injection_.sent.count_through(now), ejection_.taken.count_through(now));
}

void WormInterface::report_waits(hw::WaitReport& report,
                                 const std::string& controller_input) const {
    report_wait_to_send(report, fabric_.name_of(injection_.number), kNoRoomInChannel);
    if (ejection_.held_through(domain().now()) > 0) {
        report.push_back(wait_to_take(fabric_.name_of(ejection_.number), controller_input,
                                      stopped_message(), kNoRoomInQueue));
    }
}

}  // namespace weir::network
