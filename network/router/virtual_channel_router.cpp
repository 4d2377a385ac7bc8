#include "network/router/virtual_channel_router.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace weir::network {

namespace {

constexpr std::int32_t kSetBits = 32;

}  // namespace

VirtualChannelRouter::VirtualChannelRouter(const sc_core::sc_module_name& name,
                                           hw::ClockDomain& domain, const Site& site,
                                           const Design& design)
    : Router(name, domain),
      routing_(site.routing),
      vertex_(site.vertex),
      lanes_(site.lanes),
      design_(design),
      entries_(site.entries),
      faults_(site.faults) {
    const auto ports = static_cast<std::size_t>(site.port_count);
    const std::size_t lane_count = ports * static_cast<std::size_t>(lanes_);
    occupied_.resize((lane_count + kSetBits - 1) / kSetBits);
    inputs_.resize(lane_count);
    outputs_.resize(lane_count);
    input_ports_.resize(ports);
    output_ports_.resize(ports);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        inputs_[lane].port = outputs_[lane].port = port_of(static_cast<std::int32_t>(lane));
    }
    table_.resize(routing_.looks_at_input() ? lane_count : 1);
}

void VirtualChannelRouter::connect_input(int port, int lane, Behind behind, FlitChannel& channel) {
    const int number = port * lanes_ + lane;
    InputLane& input = inputs_[static_cast<std::size_t>(number)];
    input.channel = &channel;
    input.is_injection = behind == Behind::kNode;
    channel.mark_occupied_in(occupied_[static_cast<std::size_t>(number / kSetBits)],
                             number % kSetBits);
}

void VirtualChannelRouter::connect_output(int port, int lane, Behind behind, FlitChannel& channel) {
    const int number = port * lanes_ + lane;
    outputs_[static_cast<std::size_t>(number)].channel = &channel;
    output_ports_[static_cast<std::size_t>(port)].to_node = behind == Behind::kNode;
}

void VirtualChannelRouter::tick(hw::Cycles now) {
    has_acted_ = false;
    flits_in_front_ = 0;
    look_at_inputs(now);
    allocate_lanes(now);
    allocate_switch(now);
    if (has_acted_ && flits_in_front_ > 0) {
        wake_at(now + hw::Cycles(1));
    }
}

// The lowest comes first.
std::int64_t VirtualChannelRouter::rank(std::int32_t asking, std::int32_t last_winner,
                                        std::size_t count, std::int64_t entered) const {
    switch (design_.arbitration) {
        case Arbitration::kRoundRobin: {
            const std::int32_t after = asking - last_winner - 1;
            return after < 0 ? after + static_cast<std::int32_t>(count) : after;
        }
        case Arbitration::kFixed:
            return asking;
        case Arbitration::kOldest:  // as old: the lowest
            return entered * static_cast<std::int64_t>(count) + asking;
    }
    return 0;
}

// Steps 1 and 2 as far as the single lanes go: what each asks for.
void VirtualChannelRouter::look_at_inputs(hw::Cycles now) {
    std::int32_t first = 0;
    for (const std::uint32_t word : occupied_) {
        for (std::uint32_t left = word; left != 0; left &= left - 1) {
            look_at_lane(first + std::countr_zero(left), now);
        }
        first += kSetBits;
    }
}

void VirtualChannelRouter::look_at_lane(std::int32_t number, hw::Cycles now) {
    InputLane& lane = inputs_[static_cast<std::size_t>(number)];
    if (lane.stage == Stage::kHoldsOutput) {
        outputs_[static_cast<std::size_t>(lane.output)].channel->fetch();
    }
    if (!lane.channel->has_flit(now)) {
        return;
    }
    ++flits_in_front_;
    if (lane.header_has_left && lane.channel->front().is_header) [[unlikely]] {
        release(lane);
        has_acted_ = true;  // who has been looked at may take the output in the next cycle
    }
    if (lane.stage == Stage::kUnrouted) {
        if (!lane.channel->front().is_header) [[unlikely]] {
            discard(lane, now);
            return;
        }
        route(number, lane, now);
    }
    if (lane.stage == Stage::kUnrouted) {
        return;
    }
    if (lane.ready > now) {
        wake_at(lane.ready);
        return;
    }
    if (lane.stage == Stage::kRouted) {
        ask_for_lanes(number, lane, now);
    } else {
        ask_for_switch(number, lane, now);
    }
}

void VirtualChannelRouter::route(std::int32_t number, InputLane& lane, hw::Cycles now) {
    if (design_.switching == Switching::kStoreAndForward && !lane.channel->has_whole_message(now)) {
        return;  // the flits to come wake the router
    }
    const Flit& header = lane.channel->front();
    lane.candidates = candidates_of(number, header);
    lane.ready = now + design_.routing_cycles;
    lane.stage = Stage::kRouted;
    lane.channel->header_asks(lane.ready);
    if (design_.arbitration == Arbitration::kOldest) {
        if (entries_.size() <= header.message) {
            entries_.resize(header.message + std::size_t{1});
        }
        if (lane.is_injection) {
            entries_[header.message] = now;
        }
        lane.entered = entries_[header.message].count();
    }
}

// Its message's header was lost.
void VirtualChannelRouter::discard(InputLane& lane, hw::Cycles now) {
    sc_assert(faults_ != nullptr);
    lane.channel->take(now);
    faults_->flit_discarded();
    flits_in_front_ -= lane.channel->has_flit(now) ? 0 : 1;
    has_acted_ = true;
    domain().note_progress(now);
}

// The message has passed, or what has come of it.
void VirtualChannelRouter::release(InputLane& lane) {
    outputs_[static_cast<std::size_t>(lane.output)].owner = kNone;
    lane.output = kNone;
    lane.stage = Stage::kUnrouted;
    lane.header_has_left = false;
}

const VirtualChannelRouter::Candidates* VirtualChannelRouter::candidates_of(std::int32_t number,
                                                                            const Flit& header) {
    auto& row = table_[routing_.looks_at_input() ? static_cast<std::size_t>(number) : 0];
    const auto lots = static_cast<std::size_t>(routing_.lots());
    if (row.empty()) {
        row.resize(routing_.ways(vertex_) * lots, kUnknown);
    }
    std::uint16_t& known = row[routing_.way_to(vertex_, header.destination) * lots + header.lot];
    if (known == kUnknown) {
        const InputLane& lane = inputs_[static_cast<std::size_t>(number)];
        const int virtual_channel = lane.is_injection ? 0 : number % lanes_;
        Candidates candidates;
        for (const RoutedOutput& output : routing_.outputs(
                 {vertex_, lane.port, virtual_channel, header.lot}, header.destination)) {
            const bool to_node = output_ports_[static_cast<std::size_t>(output.port)].to_node;
            for (std::int32_t i = to_node ? 0 : output.virtual_channel;
                 i < (to_node ? lanes_ : output.virtual_channel + 1); ++i) {
                const std::int32_t asked = output.port * lanes_ + i;
                if (outputs_[static_cast<std::size_t>(asked)].channel != nullptr) {
                    candidates.push_back(
                        {asked, design_.escapes_last && !to_node && output.is_escape});
                }
            }
        }
        std::sort(candidates.begin(), candidates.end());
        candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
        sc_assert(!candidates.empty());
        const auto found =
            known_sets_.emplace(std::move(candidates), static_cast<std::int32_t>(sets_.size()));
        if (found.second) {
            sets_.push_back(&found.first->first);
        }
        sc_assert(sets_.size() < kUnknown);
        known = static_cast<std::uint16_t>(found.first->second);
    }
    return sets_[static_cast<std::size_t>(known)];
}

void VirtualChannelRouter::ask_for_lanes(std::int32_t number, const InputLane& lane,
                                         hw::Cycles now) {
    bool asks = false;
    bool has_escape = false;
    for (const Candidate& candidate : *lane.candidates) {
        if (candidate.is_escape) {
            has_escape = true;
        } else {
            asks = ask_for(candidate, number, lane, now) || asks;
        }
    }
    if (asks || !has_escape) {
        return;
    }
    for (const Candidate& candidate : *lane.candidates) {
        if (candidate.is_escape) {
            ask_for(candidate, number, lane, now);
        }
    }
}

// Whether the output lane could be given to it now.
bool VirtualChannelRouter::ask_for(const Candidate& candidate, std::int32_t number,
                                   const InputLane& lane, hw::Cycles now) {
    OutputLane& output = outputs_[static_cast<std::size_t>(candidate.output_lane)];
    if (output.owner != kNone) {
        return false;
    }
    const bool has_room = this->has_room(*output.channel, lane, now);
    const std::int64_t own_rank = rank(number, output.last_winner, inputs_.size(), lane.entered);
    if (output.best == kNone) {
        lanes_asked_for_.push_back(candidate.output_lane);
    }
    if (output.best == kNone || own_rank < output.best_rank) {
        output.best = number;
        output.best_rank = own_rank;
        output.has_room_for_best = has_room;
    }
    return has_room;
}

bool VirtualChannelRouter::has_room(FlitChannel& output, const InputLane& lane,
                                    hw::Cycles now) const {
    const hw::Flits needed = design_.room_for(lane.channel->front(), output.places());
    if (needed == hw::Flits(0) || output.has_credits(needed, now)) {
        return true;  // a flit's is looked for with the switch
    }
    output.expect_credits(needed, now);
    return false;
}

void VirtualChannelRouter::allocate_lanes(hw::Cycles now) {
    if (lanes_asked_for_.empty()) {
        return;
    }
    for (const std::int32_t asked : lanes_asked_for_) {  // grants
        OutputLane& output = outputs_[static_cast<std::size_t>(asked)];
        const std::int32_t best = std::exchange(output.best, kNone);
        if (!output.has_room_for_best) {
            continue;
        }
        InputLane& lane = inputs_[static_cast<std::size_t>(best)];
        const std::int64_t own_rank = rank(asked, lane.last_output, outputs_.size(), 0);
        if (lane.best_output == kNone) {
            lanes_granted_.push_back(best);
        }
        if (lane.best_output == kNone || own_rank < lane.best_rank) {
            lane.best_output = asked;
            lane.best_rank = own_rank;
        }
    }
    lanes_asked_for_.clear();
    has_acted_ = has_acted_ || !lanes_granted_.empty();
    for (const std::int32_t number : lanes_granted_) {  // acceptances
        InputLane& lane = inputs_[static_cast<std::size_t>(number)];
        OutputLane& output = outputs_[static_cast<std::size_t>(lane.best_output)];
        output.owner = output.last_winner = number;
        lane.output = lane.last_output = lane.best_output;
        lane.best_output = kNone;
        lane.stage = Stage::kHoldsOutput;
        lane.channel->header_goes_on(now);
        lane.ready = now + design_.vc_allocation_cycles;
        statistics_.headers_routed += 1;
        if (lane.ready > now) {
            wake_at(lane.ready);
        } else {
            ask_for_switch(number, lane, now);
        }
    }
    lanes_granted_.clear();
}

// One of the lanes of an input port that ask for the same output port.
void VirtualChannelRouter::ask_for_switch(std::int32_t number, InputLane& lane, hw::Cycles now) {
    OutputLane& output = outputs_[static_cast<std::size_t>(lane.output)];
    if (!output.channel->has_credit(now)) {
        output.channel->expect_credit(now);
        return;
    }
    OutputPort& port = output_ports_[static_cast<std::size_t>(output.port)];
    if (port.free_from > now) {
        wake_at(port.free_from);
        return;
    }
    for (std::size_t i = 0; lanes_ > 1 && i < switch_requests_.size(); ++i) {
        SwitchRequest& other = switch_requests_[i];
        if (other.input_port == lane.port && other.output_port == output.port) {
            const InputLane& rival = inputs_[static_cast<std::size_t>(other.lane)];
            const auto lanes = static_cast<std::size_t>(lanes_);
            const std::int32_t last = input_ports_[static_cast<std::size_t>(lane.port)].last_lane;
            if (rank(number % lanes_, last, lanes, lane.entered) <
                rank(other.lane % lanes_, last, lanes, rival.entered)) {
                other.lane = number;
            }
            return;
        }
    }
    switch_requests_.push_back({number, lane.port, output.port});
}

void VirtualChannelRouter::allocate_switch(hw::Cycles now) {
    if (switch_requests_.empty()) {
        return;
    }
    if (lanes_ > 1 && is_switch_contested()) {
        allocate_contested_switch(now);
    } else {
        for (const SwitchRequest& request : switch_requests_) {
            send(request, now);
        }
        statistics_.flits_forwarded += static_cast<std::int64_t>(switch_requests_.size());
    }
    switch_requests_.clear();
    has_acted_ = true;
    domain().note_progress(now);
}

// Whether two ask for the same output port, or of the same input port, as lanes of a port can.
// (Ports that are 64 apart are taken for the same, which costs time only.) If not, all get what
// they ask for.
bool VirtualChannelRouter::is_switch_contested() const {
    std::uint64_t input_ports = 0;
    std::uint64_t output_ports = 0;
    for (const SwitchRequest& request : switch_requests_) {
        const std::uint64_t input = std::uint64_t{1} << (request.input_port % 64);
        const std::uint64_t output = std::uint64_t{1} << (request.output_port % 64);
        if ((input_ports & input) != 0 || (output_ports & output) != 0) {
            return true;
        }
        input_ports |= input;
        output_ports |= output;
    }
    return false;
}

void VirtualChannelRouter::allocate_contested_switch(hw::Cycles now) {
    for (std::size_t i = 0; i < switch_requests_.size(); ++i) {
        const SwitchRequest& request = switch_requests_[i];
        OutputPort& port = output_ports_[static_cast<std::size_t>(request.output_port)];
        const std::int64_t own_rank =
            rank(request.input_port, port.last_winner, input_ports_.size(),
                 inputs_[static_cast<std::size_t>(request.lane)].entered);
        if (port.best_request == kNone) {
            ports_asked_for_.push_back(request.output_port);
        }
        if (port.best_request == kNone || own_rank < port.best_rank) {
            port.best_request = static_cast<std::int32_t>(i);
            port.best_rank = own_rank;
        }
    }
    for (const std::int32_t asked : ports_asked_for_) {  // grants
        OutputPort& output = output_ports_[static_cast<std::size_t>(asked)];
        const SwitchRequest& request =
            switch_requests_[static_cast<std::size_t>(output.best_request)];
        InputPort& input = input_ports_[static_cast<std::size_t>(request.input_port)];
        const std::int64_t own_rank = rank(asked, input.last_output, output_ports_.size(),
                                           inputs_[static_cast<std::size_t>(request.lane)].entered);
        if (input.best_request == kNone) {
            ports_granted_.push_back(request.input_port);
        }
        if (input.best_request == kNone || own_rank < input.best_rank) {
            input.best_request = output.best_request;
            input.best_rank = own_rank;
        }
        output.best_request = kNone;
    }
    ports_asked_for_.clear();
    for (const std::int32_t granted : ports_granted_) {  // acceptances
        InputPort& input = input_ports_[static_cast<std::size_t>(granted)];
        const SwitchRequest& request =
            switch_requests_[static_cast<std::size_t>(input.best_request)];
        input.best_request = kNone;
        send(request, now);
    }
    statistics_.flits_forwarded += static_cast<std::int64_t>(ports_granted_.size());
    ports_granted_.clear();
}

void VirtualChannelRouter::send(const SwitchRequest& request, hw::Cycles now) {
    InputPort& input_port = input_ports_[static_cast<std::size_t>(request.input_port)];
    input_port.last_lane = request.lane - request.input_port * lanes_;
    input_port.last_output = request.output_port;
    OutputPort& output_port = output_ports_[static_cast<std::size_t>(request.output_port)];
    output_port.last_winner = request.input_port;
    output_port.free_from = now + design_.flit_cycles;
    InputLane& lane = inputs_[static_cast<std::size_t>(request.lane)];
    OutputLane& output = outputs_[static_cast<std::size_t>(lane.output)];
    const Flit flit = lane.channel->front();
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
        const std::string towards =
            "a message for node " + std::to_string(lane.channel->front().destination) + " needs ";
        if (lane.stage == Stage::kHoldsOutput) {
            const FlitChannel& held = *outputs_[static_cast<std::size_t>(lane.output)].channel;
            report.push_back({lane.channel->name(), held.name(),
                              towards + held.name() + ", which has no room (" +
                                  std::to_string(held.held().count()) + " flits)" +
                                  held.condition()});
            continue;
        }
        for (const Candidate& candidate : *lane.candidates) {
            const OutputLane& output = outputs_[static_cast<std::size_t>(candidate.output_lane)];
            const FlitChannel& asked = *output.channel;
            if (output.owner == kNone || asked.held() > hw::Flits(0)) {
                report.push_back(
                    {lane.channel->name(), asked.name(),
                     towards + asked.name() +
                         (output.owner == kNone ? ", which has no room for it, or for one before it"
                                                : ", which another message holds") +
                         asked.condition()});
                continue;
            }
            // The holder's flits are still in front of it.
            const InputLane& owner = inputs_[static_cast<std::size_t>(output.owner)];
            report.push_back({lane.channel->name(), owner.channel->name(),
                              towards + asked.name() + ", which another message holds"});
        }
    }
}

const RouterKind& virtual_channel_router_kind() {
    static const RouterKind kind{
        "virtual_channel",
        "input buffers, a crossbar, and allocators of virtual channels and of the switch",
        [](const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Router::Site& site,
           const Router::Design& design) -> std::unique_ptr<Router> {
            return std::make_unique<VirtualChannelRouter>(name, domain, site, design);
        }};
    return kind;
}

}  // namespace weir::network
