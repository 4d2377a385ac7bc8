#include "network/router/output_queued_router.h"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::network {

OutputQueuedRouter::OutputQueuedRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                                       const Site& site, const Design& design)
    : Router(name, domain, site),
      routing_(site.routing),
      vertex_(site.vertex),
      vcs_(site.vcs),
      places_(site.buffer.count()),
      design_(design),
      ages_(site.ages),
      faults_(site.faults),
      inputs_(site.port_count * vcs_),
      outputs_(inputs_.size()),
      output_ports_(site.port_count) {}

void OutputQueuedRouter::connect_input(int port, int vc, Behind behind, FlitChannel& channel) {
    InputVirtualChannel& input = inputs_[port * vcs_ + vc];
    input.channel = &channel;
    input.is_injection = behind == Behind::kNode;
}

void OutputQueuedRouter::connect_output(int port, int vc, Behind behind, FlitChannel& channel) {
    outputs_[port * vcs_ + vc].channel = &channel;
    output_ports_[port].to_node = behind == Behind::kNode;
}

void OutputQueuedRouter::tick(hw::Cycles now) {
    has_acted_ = false;
    queue_flits(now);
    for (std::size_t port = 0; port < output_ports_.size(); ++port) {
        send_from(port, now);
    }
    if (has_acted_) {
        domain().note_progress(now);
        if (has_work(now)) {
            wake_at(now + hw::Cycles(1));
        }
    }
}

bool OutputQueuedRouter::has_work(hw::Cycles now) const {
    return std::any_of(outputs_.begin(), outputs_.end(),
                       [](const OutputVirtualChannel& output) { return output.flits > 0; }) ||
           std::any_of(inputs_.begin(), inputs_.end(), [now](const InputVirtualChannel& input) {
               return input.channel != nullptr && input.channel->has_flit(now);
           });
}

// Steps 1 and 2 of the cycle: routing and queueing.
void OutputQueuedRouter::queue_flits(hw::Cycles now) {
    asking_.clear();
    for (std::size_t number = 0; number < inputs_.size(); ++number) {
        InputVirtualChannel& vc = inputs_[number];
        if (vc.channel == nullptr || !vc.channel->has_flit(now)) {
            continue;
        }
        const bool is_header = vc.channel->front().is_header;
        if (vc.header_has_passed && is_header) {
            end_message(number);
        }
        if (vc.queue == kNone && !is_header) {
            discard(vc, now);
            continue;
        }
        if (vc.queue == kNone && vc.outputs.empty()) {
            route(number, now);
        }
        if (vc.queue == kNone && vc.outputs.empty()) {
            continue;  // an incomplete message, whose next flit wakes the router
        }
        if (vc.queue == kNone && vc.ready > now) {
            wake_at(vc.ready);
            continue;
        }
        asking_.emplace_back(rank(number, last_first_, inputs_.size(), vc.since), number);
    }
    std::sort(asking_.begin(), asking_.end());
    bool is_first = true;
    for (const auto& [own_rank, number] : asking_) {
        if (!may_pass(number, now)) {
            continue;
        }
        pass(number, now);
        last_first_ = std::exchange(is_first, false) ? number : last_first_;
    }
}

void OutputQueuedRouter::route(std::size_t number, hw::Cycles now) {
    InputVirtualChannel& vc = inputs_[number];
    if (design_.switching == Switching::kStoreAndForward && !vc.channel->has_whole_message(now)) {
        return;
    }
    if (vc.is_injection) {
        choose_route(*vc.channel, now);
    }
    const Flit& header = vc.channel->front();
    const auto virtual_channel = vc.is_injection ? 0 : static_cast<int>(number % vcs_);
    vc.outputs =
        routing_.outputs({vertex_, static_cast<int>(number / vcs_), virtual_channel, header.lot},
                         header.destination);
    vc.ready = now + design_.routing_cycles + design_.vc_allocation_cycles;
    vc.channel->header_waits().begin(vc.ready);
    vc.since = ages_.since(design_.arbitration, *vc.channel, vc.is_injection, now).count();
}

hw::Flits OutputQueuedRouter::queue_at(int port, hw::Cycles now) const {
    hw::Flits queued;
    for (std::size_t vc = 0; vc < vcs_; ++vc) {
        const OutputVirtualChannel& output = outputs_[port * vcs_ + vc];
        queued += hw::Flits(output.flits);
        queued += output.channel == nullptr ? hw::Flits(0) : output.channel->credits_used(now);
    }
    return queued;
}

// Discards a flit whose message's header was lost.
void OutputQueuedRouter::discard(InputVirtualChannel& vc, hw::Cycles now) {
    sc_assert(faults_ != nullptr);
    vc.channel->take(now);
    faults_->flit_discarded();
    has_acted_ = true;
}

// Ends the input's current message, of which no more flits will come.
void OutputQueuedRouter::end_message(std::size_t number) {
    InputVirtualChannel& vc = inputs_[number];
    std::deque<QueuedMessage>& messages = outputs_[vc.queue].messages;
    const auto message =
        std::find_if(messages.begin(), messages.end(),
                     [number](const QueuedMessage& queued) { return queued.input == number; });
    message->input = kNone;
    if (message->flits.empty()) {
        messages.erase(message);
    }
    vc.queue = kNone;
    vc.header_has_passed = false;
}

// True if the input's front flit may be queued. Chooses the queue of a header.
bool OutputQueuedRouter::may_pass(std::size_t number, hw::Cycles now) {
    InputVirtualChannel& vc = inputs_[number];
    if (vc.queue != kNone) {
        const OutputVirtualChannel& output = outputs_[vc.queue];
        const bool is_leaving = output.messages.front().input == number;
        return output.flits < places_ - (is_leaving ? 0 : 1);
    }
    vc.queue = queue_for(vc, !design_.escapes_last, now);
    if (vc.queue == kNone) {
        vc.queue = queue_for(vc, true, now);
    }
    if (vc.queue == kNone) {
        return false;
    }
    outputs_[vc.queue].messages.push_back({number, vc.since, {}, false});
    vc.outputs.clear();
    vc.channel->header_waits().end(now);
    note_routed(vc.channel->front().message, now);
    return true;
}

// Chooses the queue with the fewest flits among those with room. Each virtual channel to a node may
// carry any message for it.
std::size_t OutputQueuedRouter::queue_for(const InputVirtualChannel& vc, bool escapes_too,
                                          hw::Cycles now) {
    std::size_t best = kNone;
    for (const RoutedOutput& output : vc.outputs) {
        if (output.is_escape && !escapes_too) {
            continue;
        }
        const std::size_t port = output.port;
        const bool to_node = output_ports_[port].to_node;
        const std::size_t first = port * vcs_ + (to_node ? 0 : output.virtual_channel);
        for (std::size_t number = first; number < first + (to_node ? vcs_ : 1); ++number) {
            if (outputs_[number].channel != nullptr && may_join(vc, outputs_[number], now) &&
                (best == kNone || outputs_[number].flits < outputs_[best].flits)) {
                best = number;
            }
        }
    }
    return best;
}

bool OutputQueuedRouter::may_join(const InputVirtualChannel& vc, const OutputVirtualChannel& output,
                                  hw::Cycles now) const {
    const bool is_empty = output.messages.empty();
    const std::int64_t room = places_ - 1 - output.flits;
    if (design_.reallocation == Reallocation::kTail) {
        return is_empty || room > 0;
    }
    const bool has_all_before = is_empty || output.messages.back().input == kNone;
    if (design_.reallocation == Reallocation::kWholeMessage && has_all_before &&
        room >= vc.channel->front().message_flits) {
        return true;
    }
    return is_empty && output.channel->has_or_expects_credits(output.channel->places(), now);
}

void OutputQueuedRouter::pass(std::size_t number, hw::Cycles now) {
    InputVirtualChannel& vc = inputs_[number];
    OutputVirtualChannel& output = outputs_[vc.queue];
    const auto message =
        std::find_if(output.messages.begin(), output.messages.end(),
                     [number](const QueuedMessage& queued) { return queued.input == number; });
    const Flit flit = vc.channel->front();
    vc.channel->take(now);
    message->flits.push_back(flit);
    ++output.flits;
    vc.header_has_passed = !flit.is_tail;
    if (flit.is_tail) {
        message->input = kNone;
        vc.queue = kNone;
    }
    has_acted_ = true;
}

// Step 3 of the cycle: sending.
void OutputQueuedRouter::send_from(std::size_t port, hw::Cycles now) {
    OutputPort& link = output_ports_[port];
    std::size_t best = kNone;
    std::int64_t best_rank = 0;
    for (std::size_t vc = 0; vc < vcs_; ++vc) {
        const OutputVirtualChannel& output = outputs_[port * vcs_ + vc];
        if (output.messages.empty() || output.messages.front().flits.empty()) {
            continue;
        }
        if (link.free_from > now) {
            wake_at(link.free_from);
            return;
        }
        const std::int64_t own_rank = rank(vc, link.last_vc, vcs_, output.messages.front().since);
        if (may_send(output, now) && (best == kNone || own_rank < best_rank)) {
            best = vc;
            best_rank = own_rank;
        }
    }
    if (best == kNone) {
        return;
    }
    OutputVirtualChannel& output = outputs_[port * vcs_ + best];
    QueuedMessage& message = output.messages.front();
    const Flit flit = message.flits.front();
    message.flits.pop_front();
    message.is_leaving = true;
    --output.flits;
    output.channel->send(flit, now);
    link.last_vc = best;
    link.free_from = now + design_.flit_cycles;
    statistics_.flits_forwarded += 1;
    if (message.input == kNone && message.flits.empty()) {
        output.messages.pop_front();
    }
    has_acted_ = true;
}

bool OutputQueuedRouter::may_send(const OutputVirtualChannel& output, hw::Cycles now) const {
    const QueuedMessage& message = output.messages.front();
    const bool needs_room_for_all =
        !message.is_leaving && design_.switching != Switching::kWormhole;
    const hw::Flits needed(needs_room_for_all ? message.flits.front().message_flits : 1);
    return output.channel->has_or_expects_credits(needed, now);
}

hw::Flits OutputQueuedRouter::held() const {
    std::int64_t flits = 0;
    for (const OutputVirtualChannel& output : outputs_) {
        flits += output.flits;
    }
    return hw::Flits(flits);
}

void OutputQueuedRouter::report_waits(hw::WaitReport& report) const {
    const auto add = [&](const FlitChannel& from, const OutputVirtualChannel& output) {
        const FlitChannel& asked = *output.channel;
        const std::string what = "a message for node " + std::to_string(from.front().destination) +
                                 " needs " + asked.name() + ", ";
        const QueuedMessage* const leaving =
            output.messages.empty() ? nullptr : &output.messages.front();
        if (asked.held() == hw::Flits(0) && leaving != nullptr && leaving->input != kNone &&
            inputs_[leaving->input].channel != &from) {
            // The message at the head of the queue still waits for flits from its input.
            report.push_back({from.name(), inputs_[leaving->input].channel->name(),
                              what + "which another message holds"});
            return;
        }
        report.push_back(
            {from.name(), asked.name(),
             what + "which has no room in its queue (" + std::to_string(output.flits) + " flits)"});
    };
    for (const InputVirtualChannel& vc : inputs_) {
        if (vc.channel == nullptr || vc.channel->held() == hw::Flits(0)) {
            continue;
        }
        if (vc.queue != kNone) {
            add(*vc.channel, outputs_[vc.queue]);
            continue;
        }
        for (const RoutedOutput& output : vc.outputs) {
            const std::size_t number = output.port * vcs_ + output.virtual_channel;
            if (outputs_[number].channel != nullptr) {
                add(*vc.channel, outputs_[number]);
            }
        }
    }
}

const RouterKind& output_queued_router_kind() {
    static const RouterKind kind{
        "output_queued",
        "a crossbar as fast as all inputs together, and a queue of buffer_flits slots for each "
        "virtual channel of an output",
        [](const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Router::Site& site,
           const Router::Design& design) -> std::unique_ptr<Router> {
            return std::make_unique<OutputQueuedRouter>(name, domain, site, design);
        }};
    return kind;
}

}  // namespace weir::network
