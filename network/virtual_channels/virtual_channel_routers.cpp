#include "network/virtual_channels/virtual_channel_routers.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "network/router/virtual_channel_wait.h"

namespace weir::network {

namespace {

constexpr hw::Cycles kLongestDelay = FutureCycles::kMost;
constexpr std::size_t kMostVirtualChannels = 64;  // largest number of virtual channels per router
constexpr std::size_t kInjectionsAWord = 32;

// Prefetch distance: the virtual channels of a large network are beyond the host's nearer caches.
constexpr std::size_t kFetchedAhead = 8;

std::size_t vcs_of_a_router(const VirtualChannelRouters::Design& design) {
    return static_cast<std::size_t>(design.ports) * design.vcs;
}

hw::Cycles longest_delay(const VirtualChannelRouters::Design& design) {
    const hw::Cycles in_the_network =
        std::max({design.link_cycles, design.credit_cycles, design.router.routing_cycles,
                  design.router.vc_allocation_cycles});
    return design.has_channels
               ? in_the_network
               : std::max({in_the_network, design.injection_cycles, design.ejection_cycles});
}

// True if a virtual channel needs room for more than the first flit before it is given to a
// message.
bool looks_for_room(const VirtualChannelRouters::Design& design) {
    return design.router.switching != Switching::kWormhole ||
           design.router.reallocation != Reallocation::kTail;
}

constexpr hw::Cycles kLongestStretch{12};
// a shorter stretch costs the host as much as its flits one by one
constexpr std::int32_t kShortestStretch = 3;

// Longest stretch. With store-and-forward it is one flit, since routers count the flits of an
// incomplete message as they arrive. Otherwise all its credits must be back within kLongestDelay,
// which a network interface can keep track of.
hw::Cycles longest_stretch(const VirtualChannelRouters::Design& design) {
    return design.router.switching == Switching::kStoreAndForward
               ? hw::Cycles(1)
               : std::clamp(kLongestDelay - design.credit_cycles, hw::Cycles(1), kLongestStretch);
}

// Longest time until a known event becomes visible. For a network interface that takes flits ahead,
// the event is the return of the credit.
hw::Cycles farthest_due(const VirtualChannelRouters::Design& design) {
    return design.has_channels
               ? longest_delay(design)
               : std::max(longest_delay(design), design.ejection_cycles + design.credit_cycles);
}

// Round-robin choice: the first set bit after last_winner, wrapping around. The set must not be
// empty.
int first_after(std::int32_t last_winner, std::uint64_t set) {
    const std::uint64_t behind = set & ~((std::uint64_t{2} << last_winner) - 1);
    return std::countr_zero(behind != 0 ? behind : set);
}

bool has_several(std::uint64_t set) { return (set & (set - 1)) != 0; }

// Calls `act` with the number of each set bit, from the lowest on.
template <class Act>
void for_each_bit(std::uint64_t bits, Act act) {
    for (; bits != 0; bits &= bits - 1) {
        act(std::countr_zero(bits));
    }
}

}  // namespace

void VirtualChannelRouters::VirtualChannelList::grow() {
    const auto count = static_cast<std::ptrdiff_t>(places_.size());
    places_.resize(std::max<std::size_t>(64, 2 * places_.size()));
    end_ = places_.data() + count;
    limit_ = places_.data() + places_.size();
}

bool VirtualChannelRouters::takes(const Design& design) {
    return design.router.arbitration == Arbitration::kRoundRobin &&
           design.router.allocator == allocator_kinds().front() &&
           design.router.output_binding == OutputBinding::kGranted &&
           design.router.flit_cycles == hw::Cycles(1) &&
           vcs_of_a_router(design) <= kMostVirtualChannels &&
           longest_delay(design) <= kLongestDelay;
}

VirtualChannelRouters::VirtualChannelRouters(hw::ClockDomain& domain, const Routing& routing,
                                             const Design& design)
    : ClockedPart(domain),
      design_(design),
      stride_(vcs_of_a_router(design)),
      looks_for_room_(looks_for_room(design)),
      longest_stretch_(static_cast<std::int32_t>(longest_stretch(design).count())),
      routers_(design.routers),
      vcs_(design.routers * stride_),
      rare_states_(vcs_.size()),
      vc_stretches_(vcs_.size()),
      outputs_(vcs_.size(), kNoVirtualChannel),
      ports_(design.routers * design.ports),
      headers_routed_(design.routers),
      visits_((design.routers + 63) / 64),
      due_(std::bit_ceil(static_cast<std::size_t>(farthest_due(design).count() + 1))),
      due_mask_(due_.size() - 1),
      asking_(stride_),
      ready_(stride_),
      granted_(stride_) {
    static_assert(kLongestStretch < hw::Cycles(kStretchEnds));
    sc_assert(takes(design));
    tables_.reserve(design.routers);
    for (std::size_t router = 0; router < design.routers; ++router) {
        tables_.emplace_back(routing, router, design.ports, design.vcs, design.router.escapes_last,
                             sets_);
        for (std::size_t number = 0; number < stride_; ++number) {
            VirtualChannel& vc = vcs_[router * stride_ + number];
            const std::size_t vcs = design.vcs;
            vc.receiver = static_cast<std::uint32_t>(router);
            vc.number = static_cast<std::uint8_t>(number);
            vc.port = static_cast<std::uint8_t>(number / vcs);
        }
        for (int port = 0; port < design.ports; ++port) {
            PortState& state = ports_of(router)[port];
            state.inputs = ((bit_of(design.vcs - 1) << 1) - 1) << (port * design.vcs);
            state.vc_of_input = static_cast<std::uint8_t>(port * design.vcs);
        }
    }
}

VirtualChannelRouters::VirtualChannelNumber VirtualChannelRouters::connect(const Port& output,
                                                                           const Port& input,
                                                                           int vc,
                                                                           std::string name) {
    const VirtualChannelNumber number = vc_at(input, vc);
    name_vc(number, design_.link_cycles, std::move(name));
    connect_output(output, vc, number, Router::Behind::kRouter);
    return number;
}

void VirtualChannelRouters::connect_injection(const Port& input, int vc, FlitChannel& channel) {
    const VirtualChannelNumber number = connect_injection(input, vc, channel.name());
    vcs_[number].sender = static_cast<std::uint32_t>(injections_.size());
    if (injections_.size() % kInjectionsAWord == 0) {
        occupied_.push_back(0);
    }
    channel.mark_occupied_in(occupied_.back(),
                             static_cast<int>(injections_.size() % kInjectionsAWord));
    injections_.push_back({&channel, number});
}

void VirtualChannelRouters::connect_ejection(const Port& output, int vc, FlitChannel& channel) {
    vcs_[connect_ejection(output, vc, channel.name())].receiver =
        static_cast<std::uint32_t>(ejections_.size());
    ejections_.push_back(&channel);
}

VirtualChannelRouters::VirtualChannelNumber VirtualChannelRouters::connect_injection(
    const Port& input, int vc, std::string name) {
    const VirtualChannelNumber number = vc_at(input, vc);
    name_vc(number, design_.injection_cycles, std::move(name));
    vcs_[number].is_injection = true;
    return number;
}

VirtualChannelRouters::VirtualChannelNumber VirtualChannelRouters::connect_ejection(
    const Port& output, int vc, std::string name) {
    const auto number = static_cast<VirtualChannelNumber>(vcs_.size());
    vcs_.emplace_back().is_ejection = true;
    rare_states_.emplace_back();
    name_vc(number, design_.ejection_cycles, std::move(name));
    connect_output(output, vc, number, Router::Behind::kNode);
    return number;
}

void VirtualChannelRouters::connect_end(VirtualChannelEnd& end, std::size_t number,
                                        const InterfaceChannels& vcs) {
    vcs_[vcs.injection].sender = static_cast<std::uint32_t>(ends_.size());
    vcs_[vcs.ejection].receiver = static_cast<std::uint32_t>(ends_.size());
    ends_.push_back({&end, number});
}

// Names a virtual channel, and sets its number of slots for a link of `link` cycles.
void VirtualChannelRouters::name_vc(VirtualChannelNumber number, hw::Cycles link,
                                    std::string name) {
    const hw::Flits places = design_.buffer + hw::Flits(link.count() - 1);
    rare_states_[number].name = std::move(name);
    rare_states_[number].places = static_cast<std::int32_t>(places.count());
    vcs_[number].credits = rare_states_[number].places;
}

void VirtualChannelRouters::connect_output(const Port& output, int vc, VirtualChannelNumber number,
                                           Router::Behind behind) {
    const VirtualChannelNumber place = vc_at(output, vc);
    outputs_[place] = number;
    tables_[output.router].connect(output.port, vc, behind);
    VirtualChannel& connected = vcs_[number];
    connected.sender = static_cast<std::uint32_t>(output.router);
    connected.sender_port = static_cast<std::uint8_t>(output.port);
}

void VirtualChannelRouters::tick(hw::Cycles now) {
    bring_due_through(now);
    look_at_expected_credits(now);
    look_at_ends(now);
    arrivals_ = &due_at(now + design_.link_cycles).arrivals;
    credits_ = &due_at(now + design_.credit_cycles).credits;
    awaited_credits_ = &due_at(now + design_.credit_cycles).awaited_credits;
    has_moved_ = false;
    bool goes_on = false;
    for (std::size_t word = 0; word < visits_.size(); ++word) {
        std::uint64_t next = 0;
        for (std::uint64_t left = visits_[word]; left != 0; left &= left - 1) {
            if (go_through(word * 64 + std::countr_zero(left), now)) {
                next |= left & -left;
            }
        }
        visits_[word] = next;
        goes_on = goes_on || next != 0;
    }
    if (stretches_ > 0) {
        note_stretches(now);
    }
    if (has_moved_ || takes_ahead_.has(now)) {
        domain().note_progress(now);
    }
    if (goes_on || !expected_credits_.empty()) {
        wake_after(hw::Cycles(1));
    }
    if (!arrivals_->empty()) {
        wake_after(design_.link_cycles);
    }
    if (!awaited_credits_->empty()) {
        wake_after(design_.credit_cycles);
    }
    for_each_bit(std::exchange(wakes_, 0),
                 [this, now](int bit) { wake_at(now + hw::Cycles(bit + 1)); });
}

void VirtualChannelRouters::bring_due_through(hw::Cycles now) {
    const hw::Cycles oldest = now - hw::Cycles(static_cast<std::int64_t>(due_mask_));
    const hw::Cycles oldest_end = now - hw::Cycles(kStretchEnds - 1);
    for (hw::Cycles cycle = std::max(brought_ + hw::Cycles(1), std::min(oldest, oldest_end));
         cycle <= now; cycle += hw::Cycles(1)) {
        brought_ = cycle;
        if (cycle >= oldest) {
            bring_due(due_at(cycle), cycle);
        } else {
            end_stretches(cycle);
        }
    }
    brought_ = now;
}

void VirtualChannelRouters::bring_due(Due& due, hw::Cycles cycle) {
    const auto bring_credits = [this](VirtualChannel& vc, std::int32_t count) {
        vc.credits += count;
        if (vc.owner != kNoOwner && vc.credits > 0) {
            routers_[vc.sender].credited |= bit_of(vc.owner);
        }
    };
    for (VirtualChannel* vc : due.credits.vcs()) {
        bring_credits(*vc, 1);
    }
    due.credits.clear();
    for (const RunThatComes& run : due.credit_runs) {
        bring_credits(*run.vc, run.count);
        if (looks_for_room_) {
            rare_state_of(*run.vc).last_credit = cycle + hw::Cycles(run.count - 1);
        }
    }
    due.credit_runs.clear();
    for (const VirtualChannel* vc : due.awaited_credits.vcs()) {
        visit(vc->sender);
    }
    due.awaited_credits.clear();
    const std::span<VirtualChannel*> arrivals = due.arrivals.vcs();
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        if (i + kFetchedAhead < arrivals.size()) {
            __builtin_prefetch(arrivals[i + kFetchedAhead]);
        }
        VirtualChannel* const vc = arrivals[i];
        __builtin_prefetch(vc->output);
        flits_come(*vc, 1, cycle);
    }
    due.arrivals.clear();
    for (const RunThatComes& run : due.runs) {
        flits_come(*run.vc, run.count, cycle);
    }
    due.runs.clear();
    end_stretches(cycle);
    for (VirtualChannel* vc : due.ready.vcs()) {
        go_to_next_stage(*vc, cycle);
        visit(vc->receiver);
    }
    due.ready.clear();
}

// A header requests an output after its routing. A flit behind a header is forwarded if its message
// holds an output.
inline void VirtualChannelRouters::flits_come(VirtualChannel& vc, std::int32_t flits,
                                              hw::Cycles now) {
    RouterState& router = routers_[vc.receiver];
    const VirtualChannelSet own = bit_of(vc.number);
    vc.flits += flits;
    router.visible |= own;
    if ((router.routed & own) == 0) {
        route(vc, now);
    }
    if (((router.holding | router.asking) & own) != 0) {
        visit(vc.receiver);
    }
}

void VirtualChannelRouters::look_at_expected_credits(hw::Cycles now) {
    std::erase_if(expected_credits_, [this, now](const ExpectedCredit& expected) {
        const VirtualChannel& vc = *expected.vc;
        RareState& rare = rare_state_of(vc);
        const bool is_back = credits_at(now, vc) + vc.sent - rare.places >= expected.taken;
        if (is_back) {
            visit(vc.sender);
            rare.expected = 0;
        }
        return is_back;
    });
}

// Handles flits that came from the nodes by channels, and routers that wait for the nodes'
// channels. With store-and-forward each flit of an incomplete message causes a new check.
void VirtualChannelRouters::look_at_ends(hw::Cycles now) {
    const Injection* ends = injections_.data();
    for (const std::uint32_t word : occupied_) {
        for_each_bit(word, [this, ends, now](int bit) {
            if (ends[bit].channel->has_flit(now)) {
                const VirtualChannel& vc = vcs_[ends[bit].vc];
                RouterState& router = routers_[vc.receiver];
                const VirtualChannelSet own = bit_of(vc.number);
                if ((router.visible & router.routed & own) == 0) {
                    router.visible |= own;
                    visit(vc.receiver);
                }
            }
        });
        ends += kInjectionsAWord;
    }
    for (const std::size_t router : waiting_) {
        visit(router);
    }
    waiting_.clear();
}

// Processes a router in a cycle. True if it must be processed in the next cycle, even without a new
// event.
[[gnu::always_inline]] inline bool VirtualChannelRouters::go_through(std::size_t router,
                                                                     hw::Cycles now) {
    RouterState& state = routers_[router];
    for_each_bit(state.visible & ~state.routed,
                 [this, router, now](int number) { route(input_of(router, number), now); });
    VirtualChannelSet accepted = 0;
    if (state.asking != 0) {
        accepted = allocate_vcs(router, state, now);
        if (state.asking != 0) {
            note_waiting_headers(router, now);
        }
    }
    const VirtualChannelSet wanting = state.visible & state.holding;
    VirtualChannelSet requests = wanting & state.credited;
    if (requests != wanting || (design_.has_channels && (requests & state.ejecting) != 0)) {
        requests = with_credit(router, wanting, now);
    }
    if (requests != 0) {
        VirtualChannel* const vcs = &vcs_[router * stride_];
        PortState* const ports = ports_of(router);
        if (has_several(requests)) {
            requests = allocate_switch(vcs, ports, requests);
        }
        for (VirtualChannelSet left = requests; left != 0; left &= left - 1) {
            send(state, ports, vcs[std::countr_zero(left)], left & -left, now);
        }
        has_moved_ = true;
    }
    if (accepted != 0) {
        hold_accepted(router, state, accepted, now);
    }
    return (accepted | requests) != 0 && (state.visible & ~state.in_stretch) != 0;
}

// --- Routing ------------------------------------------------------------------------------------

// Routes the header at the front. With store-and-forward each flit of an incomplete message causes
// a new attempt.
void VirtualChannelRouters::route(VirtualChannel& vc, hw::Cycles now) {
    if (design_.router.switching == Switching::kStoreAndForward && !has_whole_message(vc, now)) {
        return;
    }
    if (comes_by_channel(vc)) {
        keep_header_of_channel(vc);
    }
    vc.candidate_set =
        tables_[vc.receiver].candidates(vc.number, vc.is_injection, headers_[vc.message]);
    if (candidates_.size() <= vc.candidate_set) [[unlikely]] {
        add_candidate_sets_through(vc.candidate_set);
    }
    routers_[vc.receiver].routed |= bit_of(vc.number);
    go_on_after(design_.router.routing_cycles, vc, now);
}

void VirtualChannelRouters::keep_header_of_channel(VirtualChannel& vc) {
    const Flit& header = injections_[vc.sender].channel->front();
    vc.message = header.message;
    keep_header(header);
}

void VirtualChannelRouters::keep_header(const Flit& header) {
    if (headers_.size() <= header.message) {
        headers_.resize(header.message + std::size_t{1});
    }
    headers_[header.message] = header;
}

void VirtualChannelRouters::add_candidate_sets_through(std::uint16_t number) {
    while (candidates_.size() <= number) {
        CandidateSet& set = candidates_.emplace_back();
        for (const Candidate& candidate :
             sets_[static_cast<std::uint16_t>(candidates_.size() - 1)]) {
            (candidate.is_escape ? set.escapes : set.open) |= bit_of(candidate.output_vc);
        }
    }
}

bool VirtualChannelRouters::has_whole_message(const VirtualChannel& vc, hw::Cycles now) const {
    return comes_by_channel(vc) ? injections_[vc.sender].channel->has_whole_message(now)
                                : vc.tail != kNoTail && vc.taken + vc.flits >= vc.tail;
}

// Moves the header to its next pipeline stage after `delay`.
inline void VirtualChannelRouters::go_on_after(hw::Cycles delay, VirtualChannel& vc,
                                               hw::Cycles now) {
    if (delay == hw::Cycles(0)) {
        go_to_next_stage(vc, now);
        return;
    }
    due_at(now + delay).ready.push(vc);
    wake_after(delay);
}

inline void VirtualChannelRouters::go_to_next_stage(VirtualChannel& vc, hw::Cycles now) {
    RouterState& router = routers_[vc.receiver];
    const VirtualChannelSet own = bit_of(vc.number);
    if (vc.output == nullptr) {
        router.asking |= own;
        return;
    }
    const VirtualChannelSet stretches_of_port =
        router.in_stretch & ports_of(vc.receiver)[vc.port].inputs;
    if (stretches_of_port != 0) {
        recall_stretches(vc.receiver, stretches_of_port, now);
    }
    router.holding |= own;
}

void VirtualChannelRouters::recall_stretches(std::size_t router, VirtualChannelSet vcs,
                                             hw::Cycles now) {
    for_each_bit(vcs, [&](int number) { recall_stretch(input_of(router, number), now); });
}

// --- Allocation of virtual channels -------------------------------------------------------------

// Gives outputs to headers that request them. Returns these headers' inputs.
inline VirtualChannelRouters::VirtualChannelSet VirtualChannelRouters::allocate_vcs(
    std::size_t router, RouterState& state, hw::Cycles now) {
    const VirtualChannelSet asking = state.asking;
    if (has_several(asking)) {
        return allocate_several_vcs(router, state, now);
    }
    VirtualChannel& vc = input_of(router, std::countr_zero(asking));
    const VirtualChannelSet outputs = requests_of(router, state, vc, now).ready;
    if (outputs == 0) {
        return 0;
    }
    accept(router, vc, first_after(vc.last_output, outputs), now);
    return asking;
}

VirtualChannelRouters::VirtualChannelSet VirtualChannelRouters::allocate_several_vcs(
    std::size_t router, RouterState& state, hw::Cycles now) {
    const VirtualChannelSet asking = state.asking;
    if (is_contested(router, state)) {
        grant_contested_vcs(router, state, now);
    } else {
        for_each_bit(asking, [&](int number) {
            granted_[number] = requests_of(router, state, input_of(router, number), now).ready;
        });
    }
    VirtualChannelSet accepted = 0;
    for_each_bit(asking, [&](int number) {
        if (const VirtualChannelSet outputs = std::exchange(granted_[number], 0); outputs != 0) {
            VirtualChannel& vc = input_of(router, number);
            accept(router, vc, first_after(vc.last_output, outputs), now);
            accepted |= bit_of(number);
        }
    });
    return accepted;
}

// True if two headers may request the same output.
bool VirtualChannelRouters::is_contested(std::size_t router, const RouterState& state) const {
    VirtualChannelSet asked = 0;
    bool is_contested = false;
    for_each_bit(state.asking, [&](int number) {
        const CandidateSet& candidates = candidates_[vcs_[router * stride_ + number].candidate_set];
        const VirtualChannelSet free = (candidates.open | candidates.escapes) & state.free_outputs;
        is_contested = is_contested || (asked & free) != 0;
        asked |= free;
    });
    return is_contested;
}

// Requests of a header: ordinary outputs, with escape channels if no ordinary output could be given
// to it now.
inline VirtualChannelRouters::Requests VirtualChannelRouters::requests_of(std::size_t router,
                                                                          const RouterState& state,
                                                                          const VirtualChannel& vc,
                                                                          hw::Cycles now) {
    const CandidateSet& candidates = candidates_[vc.candidate_set];
    const VirtualChannelSet open = candidates.open & state.free_outputs;
    const VirtualChannelSet escapes = candidates.escapes & state.free_outputs;
    if (!looks_for_room_) {
        const VirtualChannelSet asked = open != 0 ? open : escapes;
        return {asked, asked};
    }
    if (const VirtualChannelSet ready = with_room(router, open, vc, now); ready != 0) {
        return {open, ready};
    }
    return {open | escapes, with_room(router, escapes, vc, now)};
}

// Each requested output chooses one of its requests, and is granted if it could be given to it.
void VirtualChannelRouters::grant_contested_vcs(std::size_t router, const RouterState& state,
                                                hw::Cycles now) {
    VirtualChannelSet asked = 0;
    for_each_bit(state.asking, [&](int number) {
        const Requests requests = requests_of(router, state, input_of(router, number), now);
        ready_[number] = requests.ready;
        for_each_bit(requests.asked,
                     [this, number](int output) { asking_[output] |= bit_of(number); });
        asked |= requests.asked;
    });
    for_each_bit(asked, [&](int number) {
        const int first =
            first_after(output_of(router, number).last_winner, std::exchange(asking_[number], 0));
        granted_[first] |= ready_[first] & bit_of(number);
    });
}

// Outputs, out of these, with room for the message whose header is at the front of the input.
VirtualChannelRouters::VirtualChannelSet VirtualChannelRouters::with_room(
    std::size_t router, VirtualChannelSet outputs, const VirtualChannel& input, hw::Cycles now) {
    VirtualChannelSet found = 0;
    for_each_bit(outputs, [&](int number) {
        if (has_room(output_of(router, number), input, now)) {
            found |= bit_of(number);
        }
    });
    return found;
}

// True if the output has room for the message whose header is at the front of the input.
bool VirtualChannelRouters::has_room(VirtualChannel& output, const VirtualChannel& input,
                                     hw::Cycles now) {
    const hw::Flits places(rare_state_of(output).places);
    const hw::Flits needed = design_.router.room_for(headers_[input.message], places);
    return needed == hw::Flits(0) ||  // a single flit's room is checked at the switch
           has_or_expects_credits(output, needed, now);
}

void VirtualChannelRouters::accept(std::size_t router, VirtualChannel& input, int output,
                                   hw::Cycles now) {
    RouterState& state = routers_[router];
    const VirtualChannelSet own = bit_of(input.number);
    VirtualChannel& held = output_of(router, output);
    PortState& port = ports_of(router)[held.sender_port];
    input.output = &held;
    input.output_port = held.sender_port;
    input.last_output = static_cast<std::uint8_t>(output);
    held.owner = input.number;
    held.last_winner = input.number;
    if (input.header_is_waiting) {
        input.header_is_waiting = false;
        waits_of(input).end(now);
    }
    state.asking &= ~own;
    state.free_outputs &= ~bit_of(output);
    if (const VirtualChannelSet stretches = state.in_stretch & port.holders; stretches != 0) {
        recall_stretches(router, stretches, now);
    }
    port.holders |= own;
    if (held.is_ejection) {
        state.ejecting |= own;
    }
    if (held.credits > 0 || leaves_by_channel(held)) {
        state.credited |= own;
    }
    ++headers_routed_[router];
    if (passed_ != nullptr) [[unlikely]] {
        passed_->count(input.message, {router, now});
    }
    if (design_.router.vc_allocation_cycles != hw::Cycles(1)) {
        go_on_after(design_.router.vc_allocation_cycles, input, now);
    }
}

// Starts the wait of headers that were given no output.
void VirtualChannelRouters::note_waiting_headers(std::size_t router, hw::Cycles now) {
    for_each_bit(routers_[router].asking, [&](int number) {
        VirtualChannel& vc = input_of(router, number);
        if (!vc.header_is_waiting) {
            vc.header_is_waiting = true;
            waits_of(vc).begin(now);
        }
    });
}

// If the allocation takes one cycle, lets accepted headers hold their outputs in the next cycle,
// without a list entry: their router is processed then. If a stretch of the same input port has a
// flit in this cycle, the list is used, which recalls the stretch.
inline void VirtualChannelRouters::hold_accepted(std::size_t router, RouterState& state,
                                                 VirtualChannelSet accepted, hw::Cycles now) {
    if (design_.router.vc_allocation_cycles != hw::Cycles(1)) {
        return;
    }
    if (state.in_stretch == 0) {
        state.holding |= accepted;
        return;
    }
    for_each_bit(accepted, [&](int number) {
        VirtualChannel& vc = input_of(router, number);
        if ((state.in_stretch & ports_of(router)[vc.port].inputs) == 0) {
            state.holding |= bit_of(number);
        } else {
            go_on_after(hw::Cycles(1), vc, now);
        }
    });
}

// --- Credits ------------------------------------------------------------------------------------

// Credits that are back, without those of a stretch that return in later cycles.
std::int64_t VirtualChannelRouters::credits_at(hw::Cycles now, const VirtualChannel& vc) {
    return vc.credits - std::max((rare_state_of(vc).last_credit - now).count(), INT64_C(0));
}

// True if the sender of the virtual channel has `flits` credits. Otherwise the sender's router is
// processed when these credits are back, even if it does not need them any more.
bool VirtualChannelRouters::has_or_expects_credits(VirtualChannel& vc, hw::Flits flits,
                                                   hw::Cycles now) {
    if (leaves_by_channel(vc)) {
        const bool has_credits = ejections_[vc.receiver]->has_or_expects_credits(flits, now);
        if (!has_credits) {
            waiting_.push_back(vc.sender);
        }
        return has_credits;
    }
    if (credits_at(now, vc) >= flits.count()) {
        return true;
    }
    const std::int64_t taken = vc.sent + flits.count() - rare_state_of(vc).places;
    if (vc.taken < taken) {
        vc.sender_waits = true;
        rare_state_of(vc).awaited.add(taken);
    } else if (RareState& rare = rare_state_of(vc); rare.expected != taken) {
        rare.expected = taken;
        expected_credits_.push_back({&vc, taken});
    }
    return false;
}

// Those of the virtual channels, all with a flit and an output, whose output has a credit.
VirtualChannelRouters::VirtualChannelSet VirtualChannelRouters::with_credit(
    std::size_t router, VirtualChannelSet wanting, hw::Cycles now) {
    const RouterState& state = routers_[router];
    const VirtualChannelSet unsure = design_.has_channels ? state.ejecting : 0;
    const VirtualChannelSet sure = wanting & state.credited & ~unsure;
    VirtualChannelSet found = sure;
    for_each_bit(wanting & ~sure, [&](int number) {
        if (has_or_expects_credits(*input_of(router, number).output, hw::Flits(1), now)) {
            found |= bit_of(number);
        }
    });
    return found;
}

// --- Allocation and crossing of the switch ------------------------------------------------------

// Switch allocation of several requests. Each requested output port grants one input port, for
// which one of its virtual channels requests. Each input port accepts one output port.
VirtualChannelRouters::VirtualChannelSet VirtualChannelRouters::allocate_switch(
    const VirtualChannel* vcs, const PortState* ports, VirtualChannelSet requests) const {
    VirtualChannelSet granted = 0;
    VirtualChannelSet of_granted_ports = 0;
    bool is_contested = false;  // an input port has several grants
    for (VirtualChannelSet left = requests; left != 0;) {
        const VirtualChannel& first = vcs[std::countr_zero(left)];
        const PortState& output = ports[first.output_port];
        const PortState* input = &ports[first.port];
        const VirtualChannelSet asking = left & output.holders;
        VirtualChannelSet winner = asking;
        left &= ~asking;
        if (has_several(asking)) {
            const int last = output.input_of_output * design_.vcs + design_.vcs - 1;
            input = &ports[vcs[first_after(last, asking)].port];
            winner = bit_of(first_after(input->vc_of_input, asking & input->inputs));
        }
        is_contested = is_contested || (of_granted_ports & winner) != 0;
        of_granted_ports |= input->inputs;
        granted |= winner;
    }
    return is_contested ? accepted_at_inputs(vcs, ports, granted) : granted;
}

// Second step of the allocation: each input port with grants accepts one of them.
VirtualChannelRouters::VirtualChannelSet VirtualChannelRouters::accepted_at_inputs(
    const VirtualChannel* vcs, const PortState* ports, VirtualChannelSet granted) const {
    VirtualChannelSet accepted = 0;
    for (VirtualChannelSet left = granted; left != 0;) {
        const std::uint8_t port = vcs[std::countr_zero(left)].port;
        const VirtualChannelSet of_port = left & ports[port].inputs;
        left &= ~of_port;
        if (!has_several(of_port)) {
            accepted |= of_port;
            continue;
        }
        std::uint64_t outputs = 0;
        for_each_bit(of_port, [&](int number) { outputs |= bit_of(vcs[number].output_port); });
        accepted |= of_port & ports[first_after(ports[port].output_of_input, outputs)].holders;
    }
    return accepted;
}

[[gnu::always_inline]] inline void VirtualChannelRouters::send(RouterState& router,
                                                               PortState* ports,
                                                               VirtualChannel& input,
                                                               VirtualChannelSet own,
                                                               hw::Cycles now) {
    PortState& from = ports[input.port];
    PortState& to = ports[input.output_port];
    to.input_of_output = input.port;
    from.output_of_input = input.output_port;
    from.vc_of_input = input.number;
    const VirtualChannelSet others = ((router.holding & from.inputs) | to.holders) & ~own;
    const std::int32_t count = stretch_from(router, others, input, own, now);
    if (count >= kShortestStretch) {
        send_stretch(router, input, own, count, now);
        return;
    }
    const bool is_tail = take(router, input, own, now);
    if ((router.ejecting & own) == 0) {
        put(router, input, own, is_tail);
    } else {
        put_to_node(router, input, own, is_tail, now);
    }
    input.header_has_left = true;
    if (is_tail) {
        end_message(router, input, own);
    }
}

// Takes a flit from an input virtual channel. Returns true if it is the tail.
inline bool VirtualChannelRouters::take(RouterState& router, VirtualChannel& input,
                                        VirtualChannelSet own, hw::Cycles now) {
    if (input.is_injection) {
        return take_from_node(router, input, own, now);
    }
    const bool is_tail = count_taken(router, input, own);
    credits_->push(input);
    if (input.sender_waits) [[unlikely]] {
        wake_sender(input, *awaited_credits_);
    }
    return is_tail;
}

inline bool VirtualChannelRouters::count_taken(RouterState& router, VirtualChannel& input,
                                               VirtualChannelSet own) {
    ++input.taken;
    if (--input.flits == 0) {
        router.visible &= ~own;
    }
    return input.taken == input.tail;
}

bool VirtualChannelRouters::take_from_node(RouterState& router, VirtualChannel& input,
                                           VirtualChannelSet own, hw::Cycles now) {
    if (design_.has_channels) {
        return take_from_channel(router, input, own, now);
    }
    const bool is_tail = count_taken(router, input, own);
    const End& end = ends_[input.sender];
    end.end->flits_left(end.number, 1, now + design_.credit_cycles, now);
    return is_tail;
}

bool VirtualChannelRouters::take_from_channel(RouterState& router, const VirtualChannel& input,
                                              VirtualChannelSet own, hw::Cycles now) {
    FlitChannel& channel = *injections_[input.sender].channel;
    const bool is_tail = channel.front().is_tail;
    channel.take(now);
    if (!channel.has_flit(now)) {
        router.visible &= ~own;
    }
    return is_tail;
}

// Wakes the sender if it waits for the credit of the flit that leaves.
void VirtualChannelRouters::wake_sender(VirtualChannel& vc, VirtualChannelList& credits) {
    CreditRequests& awaited = rare_state_of(vc).awaited;
    if (awaited.come(vc.taken)) {
        credits.push(vc);
    }
    vc.sender_waits = awaited.any();
}

// Sends the flit from the input into the virtual channel of its output.
inline void VirtualChannelRouters::put(RouterState& router, const VirtualChannel& input,
                                       VirtualChannelSet own, bool is_tail) {
    VirtualChannel& output = *input.output;
    use_credits(router, output, own, 1);
    arrivals_->push(output);
    if (!input.header_has_left) {
        begin_message(output, input.message);
    }
    if (is_tail) {
        last_tail_of(output) = output.sent;
    }
}

void VirtualChannelRouters::put_into_channel(const VirtualChannel& input, bool is_tail,
                                             hw::Cycles now) {
    const Flit& header = headers_[input.message];
    FlitChannel& channel = *ejections_[input.output->receiver];
    if (input.header_has_left) {
        channel.send_unharmed(Flit{header.message, header.destination, false, is_tail}, now);
    } else {
        channel.send_unharmed(header, now);
    }
}

void VirtualChannelRouters::put_to_node(RouterState& router, const VirtualChannel& input,
                                        VirtualChannelSet own, bool is_tail, hw::Cycles now) {
    if (design_.has_channels) {
        put_into_channel(input, is_tail, now);
        return;
    }
    VirtualChannel& output = *input.output;
    use_credits(router, output, own, 1);
    wake_after(design_.ejection_cycles);
    const End& end = ends_[output.receiver];
    end.end->flit_comes(end.number, input.message, now + design_.ejection_cycles, now);
}

void VirtualChannelRouters::begin_message(VirtualChannel& vc, hw::MessageSlot message) {
    if (vc.messages++ == 0) {
        vc.message = message;
        vc.tail = kNoTail;
    } else {
        rare_state_of(vc).followers.push_back({message, kNoTail});
    }
}

// Tail position of the message that entered the virtual channel last.
std::int64_t& VirtualChannelRouters::last_tail_of(VirtualChannel& vc) {
    return vc.messages == 1 ? vc.tail : rare_state_of(vc).followers.back().tail;
}

// Frees the output of a message whose tail has left the input virtual channel, and makes the next
// message the first.
void VirtualChannelRouters::end_message(RouterState& router, VirtualChannel& input,
                                        VirtualChannelSet own) {
    router.free_outputs |= bit_of(input.last_output);
    ports_of(input.receiver)[input.output_port].holders &= ~own;
    router.routed &= ~own;
    router.holding &= ~own;
    router.credited &= ~own;
    router.ejecting &= ~own;
    input.output->owner = kNoOwner;
    input.output = nullptr;
    input.header_has_left = false;
    if (input.messages > 0 && --input.messages > 0) {
        hw::Fifo<Follower>& followers = rare_state_of(input).followers;
        input.message = followers.front().message;
        input.tail = followers.front().tail;
        followers.pop_front();
    }
}

// --- Stretches ----------------------------------------------------------------------------------

// Number of flits that can be granted as a stretch. They are in the virtual channel, or known to
// arrive one per cycle. It is 1 if there are `others`: inputs of the same input port, or of the
// same output port, whose message holds an output.
inline std::int32_t VirtualChannelRouters::stretch_from(const RouterState& router,
                                                        VirtualChannelSet others,
                                                        const VirtualChannel& input,
                                                        VirtualChannelSet own,
                                                        hw::Cycles now) const {
    if (others != 0) {
        return 1;
    }
    const auto count = static_cast<std::int32_t>(
        std::min<std::int64_t>(std::min(input.flits, longest_stretch_), input.tail - input.taken));
    if (count < kShortestStretch) {
        return 1;
    }
    if ((router.ejecting & own) == 0) {
        return std::min(count, input.output->credits);
    }
    return can_eject(input, count, now) ? count : 1;
}

// --- Ends without channels ----------------------------------------------------------------------

void VirtualChannelRouters::send(const Run& run, hw::Cycles now) {
    bring_due_through(now);
    VirtualChannel& vc = vcs_[run.vc];
    if (run.header) {
        keep_header(*run.header);
        begin_message(vc, run.header->message);
    }
    vc.sent += run.flits;
    if (run.has_tail) {
        last_tail_of(vc) = vc.sent;
    }
    const hw::Cycles arrival = now + design_.injection_cycles;
    due_at(arrival).runs.push_back({&vc, static_cast<std::int32_t>(run.flits)});
    wake_at(arrival);
    wake_at(arrival + hw::Cycles(run.flits - 1));
}

void VirtualChannelRouters::taken(VirtualChannelNumber number, std::int64_t count, hw::Cycles cycle,
                                  hw::Cycles now) {
    if (brought_ < now) {
        bring_due_through(now);
    }
    VirtualChannel& vc = vcs_[number];
    vc.taken += count;
    Due& due = due_at(cycle + design_.credit_cycles);
    if (count > 1) {  // a stretch, for which note_stretches() fills takes_ahead_ cycle by cycle
        due.credit_runs.push_back({&vc, static_cast<std::int32_t>(count)});
    } else {
        due.credits.push(vc);
        if (cycle > now) {
            takes_ahead_.add(cycle, now);
        }
    }
    if (vc.sender_waits) [[unlikely]] {
        wake_sender(vc, due.awaited_credits);
        if (!due.awaited_credits.empty()) {
            wake_at(cycle + design_.credit_cycles);
        }
    }
}

// --- Between cycles -----------------------------------------------------------------------------

void VirtualChannelRouters::settle(hw::Cycles now) {
    bring_due_through(now);
    end_stretches(now + hw::Cycles(1));
}

// Number of flits that have left the router's input virtual channels.
std::int64_t VirtualChannelRouters::flits_forwarded(std::size_t router) const {
    std::int64_t flits = 0;
    for (std::size_t number = 0; number < stride_; ++number) {
        const VirtualChannel& vc = vcs_[router * stride_ + number];
        flits += comes_by_channel(vc) ? injections_[vc.sender].channel->taken().count()
                                      : vc.taken - taken_ahead(vc, domain().now());
    }
    return flits;
}

hw::Flits VirtualChannelRouters::flits_in_flight() const {
    hw::Flits flits;
    for (const VirtualChannel& vc : vcs_) {
        if (channel_of(vc) == nullptr) {  // otherwise the FlitChannel counts its own flits
            flits += held(vc);
        }
    }
    return flits;
}

ChannelCount VirtualChannelRouters::count(VirtualChannelNumber number, hw::Cycles last) const {
    const VirtualChannel& vc = vcs_[number];
    sc_assert(channel_of(vc) == nullptr);
    return {hw::Flits(vc.sent - sent_ahead(vc, last)), rare_states_[number].waits.through(last)};
}

// Flits that a network interface or a stretch has sent, or taken, ahead: in cycles after `last`.
std::int64_t VirtualChannelRouters::sent_ahead(const VirtualChannel& vc, hw::Cycles last) const {
    if (vc.is_injection) {
        const End& end = ends_[vc.sender];
        return end.end->sent_ahead(end.number, last);
    }
    return vc.owner == kNoOwner ? 0 : taken_ahead(vcs_[vc.sender * stride_ + vc.owner], last);
}

std::int64_t VirtualChannelRouters::taken_ahead(const VirtualChannel& vc, hw::Cycles last) const {
    if (vc.is_ejection) {
        const End& end = ends_[vc.receiver];
        return end.end->taken_ahead(end.number, last);
    }
    return std::max((vc_stretches_[number_of(vc)].end - last).count() - 1, INT64_C(0));
}

hw::Flits VirtualChannelRouters::held(const VirtualChannel& vc) const {
    const FlitChannel* const channel = channel_of(vc);
    const hw::Cycles now = domain().now();
    return channel != nullptr
               ? channel->held()
               : hw::Flits(vc.sent - sent_ahead(vc, now) - vc.taken + taken_ahead(vc, now));
}

// FlitChannel of a virtual channel; null if it has none.
const FlitChannel* VirtualChannelRouters::channel_of(const VirtualChannel& vc) const {
    if (!design_.has_channels) {
        return nullptr;
    }
    if (vc.is_ejection) {
        return ejections_[vc.receiver];
    }
    return vc.is_injection ? injections_[vc.sender].channel : nullptr;
}

void VirtualChannelRouters::report_waits(hw::WaitReport& report) const {
    for (std::size_t router = 0; router < routers_.size(); ++router) {
        for_each_bit(routers_[router].routed, [this, router, &report](int number) {
            const VirtualChannel& vc = vcs_[router * stride_ + number];
            if (held(vc) > hw::Flits(0)) {
                report_waits_of(vc, report);
            }
        });
    }
}

void VirtualChannelRouters::report_waits_of(const VirtualChannel& vc,
                                            hw::WaitReport& report) const {
    const auto waits_for = [&](const VirtualChannel& needed) {
        return VirtualChannelWait(rare_state_of(vc).name, headers_[vc.message].destination,
                                  rare_state_of(needed).name, "");
    };
    if (vc.output != nullptr) {
        report.push_back(waits_for(*vc.output).for_credit(held(*vc.output)));
        return;
    }
    const VirtualChannel* const vcs = &vcs_[vc.receiver * stride_];
    const CandidateSet& candidates = candidates_[vc.candidate_set];
    for_each_bit(candidates.open | candidates.escapes, [&](int candidate) {
        const VirtualChannel& output = vcs_[outputs_[vc.receiver * stride_ + candidate]];
        if (output.owner == kNoOwner) {
            report.push_back(waits_for(output).for_room());
        } else if (held(output) > hw::Flits(0)) {
            report.push_back(waits_for(output).for_end_of_message());
        } else {
            report.push_back(waits_for(output).for_holder(rare_state_of(vcs[output.owner]).name));
        }
    });
}

}  // namespace weir::network
