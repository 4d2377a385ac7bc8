#include "network/traffic/virtual_channel_endpoint.h"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::network {

VirtualChannelEndpoint::VirtualChannelEndpoint(
    const sc_core::sc_module_name& name, hw::ClockDomain& domain, hw::NodeId node,
    VirtualChannelRouters& routers,
    const std::vector<VirtualChannelRouters::InterfaceChannels>& vcs, const Rules& rules,
    MessageLots lots, std::unique_ptr<PacketSource> source, PacketTable& packets,
    TrafficRecord& record)
    : sc_module(name),
      ClockedPart(domain),
      node_(node.index()),
      routers_(routers),
      rules_(rules),
      lots_(lots),
      vcs_(vcs.size()),
      source_(std::move(source)),
      next_packet_(source_->next()),
      packets_(packets),
      record_(record) {
    for (std::size_t number = 0; number < vcs.size(); ++number) {
        vcs_[number].numbers = vcs[number];
        routers_.connect_end(*this, number, vcs[number]);
    }
    if (next_packet_) {
        wake_at(next_packet_->cycle);
    }
}

void VirtualChannelEndpoint::tick(hw::Cycles now) {
    note_arrivals(now);
    generate(now);
    if (now > last_sent_) {
        if (!send(now)) {
            expect_credits(now);
        }
    }
    if (last_sent_ >= now && (!begun_.empty() || may_begin(now))) {
        wake_at(last_sent_ + hw::Cycles(1));
    }
}

void VirtualChannelEndpoint::offer(const GeneratedPacket& packet) {
    sc_assert(!next_packet_);
    next_packet_ = packet;
    wake_at(packet.cycle);
}

// --- The source ---------------------------------------------------------------------------------

void VirtualChannelEndpoint::generate(hw::Cycles now) {
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

// Sends flits of the oldest begun packet that has a credit, or begins a packet. Flits of an older
// packet may get credits at any time, so only the oldest packet sends several flits.
bool VirtualChannelEndpoint::send(hw::Cycles now) {
    for (std::size_t i = 0; i < begun_.size(); ++i) {
        const std::size_t number = begun_[i];
        const std::int64_t credits = credits_of(vcs_[number], now);
        if (credits <= 0) {
            continue;
        }
        const std::int64_t most = i == 0 ? std::min(credits, routers_.longest_run()) : 1;
        send_run(number, std::min(vcs_[number].left, most), false, now);
        if (vcs_[number].left == 0) {
            begun_.erase(begun_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return true;
    }
    return may_begin(now) && begin_packet(now);
}

bool VirtualChannelEndpoint::can_begin_on(const VirtualChannel& vc, hw::Cycles now) const {
    if (vc.left > 0) {
        return false;
    }
    const std::int64_t credits = credits_of(vc, now);
    return rules_.await_tail_credit ? credits == routers_.places_of(vc.numbers.injection)
                                    : credits > 0;
}

bool VirtualChannelEndpoint::begin_packet(hw::Cycles now) {
    for (std::size_t i = 0; i < vcs_.size(); ++i) {
        const std::size_t number = (next_injection_ + i) % vcs_.size();
        VirtualChannel& vc = vcs_[number];
        if (!can_begin_on(vc, now)) {
            continue;
        }
        const GeneratedPacket& first = queue_.front();
        vc.packet = packets_.add(record_.begun(first, node_, now));
        vc.left = first.flits.count();
        queue_.pop_front();
        domain().note_progress(now);
        next_injection_ = (number + 1) % vcs_.size();
        const std::int64_t most =
            begun_.empty() ? std::min(credits_of(vc, now), routers_.longest_run()) : 1;
        send_run(number, std::min(vc.left, most), true, now);
        if (vc.left > 0) {
            begun_.push_back(number);
        }
        return true;
    }
    return false;
}

void VirtualChannelEndpoint::send_run(std::size_t number, std::int64_t count, bool is_first,
                                      hw::Cycles now) {
    VirtualChannel& vc = vcs_[number];
    VirtualChannelRouters::Run run{vc.numbers.injection, count, count == vc.left, std::nullopt};
    if (is_first) {
        const Packet& packet = packets_[vc.packet];
        run.header = Flit::header(vc.packet, static_cast<std::uint16_t>(packet.destination),
                                  packet.flits.count(), lots_.draw(hw::NodeId(packet.destination)));
    }
    routers_.send(run, now);
    vc.left -= count;
    sent_vc_ = number;
    last_sent_ = now + hw::Cycles(count - 1);
    record_.sent_flits(hw::Flits(count));
}

// Wakes this part when a credit returns that a begun packet, or the next one, waits for.
void VirtualChannelEndpoint::expect_credits(hw::Cycles now) {
    const bool may_begin_one = may_begin(now);
    for (VirtualChannel& vc : vcs_) {
        if (vc.left == 0 && !may_begin_one) {
            continue;
        }
        if (vc.future_credits.count_after(now) > 0) {
            wake_at(vc.future_credits.first_after(now));
        } else {
            vc.awaits_credit = true;
        }
    }
}

void VirtualChannelEndpoint::flits_left(std::size_t number, std::int64_t count, hw::Cycles credit,
                                        hw::Cycles now) {
    VirtualChannel& vc = vcs_[number];
    vc.future_credits.add(credit, count, now);
    if (vc.awaits_credit) {
        vc.awaits_credit = false;
        wake_at(credit);
    }
}

void VirtualChannelEndpoint::flits_recalled(std::size_t number, std::int64_t count,
                                            hw::Cycles credit, hw::Cycles now) {
    vcs_[number].future_credits.remove(credit, count, now);
}

// --- The sink -----------------------------------------------------------------------------------

void VirtualChannelEndpoint::flit_comes(std::size_t number, hw::MessageSlot message,
                                        hw::Cycles arrival, hw::Cycles now) {
    if (can_take_ahead(number, message, 1, now)) {
        take_ahead(number, 1, arrival, now);
    }
}

bool VirtualChannelEndpoint::can_take_ahead(std::size_t number, hw::MessageSlot message,
                                            std::int64_t /*count*/, hw::Cycles /*now*/) {
    if (vcs_[number].taken == 0) {
        vcs_[number].arriving = message;
    }
    return true;
}

void VirtualChannelEndpoint::take_ahead(std::size_t number, std::int64_t count, hw::Cycles arrival,
                                        hw::Cycles now) {
    VirtualChannel& vc = vcs_[number];
    while (!vc.runs.empty() && vc.runs.front().end() <= now) {
        vc.runs.pop_front();
    }
    vc.runs.push_back({arrival, count});
    vc.taken += count;
    record_.took_flits(hw::Flits(count), arrival);
    const std::int64_t flits = packets_[vc.arriving].flits.count();
    if (vc.taken == flits) {
        const hw::Cycles tail = arrival + hw::Cycles(count - 1);
        arrivals_.push_back({tail, vc.arriving});
        wake_at(tail);
        vc.taken = 0;
    } else if (vc.taken > flits) [[unlikely]] {
        note_surplus(packets_[vc.arriving]);
    }
    routers_.taken(vc.numbers.ejection, count, arrival, now);
}

void VirtualChannelEndpoint::note_surplus(const Packet& packet) {
    record_.note_fault(std::string(name()) + ": a packet from node " +
                       std::to_string(packet.source) + " has too many flits");
}

// If the tail was taken, its arrival is that of the last packet taken from this virtual channel.
void VirtualChannelEndpoint::flits_do_not_come(std::size_t number, std::int64_t count) {
    VirtualChannel& vc = vcs_[number];
    Run run = vc.runs.back();
    vc.runs.pop_back();
    sc_assert(run.count >= count);
    if (vc.taken == 0) {
        const hw::Cycles tail = run.end() - hw::Cycles(1);
        std::erase_if(arrivals_, [&](const Arrival& arrival) {
            return arrival.cycle == tail && arrival.packet == vc.arriving;
        });
        vc.taken = packets_[vc.arriving].flits.count();
    }
    vc.taken -= count;
    run.count -= count;
    record_.cancel_flits(hw::Flits(count), run.end());
    if (run.count > 0) {
        vc.runs.push_back(run);
    }
}

void VirtualChannelEndpoint::note_arrivals(hw::Cycles now) {
    std::erase_if(arrivals_, [this, now](const Arrival& arrival) {
        if (arrival.cycle > now) {
            return false;
        }
        if (packets_[arrival.packet].destination != node_) [[unlikely]] {
            note_stray(packets_[arrival.packet]);
        }
        record_.arrived(packets_, arrival.packet, arrival.cycle);
        return true;
    });
}

void VirtualChannelEndpoint::note_stray(const Packet& packet) {
    record_.note_fault(std::string(name()) + ": a packet from node " +
                       std::to_string(packet.source) + " to node " +
                       std::to_string(packet.destination) + " arrives");
}

// --- Between cycles -----------------------------------------------------------------------------

std::int64_t VirtualChannelEndpoint::sent_ahead(std::size_t number, hw::Cycles now) const {
    return number == sent_vc_ ? std::max((last_sent_ - now).count(), INT64_C(0)) : 0;
}

std::int64_t VirtualChannelEndpoint::taken_ahead(std::size_t number, hw::Cycles now) const {
    const hw::Fifo<Run>& runs = vcs_[number].runs;
    std::int64_t flits = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        flits += std::clamp((runs[i].end() - now).count() - 1, INT64_C(0), runs[i].count);
    }
    return flits;
}

std::int64_t VirtualChannelEndpoint::ahead(hw::Cycles now) const {
    std::int64_t flits = 0;
    for (std::size_t number = 0; number < vcs_.size(); ++number) {
        flits += sent_ahead(number, now) - taken_ahead(number, now);
    }
    return flits;
}

void VirtualChannelEndpoint::report_waits(hw::WaitReport& report) const {
    for (const VirtualChannel& vc : vcs_) {
        if (vc.left > 0) {
            report.push_back({name(), routers_.name_of(vc.numbers.injection),
                              std::to_string(vc.left) + " flits of a packet to node " +
                                  std::to_string(packets_[vc.packet].destination) +
                                  " have no room"});
        }
    }
}

}  // namespace weir::network
