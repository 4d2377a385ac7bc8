#include "network/traffic/worm_endpoint.h"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::network {

WormEndpoint::WormEndpoint(WormFabric& fabric, hw::NodeId node, bool await_tail_credit,
                           std::unique_ptr<PacketSource> source, PacketTable& packets,
                           TrafficRecord& record)
    : fabric_(fabric),
      injection_(fabric.channel(fabric.injection_channel(node))),
      ejection_(fabric.channel(fabric.ejection_channel(node))),
      node_(node.index()),
      await_tail_credit_(await_tail_credit),
      source_(std::move(source)),
      packets_(packets),
      record_(record) {
    fabric.connect(*this, node);
    draw_next();
    expect_packet(fabric.domain().now());
}

// --- The source ---------------------------------------------------------------------------------

void WormEndpoint::draw_next() { next_packet_ = source_->next(); }

void WormEndpoint::offer(const GeneratedPacket& packet) {
    sc_assert(first_waiting() == nullptr && left_ == 0);
    next_packet_ = packet;
    expect_packet(fabric_.domain().now());
}

void WormEndpoint::generate_before(hw::Cycles cycle) {
    while (next_packet_ && next_packet_->cycle < cycle) {
        record_.generated(next_packet_->flits, next_packet_->cycle);
        queue_.push_back(*next_packet_);
        draw_next();
    }
}

const GeneratedPacket* WormEndpoint::first_waiting() const {
    if (!queue_.empty()) {
        return &queue_.front();
    }
    return next_packet_ ? &*next_packet_ : nullptr;
}

GeneratedPacket WormEndpoint::take_first_waiting() {
    if (!queue_.empty()) {
        const GeneratedPacket first = queue_.front();
        queue_.pop_front();
        return first;
    }
    const GeneratedPacket first = *next_packet_;
    record_.generated(first.flits, first.cycle);
    draw_next();
    return first;
}

// Schedules the beginning of the next packet, or waits for the credits that it needs.
void WormEndpoint::expect_packet(hw::Cycles now) {
    const GeneratedPacket* next = first_waiting();
    if (next == nullptr) {
        return;
    }
    hw::Cycles begin = std::max(next->cycle, injection_.last + hw::Cycles(1));
    const std::int64_t last_needed = await_tail_credit_
                                         ? injection_.sent.count() - 1
                                         : injection_.sent.count() - injection_.places;
    if (last_needed >= injection_.taken.count()) {
        injection_.left = 1;  // 1: the endpoint awaits a credit
        return;
    }
    if (injection_.taken.cycle_in_last_run(last_needed) >= begin) {
        begin = std::max(begin, injection_.taken.flits_from(last_needed).cycle + hw::Cycles(1));
    }
    if (record_.is_open(begin)) {
        fabric_.begin_worm_at(begin, injection_, now);
    }
}

void WormEndpoint::begin_worm(hw::Cycles now) {
    if (!record_.is_open(now)) {
        return;
    }
    const GeneratedPacket first = take_first_waiting();
    const hw::MessageSlot slot = packets_.add(record_.begun(first, node_, now));
    left_ = first.flits.count();
    fabric_.header_sent(injection_, slot, first.destination, left_, now, now);
    send_flits(now);
}

void WormEndpoint::inject(hw::Cycles now) {
    injection_.left = 0;
    left_ > 0 ? send_flits(now) : expect_packet(now);
}

// Sends flits of the current packet as far as credits are known.
void WormEndpoint::send_flits(hw::Cycles now) {
    do {
        const std::int64_t credits = injection_.credits();
        if (credits <= 0) {
            injection_.left = 1;
            break;
        }
        std::int64_t count = std::min(left_, credits);
        hw::Cycles first = std::max(injection_.last + hw::Cycles(1), now);
        if (!injection_.has_credits_from(first)) {
            const CycleRuns::Flits taken =
                injection_.taken.flits_from(injection_.sent.count() - injection_.places);
            first = std::max(first, taken.cycle + hw::Cycles(1));
            count = std::min(count, taken.left);
        }
        injection_.sent.add(count, first, injection_.taken.count(), now);
        injection_.last = first + hw::Cycles(count - 1);
        left_ -= count;
        record_.sent_flits(hw::Flits(count));
    } while (left_ > 0);
    fabric_.note_move(injection_.last);
    fabric_.go_on_behind(injection_);
    if (left_ == 0) {
        expect_packet(now);
    }
}

// --- The sink -----------------------------------------------------------------------------------

void WormEndpoint::eject(hw::Cycles now) {
    hw::Cycles last_taken(-1);
    while (!ejection_.worms.empty()) {
        std::int64_t count = ejection_.sent.count() - ejection_.taken.count();
        if (count <= 0) {
            break;
        }
        const hw::MessageSlot slot = ejection_.worms.front();
        if (to_take_ == 0) {
            to_take_ = packets_[slot].flits.count();
        }
        const CycleRuns::Flits arriving = ejection_.sent.flits_from(ejection_.taken.count());
        count = std::min({count, to_take_, arriving.left});
        const hw::Cycles first = arriving.cycle + ejection_.link();
        ejection_.taken.add(count, first, now);
        record_.took_flits(hw::Flits(count), first);
        last_taken = first + hw::Cycles(count - 1);
        to_take_ -= count;
        if (to_take_ == 0) {
            ejection_.worms.pop_front();
            arrived(slot, last_taken);
        }
    }
    fabric_.note_move(last_taken);
    fabric_.go_on_before(ejection_);
}

void WormEndpoint::arrived(hw::MessageSlot slot, hw::Cycles cycle) {
    const Packet& packet = packets_[slot];
    if (packet.destination != node_) {
        record_.note_fault("a packet from node " + std::to_string(packet.source) + " to node " +
                           std::to_string(packet.destination) + " arrives at node " +
                           std::to_string(node_));
    }
    record_.arrived(packets_, slot, cycle,
                    fabric_.routers_between(packet.source, packet.destination));
}

}  // namespace weir::network
