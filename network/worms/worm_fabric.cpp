#include "network/worms/worm_fabric.h"

#include <algorithm>
#include <bit>
#include <boost/range/iterator_range.hpp>
#include <string>
#include <utility>

#include "network/worms/worm_end.h"

namespace weir::network {

WormFabric::WormFabric(hw::ClockDomain& domain, const Mesh& mesh, const Timing& timing)
    : ClockedPart(domain),
      mesh_(mesh),
      ports_(static_cast<std::size_t>(mesh.port_count())),
      routers_(static_cast<std::size_t>(mesh.node_count())),
      channels_(routers_ * (ports_ + 1)),
      inputs_(routers_ * ports_, nullptr),
      outputs_(2 * channels_.size()),
      work_(channels_.size()),
      longest_link_(
          std::max({timing.injection_cycles, timing.hop_cycles, timing.ejection_cycles})) {
    wheel_.fill(kNoEvent);
    connect_routers(mesh, timing);
}

void WormFabric::connect_routers(const Mesh& mesh, const Timing& timing) {
    const TopologyGraph& graph = mesh.graph();
    const auto connect = [&](std::size_t number, hw::Cycles link) {
        Channel& channel = channels_[number];
        channel.number = static_cast<std::uint32_t>(number);
        channel.link_count = static_cast<std::int32_t>(link.count());
        channel.places = timing.buffer.count() + link.count() - 1;
        channel.sender_row = static_cast<std::uint32_t>(number / ports_ * ports_);
    };
    const auto lead_to = [&](std::size_t number, std::size_t router, int port) {
        channels_[number].receiver_row = static_cast<std::uint32_t>(router * ports_);
        channels_[number].port = static_cast<std::int8_t>(port);
        inputs_[output_channel(router, port)] = &channels_[number];
    };
    for (const auto edge : channels_of(graph)) {
        const std::size_t number = output_channel(source(edge, graph), graph[edge].output_port);
        connect(number, timing.hop_cycles);
        lead_to(number, target(edge, graph), graph[edge].input_port);
    }
    for (std::int32_t i = 0; i < mesh.node_count(); ++i) {
        const hw::NodeId node(i);
        connect(injection_channel(node), timing.injection_cycles);
        lead_to(injection_channel(node), static_cast<std::size_t>(i), mesh.node_port());
        connect(ejection_channel(node), timing.ejection_cycles);
        channels_[ejection_channel(node)].is_ejection = true;
        for (const std::int32_t coordinate : graph[static_cast<std::size_t>(i)].coordinates) {
            coordinates_.push_back(static_cast<std::uint16_t>(coordinate));
        }
    }
}

std::size_t WormFabric::injection_channel(hw::NodeId node) const {
    return routers_ * ports_ + static_cast<std::size_t>(node.index());
}

std::size_t WormFabric::ejection_channel(hw::NodeId node) const {
    return output_channel(static_cast<std::size_t>(node.index()), mesh_.node_port());
}

void WormFabric::connect(WormEnd& end, hw::NodeId node) {
    channels_[injection_channel(node)].end = &end;
    channels_[ejection_channel(node)].end = &end;
}

inline void WormFabric::at(hw::Cycles cycle, Channel& channel, bool is_header) {
    const Event event = 2 * channel.number + (is_header ? 1 : 0);
    if (cycle - domain().now() >= hw::Cycles(kWheelCycles)) {
        beyond_wheel(cycle, event);
        return;
    }
    Event& first = wheel_[static_cast<std::size_t>(cycle.count()) % kWheelCycles];
    if (first == kNoEvent) {
        wake_at(cycle);
    }
    channel.next_event[is_header ? 1 : 0] = first;
    first = event;
}

void WormFabric::beyond_wheel(hw::Cycles cycle, Event event) {
    far_[cycle].push_back(event);
    wake_at(cycle);
}

// In dimension order, lowest first.
inline std::size_t WormFabric::output_towards(std::size_t row, std::int32_t destination) const {
    const std::size_t dimensions = ports_ / 2;
    const std::uint16_t* here = &coordinates_[row / ports_ * dimensions];
    const std::uint16_t* there = &coordinates_[static_cast<std::size_t>(destination) * dimensions];
    for (std::size_t d = 0; d < dimensions; ++d) {
        if (here[d] != there[d]) {
            return row + 2 * d + (there[d] > here[d] ? 0 : 1);
        }
    }
    return row + ports_ - 1;
}

void WormFabric::tick(hw::Cycles now) {
    Event& first = wheel_[static_cast<std::size_t>(now.count()) % kWheelCycles];
    if (!far_.empty() && far_.begin()->first == now) {
        for (const Event event : far_.begin()->second) {
            channels_[event / 2].next_event[event % 2] = std::exchange(first, event);
        }
        far_.erase(far_.begin());
    }
    if (first != kNoEvent) {
        std::size_t asked = 0;
        for (Event event = std::exchange(first, kNoEvent); event != kNoEvent;) {
            Channel& channel = channels_[event / 2];
            const bool is_header = event % 2 != 0;
            Channel* output = &channel;
            if (is_header) {
                output = &channels_[output_towards(channel.receiver_row,
                                                   worms_[channel.worms.front()].destination)];
                output->requests |= 1U << channel.port;
                channel.asks_from = now;
            }
            outputs_[asked++] = output;
            event = channel.next_event[is_header ? 1 : 0];
        }
        for (std::size_t i = 0; i < asked; ++i) {
            grant(*outputs_[i], now);
        }
        go_on(now);
    }
    if (now == clock_held_until_) {
        hold_clock(now);
    }
}

// An output that is asked for and free goes to the first asking input after the last winner.
inline void WormFabric::grant(Channel& output, hw::Cycles now) {
    if (output.requests == 0 || output.is_held) {
        return;
    }
    if (output.free_from > now) {
        if (output.looks_at != output.free_from) {
            output.looks_at = output.free_from;
            at(output.free_from, output, false);
        }
        return;
    }
    const std::uint32_t above = output.requests & (~std::uint32_t{1} << output.last_winner);
    const int winner = std::countr_zero(above != 0 ? above : output.requests);
    output.last_winner = static_cast<std::int8_t>(winner);
    output.requests &= ~(1U << winner);
    output.is_held = true;
    output.from = inputs_[output.sender_row + static_cast<std::size_t>(winner)];
    Channel& input = *output.from;
    input.to = &output;
    input.header_waits += now - input.asks_from;
    input.asks_from = hw::kNever;
    output.left = worms_[input.worms.front()].flits;
    output.is_header_next = true;
    output.last = now - hw::Cycles(1);
    output.headers_routed += 1;
    do_later(output);
}

void WormFabric::go_on(hw::Cycles now) {
    while (work_count_ > 0) {
        Channel& channel = *work_[--work_count_];
        if (channel.from != nullptr) {
            advance(channel, now);
        } else if (channel.left > 0) {
            channel.end->inject(now);
        }
    }
    domain().note_progress(last_move_);
    if (clock_held_until_ <= now && last_move_ > now) {
        clock_held_until_ = last_move_;
        wake_at(last_move_);
    }
}

// The worm's flits that are determined by what is known go from the input's channel into the
// output's.
void WormFabric::advance(Channel& output, hw::Cycles now) {
    Channel& input = *output.from;
    std::int64_t left = output.left;
    std::int64_t credits = output.credits();
    std::int64_t arriving = input.sent.count() - input.taken.count();
    hw::Cycles last = output.last;
    hw::Cycles header = hw::kNever;
    std::int64_t count = std::min({left, arriving, credits});
    if (count <= 0) {
        return;
    }
    const std::int64_t all = left;
    do {
        const CycleRuns::Flits arrivals = input.sent.flits_from(input.taken.count());
        hw::Cycles first = std::max(last + hw::Cycles(1), arrivals.cycle + input.link());
        count = std::min(count, arrivals.left);
        if (output.taken.last() >= first) {
            const CycleRuns::Flits taken =
                output.taken.flits_from(output.sent.count() - output.places);
            first = std::max(first, taken.cycle + hw::Cycles(1));
            count = std::min(count, taken.left);
        }
        input.taken.add(count, first, input.sent.count() - input.places, now);
        output.sent.add(count, first, output.taken.count(), now);
        header = left == all ? first : header;
        last = first + hw::Cycles(count - 1);
        left -= count;
        credits -= count;
        arriving -= count;
        count = std::min({left, arriving, credits});
    } while (count > 0);
    output.last = last;
    output.left = left;
    note_move(output.last);
    if (output.is_header_next) {
        output.is_header_next = false;
        header_known(output, input.worms.front(), header);
    }
    if (output.left == 0) {
        tail_known(output);
    }
    if (output.is_ejection) {
        output.end->eject(now);
    } else {
        go_on_behind(output);
    }
    if (input.left > 0) {
        do_later(input);
    }
}

// It goes into the channel in cycle `cycle`.
inline void WormFabric::header_known(Channel& channel, hw::MessageSlot worm, hw::Cycles cycle) {
    channel.worms.push_back(worm);
    const bool is_at_front = channel.worms.size() == 1;
    if (is_at_front && !channel.is_ejection) {
        at(std::max(cycle + channel.link(), channel.taken.last() + hw::Cycles(1)), channel, true);
    }
}

// The tail has left the input, and frees the output.
inline void WormFabric::tail_known(Channel& output) {
    Channel& input = *output.from;
    const hw::Cycles next = output.last + hw::Cycles(1);
    input.worms.pop_front();
    input.to = nullptr;
    if (!input.worms.empty()) {
        const hw::Cycles sent = input.sent.flits_from(input.taken.count()).cycle;
        at(std::max(sent + input.link(), next), input, true);
    }
    output.is_held = false;
    output.free_from = next;
    if (output.requests != 0) {
        output.looks_at = next;
        at(next, output, false);
    }
}

void WormFabric::header_sent(Channel& channel, hw::MessageSlot message, std::int32_t destination,
                             std::int64_t flits, hw::Cycles cycle) {
    if (message >= worms_.size()) {
        worms_.resize(2 * std::size_t{message} + 64);
    }
    worms_[message] = {flits, destination};
    header_known(channel, message, cycle);
}

// --- Where the clock stands -------------------------------------------------------------------

// The flits one by one would be looked at in every cycle in which they move, and after the last one
// a few times more in vain. The clock goes on through all of these cycles, so that a run that
// stands still ends in the same one.
void WormFabric::hold_clock(hw::Cycles now) {
    if (last_move_ > now) {
        clock_held_until_ = last_move_;
        wake_at(last_move_);
    } else if (now <= last_move_ + longest_link_ + hw::Cycles(2)) {
        domain().after_ticks(*this);
    }
}

void WormFabric::end_of_cycle(hw::Cycles now) {
    if (domain().has_wake_ups()) {
        clock_held_until_ = now + hw::Cycles(1);
        wake_at(clock_held_until_);
        return;
    }
    const hw::Cycles last = last_look(now);
    if (last > now) {
        wake_at(last);
    }
}

// Of what stands still: the last cycle in which a router or an end would be ticked.
hw::Cycles WormFabric::last_look(hw::Cycles now) const {
    hw::Cycles last = now;
    for (const Channel& channel : channels_) {
        if (channel.sent.count() > 0) {
            last = std::max(last, channel.sent.last() + channel.link());
        }
        if (channel.end != nullptr && !channel.is_ejection) {
            last = std::max(last, channel.end->last_look());
        }
    }
    for (std::size_t router = 0; router < routers_; ++router) {
        hw::Cycles moved(-1);
        for (std::size_t port = 0; port < ports_; ++port) {
            const Channel& output = channels_[router * ports_ + port];
            if (output.sent.count() > 0) {
                moved = std::max(moved, output.sent.last());
            }
        }
        if (moved >= last && router_looks_again(router, moved)) {
            last = moved + hw::Cycles(1);
        }
    }
    return last;
}

// Having moved a flit, a router looks again in the next cycle when a header waits that got no
// output, or a flit behind the one that it moved.
bool WormFabric::router_looks_again(std::size_t router, hw::Cycles cycle) const {
    for (std::size_t port = 0; port < ports_; ++port) {
        if (inputs_[router * ports_ + port] == nullptr) {
            continue;
        }
        const Channel& input = *inputs_[router * ports_ + port];
        if (input.taken.count() == input.sent.count()) {
            continue;
        }
        const hw::Cycles arrival = input.sent.flits_from(input.taken.count()).cycle + input.link();
        if (arrival <= cycle && (input.to == nullptr || input.taken.last() == cycle)) {
            return true;
        }
    }
    return false;
}

// --- Statistics and explanations --------------------------------------------------------------

std::int64_t WormFabric::flits_forwarded(std::size_t router, hw::Cycles now) const {
    std::int64_t flits = 0;
    for (std::size_t port = 0; port < ports_; ++port) {
        flits += channels_[router * ports_ + port].sent.count_through(now);
    }
    return flits;
}

std::int64_t WormFabric::headers_routed(std::size_t router) const {
    std::int64_t headers = 0;
    for (std::size_t port = 0; port < ports_; ++port) {
        headers += channels_[router * ports_ + port].headers_routed;
    }
    return headers;
}

hw::Flits WormFabric::flits_in_flight(hw::Cycles now) const {
    std::int64_t flits = 0;
    for (const Channel& channel : channels_) {
        flits += channel.held_through(now);
    }
    return hw::Flits(flits);
}

std::string WormFabric::name_of(std::size_t number) const {
    const std::size_t outputs = routers_ * ports_;
    if (number >= outputs) {
        return "router_" + std::to_string(number - outputs) + ".injection";
    }
    const std::size_t router = number / ports_;
    const std::size_t port = number % ports_;
    const std::string of_router = "router_" + std::to_string(router) + ".";
    if (port + 1 == ports_) {
        return of_router + "ejection";
    }
    for (const auto edge : boost::make_iterator_range(out_edges(router, mesh_.graph()))) {
        if (mesh_.graph()[edge].output_port == static_cast<int>(port)) {
            return of_router + mesh_.graph()[edge].direction;
        }
    }
    return of_router + std::to_string(port);
}

void WormFabric::report_waits(hw::WaitReport& report, hw::Cycles now) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (inputs_[i] == nullptr) {
            continue;
        }
        const Channel& input = *inputs_[i];
        if (input.held_through(now) == 0 || input.worms.empty()) {
            continue;
        }
        const std::int32_t destination = worms_[input.worms.front()].destination;
        const bool holds_output = input.to != nullptr;
        const Channel& output =
            holds_output ? *input.to : channels_[output_towards(i / ports_ * ports_, destination)];
        const std::string towards =
            "a worm for node " + std::to_string(destination) + " needs " + name_of(output.number);
        if (holds_output) {
            report.push_back({name_of(input.number), name_of(output.number),
                              towards + ", which has no room (" +
                                  std::to_string(output.held_through(now)) + " flits)"});
        } else if (output.is_held) {
            report.push_back({name_of(input.number), name_of(output.from->number),
                              towards + ", which another worm holds"});
        }
    }
}

}  // namespace weir::network
