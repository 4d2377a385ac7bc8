#include "network/router/virtual_channel_router.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "network/router/virtual_channel_wait.h"

namespace weir::network {

namespace {

constexpr std::int32_t kSetBits = 32;

}  // namespace

VirtualChannelRouter::VirtualChannelRouter(const sc_core::sc_module_name& name,
                                           hw::ClockDomain& domain, const Site& site,
                                           const Design& design)
    : Router(name, domain, site),
      vcs_(site.vcs),
      design_(design),
      ages_(site.ages),
      faults_(site.faults),
      allocator_(design.allocator->make({site.port_count, site.vcs, design.arbitration})),
      table_(site.routing, site.vertex, site.port_count, site.vcs, design.escapes_last, sets_) {
    const std::size_t ports = site.port_count;
    const std::size_t vc_count = ports * vcs_;
    occupied_.resize((vc_count + kSetBits - 1) / kSetBits);
    inputs_.resize(vc_count);
    outputs_.resize(vc_count);
    granted_outputs_.resize(vc_count);
    input_ports_.resize(ports);
    output_ports_.resize(ports);
    for (std::size_t port = 0; port < ports; ++port) {
        InputPort& input = input_ports_[port];
        OutputPort& output = output_ports_[port];
        input.number = output.number = static_cast<std::int32_t>(port);
        input.last_vc = input.last_output = output.last_winner = no_winner(design.arbitration);
    }
    for (std::size_t number = 0; number < vc_count; ++number) {
        InputVirtualChannel& input = inputs_[number];
        input.number = static_cast<std::int32_t>(number);
        input.place = static_cast<std::int16_t>(input.number % vcs_);
        const std::size_t port = input.number / vcs_;
        input.port = &input_ports_[port];
        outputs_[number].port = &output_ports_[port];
        input.last_output = outputs_[number].last_winner = no_winner(design.arbitration);
    }
}

void VirtualChannelRouter::connect_input(int port, int vc, Behind behind, FlitChannel& channel) {
    const int number = port * vcs_ + vc;
    InputVirtualChannel& input = inputs_[number];
    input.channel = &channel;
    input.is_injection = behind == Behind::kNode;
    channel.mark_occupied_in(occupied_[number / kSetBits], number % kSetBits);
}

void VirtualChannelRouter::connect_output(int port, int vc, Behind behind, FlitChannel& channel) {
    const int number = port * vcs_ + vc;
    outputs_[number].channel = &channel;
    table_.connect(port, vc, behind);
}

void VirtualChannelRouter::tick(hw::Cycles now) {
    has_acted_ = false;
    flits_in_front_ = 0;
    look_at_inputs(now);
    if (!headers_.empty() || !vcs_asked_for_.empty()) {
        allocate_vcs(now);
    }
    if (!switch_requests_.empty()) {
        allocate_switch(now);
    }
    if (!bound_.empty()) [[unlikely]] {
        unbind_unsent(now);
    }
    if (has_acted_ && flits_in_front_ > 0) {
        wake_at(now + hw::Cycles(1));
    }
}

// Collects the requests of each input, for outputs and for the switch, before any of them is
// granted.
void VirtualChannelRouter::look_at_inputs(hw::Cycles now) {
    InputVirtualChannel* vcs = inputs_.data();
    for (const std::uint32_t word : occupied_) {
        for (std::uint32_t left = word; left != 0; left &= left - 1) {
            look_at_vc(vcs[std::countr_zero(left)], now);
        }
        vcs += kSetBits;
    }
}

inline void VirtualChannelRouter::look_at_vc(InputVirtualChannel& vc, hw::Cycles now) {
    if (vc.output != nullptr) {
        vc.output->channel->fetch();
    }
    if (!vc.channel->has_flit(now)) {
        return;
    }
    ++flits_in_front_;
    if (vc.header_has_left && vc.channel->front().is_header) [[unlikely]] {
        ask_for_vcs(now);
        release(vc);
        has_acted_ = true;  // a header handled before may take the freed output in the next cycle
    }
    if (vc.stage == Stage::kHoldsOutput && vc.ready <= now) [[likely]] {
        ask_for_switch(vc, now);
    } else {
        look_at_header(vc, now);
    }
}

void VirtualChannelRouter::look_at_header(InputVirtualChannel& vc, hw::Cycles now) {
    if (vc.stage == Stage::kUnrouted) {
        if (!vc.channel->front().is_header) [[unlikely]] {
            discard(vc, now);
            return;
        }
        route(vc, now);
    }
    if (vc.stage == Stage::kUnrouted) {
        return;
    }
    if (vc.ready > now) {
        wake_at(vc.ready);
    } else {
        headers_.push_back(&vc);
    }
}

void VirtualChannelRouter::route(InputVirtualChannel& vc, hw::Cycles now) {
    if (design_.switching == Switching::kStoreAndForward && !vc.channel->has_whole_message(now)) {
        return;  // an incomplete message, whose next flit wakes the router
    }
    if (vc.is_injection) {
        choose_route(*vc.channel, now);
    }
    const Flit& header = vc.channel->front();
    vc.candidates = &sets_[table_.candidates(vc.number, vc.is_injection, header)];
    vc.ready = now + design_.routing_cycles;
    vc.stage = Stage::kRouted;
    vc.channel->header_waits().begin(vc.ready);
    vc.since = ages_.since(design_.arbitration, *vc.channel, vc.is_injection, now).count();
}

hw::Flits VirtualChannelRouter::queue_at(int port, hw::Cycles now) const {
    hw::Flits queued;
    for (int vc = 0; vc < vcs_; ++vc) {
        const FlitChannel* channel = outputs_[port * vcs_ + vc].channel;
        queued += channel == nullptr ? hw::Flits(0) : channel->credits_used(now);
    }
    return queued;
}

// Discards a flit whose message's header was lost.
void VirtualChannelRouter::discard(InputVirtualChannel& vc, hw::Cycles now) {
    sc_assert(faults_ != nullptr);
    vc.channel->take(now);
    faults_->flit_discarded();
    flits_in_front_ -= vc.channel->has_flit(now) ? 0 : 1;
    has_acted_ = true;
    domain().note_progress(now);
}

// Frees the output of a message that has passed, or whose remaining flits were lost.
void VirtualChannelRouter::release(InputVirtualChannel& vc) {
    vc.output->owner = kNone;
    vc.output = nullptr;
    vc.stage = Stage::kUnrouted;
    vc.header_has_left = false;
}

// Requests a header's candidates. Escape channels marked as last are requested only if no other
// output could be given to the header now.
template <class Ask>
void VirtualChannelRouter::ask_for_candidates(const Candidates& candidates, Ask ask) {
    bool could_be_given = false;
    bool has_escape = false;
    for (const Candidate& candidate : candidates) {
        if (candidate.is_escape) {
            has_escape = true;
        } else {
            could_be_given = ask(candidate.output_vc) || could_be_given;
        }
    }
    if (could_be_given || !has_escape) {
        return;
    }
    for (const Candidate& candidate : candidates) {
        if (candidate.is_escape) {
            ask(candidate.output_vc);
        }
    }
}

void VirtualChannelRouter::ask_for_vcs(hw::Cycles now) {
    for (const InputVirtualChannel* vc : headers_) {
        ask_for_candidates(*vc->candidates,
                           [&](std::int32_t asked) { return ask_for(asked, *vc, now); });
    }
    headers_.clear();
}

// Requests the output for the header; true if the output could be given to it now.
bool VirtualChannelRouter::ask_for(std::int32_t asked, const InputVirtualChannel& vc,
                                   hw::Cycles now) {
    OutputVirtualChannel& output = outputs_[asked];
    if (output.owner != kNone) {
        return false;
    }
    const bool has_room = this->has_room(*output.channel, vc, now);
    const std::int64_t asks_since =
        design_.output_binding == OutputBinding::kFirstCome ? vc.ready.count() : 0;
    const bool is_asked_for_now = output.asking.compare(
        vc.number, rank(vc.number, output.last_winner, inputs_.size(), vc.since), asks_since);
    if (is_asked_for_now) {
        vcs_asked_for_.push_back(asked);
    }
    if (output.asking.asking == vc.number) {
        output.has_room_for_first = has_room;
    }
    if (allocator_ && has_room) {
        requests_.push_back({vc.number, asked, vc.since});
    }
    return has_room;
}

bool VirtualChannelRouter::has_room(FlitChannel& output, const InputVirtualChannel& vc,
                                    hw::Cycles now) const {
    const hw::Flits needed = design_.room_for(vc.channel->front(), output.places());
    return needed == hw::Flits(0) ||  // a single flit's room is checked at the switch
           output.has_or_expects_credits(needed, now);
}

void VirtualChannelRouter::allocate_vcs(hw::Cycles now) {
    if (allocator_) {
        allocate_vcs_apart(now);
        return;
    }
    if (headers_.size() == 1 && vcs_asked_for_.empty()) {
        allocate_to(*headers_.front(), now);
        headers_.clear();
        return;
    }
    ask_for_vcs(now);
    for (const std::int32_t asked : vcs_asked_for_) {  // grants
        OutputVirtualChannel& output = outputs_[asked];
        const std::int32_t first = output.asking.take();
        if (!output.has_room_for_first) {
            continue;
        }
        const InputVirtualChannel& vc = inputs_[first];
        if (granted_outputs_[first].compare(asked,
                                            rank(asked, vc.last_output, outputs_.size(), 0))) {
            vcs_granted_.push_back(first);
        }
    }
    vcs_asked_for_.clear();
    for (const std::int32_t number : vcs_granted_) {  // acceptances
        const std::size_t vc = number;
        accept(inputs_[vc], granted_outputs_[vc].take(), now);
    }
    vcs_granted_.clear();
}

// Virtual channel allocation by `allocator_`. Leaves out the requests for an output without room
// for its first requester and, with kFirstCome, those after the earliest.
void VirtualChannelRouter::allocate_vcs_apart(hw::Cycles now) {
    ask_for_vcs(now);
    std::erase_if(requests_, [this](const Allocator::Request& request) {
        const OutputVirtualChannel& output = outputs_[request.output];
        const bool asks_too_late = design_.output_binding == OutputBinding::kFirstCome &&
                                   inputs_[request.input].ready.count() > output.asking.since;
        return asks_too_late || !output.has_room_for_first;
    });
    for (const std::int32_t asked : vcs_asked_for_) {
        static_cast<void>(outputs_[asked].asking.take());
    }
    vcs_asked_for_.clear();
    grants_.clear();
    allocator_->allocate_vcs(requests_, grants_);
    for (const std::int32_t grant : grants_) {
        accept(inputs_[requests_[grant].input], requests_[grant].output, now);
    }
    requests_.clear();
}

// Allocation for a lone header: grants one of the outputs that could be given to it.
void VirtualChannelRouter::allocate_to(InputVirtualChannel& vc, hw::Cycles now) {
    First granted;
    ask_for_candidates(*vc.candidates, [&](std::int32_t asked) {
        const OutputVirtualChannel& output = outputs_[asked];
        if (output.owner != kNone || !has_room(*output.channel, vc, now)) {
            return false;
        }
        granted.compare(asked, rank(asked, vc.last_output, outputs_.size(), 0));
        return true;
    });
    if (granted.asking != kNone) {
        accept(vc, granted.asking, now);
    }
}

void VirtualChannelRouter::accept(InputVirtualChannel& vc, std::int32_t output, hw::Cycles now) {
    vc.output = &outputs_[output];
    vc.output->owner = vc.number;
    vc.stage = Stage::kHoldsOutput;
    vc.ready = now + design_.vc_allocation_cycles;
    if (design_.output_binding == OutputBinding::kHeaderSent) {
        bound_.push_back(&vc);
    } else {
        bind(vc, now);
    }
    has_acted_ = true;
    if (vc.ready > now) {
        wake_at(vc.ready);
    } else {
        ask_for_switch(vc, now);
    }
}

// Makes the grant of an output final: moves the arbiters' pointers on, and counts the message.
void VirtualChannelRouter::bind(InputVirtualChannel& vc, hw::Cycles now) {
    vc.last_output = static_cast<std::int32_t>(vc.output - outputs_.data());
    vc.output->last_winner = vc.number;
    vc.channel->header_waits().end(now);
    note_routed(vc.channel->front().message, now);
}

// Headers that were granted an output and not sent must request again.
void VirtualChannelRouter::unbind_unsent(hw::Cycles now) {
    for (InputVirtualChannel* vc : bound_) {
        if (vc->stage == Stage::kHoldsOutput && !vc->header_has_left) {
            vc->output->owner = kNone;
            vc->output = nullptr;
            vc->stage = Stage::kRouted;
            vc->ready = now;
        }
    }
    bound_.clear();
}

// Requests the switch for a virtual channel with a credit. Only one of an input port's virtual
// channels with the same output port requests.
[[gnu::always_inline]] inline void VirtualChannelRouter::ask_for_switch(InputVirtualChannel& vc,
                                                                        hw::Cycles now) {
    const OutputVirtualChannel& output = *vc.output;
    if (!output.channel->has_or_expects_credit(now)) {
        return;
    }
    const OutputPort& port = *output.port;
    if (port.free_from > now) {
        wake_at(port.free_from);
        return;
    }
    if (allocator_) {
        switch_requests_.push_back(&vc);
        return;
    }
    // Ports that are 64 apart share a bit, which costs time only.
    const std::uint64_t asking = std::uint64_t{1} << (vc.port->number % 64);
    const std::uint64_t asked = std::uint64_t{1} << (port.number % 64);
    const bool is_contest = ((asking_ports_ & asking) | (asked_ports_ & asked)) != 0;
    if (is_contest && !joins_contest(vc)) {
        return;
    }
    asking_ports_ |= asking;
    asked_ports_ |= asked;
    switch_requests_.push_back(&vc);
}

// True unless another virtual channel of the port requests the same output port. In this case the
// one that is first in the arbiter's order requests.
bool VirtualChannelRouter::joins_contest(InputVirtualChannel& vc) {
    for (InputVirtualChannel*& other : switch_requests_) {
        if (other->port == vc.port && other->output->port == vc.output->port) {
            const std::size_t vcs = vcs_;
            const std::int32_t last = vc.port->last_vc;
            if (rank(vc.place, last, vcs, vc.since) < rank(other->place, last, vcs, other->since)) {
                other = &vc;
            }
            return false;
        }
    }
    is_switch_contested_ = true;
    return true;
}

// Without a conflict at any input or output port, all requests are granted.
void VirtualChannelRouter::allocate_switch(hw::Cycles now) {
    if (allocator_) {
        allocate_switch_apart(now);
    } else if (is_switch_contested_) {
        allocate_contested_switch(now);
    } else {
        for (InputVirtualChannel* vc : switch_requests_) {
            send(*vc, now);
        }
        statistics_.flits_forwarded += static_cast<std::int64_t>(switch_requests_.size());
    }
    switch_requests_.clear();
    asking_ports_ = asked_ports_ = 0;
    has_acted_ = true;
    domain().note_progress(now);
}

void VirtualChannelRouter::allocate_switch_apart(hw::Cycles now) {
    for (const InputVirtualChannel* vc : switch_requests_) {
        requests_.push_back(
            {vc->number, static_cast<std::int32_t>(vc->output - outputs_.data()), vc->since});
    }
    grants_.clear();
    allocator_->allocate_switch(requests_, grants_);
    for (const std::int32_t grant : grants_) {
        send(*switch_requests_[grant], now);
    }
    statistics_.flits_forwarded += static_cast<std::int64_t>(grants_.size());
    requests_.clear();
}

void VirtualChannelRouter::allocate_contested_switch(hw::Cycles now) {
    for (std::size_t i = 0; i < switch_requests_.size(); ++i) {
        const InputVirtualChannel& vc = *switch_requests_[i];
        OutputPort& port = *vc.output->port;
        if (port.request.compare(
                static_cast<std::int32_t>(i),
                rank(vc.port->number, port.last_winner, input_ports_.size(), vc.since))) {
            ports_asked_for_.push_back(&port);
        }
    }
    for (OutputPort* port : ports_asked_for_) {  // grants
        const std::int32_t request = port->request.take();
        const InputVirtualChannel& vc = *switch_requests_[request];
        if (vc.port->granted.compare(request, rank(port->number, vc.port->last_output,
                                                   output_ports_.size(), vc.since))) {
            ports_granted_.push_back(vc.port);
        }
    }
    ports_asked_for_.clear();
    for (InputPort* port : ports_granted_) {  // acceptances
        send(*switch_requests_[port->granted.take()], now);
    }
    statistics_.flits_forwarded += static_cast<std::int64_t>(ports_granted_.size());
    ports_granted_.clear();
    is_switch_contested_ = false;
}

[[gnu::always_inline]] inline void VirtualChannelRouter::send(InputVirtualChannel& vc,
                                                              hw::Cycles now) {
    const OutputVirtualChannel& output = *vc.output;
    vc.port->last_vc = vc.place;
    vc.port->last_output = output.port->number;
    output.port->last_winner = vc.port->number;
    output.port->free_from = now + design_.flit_cycles;
    const Flit flit = vc.channel->front();
    if (flit.is_header && design_.output_binding == OutputBinding::kHeaderSent) [[unlikely]] {
        bind(vc, now);
    }
    vc.channel->take(now);
    output.channel->send(flit, now);
    flits_in_front_ -= vc.channel->has_flit(now) ? 0 : 1;
    vc.header_has_left = vc.header_has_left || flit.is_header;
    if (flit.is_tail) {
        release(vc);
    }
}

void VirtualChannelRouter::report_waits(hw::WaitReport& report) const {
    for (const InputVirtualChannel& vc : inputs_) {
        if (vc.channel == nullptr || vc.channel->held() == hw::Flits(0) ||
            vc.stage == Stage::kUnrouted) {
            continue;
        }
        const auto waits_for = [&vc](const FlitChannel& needed) {
            return VirtualChannelWait(vc.channel->name(), vc.channel->front().destination,
                                      needed.name(), needed.condition());
        };
        if (vc.stage == Stage::kHoldsOutput) {
            const FlitChannel& held = *vc.output->channel;
            report.push_back(waits_for(held).for_credit(held.held()));
            continue;
        }
        for (const Candidate& candidate : *vc.candidates) {
            const OutputVirtualChannel& output = outputs_[candidate.output_vc];
            const VirtualChannelWait wait = waits_for(*output.channel);
            if (output.owner == kNone) {
                report.push_back(wait.for_room());
            } else if (output.channel->held() > hw::Flits(0)) {
                report.push_back(wait.for_end_of_message());
            } else {
                const InputVirtualChannel& owner = inputs_[output.owner];
                report.push_back(wait.for_holder(owner.channel->name()));
            }
        }
    }
}

const AllocatorKind& output_first_allocator_kind() {
    static const AllocatorKind kind{
        "output_first",
        "separable (iSLIP, one iteration): each output grants one of its requesting "
        "inputs, then each input accepts one of its grants",
        [](const Allocator::Design& /*design*/) -> std::unique_ptr<Allocator> { return nullptr; }};
    return kind;
}

const RouterKind& virtual_channel_router_kind() {
    static const RouterKind kind{
        "virtual_channel",
        "input buffers, a crossbar, and allocators for virtual channels and for the "
        "switch",
        [](const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Router::Site& site,
           const Router::Design& design) -> std::unique_ptr<Router> {
            return std::make_unique<VirtualChannelRouter>(name, domain, site, design);
        }};
    return kind;
}

}  // namespace weir::network
