#include "network/router/wormhole_router.h"

#include <algorithm>
#include <bit>

namespace weir::network {

RouteTable::RouteTable(std::shared_ptr<const LatticePlaces> places, const Mesh& mesh,
                       hw::NodeId node)
    : places_(std::move(places)),
      extent_(static_cast<std::uint32_t>(
          *std::max_element(mesh.extents().begin(), mesh.extents().end()))),
      last_port_(static_cast<std::uint8_t>(mesh.node_port())) {
    ports_.resize(mesh.extents().size() * extent_, kLevel);
    for (std::size_t d = 0; d < mesh.extents().size(); ++d) {
        const std::uint32_t here = places_->of(node.index())[d];
        for (std::uint32_t there = 0; there < extent_; ++there) {
            if (there != here) {
                ports_[d * extent_ + there] =
                    static_cast<std::uint8_t>(lattice_port(d, there > here));
            }
        }
    }
}

RouteTable::RouteTable(std::initializer_list<std::uint8_t> ports)
    : ports_(ports), extent_(static_cast<std::uint32_t>(ports.size())) {
    places_ = std::make_shared<const LatticePlaces>(
        Mesh({static_cast<std::int32_t>(ports.size())}).graph());
}

WormholeRouter::WormholeRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                               int port_count, RouteTable route)
    : sc_module(name), ClockedPart(domain), ports_(port_count), route_(std::move(route)) {}

void WormholeRouter::connect_input(int port, FlitChannel& channel) {
    this->port(port).in = &channel;
    channel.mark_occupied_in(occupied_inputs_, port);
}

void WormholeRouter::connect_output(int port, FlitChannel& channel) {
    this->port(port).out = &channel;
    this->port(port).receiver = channel.receiver();
}

inline std::uint32_t WormholeRouter::inputs_with_a_flit(hw::Cycles now) const {
    std::uint32_t inputs = 0;
    for (std::uint32_t left = occupied_inputs_; left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        const Port& input = port(i);
        if ((holding_inputs_ >> i & 1U) != 0) {
            const Port& output = port(input.output);
            output.out->fetch();
            __builtin_prefetch(output.receiver);
        }
        if (input.in->has_flit(now)) {
            inputs |= 1U << i;
        }
    }
    return inputs;
}

void WormholeRouter::tick(hw::Cycles now) {
    const std::uint32_t inputs = inputs_with_a_flit(now);
    const std::uint32_t headers = inputs & ~holding_inputs_;
    if (headers != 0) {
        allocate_outputs(route_headers(headers, now), now);
    }
    const bool flits_remain = send_flits(inputs, now);
    if (flits_remain) {
        wake_at(now + hw::Cycles(1));
    }
}

// Requests the output of each header; returns the set of requested outputs.
std::uint32_t WormholeRouter::route_headers(std::uint32_t inputs, hw::Cycles now) {
    std::uint32_t asked_for = 0;
    for (; inputs != 0; inputs &= inputs - 1) {
        const int i = std::countr_zero(inputs);
        FlitChannel& channel = *port(i).in;
        channel.header_waits().begin(now);
        const Flit& flit = channel.front();
        sc_assert(flit.is_header);
        const std::uint8_t output = route_[flit.destination];
        ports_[output].requests |= 1U << i;
        asked_for |= 1U << output;
    }
    return asked_for;
}

void WormholeRouter::allocate_outputs(std::uint32_t asked_for, hw::Cycles now) {
    for (; asked_for != 0; asked_for &= asked_for - 1) {
        const int o = std::countr_zero(asked_for);
        Port& output = port(o);
        if (output.owner == kNone) {
            // First requesting input above the last winner, or the lowest one if there is none
            // above.
            const std::uint32_t above = output.requests & (~std::uint32_t{1} << output.last_winner);
            output.owner =
                static_cast<std::int8_t>(std::countr_zero(above != 0 ? above : output.requests));
            output.last_winner = output.owner;
            Port& input = port(output.owner);
            input.output = static_cast<std::int8_t>(o);
            input.in->header_waits().end(now);
            holding_inputs_ |= 1U << output.owner;
            statistics_.headers_routed += 1;
        }
        output.requests = 0;
    }
}

// Sends flits. True if one was sent and flits are left that may move in the next cycle.
bool WormholeRouter::send_flits(std::uint32_t inputs, hw::Cycles now) {
    int moved = 0;
    bool remain = (inputs & ~holding_inputs_) != 0;
    for (std::uint32_t left = inputs & holding_inputs_; left != 0; left &= left - 1) {
        const int i = std::countr_zero(left);
        Port& input = port(i);
        Port& output = port(input.output);
        if (!output.out->has_or_expects_credit(now)) {
            continue;
        }
        const Flit flit = input.in->front();
        input.in->take(now);
        output.out->send_unharmed(flit, now);
        ++moved;
        if (flit.is_tail) {
            output.owner = kNone;
            input.output = kNone;
            holding_inputs_ &= ~(1U << i);
        }
        remain = remain || input.in->has_flit(now);
    }
    if (moved != 0) {
        statistics_.flits_forwarded += moved;
        domain().note_progress(now);
    }
    return moved != 0 && remain;
}

void WormholeRouter::report_waits(hw::WaitReport& report) const {
    for (const Port& input : ports_) {
        if (input.in == nullptr || input.in->held() == hw::Flits(0)) {
            continue;
        }
        const Flit& flit = input.in->front();
        const bool holds_output = input.output != kNone;
        const Port& output = port(holds_output ? input.output : route_[flit.destination]);
        const std::string towards =
            "a worm for node " + std::to_string(flit.destination) + " needs " + output.out->name();
        if (holds_output) {
            report.push_back({input.in->name(), output.out->name(),
                              towards + ", which has no room (" +
                                  std::to_string(output.out->held().count()) + " flits)"});
        } else if (output.owner != kNone) {
            report.push_back({input.in->name(), port(output.owner).in->name(),
                              towards + ", which another worm holds"});
        }
    }
}

}  // namespace weir::network
