#include "experiments/bench/plain_network.h"

#include <array>

namespace weir::experiments::bench {

PlainNetwork::PlainNetwork(const network::Mesh& mesh, const PlainNetworkTiming& timing,
                           Traffic& traffic)
    : ports_(mesh.port_count()),
      router_ports_(mesh.node_count() * ports_),
      flits_at_(mesh.node_count(), 0),
      senders_(mesh.node_count()),
      traffic_(traffic) {
    const network::TopologyGraph& graph = mesh.graph();
    const auto port = [this](std::size_t router, int number) -> Port& {
        return router_ports_[router * ports_ + number];
    };
    for (const auto edge : network::channels_of(graph)) {
        const std::int32_t channel = add_channel(timing.hop_cycles, timing.buffer_flits,
                                                 static_cast<std::int32_t>(target(edge, graph)));
        port(source(edge, graph), graph[edge].output_port).out = channel;
        port(target(edge, graph), graph[edge].input_port).in = channel;
    }
    for (std::size_t node = 0; node < senders_.size(); ++node) {
        const auto number = static_cast<std::int32_t>(node);
        routes_.push_back(mesh.dimension_order_routes(hw::NodeId(number)));
        Port& own = port(node, mesh.node_port());
        own.in = add_channel(timing.injection_cycles, timing.buffer_flits, number);
        own.out = add_channel(timing.ejection_cycles, timing.buffer_flits, kNone);
        if (const auto first = traffic_.next(number)) {
            senders_[node].next = *first;
            senders_[node].has_next = true;
        }
    }
}

std::int32_t PlainNetwork::add_channel(std::int64_t link_cycles, std::int32_t buffer_flits,
                                       std::int32_t receiver) {
    const auto places = static_cast<std::int32_t>(buffer_flits + link_cycles - 1);
    Channel channel;
    channel.ring.resize(places);
    channel.room = places;
    channel.link_cycles = link_cycles;
    channel.receiver = receiver;
    channels_.push_back(std::move(channel));
    return static_cast<std::int32_t>(channels_.size()) - 1;
}

void PlainNetwork::run_through(std::int64_t last) {
    while (now_ < last) {
        ++now_;
        for (std::size_t node = 0; node < senders_.size(); ++node) {
            inject(node);
            eject(node);
        }
        for (std::size_t router = 0; router < flits_at_.size(); ++router) {
            if (flits_at_[router] > 0) {
                ++active_router_cycles_;
                route(router);
            }
        }
        for (const std::int32_t channel : taken_) {
            ++channels_[channel].room;
        }
        taken_.clear();
        for (const std::int32_t router : sent_to_) {
            ++flits_at_[router];
        }
        sent_to_.clear();
    }
}

void PlainNetwork::put(std::int32_t channel, Flit flit) {
    Channel& to = channels_[channel];
    flit.arrival = now_ + to.link_cycles;
    const std::size_t place = (to.head + to.count) % to.ring.size();
    to.ring[place] = flit;
    ++to.count;
    --to.room;
    if (to.receiver != kNone) {
        sent_to_.push_back(to.receiver);
    }
}

PlainNetwork::Flit PlainNetwork::take(std::int32_t channel) {
    Channel& from = channels_[channel];
    const Flit flit = from.ring[from.head];
    from.head = from.head + 1 == static_cast<std::int32_t>(from.ring.size()) ? 0 : from.head + 1;
    --from.count;
    taken_.push_back(channel);
    return flit;
}

void PlainNetwork::inject(std::size_t node) {
    Sender& sender = senders_[node];
    // A message launched in one cycle is visible in the next.
    while (sender.has_next && sender.next.cycle < now_) {
        sender.waiting.push_back(sender.next);
        const auto next = traffic_.next(static_cast<std::int32_t>(node));
        sender.has_next = next.has_value();
        sender.next = next.value_or(Departure{});
    }
    const std::int32_t channel = router_ports_[node * ports_ + ports_ - 1].in;
    if (sender.waiting.empty() || channels_[channel].room == 0) {
        return;
    }
    const Departure& message = sender.waiting.front();
    const bool is_tail = sender.flits_sent + 1 == message.flits;
    put(channel, {0, static_cast<std::int32_t>(node), message.destination, sender.launched,
                  sender.flits_sent == 0, is_tail});
    ++sender.flits_sent;
    if (is_tail) {
        sender.waiting.pop_front();
        sender.flits_sent = 0;
        ++sender.launched;
    }
}

void PlainNetwork::eject(std::size_t node) {
    const std::int32_t channel = router_ports_[node * ports_ + ports_ - 1].out;
    if (!has_flit(channels_[channel])) {
        return;
    }
    const Flit flit = take(channel);
    if (flit.is_tail) {
        deliveries_.add(flit.source, flit.sequence, now_);
    }
}

void PlainNetwork::route(std::size_t router) {
    Port* const ports = &router_ports_[router * ports_];
    std::array<std::uint32_t, kMostPorts> asked{};  // by output: a bit for each requesting input
    for (std::size_t i = 0; i < ports_; ++i) {
        if (ports[i].in == kNone || ports[i].held_output != kNone) {
            continue;
        }
        const Channel& channel = channels_[ports[i].in];
        if (has_flit(channel)) {
            const Flit& header = channel.ring[channel.head];
            asked[routes_[router][header.destination]] |= 1U << i;
        }
    }
    for (std::size_t o = 0; o < ports_; ++o) {
        if (asked[o] == 0 || ports[o].owner != kNone) {
            continue;
        }
        // Round-robin choice: the first requesting input after the last winner, wrapping around.
        auto winner = static_cast<std::uint32_t>(ports[o].last_winner);
        do {
            winner = winner + 1 == ports_ ? 0 : winner + 1;
        } while ((asked[o] >> winner & 1U) == 0);
        ports[o].owner = static_cast<std::int32_t>(winner);
        ports[o].last_winner = ports[o].owner;
        ports[winner].held_output = static_cast<std::int32_t>(o);
    }
    for (std::size_t i = 0; i < ports_; ++i) {
        if (ports[i].held_output == kNone || !has_flit(channels_[ports[i].in])) {
            continue;
        }
        Port& output = ports[ports[i].held_output];
        if (channels_[output.out].room == 0) {
            continue;
        }
        const Flit flit = take(ports[i].in);
        --flits_at_[router];
        put(output.out, flit);
        ++flit_hops_;
        if (flit.is_tail) {
            output.owner = kNone;
            ports[i].held_output = kNone;
        }
    }
}

}  // namespace weir::experiments::bench
