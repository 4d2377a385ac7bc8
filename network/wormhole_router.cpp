#include "network/wormhole_router.h"

#include <bit>

namespace weir::network {

WormholeRouter::WormholeRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                               int port_count, std::vector<std::uint8_t> route)
    : sc_module(name),
      ClockedPart(domain),
      inputs_(static_cast<std::size_t>(port_count)),
      outputs_(static_cast<std::size_t>(port_count)),
      route_(std::move(route)) {}

void WormholeRouter::connect_input(int port, FlitChannel& channel) {
    inputs_[static_cast<std::size_t>(port)].channel = &channel;
}

void WormholeRouter::connect_output(int port, FlitChannel& channel) {
    outputs_[static_cast<std::size_t>(port)].channel = &channel;
}

void WormholeRouter::tick(hw::Cycles now) {
    if (route_headers(now)) {
        allocate_outputs();
    }
    const bool flits_remain = send_flits(now);
    if (flits_remain) {
        wake_at(now + hw::Cycles(1));
    }
}

bool WormholeRouter::route_headers(hw::Cycles now) {
    bool any = false;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const Input& input = inputs_[i];
        if (input.output != kNone || input.channel == nullptr || !input.channel->has_flit(now)) {
            continue;
        }
        const Flit& flit = input.channel->front();
        sc_assert(flit.is_header);
        outputs_[route_[flit.destination]].requests |= 1U << i;
        any = true;
    }
    return any;
}

void WormholeRouter::allocate_outputs() {
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
        Output& output = outputs_[o];
        if (output.requests != 0 && output.owner == kNone) {
            // The first asking input after the last winner; none above it means the lowest.
            const std::uint32_t above = output.requests & (~std::uint32_t{1} << output.last_winner);
            output.owner =
                static_cast<std::int8_t>(std::countr_zero(above != 0 ? above : output.requests));
            output.last_winner = output.owner;
            inputs_[static_cast<std::size_t>(output.owner)].output = static_cast<std::int8_t>(o);
            statistics_.headers_routed += 1;
        }
        output.requests = 0;
    }
}

// Returns whether something moved and flits are left that may move in the next cycle.
bool WormholeRouter::send_flits(hw::Cycles now) {
    bool moved = false;
    bool remain = false;
    for (Input& input : inputs_) {
        if (input.channel == nullptr || !input.channel->has_flit(now)) {
            continue;
        }
        if (input.output == kNone) {
            remain = true;
            continue;
        }
        Output& output = outputs_[static_cast<std::size_t>(input.output)];
        if (!output.channel->has_credit(now)) {
            remain = true;
            continue;
        }
        const Flit flit = input.channel->front();
        input.channel->take(now);
        output.channel->send(flit, now);
        statistics_.flits_forwarded += 1;
        moved = true;
        if (flit.is_tail) {
            output.owner = kNone;
            input.output = kNone;
        }
        remain = remain || input.channel->has_flit(now);
    }
    if (moved) {
        domain().note_progress(now);
    }
    return moved && remain;
}

void WormholeRouter::report_waits(hw::WaitReport& report) const {
    for (const Input& input : inputs_) {
        if (input.channel == nullptr || input.channel->held() == hw::Flits(0)) {
            continue;
        }
        const Flit& flit = input.channel->front();
        const bool holds_output = input.output != kNone;
        const Output& output = outputs_[holds_output ? static_cast<std::size_t>(input.output)
                                                     : route_[flit.destination]];
        const std::string towards = "a worm for node " + std::to_string(flit.destination) +
                                    " needs " + output.channel->name();
        if (holds_output) {
            report.push_back({input.channel->name(), output.channel->name(),
                              towards + ", which has no room (" +
                                  std::to_string(output.channel->held().count()) + " flits)"});
        } else if (output.owner != kNone) {
            report.push_back({input.channel->name(),
                              inputs_[static_cast<std::size_t>(output.owner)].channel->name(),
                              towards + ", which another worm holds"});
        }
    }
}

}  // namespace weir::network
