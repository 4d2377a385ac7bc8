#include "network/fabric/worm_stream.h"

#include <algorithm>

namespace weir::network {

namespace {

// From two cycles on a stream costs less than the flits one by one.
constexpr hw::Flits kLeastFlitsAhead(2);

}  // namespace

WormStream::WormStream(hw::ClockDomain& domain, NetworkInterface& destination,
                       const Surroundings& surroundings)
    : ClockedPart(domain), destination_(destination), surroundings_(surroundings) {
    destination.observe_arrivals_by(*this);
}

void WormStream::tick(hw::Cycles now) {
    if (is_streaming_ && now == through_) {
        domain().after_ticks(*this);
    }
}

void WormStream::end_of_cycle(hw::Cycles now) {
    if (!is_streaming_) {
        try_to_begin(now);
        return;
    }
    settle_ends(now);
    const hw::Flits ahead = flits_ahead();
    if (ahead > hw::Flits(0)) {
        surroundings_.statistics.streams_extended += 1;
        go_on(now, ahead);
    } else {
        end(now);
    }
}

hw::Flits WormStream::flits_ahead() const {
    return std::min(source_->body_flits_ready(), destination_.flits_of_room());
}

void WormStream::try_to_begin(hw::Cycles now) {
    const auto slot = destination_.arriving_message();
    if (!slot) {
        return;
    }
    const hw::Message& message = surroundings_.messages[*slot];
    source_ = &surroundings_.interface_of(message.source);
    if (source_->leaving_message() != slot) {
        return;
    }
    const hw::Flits ahead = flits_ahead();
    if (ahead < kLeastFlitsAhead) {
        return;
    }
    surroundings_.find_path(message, path_);
    if (!path_is_at_full_rate()) {
        return;
    }
    is_streaming_ = true;
    body_flit_ = {*slot, static_cast<std::uint16_t>(message.destination.index()), false, false};
    ends_settled_ = path_settled_ = now;
    for (FlitChannel* channel : path_.channels) {
        channel->hide();
    }
    surroundings_.statistics.streams_begun += 1;
    go_on(now, ahead);
}

bool WormStream::path_is_at_full_rate() const {
    return std::all_of(path_.channels.begin(), path_.channels.end(),
                       [](const FlitChannel* channel) { return channel->is_at_full_rate(); });
}

void WormStream::go_on(hw::Cycles now, hw::Flits flits) {
    through_ = now + hw::Cycles(flits.count());
    source_->send_steadily(now, through_);
    destination_.take_steadily(now, through_);
    domain().note_progress(through_);
    wake_at(through_);
}

void WormStream::end(hw::Cycles now) {
    settle_path(now);
    is_streaming_ = false;
    for (FlitChannel* channel : path_.channels) {
        channel->show();
        channel->wake_receiver(now);
    }
    if (source_->body_flits_left() > hw::Flits(0)) {
        surroundings_.statistics.streams_broken += 1;
    }
    source_->send_by_ticks(now);
    destination_.take_by_ticks(now);
}

void WormStream::settle(hw::Cycles now) {
    if (is_streaming_) {
        settle_ends(now);
        settle_path(now);
    }
}

void WormStream::settle_ends(hw::Cycles now) {
    const std::int64_t flits = (now - ends_settled_).count();
    source_->count_sent(flits, now);
    destination_.count_taken(flits, now);
    surroundings_.statistics.flits_in_bulk += flits;
    ends_settled_ = now;
}

void WormStream::settle_path(hw::Cycles now) {
    const std::int64_t flits = (now - path_settled_).count();
    if (flits == 0) {
        return;
    }
    for (FlitChannel* channel : path_.channels) {
        channel->pass(body_flit_, flits, now);
    }
    for (WormholeRouter* router : path_.routers) {
        router->count_forwarded(flits);
    }
    path_settled_ = now;
}

}  // namespace weir::network
