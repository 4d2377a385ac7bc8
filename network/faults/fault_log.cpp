#include "network/faults/fault_log.h"

#include <algorithm>
#include <utility>

namespace weir::network {

namespace {

constexpr std::size_t kEventsTold = 8;

std::string in_cycle(hw::Cycles now) { return " in cycle " + std::to_string(now.count()); }

std::string described_trip(const hw::Message& message) {
    return described(message.id) + " to node " + std::to_string(message.destination.index());
}

}  // namespace

void FaultLog::header_lost(const hw::Message& message, std::string_view channel, hw::Cycles now) {
    statistics_.messages_lost += 1;
    statistics_.bytes_lost += message.bytes.count();
    note(now, described_trip(message) + " lost its header in " + std::string(channel));
}

void FaultLog::tail_lost(const hw::Message& message, std::string_view channel, hw::Cycles now) {
    note(now, described_trip(message) + " lost its tail in " + std::string(channel));
}

void FaultLog::message_refused(const hw::Message& message, hw::Cycles now) {
    statistics_.messages_lost += 1;
    note(now, described_trip(message) + " had a wrong word and was discarded there");
}

void FaultLog::message_damaged(const hw::Message& message, hw::Cycles now) {
    statistics_.messages_damaged += 1;
    note(now, described_trip(message) + " arrived with a wrong body");
}

void FaultLog::part_failed(const std::string& what, hw::Cycles now) { note(now, what + " failed"); }

void FaultLog::note(hw::Cycles now, std::string what) {
    ++events_;
    if (first_.size() < kEventsTold || first_.back().cycle == now) {
        first_.push_back({now, std::move(what)});
    }
}

std::string FaultLog::text() const {
    std::vector<Event> told = first_;
    std::sort(told.begin(), told.end());
    told.resize(std::min(told.size(), kEventsTold));
    std::string text;
    for (const Event& event : told) {
        text += (text.empty() ? "" : "; ") + event.what + in_cycle(event.cycle);
    }
    const std::int64_t more = events_ - static_cast<std::int64_t>(told.size());
    return more == 0 ? text : text + "; and " + std::to_string(more) + " more";
}

}  // namespace weir::network
