#include "network/worms/worm_fabric.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>
#include <utility>

namespace weir::network {

WormFabric::WormFabric(hw::ClockDomain& domain, const Mesh& mesh, const Timing& timing,
                       const Routers& routers)
    : ClockedPart(domain),
      mesh_(mesh),
      ports_(mesh.port_count()),
      routers_(routers),
      inputs_(routers_.count * ports_, nullptr),
      places_(mesh.graph()),
      longest_link_(
          std::max({timing.injection_cycles, timing.hop_cycles, timing.ejection_cycles})) {
    wheel_.fill(kNoEvent);
    channels_ = std::vector<Channel>(routers_.count * (ports_ + 1) + channels_from_elsewhere());
    outputs_.resize(2 * channels_.size());
    work_.resize(channels_.size());
    connect_routers(timing);
}

std::size_t WormFabric::channels_from_elsewhere() const {
    const TopologyGraph& graph = mesh_.graph();
    std::size_t count = 0;
    for (const auto edge : channels_of(graph)) {
        count += routers_.contain(target(edge, graph)) && !routers_.contain(source(edge, graph));
    }
    return count;
}

void WormFabric::connect_routers(const Timing& timing) {
    const TopologyGraph& graph = mesh_.graph();
    const auto connect = [&](std::size_t number, hw::Cycles link) {
        Channel& channel = channels_[number];
        channel.number = static_cast<std::uint32_t>(number);
        channel.link_count = static_cast<std::int32_t>(link.count());
        channel.places = timing.buffer.count() + link.count() - 1;
        channel.sender_row = static_cast<std::uint32_t>(number / ports_ * ports_);
    };
    const auto lead_to = [&](std::size_t number, std::size_t router, int port) {
        const std::size_t input = output_channel(router, port);
        channels_[number].receiver_row = static_cast<std::uint32_t>(input / ports_ * ports_);
        channels_[number].receiver = static_cast<std::uint32_t>(router);
        channels_[number].port = static_cast<std::int8_t>(port);
        if (port != mesh_.node_port()) {
            channels_[number].first_dimension = static_cast<std::uint8_t>(dimension_of(port));
        }
        inputs_[input] = &channels_[number];
    };
    std::size_t from_elsewhere = routers_.count * (ports_ + 1);
    for (const auto edge : channels_of(graph)) {
        const std::size_t from = source(edge, graph);
        const std::size_t to = target(edge, graph);
        if (!routers_.contain(from) && !routers_.contain(to)) {
            continue;
        }
        const std::size_t number = routers_.contain(from)
                                       ? output_channel(from, graph[edge].output_port)
                                       : from_elsewhere++;
        connect(number, timing.hop_cycles);
        if (routers_.contain(to)) {
            lead_to(number, to, graph[edge].input_port);
        }
    }
    for (std::size_t i = routers_.first; i < routers_.first + routers_.count; ++i) {
        const hw::NodeId node(static_cast<std::int32_t>(i));
        connect(injection_channel(node), timing.injection_cycles);
        lead_to(injection_channel(node), i, mesh_.node_port());
        channels_[injection_channel(node)].is_injection = true;
        connect(ejection_channel(node), timing.ejection_cycles);
        channels_[ejection_channel(node)].is_ejection = true;
    }
}

void WormFabric::connect_to(WormFabric& other) {
    const TopologyGraph& graph = mesh_.graph();
    auto there = std::make_unique<hw::TileMail<Fact>>();
    auto back = std::make_unique<hw::TileMail<Fact>>();
    bool is_connected = false;
    for (const auto edge : channels_of(graph)) {
        if (!routers_.contain(source(edge, graph)) ||
            !other.routers_.contain(target(edge, graph))) {
            continue;
        }
        is_connected = true;
        Channel& begin = channels_[output_channel(source(edge, graph), graph[edge].output_port)];
        Channel& end =
            *other.inputs_[other.output_channel(target(edge, graph), graph[edge].input_port)];
        cross(begin, *there, end);
        other.cross(end, *back, begin);
    }
    if (!is_connected) {
        return;
    }
    for (WormFabric* fabric : {this, &other}) {
        if (fabric->inboxes_.empty()) {
            fabric->domain().add_inbox(*fabric);
        }
    }
    other.inboxes_.push_back(there.get());
    inboxes_.push_back(back.get());
    mail_.push_back(std::move(there));
    other.mail_.push_back(std::move(back));
}

void WormFabric::cross(Channel& channel, hw::TileMail<Fact>& mail, const Channel& other_end) {
    crossings_.push_back({&mail, other_end.number});
    sc_assert(crossings_.size() <= UINT16_MAX);
    channel.crossing = static_cast<std::uint16_t>(crossings_.size());
}

std::size_t WormFabric::injection_channel(hw::NodeId node) const {
    return routers_.count * ports_ + node.index() - routers_.first;
}

std::size_t WormFabric::ejection_channel(hw::NodeId node) const {
    return output_channel(node.index(), mesh_.node_port());
}

void WormFabric::connect(WormEnd& end, hw::NodeId node) {
    channels_[injection_channel(node)].end = &end;
    channels_[ejection_channel(node)].end = &end;
}

[[gnu::always_inline]] inline void WormFabric::at(hw::Cycles cycle, Channel& channel,
                                                  bool is_header, hw::Cycles now) {
    const Event event = 2 * channel.number + (is_header ? 1 : 0);
    if (cycle - now >= hw::Cycles(kWheelCycles)) {
        beyond_wheel(cycle, event);
        return;
    }
    Event& first = wheel_[cycle.count() % kWheelCycles];
    if (first == kNoEvent) {
        wake_at(cycle);
    }
    channel.next_event[is_header ? 1 : 0] = first;
    first = event;
}

void WormFabric::begin_worm_at(hw::Cycles cycle, Channel& injection, hw::Cycles now) {
    at(cycle, injection, false, now);
}

void WormFabric::beyond_wheel(hw::Cycles cycle, Event event) {
    far_[cycle].push_back(event);
    wake_at(cycle);
}

// Output of a worm, by dimension-order routing, lowest dimension first.
inline std::size_t WormFabric::output_towards(const Channel& input,
                                              std::int32_t destination) const {
    const std::uint16_t* here = places_.of(input.receiver);
    const std::uint16_t* there = places_.of(destination);
    for (std::size_t d = input.first_dimension; d < places_.dimensions(); ++d) {
        if (here[d] != there[d]) {
            return input.receiver_row + lattice_port(d, there[d] > here[d]);
        }
    }
    return input.receiver_row + ports_ - 1;
}

void WormFabric::tick(hw::Cycles now) {
    Event& first = wheel_[now.count() % kWheelCycles];
    if (!far_.empty() && far_.begin()->first == now) {
        for (const Event event : far_.begin()->second) {
            channels_[event / 2].next_event[event % 2] = std::exchange(first, event);
        }
        far_.erase(far_.begin());
    }
    if (first != kNoEvent || work_count_ > 0) {
        std::size_t asked = 0;
        for (Event event = std::exchange(first, kNoEvent); event != kNoEvent;) {
            Channel& channel = channels_[event / 2];
            const bool is_header = event % 2 != 0;
            Channel* output = &channel;
            if (is_header) {
                output =
                    &channels_[output_towards(channel, worms_[channel.worms.front()].destination)];
                output->requests |= 1U << channel.port;
                channel.header_waits.begin(now);
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

// Grants a free output that is requested to the first requesting input after the last winner.
inline void WormFabric::grant(Channel& output, hw::Cycles now) {
    if (output.requests == 0 || output.is_held) {
        if (output.is_injection) {
            output.end->begin_worm(now);
        }
        return;
    }
    if (output.free_from > now) {
        if (output.looks_at != output.free_from) {
            output.looks_at = output.free_from;
            at(output.free_from, output, false, now);
        }
        return;
    }
    const std::uint32_t above = output.requests & (~std::uint32_t{1} << output.last_winner);
    const int winner = std::countr_zero(above != 0 ? above : output.requests);
    output.last_winner = static_cast<std::int8_t>(winner);
    output.requests &= ~(1U << winner);
    output.is_held = true;
    output.from = inputs_[output.sender_row + winner];
    Channel& input = *output.from;
    input.to = &output;
    input.header_waits.end(now);
    if (passed_ != nullptr) [[unlikely]] {
        passed_->count(input.worms.front(), {input.receiver, now});
    }
    output.left = worms_[input.worms.front()].flits;
    output.is_header_next = true;
    output.last = now - hw::Cycles(1);
    output.headers_routed += 1;
    advance(output, now);
}

void WormFabric::go_on_with_work(hw::Cycles now) {
    while (work_count_ > 0) {
        Channel& channel = *work_[--work_count_];
        if (channel.from != nullptr) {
            advance(channel, now);
        } else if (channel.left > 0) {
            channel.end->inject(now);
        }
    }
    noted_move_ = last_move_;
    domain().note_progress(last_move_);
    if (holds_clock_ && clock_held_until_ <= now && last_move_ > now) {
        clock_held_until_ = last_move_;
        wake_at(last_move_);
    }
}

// Moves all flits of the worm with known cycles from the input's channel into the output's. Then
// does the same for the flits that follow them into the input's channel, and so on.
[[gnu::always_inline]] inline void WormFabric::advance(Channel& first_output, hw::Cycles now) {
    for (Channel* output = &first_output;;) {
        Channel& input = *output->from;
        if (!move_into(*output, input, now)) {
            return;
        }
        if (output->is_ejection) {
            output->end->eject(now);
        } else {
            go_on_behind(*output);
        }
        if (input.left == 0) {
            return;
        }
        if (input.from == nullptr) {
            do_later(input);
            return;
        }
        output = &input;
    }
}

// Number of flits that are known to arrive and have credits.
[[gnu::always_inline]] inline std::int64_t WormFabric::movable(const Channel& output,
                                                               const Channel& input) {
    return std::min({output.left, input.sent.count() - input.taken.count(), output.credits()});
}

// Moves `count` flits, one per cycle.
[[gnu::always_inline]] inline void WormFabric::move_run(Channel& output, Channel& input,
                                                        std::int64_t count, hw::Cycles first,
                                                        hw::Cycles now) {
    input.taken.add(count, first, now);
    output.sent.add(count, first, output.taken.count(), now);
    output.last = first + hw::Cycles(count - 1);
    output.left -= count;
}

[[gnu::always_inline]] inline bool WormFabric::move_into(Channel& output, Channel& input,
                                                         hw::Cycles now) {
    const std::int64_t next = input.taken.count();
    const std::int64_t count = movable(output, input);
    if (count <= 0) {
        return false;
    }
    hw::Cycles first =
        std::max(output.last + hw::Cycles(1), input.sent.cycle_in_last_run(next) + input.link());
    if (input.sent.follow_from(next) && output.has_credits_from(first)) [[likely]] {
        move_run(output, input, count, first, now);
    } else {
        first = move_parts(output, input, now);
    }
    note_move(output.last);
    if ((input.crossing | output.crossing) != 0) [[unlikely]] {
        tell_moves(input, output, input.taken.count() - next);
    }
    if (output.is_header_next) {
        output.is_header_next = false;
        header_known(output, input.worms.front(), first, now);
    }
    if (output.left == 0) {
        tail_known(output, now);
    }
    return true;
}

// Moves flits in several runs, each limited by arrivals or credits. Returns the first flit's cycle.
hw::Cycles WormFabric::move_parts(Channel& output, Channel& input, hw::Cycles now) {
    hw::Cycles begin = hw::kNever;
    for (;;) {
        std::int64_t count = movable(output, input);
        if (count <= 0) {
            return begin;
        }
        const CycleRuns::Flits arrivals = input.sent.flits_from(input.taken.count());
        hw::Cycles first = std::max(output.last + hw::Cycles(1), arrivals.cycle + input.link());
        count = std::min(count, arrivals.left);
        if (!output.has_credits_from(first)) {
            const CycleRuns::Flits taken =
                output.taken.flits_from(output.sent.count() - output.places);
            first = std::max(first, taken.cycle + hw::Cycles(1));
            count = std::min(count, taken.left);
        }
        move_run(output, input, count, first, now);
        begin = std::min(begin, first);
    }
}

// Records that a worm's header enters the channel in cycle `cycle`.
[[gnu::always_inline]] inline void WormFabric::header_known(Channel& channel, hw::MessageSlot worm,
                                                            hw::Cycles cycle, hw::Cycles now) {
    if (channel.crossing != 0 && !is_from_elsewhere(channel)) [[unlikely]] {
        tell(channel,
             {.kind = Fact::Kind::kHeader, .first = cycle, .message = worm, .worm = worms_[worm]});
        return;
    }
    channel.worms.push_back(worm);
    const bool is_at_front = channel.worms.size() == 1;
    if (is_at_front && !channel.is_ejection) {
        at(std::max(cycle + channel.link(), channel.taken.last() + hw::Cycles(1)), channel, true,
           now);
    }
}

// Records that the tail has left the input. The output is free from the next cycle on.
inline void WormFabric::tail_known(Channel& output, hw::Cycles now) {
    Channel& input = *output.from;
    const hw::Cycles next = output.last + hw::Cycles(1);
    input.worms.pop_front();
    input.to = nullptr;
    if (!input.worms.empty()) {
        const hw::Cycles sent = input.sent.flits_from(input.taken.count()).cycle;
        at(std::max(sent + input.link(), next), input, true, now);
    }
    output.is_held = false;
    output.free_from = next;
    if (output.requests != 0) {
        output.looks_at = next;
        at(next, output, false, now);
    }
}

void WormFabric::header_sent(Channel& channel, hw::MessageSlot message, std::int32_t destination,
                             std::int64_t flits, hw::Cycles cycle, hw::Cycles now) {
    worm_known(message, {flits, destination});
    header_known(channel, message, cycle, now);
}

inline void WormFabric::worm_known(hw::MessageSlot message, const Worm& worm) {
    if (message >= worms_.size()) {
        worms_.resize(2 * std::size_t{message} + 64);
    }
    worms_[message] = worm;
}

// --- Between tiles ----------------------------------------------------------------------------

void WormFabric::tell(const Channel& channel, Fact fact) {
    const Crossing& crossing = crossings_[channel.crossing - std::size_t{1}];
    fact.channel = crossing.channel;
    crossing.mail->leave(fact, domain().turn());
    domain().note_left_mail();
}

// Reports the last `count` flits that moved from `input` into `output` to the other tiles at which
// these channels begin or end.
void WormFabric::tell_moves(const Channel& input, const Channel& output, std::int64_t count) {
    const auto tell_runs = [&](const Channel& channel, const CycleRuns& runs, Fact::Kind kind) {
        for (std::int64_t number = runs.count() - count; number < runs.count();) {
            const CycleRuns::Flits flits = runs.flits_from(number);
            tell(channel, {.kind = kind, .count = flits.left, .first = flits.cycle});
            number += flits.left;
        }
    };
    if (output.crossing != 0) {
        tell_runs(output, output.sent, Fact::Kind::kSent);
    }
    if (input.crossing != 0) {
        tell_runs(input, input.taken, Fact::Kind::kTaken);
    }
}

void WormFabric::receive(hw::Cycles cycle) {
    for (hw::TileMail<Fact>* inbox : inboxes_) {
        inbox->take_all(domain().turn(), [&](const Fact& fact) { take(fact, cycle); });
    }
    if (work_count_ > 0) {
        wake_at(cycle);
    }
}

void WormFabric::take(const Fact& fact, hw::Cycles cycle) {
    Channel& channel = channels_[fact.channel];
    switch (fact.kind) {
        case Fact::Kind::kSent:
            channel.sent.add(fact.count, fact.first, channel.taken.count(), cycle);
            go_on_behind(channel);
            break;
        case Fact::Kind::kTaken:
            // Credits of the previous cycle can be used in this cycle.
            channel.taken.add(fact.count, fact.first, cycle - hw::Cycles(1));
            go_on_before(channel);
            break;
        case Fact::Kind::kHeader:
            worm_known(fact.message, fact.worm);
            header_known(channel, fact.message, fact.first, cycle);
            break;
    }
}

// --- Where the clock stands -------------------------------------------------------------------

// The flit-by-flit emulation ticks in each cycle with a moving flit, and a few more times after the
// last one. The clock here passes through all these cycles, so that a run that stands still ends in
// the same cycle.
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

// Last cycle in which the flit-by-flit emulation would tick a router or network interface, when the
// network stands still.
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
    for (std::size_t router = 0; router < routers_.count; ++router) {
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

// After a flit has moved in `cycle`, WormholeRouter ticks again in the next cycle if a header still
// waits for an output. It also does so if a flit follows the one that moved.
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
        const Channel& output = channels_[output_channel(router, static_cast<int>(port))];
        flits += output.sent.count_through(now);
    }
    return flits;
}

std::int64_t WormFabric::headers_routed(std::size_t router) const {
    std::int64_t headers = 0;
    for (std::size_t port = 0; port < ports_; ++port) {
        headers += channels_[output_channel(router, static_cast<int>(port))].headers_routed;
    }
    return headers;
}

hw::Flits WormFabric::flits_in_flight(hw::Cycles now) const {
    std::int64_t flits = 0;
    for (const Channel& channel : channels_) {
        flits += is_from_elsewhere(channel) ? 0 : channel.held_through(now);
    }
    return hw::Flits(flits);
}

std::string WormFabric::name_of(std::size_t number) const {
    const std::size_t outputs = routers_.count * ports_;
    if (number >= outputs && !is_from_elsewhere(channels_[number])) {
        return "router_" + std::to_string(routers_.first + number - outputs) + ".injection";
    }
    if (number < outputs && number % ports_ + 1 == ports_) {
        return "router_" + std::to_string(routers_.first + number / ports_) + ".ejection";
    }
    const TopologyGraph& graph = mesh_.graph();
    const Channel& channel = channels_[number];
    for (const auto edge : channels_of(graph)) {
        const std::size_t from = source(edge, graph);
        const std::size_t to = target(edge, graph);
        const bool is_this =
            number < outputs
                ? routers_.contain(from) && output_channel(from, graph[edge].output_port) == number
                : routers_.contain(to) && &input(to, graph[edge].input_port) == &channel;
        if (is_this) {
            return "router_" + std::to_string(from) + "." + graph[edge].direction;
        }
    }
    return "router_" + std::to_string(routers_.first + number / ports_) + "." +
           std::to_string(number % ports_);
}

std::int32_t WormFabric::routers_between(std::int32_t source, std::int32_t destination) const {
    const std::uint16_t* here = places_.of(source);
    const std::uint16_t* there = places_.of(destination);
    std::int32_t routers = 1;
    for (std::size_t d = 0; d < places_.dimensions(); ++d) {
        routers += std::abs(here[d] - there[d]);
    }
    return routers;
}

void WormFabric::report_waits(hw::WaitReport& report, hw::Cycles now) const {
    for (const Channel* there : inputs_) {
        if (there == nullptr || there->held_through(now) == 0 || there->worms.empty()) {
            continue;
        }
        const Channel& input = *there;
        const std::int32_t destination = worms_[input.worms.front()].destination;
        const bool holds_output = input.to != nullptr;
        const Channel& output =
            holds_output ? *input.to : channels_[output_towards(input, destination)];
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
