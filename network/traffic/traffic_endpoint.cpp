#include "network/traffic/traffic_endpoint.h"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::network {

TrafficEndpoint::TrafficEndpoint(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                                 hw::NodeId node, VirtualChannels vcs,
                                 std::unique_ptr<PacketSource> source, PacketTable& packets,
                                 TrafficRecord& record)
    : sc_module(name),
      ClockedPart(domain),
      node_(node),
      flit_cycles_(vcs.flit_cycles),
      interleave_packets_(vcs.interleave_packets),
      await_tail_credit_(vcs.await_tail_credit),
      lots_(vcs.lots),
      source_(std::move(source)),
      next_packet_(source_->next()),
      packets_(packets),
      record_(record) {
    for (FlitChannel* channel : vcs.injection) {
        injection_.push_back({channel});
    }
    for (FlitChannel* channel : vcs.ejection) {
        ejection_.push_back({channel});
    }
    if (next_packet_) {
        wake_at(next_packet_->cycle);
    }
}

void TrafficEndpoint::tick(hw::Cycles now) {
    take_flit(now);
    generate(now);
    if (now >= link_free_from_ && send_flit(now)) {
        link_free_from_ = now + flit_cycles_;
    }
    await_work(now);
}

void TrafficEndpoint::offer(const GeneratedPacket& packet) {
    sc_assert(!next_packet_);
    next_packet_ = packet;
    wake_at(packet.cycle);
}

void TrafficEndpoint::take_flit(hw::Cycles now) {
    for (std::size_t i = 0; i < ejection_.size(); ++i) {
        const std::size_t number = (next_ejection_ + i) % ejection_.size();
        EjectionVirtualChannel& vc = ejection_[number];
        if (!vc.channel->has_flit(now)) {
            continue;
        }
        const Flit flit = vc.channel->front();
        vc.channel->take(now);
        next_ejection_ = (number + 1) % ejection_.size();
        accept(vc, flit, now);
        break;
    }
    const bool has_more =
        std::any_of(ejection_.begin(), ejection_.end(),
                    [now](const EjectionVirtualChannel& vc) { return vc.channel->has_flit(now); });
    if (has_more) {
        wake_at(now + hw::Cycles(1));
    }
}

// Checks that a worm arrives complete, in order, and at its destination.
void TrafficEndpoint::accept(EjectionVirtualChannel& vc, const Flit& flit, hw::Cycles now) {
    record_.took_flits(hw::Flits(1), now);
    domain().note_progress(now);
    const bool is_due = flit.is_header ? vc.taken == hw::Flits(0)
                                       : vc.taken > hw::Flits(0) && flit.message == vc.packet;
    vc.packet = flit.message;
    vc.taken += hw::Flits(1);
    const Packet& packet = packets_[flit.message];
    const bool is_whole = flit.is_tail == (vc.taken == packet.flits);
    if (!is_due || !is_whole || packet.destination != node_.index()) {
        record_.note_fault(std::string(name()) + ": at cycle " + std::to_string(now.count()) +
                           " a flit of a packet from node " + std::to_string(packet.source) +
                           " to node " + std::to_string(packet.destination) +
                           " that is not the next one due");
    }
    if (flit.is_tail) {
        vc.taken = hw::Flits(0);
        record_.arrived(packets_, flit.message, now);
    }
}

void TrafficEndpoint::generate(hw::Cycles now) {
    if (!record_.is_open(now)) {
        next_packet_.reset();
    }
    while (next_packet_ && next_packet_->cycle <= now) {
        record_.generated(next_packet_->flits, now);
        queue_.push_back(*next_packet_);
        next_packet_ = source_->next();
        if (next_packet_ && next_packet_->cycle > now) {
            wake_at(next_packet_->cycle);
        }
    }
}

bool TrafficEndpoint::send_flit(hw::Cycles now) {
    for (std::size_t i = 0; i < begun_.size(); ++i) {
        const std::size_t vc = begun_[i];
        if (!injection_[vc].channel->has_credit(now)) {
            continue;
        }
        send_on(vc, now);
        if (injection_[vc].left == hw::Flits(0)) {
            begun_.erase(begun_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return true;
    }
    return may_begin(now) && begin_packet(now);
}

bool TrafficEndpoint::begin_packet(hw::Cycles now) {
    for (std::size_t i = 0; i < injection_.size(); ++i) {
        const std::size_t number = (next_injection_ + i) % injection_.size();
        InjectionVirtualChannel& vc = injection_[number];
        if (vc.left > hw::Flits(0) || !vc.channel->has_credits(credits_needed(vc), now)) {
            continue;
        }
        const GeneratedPacket& first = queue_.front();
        vc.packet = packets_.add(record_.begun(first, node_.index(), now));
        vc.left = first.flits;
        queue_.pop_front();
        domain().note_progress(now);
        next_injection_ = (number + 1) % injection_.size();
        send_on(number, now);
        if (vc.left > hw::Flits(0)) {
            begun_.push_back(number);
        }
        return true;
    }
    return false;
}

void TrafficEndpoint::send_on(std::size_t number, hw::Cycles now) {
    InjectionVirtualChannel& vc = injection_[number];
    const Packet& packet = packets_[vc.packet];
    const auto destination = static_cast<std::uint16_t>(packet.destination);
    const bool is_header = vc.left == packet.flits;
    vc.channel->send(is_header ? Flit::header(vc.packet, destination, packet.flits.count(),
                                              lots_ ? lots_->draw(hw::NodeId(packet.destination))
                                                    : std::uint16_t{0})
                               : Flit{vc.packet, destination, false, vc.left == hw::Flits(1)},
                     now);
    vc.left -= hw::Flits(1);
    record_.sent_flits(hw::Flits(1));
}

void TrafficEndpoint::await_work(hw::Cycles now) {
    const bool may_begin_one = may_begin(now);
    if (begun_.empty() && !may_begin_one) {
        return;
    }
    if (now < link_free_from_) {
        wake_at(link_free_from_);
        return;
    }
    for (const InjectionVirtualChannel& vc : injection_) {
        const bool is_needed = vc.left > hw::Flits(0) || may_begin_one;
        const hw::Flits needed = credits_needed(vc);
        if (is_needed && !vc.channel->has_credits(needed, now)) {
            vc.channel->expect_credits(needed, now);
        }
    }
}

void TrafficEndpoint::report_waits(hw::WaitReport& report) const {
    for (const InjectionVirtualChannel& vc : injection_) {
        if (vc.left > hw::Flits(0)) {
            report.push_back({name(), vc.channel->name(),
                              std::to_string(vc.left.count()) + " flits of a packet to node " +
                                  std::to_string(packets_[vc.packet].destination) +
                                  " have no room"});
        }
    }
}

}  // namespace weir::network
