#include "network/router/dynamic_node_router.h"

#include <bit>
#include <memory>
#include <optional>

#include "network/network_parameters.h"
#include "network/router/virtual_channel_wait.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_family.h"

namespace weir::network {

DynamicNodeRouter::DynamicNodeRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                                     const Site& site, const Design& /*design*/)
    : Router(name, domain, site),
      faults_(site.faults),
      table_(site.routing, site.vertex, site.port_count, site.vcs, true, sets_) {
    sc_assert(site.port_count <= kPorts && site.vcs == 1);
}

void DynamicNodeRouter::connect_input(int port, int /*vc*/, Behind behind, FlitChannel& channel) {
    inputs_[port].channel = &channel;
    inputs_[port].is_injection = behind == Behind::kNode;
    channel.mark_occupied_in(occupied_, port);
}

void DynamicNodeRouter::connect_output(int port, int vc, Behind behind, FlitChannel& channel) {
    outputs_[port].channel = &channel;
    table_.connect(port, vc, behind);
}

void DynamicNodeRouter::tick(hw::Cycles now) {
    has_acted_ = false;
    visible_ = 0;
    for (std::uint32_t left = occupied_; left != 0; left &= left - 1) {
        look_at(std::countr_zero(left), now);
    }
    for (int output = 0; output < kPorts; ++output) {
        if (outputs_[output].channel != nullptr) {
            serve(output, now);
        }
    }
    if (has_acted_) {
        wake_at(now + hw::Cycles(1));
    }
}

// Notes the flit at the front of an input. After link faults, discards a flit whose header was
// lost, and ends a message whose tail was lost.
void DynamicNodeRouter::look_at(int number, hw::Cycles now) {
    Input& input = inputs_[number];
    if (!input.channel->has_flit(now)) {
        return;
    }
    const Flit& flit = input.channel->front();
    if (!flit.is_header && input.holder == kNone) [[unlikely]] {
        sc_assert(faults_ != nullptr);
        input.channel->take(now);
        faults_->flit_discarded();
        has_acted_ = true;
        domain().note_progress(now);
        return;
    }
    if (flit.is_header) {
        if (input.holder != kNone) [[unlikely]] {
            outputs_[input.holder].place = 0;
            outputs_[input.holder].is_planned = false;
            input.holder = kNone;
        }
        input.channel->header_waits().begin(now);
        const std::uint16_t set = table_.candidates(number, input.is_injection, flit);
        input.asked = sets_[set].front().output_vc;
    }
    visible_ |= 1U << number;
}

void DynamicNodeRouter::serve(int number, hw::Cycles now) {
    Output& output = outputs_[number];
    const Output before = output;
    const int input = kOrders[number][output.place];
    const bool may_send = output.is_planned || asks(input, number);
    const bool has_sent =
        may_send && (visible_ >> input & 1U) != 0 && output.channel->has_or_expects_credit(now);
    const bool was_tail = has_sent && send(input, number, now);
    if (has_sent ? !was_tail : output.is_planned) {
        output.is_planned = true;
    } else {
        plan_next(number, has_sent);
    }
    has_acted_ = has_acted_ || has_sent || output.place != before.place ||
                 output.is_planned != before.is_planned;
}

// Sends the flit at the front of the input; true if it is a tail.
bool DynamicNodeRouter::send(int number, int output, hw::Cycles now) {
    Input& input = inputs_[number];
    const Flit flit = input.channel->front();
    if (flit.is_header) {
        input.channel->header_waits().end(now);
        note_routed(flit.message, now);
        input.asked = kNone;
    }
    input.holder = flit.is_tail ? kNone : output;
    visible_ &= ~(1U << number);
    input.channel->take(now);
    outputs_[output].channel->send(flit, now);
    statistics_.flits_forwarded += 1;
    domain().note_progress(now);
    return flit.is_tail;
}

// Plans the next requesting input in the output's order. The search excludes the current input.
void DynamicNodeRouter::plan_next(int number, bool has_sent) {
    Output& output = outputs_[number];
    const Ports& order = kOrders[number];
    for (int i = 1; i < kPorts; ++i) {
        const int place = (output.place + i) % kPorts;
        if (asks(order[place], number)) {
            output.place = place;
            output.is_planned = true;
            return;
        }
    }
    output.is_planned = !has_sent && output.place == 0 && asks(order[0], number);
    output.place = 0;
}

void DynamicNodeRouter::report_waits(hw::WaitReport& report) const {
    for (const Input& input : inputs_) {
        if (input.channel == nullptr || input.channel->held() == hw::Flits(0)) {
            continue;
        }
        const int needed = input.holder != kNone ? input.holder : input.asked;
        if (needed == kNone) {
            continue;
        }
        const Output& output = outputs_[needed];
        const Input& present = inputs_[kOrders[needed][output.place]];
        const VirtualChannelWait wait(input.channel->name(), input.channel->front().destination,
                                      output.channel->name(), output.channel->condition());
        report.push_back(present.channel != input.channel && output.is_planned
                             ? wait.for_holder(present.channel->name())
                             : wait.for_credit(output.channel->held()));
    }
}

hw::Cycles DynamicNodeRouter::turn_cycles(int input, int output) {
    return hw::Cycles(kOrders[output][0] == input ? 0 : 1);
}

namespace {

// Fault of settings for which the RTL has no hardware, if any.
std::optional<hw::Fault> fault_of_dynamic_node(const NetworkParameters& parameters) {
    const std::optional<Lattice> lattice = parameters.topology.value()->lattice(parameters);
    const bool is_mesh = lattice && !lattice->is_end_around && lattice->ports_a_dimension == 2 &&
                         lattice->extents.size() == 2;
    const bool is_in_order = parameters.routing.value()->is_topologys_own();
    if (!is_mesh || !is_in_order || parameters.virtual_channels.value() > 1) {
        return hw::Fault{
            "router",
            "is \"dynamic_node\", which needs a mesh of two dimensions, dimension-order "
            "routing and one virtual channel",
            "a network with these settings, or another router",
            {}};
    }
    return std::nullopt;
}

}  // namespace

const RouterKind& dynamic_node_router_kind() {
    static const RouterKind kind{
        "dynamic_node",
        "OpenPiton's wormhole router of a two-dimensional mesh; each output plans "
        "its next input a cycle ahead",
        [](const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Router::Site& site,
           const Router::Design& design) -> std::unique_ptr<Router> {
            return std::make_unique<DynamicNodeRouter>(name, domain, site, design);
        },
        {.fault = fault_of_dynamic_node, .turn_cycles = DynamicNodeRouter::turn_cycles}};
    return kind;
}

}  // namespace weir::network
