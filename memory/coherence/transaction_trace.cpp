#include "memory/coherence/transaction_trace.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace weir::memory {

hw::SharedTransaction* TransactionTrace::open(std::uint64_t line, hw::NodeId node) {
    const auto found = transactions_.find(key_of(line, node));
    return found == transactions_.end() ? nullptr : &found->second;
}

void TransactionTrace::begins(const hw::SharedTransaction& transaction) {
    const Lock one_tile = lock();
    const auto [place, is_new] = transactions_.try_emplace(
        key_of(static_cast<std::uint64_t>(transaction.line), transaction.node), transaction);
    if (!is_new) {
        sinks_.of(transaction.node).transaction(std::exchange(place->second, transaction));
    }
}

void TransactionTrace::sends(Packet packet, std::uint64_t line, hw::NodeId requester,
                             hw::Cycles now) {
    const Lock one_tile = lock();
    hw::SharedTransaction* const one = open(line, requester);
    if (one == nullptr) {
        return;
    }
    switch (packet) {
        case Packet::kReadRequest:
        case Packet::kWriteRequest:
        case Packet::kModifyRequest:
            one->first_asked = std::min(one->first_asked, now);
            one->asked = now;
            one->home_arrival = hw::kNever;
            one->home_begin = hw::kNever;
            // Forgets the invalidations of a forwarded request that was refused.
            one->first_invalidation = hw::kNever;
            one->invalidations = 0;
            one->reply = hw::kNever;
            break;
        case Packet::kInvalidate:
        case Packet::kInvalidateFor:
        case Packet::kForwardWrite:
            one->invalidations += 1;
            [[fallthrough]];
        case Packet::kForwardRead:
            one->first_invalidation = std::min(one->first_invalidation, now);
            break;
        case Packet::kBusy:
            one->busy_replies += 1;
            break;
        case Packet::kReadData:
        case Packet::kWriteData:
        case Packet::kModifyGrant:
            one->reply = now;
            break;
        default:
            break;
    }
}

void TransactionTrace::arrives(Packet packet, std::uint64_t line, hw::NodeId from, hw::Cycles now) {
    const Lock one_tile = lock();
    hw::SharedTransaction* const one = is_request(packet) ? open(line, from) : nullptr;
    if (one != nullptr) {
        one->home_arrival = now;
    }
}

void TransactionTrace::serves(Packet packet, std::uint64_t line, hw::NodeId requester,
                              hw::Cycles now) {
    const Lock one_tile = lock();
    hw::SharedTransaction* const one = open(line, requester);
    if (one == nullptr) {
        return;
    }
    if (is_request(packet)) {
        one->home_begin = now;
    } else if (one->invalidations > 0 &&
               (packet == Packet::kAcknowledge || packet == Packet::kUpdate)) {
        one->last_acknowledgement = now;
    }
}

void TransactionTrace::owner_answers(std::uint64_t line, hw::NodeId requester, hw::Cycles now) {
    const Lock one_tile = lock();
    if (hw::SharedTransaction* const one = open(line, requester)) {
        one->last_acknowledgement = now;
    }
}

void TransactionTrace::fills(std::uint64_t line, hw::NodeId node, hw::Cycles now) {
    const Lock one_tile = lock();
    if (hw::SharedTransaction* const one = open(line, node)) {
        one->fill = now;
    }
}

void TransactionTrace::uses(std::uint64_t line, hw::NodeId node, hw::Cycles now) {
    const Lock one_tile = lock();
    const auto found = transactions_.find(key_of(line, node));
    if (found != transactions_.end()) {
        found->second.use = now;
        sinks_.of(node).transaction(found->second);
        transactions_.erase(found);
    }
}

void TransactionTrace::traps(const hw::CoherenceTrap& trap) {
    const Lock one_tile = lock();
    traps_[trap.node].push_back(trap);
    if (trap.request > hw::SharedRequest::kModify) {
        return;  // a notice, which belongs to no request of its sender
    }
    if (hw::SharedTransaction* const one =
            open(static_cast<std::uint64_t>(trap.line), trap.requester)) {
        one->is_trapped = true;
    }
}

void TransactionTrace::software_looks(hw::NodeId home, hw::Cycles now) {
    const Lock one_tile = lock();
    hw::CoherenceTrap& trap = first_trap(home);
    trap.begin = std::min(trap.begin, now);
}

void TransactionTrace::software_sends(hw::NodeId home) {
    const Lock one_tile = lock();
    first_trap(home).packets += 1;
}

void TransactionTrace::software_ends(hw::NodeId home, hw::Cycles now) {
    const Lock one_tile = lock();
    first_trap(home).end = now;
    sinks_.of(home).coherence_trap(first_trap(home));
    traps_[home].pop_front();
}

void TransactionTrace::end_of_run() {
    // Sorted, so that equal runs have equal traces.
    std::vector<hw::SharedTransaction> left;
    for (const auto& [key, transaction] : std::exchange(transactions_, {})) {
        left.push_back(transaction);
    }
    std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) {
        return std::tie(a.begin, a.node, a.line) < std::tie(b.begin, b.node, b.line);
    });
    for (const hw::SharedTransaction& transaction : left) {
        sinks_.of(transaction.node).transaction(transaction);
    }
    for (auto& of_home : traps_) {
        for (const hw::CoherenceTrap& trap : std::exchange(of_home, {})) {
            sinks_.of(trap.node).coherence_trap(trap);
        }
    }
}

}  // namespace weir::memory
