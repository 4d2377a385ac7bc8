#include "memory/coherence/directory.h"

#include <algorithm>

namespace weir::memory {

namespace {

RefusedRequests::Requester requester_of(hw::NodeId node) {
    return static_cast<RefusedRequests::Requester>(node.index());
}

std::uint16_t operand_of(hw::NodeId node) { return static_cast<std::uint16_t>(node.index()); }

bool is_forward(HomeTransition::Reply reply) {
    return reply == HomeTransition::Reply::kForwardRead ||
           reply == HomeTransition::Reply::kForwardWrite;
}

}  // namespace

bool points_to(const DirectoryEntry& entry, hw::NodeId node) {
    return std::binary_search(entry.pointers.begin(), entry.pointers.end(), node);
}

void add_pointer(DirectoryEntry& entry, hw::NodeId node) {
    const auto place = std::lower_bound(entry.pointers.begin(), entry.pointers.end(), node);
    if (place == entry.pointers.end() || *place != node) {
        entry.pointers.insert(place, node);
    }
}

std::int32_t Directory::pointers_in_use(const DirectoryEntry& entry) const {
    return static_cast<std::int32_t>(entry.pointers.size()) - (points_to(entry, home_) ? 1 : 0);
}

bool Directory::holds(HomeTransition::Condition condition, const DirectoryEntry& entry,
                      hw::NodeId from) const {
    using When = HomeTransition::Condition;
    const bool is_in = points_to(entry, from);
    switch (condition) {
        case When::kNever:
            return false;
        case When::kAlways:
            return true;
        case When::kHome:
            return from == home_;
        case When::kRoom:
            return is_in || from == home_ || pointers_in_use(entry) < pointers_;
        case When::kAlone:
            return entry.pointers.empty() || (is_in && entry.pointers.size() == 1);
        case When::kInPAlone:
            return is_in && entry.pointers.size() == 1;
        case When::kInP:
            return is_in;
        case When::kNotInP:
            return !is_in;
        case When::kLast:
            return entry.acknowledgements == 1;
    }
    return false;
}

void Directory::set_pointers(HomeTransition::Pointers pointers, DirectoryEntry& entry,
                             hw::NodeId from) {
    switch (pointers) {
        case HomeTransition::Pointers::kKept:
            break;
        case HomeTransition::Pointers::kAddSender:
            add_pointer(entry, from);
            break;
        case HomeTransition::Pointers::kSenderAlone:
            entry.pointers.assign(1, from);
            break;
        case HomeTransition::Pointers::kNone:
            entry.pointers.clear();
            break;
        case HomeTransition::Pointers::kAddRequester:
            add_pointer(entry, entry.requester);
            break;
        case HomeTransition::Pointers::kRequesterAlone:
            entry.pointers.assign(1, entry.requester);
            break;
    }
}

void Directory::invalidate(HomeTransition::Invalidates whom, DirectoryEntry& entry,
                           hw::NodeId from) {
    if (whom == HomeTransition::Invalidates::kNobody) {
        return;
    }
    if (whom == HomeTransition::Invalidates::kOthersForSender) {
        for (const hw::NodeId node : entry.pointers) {
            if (node != from) {
                outcome_.sent.push_back({Packet::kInvalidateFor, node, operand_of(from)});
            }
        }
        return;
    }
    entry.acknowledgements = 0;
    for (const hw::NodeId node : entry.pointers) {
        const bool is_spared = whom == HomeTransition::Invalidates::kVictim && node == home_;
        if (node == from || is_spared) {
            continue;
        }
        outcome_.sent.push_back({Packet::kInvalidate, node});
        entry.acknowledgements += 1;
        if (whom == HomeTransition::Invalidates::kVictim) {
            std::erase(entry.pointers, node);
            return;
        }
    }
}

const RefusedRequests& Directory::refused(std::uint64_t line) const {
    static const RefusedRequests none;
    const auto known = refused_.find(line);
    return known == refused_.end() ? none : known->second;
}

// True if the row's request is served now. If not, the caller refuses the request.
bool Directory::serves(std::uint64_t line, const HomeTransition& row, hw::NodeId from) {
    const RefusedRequests::Requester requester = requester_of(from);
    const auto known = refused_.find(line);
    const bool is_turn = known == refused_.end() || known->second.may_serve(requester);
    if (row.reply == HomeTransition::Reply::kBusy || !is_turn) {
        refused_[line].is_refused(requester);
        return false;
    }
    if (is_forward(row.reply)) {
        refused_[line].is_forwarded(requester);
    } else {
        forget(line, from);
    }
    return true;
}

// Removes the node's request from the refused ones, since it has been served.
void Directory::forget(std::uint64_t line, hw::NodeId from) {
    const auto known = refused_.find(line);
    if (known == refused_.end()) {
        return;
    }
    known->second.is_served(requester_of(from));
    if (known->second.are_none()) {
        refused_.erase(known);
    }
}

// Adds the reply of a row to the outcome. `is_modify`: the sender has sent MREQ, and has a copy.
void Directory::reply(HomeTransition::Reply reply, const DirectoryEntry& entry, bool is_modify,
                      hw::NodeId from) {
    using Reply = HomeTransition::Reply;
    const auto grant = [](bool has_copy) {
        return has_copy ? Packet::kModifyGrant : Packet::kWriteData;
    };
    switch (reply) {
        case Reply::kNone:
            break;
        case Reply::kBusy:
            outcome_.sent.push_back({Packet::kBusy, from});
            break;
        case Reply::kReadData:
            outcome_.sent.push_back({Packet::kReadData, from});
            break;
        case Reply::kWriteGrant:
            outcome_.sent.push_back({grant(is_modify), from});
            break;
        case Reply::kReadDataToRequester:
            outcome_.sent.push_back({Packet::kReadData, entry.requester});
            break;
        case Reply::kWriteGrantToRequester:
            outcome_.sent.push_back({grant(entry.is_modify), entry.requester});
            break;
        case Reply::kCountedGrant: {
            const auto to_come = static_cast<std::uint16_t>(outcome_.sent.size());
            outcome_.sent.push_back(
                {grant(is_modify), from, to_come > 0 ? std::optional(to_come) : std::nullopt});
            break;
        }
        case Reply::kForwardRead:
            outcome_.sent.push_back(
                {Packet::kForwardRead, entry.pointers.front(), operand_of(from)});
            break;
        case Reply::kForwardWrite:
            outcome_.sent.push_back(
                {Packet::kForwardWrite, entry.pointers.front(), operand_of(from)});
            break;
    }
}

const Directory::Outcome* Directory::receive(std::uint64_t line, DirectoryEntry& entry,
                                             Packet packet, hw::NodeId from) {
    const HomeCell& cell = (*table_)[entry.state][static_cast<std::size_t>(packet)];
    const auto* row = std::find_if(cell.begin(), cell.end(), [&](const HomeTransition& candidate) {
        return holds(candidate.when, entry, from);
    });
    if (row == cell.end()) {
        return nullptr;
    }
    if (is_request(packet) && !serves(line, *row, from)) {
        outcome_ = {.sent = {{Packet::kBusy, from}}};
        return &outcome_;
    }
    if (packet == Packet::kShare || packet == Packet::kTransfer) {
        forget(line, entry.requester);
    } else if (packet == Packet::kNotHere) {
        refused_[line].is_not_served();
    }
    outcome_.stores_line = row->stores_line;
    outcome_.traps = row->traps;
    outcome_.sent.clear();
    // With forwarding, an invalidation of the sender's copy may be under way; then the sender needs
    // the line, too.
    const bool is_modify =
        packet == Packet::kModifyRequest &&
        (row->reply != HomeTransition::Reply::kCountedGrant || points_to(entry, from));
    invalidate(row->invalidates, entry, from);
    set_pointers(row->pointers, entry, from);
    if (row->begins) {
        entry.requester = from;
        entry.is_modify = is_modify && !is_forward(row->reply);
    }
    reply(row->reply, entry, is_modify, from);
    entry.acknowledgements -= row->counts ? 1 : 0;
    entry.state = row->next;
    if (entry.state == HomeState::kReadOnly || entry.state == HomeState::kReadWrite) {
        entry.requester = {};
        entry.is_modify = false;
    }
    return &outcome_;
}

}  // namespace weir::memory
