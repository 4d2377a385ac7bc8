#include "network/router/virtual_channel_router.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "network/router/lane_wait.h"

namespace weir::network {

namespace {

constexpr std::int32_t kSetBits = 32;

}  // namespace

VirtualChannelRouter::VirtualChannelRouter(const sc_core::sc_module_name& name,
                                           hw::ClockDomain& domain, const Site& site,
                                           const Design& design)
    : Router(name, domain, site),
      lanes_(site.lanes),
      design_(design),
      ages_(site.ages),
      faults_(site.faults),
      allocator_(design.allocator->make({site.port_count, site.lanes, design.arbitration})),
      table_(site.routing, site.vertex, site.port_count, site.lanes, design.escapes_last, sets_) {
    const std::size_t ports = site.port_count;
    const std::size_t lane_count = ports * lanes_;
    occupied_.resize((lane_count + kSetBits - 1) / kSetBits);
    inputs_.resize(lane_count);
    outputs_.resize(lane_count);
    granted_outputs_.resize(lane_count);
    input_ports_.resize(ports);
    output_ports_.resize(ports);
    for (std::size_t port = 0; port < ports; ++port) {
        InputPort& input = input_ports_[port];
        OutputPort& output = output_ports_[port];
        input.number = output.number = static_cast<std::int32_t>(port);
        input.last_lane = input.last_output = output.last_winner = no_winner(design.arbitration);
    }
    for (std::size_t number = 0; number < lane_count; ++number) {
        InputLane& input = inputs_[number];
        input.number = static_cast<std::int32_t>(number);
        input.place = static_cast<std::int16_t>(input.number % lanes_);
        const std::size_t port = input.number / lanes_;
        input.port = &input_ports_[port];
        outputs_[number].port = &output_ports_[port];
        input.last_output = outputs_[number].last_winner = no_winner(design.arbitration);
    }
}

void VirtualChannelRouter::connect_input(int port, int lane, Behind behind, FlitChannel& channel) {
    const int number = port * lanes_ + lane;
    InputLane& input = inputs_[number];
    input.channel = &channel;
    input.is_injection = behind == Behind::kNode;
    channel.mark_occupied_in(occupied_[number / kSetBits], number % kSetBits);
}

void VirtualChannelRouter::connect_output(int port, int lane, Behind behind, FlitChannel& channel) {
    const int number = port * lanes_ + lane;
    outputs_[number].channel = &channel;
    table_.connect(port, lane, behind);
}

void VirtualChannelRouter::tick(hw::Cycles now) {
    has_acted_ = false;
    flits_in_front_ = 0;
    look_at_inputs(now);
    if (!headers_.empty() || !lanes_asked_for_.empty()) {
        allocate_lanes(now);
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

// Steps 1 and 2 for each input alone: collects its requests.
void VirtualChannelRouter::look_at_inputs(hw::Cycles now) {
    InputLane* lanes = inputs_.data();
    for (const std::uint32_t word : occupied_) {
        for (std::uint32_t left = word; left != 0; left &= left - 1) {
            look_at_lane(lanes[std::countr_zero(left)], now);
        }
        lanes += kSetBits;
    }
}

inline void VirtualChannelRouter::look_at_lane(InputLane& lane, hw::Cycles now) {
    if (lane.output != nullptr) {
        lane.output->channel->fetch();
    }
    if (!lane.channel->has_flit(now)) {
        return;
    }
    ++flits_in_front_;
    if (lane.header_has_left && lane.channel->front().is_header) [[unlikely]] {
        ask_for_lanes(now);
        release(lane);
        has_acted_ = true;  // a header processed here may take the output in the next cycle
    }
    if (lane.stage == Stage::kHoldsOutput && lane.ready <= now) [[likely]] {
        ask_for_switch(lane, now);
    } else {
        look_at_header(lane, now);
    }
}

void VirtualChannelRouter::look_at_header(InputLane& lane, hw::Cycles now) {
    if (lane.stage == Stage::kUnrouted) {
        if (!lane.channel->front().is_header) [[unlikely]] {
            discard(lane, now);
            return;
        }
        route(lane, now);
    }
    if (lane.stage == Stage::kUnrouted) {
        return;
    }
    if (lane.ready > now) {
        wake_at(lane.ready);
    } else {
        headers_.push_back(&lane);
    }
}

void VirtualChannelRouter::route(InputLane& lane, hw::Cycles now) {
    if (design_.switching == Switching::kStoreAndForward && !lane.channel->has_whole_message(now)) {
        return;  // arriving flits wake the router
    }
    const Flit& header = lane.channel->front();
    lane.candidates = &sets_[table_.candidates(lane.number, lane.is_injection, header)];
    lane.ready = now + design_.routing_cycles;
    lane.stage = Stage::kRouted;
    lane.channel->header_waits().begin(lane.ready);
    lane.since = ages_.since(design_.arbitration, *lane.channel, lane.is_injection, now).count();
}

// Discards a flit whose message's header was lost.
void VirtualChannelRouter::discard(InputLane& lane, hw::Cycles now) {
    sc_assert(faults_ != nullptr);
    lane.channel->take(now);
    faults_->flit_discarded();
    flits_in_front_ -= lane.channel->has_flit(now) ? 0 : 1;
    has_acted_ = true;
    domain().note_progress(now);
}

// Frees the output when the message has passed, or its remaining part was lost.
void VirtualChannelRouter::release(InputLane& lane) {
    lane.output->owner = kNone;
    lane.output = nullptr;
    lane.stage = Stage::kUnrouted;
    lane.header_has_left = false;
}

// Requests a header's candidates. Escapes that are last are requested only if no other output could
// be given to it now.
template <class Ask>
void VirtualChannelRouter::ask_for_candidates(const Candidates& candidates, Ask ask) {
    bool could_be_given = false;
    bool has_escape = false;
    for (const Candidate& candidate : candidates) {
        if (candidate.is_escape) {
            has_escape = true;
        } else {
            could_be_given = ask(candidate.output_lane) || could_be_given;
        }
    }
    if (could_be_given || !has_escape) {
        return;
    }
    for (const Candidate& candidate : candidates) {
        if (candidate.is_escape) {
            ask(candidate.output_lane);
        }
    }
}

void VirtualChannelRouter::ask_for_lanes(hw::Cycles now) {
    for (const InputLane* lane : headers_) {
        ask_for_candidates(*lane->candidates,
                           [&](std::int32_t asked) { return ask_for(asked, *lane, now); });
    }
    headers_.clear();
}

// True if the output could be given to the header now.
bool VirtualChannelRouter::ask_for(std::int32_t asked, const InputLane& lane, hw::Cycles now) {
    OutputLane& output = outputs_[asked];
    if (output.owner != kNone) {
        return false;
    }
    const bool has_room = this->has_room(*output.channel, lane, now);
    const std::int64_t asks_since =
        design_.output_binding == OutputBinding::kFirstCome ? lane.ready.count() : 0;
    const bool is_asked_for_now = output.asking.compare(
        lane.number, rank(lane.number, output.last_winner, inputs_.size(), lane.since), asks_since);
    if (is_asked_for_now) {
        lanes_asked_for_.push_back(asked);
    }
    if (output.asking.asking == lane.number) {
        output.has_room_for_first = has_room;
    }
    if (allocator_ && has_room) {
        requests_.push_back({lane.number, asked, lane.since});
    }
    return has_room;
}

bool VirtualChannelRouter::has_room(FlitChannel& output, const InputLane& lane,
                                    hw::Cycles now) const {
    const hw::Flits needed = design_.room_for(lane.channel->front(), output.places());
    return needed == hw::Flits(0) ||  // a single flit's room is checked at the switch
           output.has_or_expects_credits(needed, now);
}

void VirtualChannelRouter::allocate_lanes(hw::Cycles now) {
    if (allocator_) {
        allocate_lanes_apart(now);
        return;
    }
    if (headers_.size() == 1 && lanes_asked_for_.empty()) {
        allocate_to(*headers_.front(), now);
        headers_.clear();
        return;
    }
    ask_for_lanes(now);
    for (const std::int32_t asked : lanes_asked_for_) {  // grants
        OutputLane& output = outputs_[asked];
        const std::int32_t first = output.asking.take();
        if (!output.has_room_for_first) {
            continue;
        }
        const InputLane& lane = inputs_[first];
        if (granted_outputs_[first].compare(asked,
                                            rank(asked, lane.last_output, outputs_.size(), 0))) {
            lanes_granted_.push_back(first);
        }
    }
    lanes_asked_for_.clear();
    for (const std::int32_t number : lanes_granted_) {  // acceptances
        const std::size_t lane = number;
        accept(inputs_[lane], granted_outputs_[lane].take(), now);
    }
    lanes_granted_.clear();
}

// Virtual channel allocation by `allocator_`. For each output, only requests as early as the first
// one take part, and only if the output has room.
void VirtualChannelRouter::allocate_lanes_apart(hw::Cycles now) {
    ask_for_lanes(now);
    std::erase_if(requests_, [this](const Allocator::Request& request) {
        const OutputLane& output = outputs_[request.output];
        const bool asks_too_late = design_.output_binding == OutputBinding::kFirstCome &&
                                   inputs_[request.input].ready.count() > output.asking.since;
        return asks_too_late || !output.has_room_for_first;
    });
    for (const std::int32_t asked : lanes_asked_for_) {
        static_cast<void>(outputs_[asked].asking.take());
    }
    lanes_asked_for_.clear();
    grants_.clear();
    allocator_->allocate_lanes(requests_, grants_);
    for (const std::int32_t grant : grants_) {
        accept(inputs_[requests_[grant].input], requests_[grant].output, now);
    }
    requests_.clear();
}

// Allocation for a lone header: grants any output that could be given to it.
void VirtualChannelRouter::allocate_to(InputLane& lane, hw::Cycles now) {
    First granted;
    ask_for_candidates(*lane.candidates, [&](std::int32_t asked) {
        const OutputLane& output = outputs_[asked];
        if (output.owner != kNone || !has_room(*output.channel, lane, now)) {
            return false;
        }
        granted.compare(asked, rank(asked, lane.last_output, outputs_.size(), 0));
        return true;
    });
    if (granted.asking != kNone) {
        accept(lane, granted.asking, now);
    }
}

void VirtualChannelRouter::accept(InputLane& lane, std::int32_t output, hw::Cycles now) {
    lane.output = &outputs_[output];
    lane.output->owner = lane.number;
    lane.stage = Stage::kHoldsOutput;
    lane.ready = now + design_.vc_allocation_cycles;
    if (design_.output_binding == OutputBinding::kHeaderSent) {
        bound_.push_back(&lane);
    } else {
        bind(lane, now);
    }
    has_acted_ = true;
    if (lane.ready > now) {
        wake_at(lane.ready);
    } else {
        ask_for_switch(lane, now);
    }
}

// Gives the output to the message: the arbiters' pointers move on.
void VirtualChannelRouter::bind(InputLane& lane, hw::Cycles now) {
    lane.last_output = static_cast<std::int32_t>(lane.output - outputs_.data());
    lane.output->last_winner = lane.number;
    lane.channel->header_waits().end(now);
    note_routed(lane.channel->front().message, now);
}

// Headers that were granted an output and not sent must request again.
void VirtualChannelRouter::unbind_unsent(hw::Cycles now) {
    for (InputLane* lane : bound_) {
        if (lane->stage == Stage::kHoldsOutput && !lane->header_has_left) {
            lane->output->owner = kNone;
            lane->output = nullptr;
            lane->stage = Stage::kRouted;
            lane->ready = now;
        }
    }
    bound_.clear();
}

// Requests the switch for one of the virtual channels of an input port with the same output port.
[[gnu::always_inline]] inline void VirtualChannelRouter::ask_for_switch(InputLane& lane,
                                                                        hw::Cycles now) {
    const OutputLane& output = *lane.output;
    if (!output.channel->has_or_expects_credit(now)) {
        return;
    }
    const OutputPort& port = *output.port;
    if (port.free_from > now) {
        wake_at(port.free_from);
        return;
    }
    if (allocator_) {
        switch_requests_.push_back(&lane);
        return;
    }
    // Ports that are 64 apart share a bit, which costs time only.
    const std::uint64_t asking = std::uint64_t{1} << (lane.port->number % 64);
    const std::uint64_t asked = std::uint64_t{1} << (port.number % 64);
    const bool is_contest = ((asking_ports_ & asking) | (asked_ports_ & asked)) != 0;
    if (is_contest && !joins_contest(lane)) {
        return;
    }
    asking_ports_ |= asking;
    asked_ports_ |= asked;
    switch_requests_.push_back(&lane);
}

// True unless another virtual channel of the port requests the same output port. Then the first of
// both requests.
bool VirtualChannelRouter::joins_contest(InputLane& lane) {
    for (InputLane*& other : switch_requests_) {
        if (other->port == lane.port && other->output->port == lane.output->port) {
            const std::size_t lanes = lanes_;
            const std::int32_t last = lane.port->last_lane;
            if (rank(lane.place, last, lanes, lane.since) <
                rank(other->place, last, lanes, other->since)) {
                other = &lane;
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
        for (InputLane* lane : switch_requests_) {
            send(*lane, now);
        }
        statistics_.flits_forwarded += static_cast<std::int64_t>(switch_requests_.size());
    }
    switch_requests_.clear();
    asking_ports_ = asked_ports_ = 0;
    has_acted_ = true;
    domain().note_progress(now);
}

void VirtualChannelRouter::allocate_switch_apart(hw::Cycles now) {
    for (const InputLane* lane : switch_requests_) {
        requests_.push_back(
            {lane->number, static_cast<std::int32_t>(lane->output - outputs_.data()), lane->since});
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
        const InputLane& lane = *switch_requests_[i];
        OutputPort& port = *lane.output->port;
        if (port.request.compare(
                static_cast<std::int32_t>(i),
                rank(lane.port->number, port.last_winner, input_ports_.size(), lane.since))) {
            ports_asked_for_.push_back(&port);
        }
    }
    for (OutputPort* port : ports_asked_for_) {  // grants
        const std::int32_t request = port->request.take();
        const InputLane& lane = *switch_requests_[request];
        if (lane.port->granted.compare(request, rank(port->number, lane.port->last_output,
                                                     output_ports_.size(), lane.since))) {
            ports_granted_.push_back(lane.port);
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

[[gnu::always_inline]] inline void VirtualChannelRouter::send(InputLane& lane, hw::Cycles now) {
    const OutputLane& output = *lane.output;
    lane.port->last_lane = lane.place;
    lane.port->last_output = output.port->number;
    output.port->last_winner = lane.port->number;
    output.port->free_from = now + design_.flit_cycles;
    const Flit flit = lane.channel->front();
    if (flit.is_header && design_.output_binding == OutputBinding::kHeaderSent) [[unlikely]] {
        bind(lane, now);
    }
    lane.channel->take(now);
    output.channel->send(flit, now);
    flits_in_front_ -= lane.channel->has_flit(now) ? 0 : 1;
    lane.header_has_left = lane.header_has_left || flit.is_header;
    if (flit.is_tail) {
        release(lane);
    }
}

void VirtualChannelRouter::report_waits(hw::WaitReport& report) const {
    for (const InputLane& lane : inputs_) {
        if (lane.channel == nullptr || lane.channel->held() == hw::Flits(0) ||
            lane.stage == Stage::kUnrouted) {
            continue;
        }
        const auto waits_for = [&lane](const FlitChannel& needed) {
            return LaneWait(lane.channel->name(), lane.channel->front().destination, needed.name(),
                            needed.condition());
        };
        if (lane.stage == Stage::kHoldsOutput) {
            const FlitChannel& held = *lane.output->channel;
            report.push_back(waits_for(held).for_credit(held.held()));
            continue;
        }
        for (const Candidate& candidate : *lane.candidates) {
            const OutputLane& output = outputs_[candidate.output_lane];
            const LaneWait wait = waits_for(*output.channel);
            if (output.owner == kNone) {
                report.push_back(wait.for_room());
            } else if (output.channel->held() > hw::Flits(0)) {
                report.push_back(wait.for_end_of_message());
            } else {
                const InputLane& owner = inputs_[output.owner];
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
