#include "firmware/collectives.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::firmware {

using nodes::Task;

namespace {

// Fields of a message's first argument: number of the operation, number of data words, and a flag
// for the first message of a piece.
constexpr std::uint32_t kCountShift = 1;
constexpr std::uint32_t kCountMask = 0x7f;
constexpr std::uint32_t kOperationShift = 8;
constexpr std::uint32_t kFirst = 1;

constexpr std::uint32_t bytes_of(std::uint32_t words) { return words * WEIR_WORD_BYTES; }

}  // namespace

Collectives::Collectives(nodes::Processor& processor, ActiveMessages& messages)
    : processor_(processor),
      messages_(messages),
      receive_(messages.add_handler([this] { return receive(); })) {}

std::int32_t Collectives::rounds() const {
    std::int32_t count = 0;
    while ((1 << count) < processor_.node_count()) {
        ++count;
    }
    return count;
}

std::vector<std::int32_t> Collectives::children(std::int32_t of, std::int32_t count) {
    std::vector<std::int32_t> found;
    for (std::int32_t step = 1; of + step < count; step *= 2) {
        if (step > of) {
            found.push_back(of + step);
        }
    }
    return found;
}

// Clears the highest set bit.
std::int32_t Collectives::parent(std::int32_t of) {
    std::int32_t step = 1;
    while (2 * step <= of) {
        step *= 2;
    }
    return of - step;
}

void Collectives::require_group(const Group& group, hw::NodeId root,
                                const nodes::CallPlace& call) const {
    if (group.count == 0) {
        return;  // a group without nodes sends no messages
    }
    const std::int64_t last =
        group.first + (std::int64_t{group.count} - 1) * std::int64_t{group.stride};
    if (group.stride < 1 || group.count < 1 || group.first < 0 || last >= processor_.node_count()) {
        nodes::refuse_call(processor_, call,
                           "a group of " + std::to_string(group.count) + " nodes from " +
                               std::to_string(group.first) + " on, " +
                               std::to_string(group.stride) + " apart",
                           "of nodes 0 to " + std::to_string(processor_.node_count() - 1));
    }
    if (!group.contains(root.index())) {
        nodes::refuse_call(processor_, call, "the root " + std::to_string(root.index()),
                           "a node of the group");
    }
}

Task Collectives::barrier(nodes::CallPlace call) {
    co_await reduce(0, 0, 0, {}, hw::Cycles(0), call);
}

Task Collectives::broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root,
                            nodes::CallPlace call) {
    return broadcast(address, words, root, all(), call);
}

Task Collectives::broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root,
                            Group group, nodes::CallPlace call) {
    require_group(group, root, call);
    ++operation_;
    if (!group.contains(self())) {
        co_return;
    }
    // Tree of the group's members, renumbered so that the root is member 0.
    const std::int32_t to_root = group.index_of(root.index());
    const std::int32_t place = (group.index_of(self()) - to_root + group.count) % group.count;
    if (place != 0) {
        co_await wait_for_pieces(1, call);
    }
    for (const std::int32_t child : children(place, group.count)) {
        const hw::NodeId destination(group.node((child + to_root) % group.count));
        co_await send_piece(destination, {address, address, words}, call);
    }
}

// A share is a whole number of messages; the last members may get no share.
Collectives::Piece Collectives::share_of(std::int32_t member, std::int32_t members,
                                         std::uint32_t address, std::uint32_t words) {
    const auto count = static_cast<std::uint32_t>(members);
    const std::uint32_t messages = (words + kWordsPerMessage - 1) / kWordsPerMessage;
    const std::uint32_t each = (messages + count - 1) / count * kWordsPerMessage;
    const std::uint32_t begin = std::min(static_cast<std::uint32_t>(member) * each, words);
    return {address + bytes_of(begin), address + bytes_of(begin), std::min(each, words - begin)};
}

Task Collectives::scattered_broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root,
                                      Group group, nodes::CallPlace call) {
    require_group(group, root, call);
    ++operation_;
    if (!group.contains(self())) {
        ++operation_;  // skips the number of the second operation, the exchange of shares
        co_return;
    }
    const std::int32_t own = group.index_of(self());
    const std::int32_t at_root = group.index_of(root.index());
    const Piece own_share = share_of(own, group.count, address, words);
    std::int64_t others_shares = 0;
    for (std::int32_t step = 1; step < group.count; ++step) {
        const std::int32_t member = (own + step) % group.count;
        const Piece share = share_of(member, group.count, address, words);
        others_shares += share.words > 0 ? 1 : 0;
        if (own == at_root && share.words > 0) {
            co_await send_piece(hw::NodeId(group.node(member)), share, call);
        }
    }
    co_await wait_for_pieces(own != at_root && own_share.words > 0 ? 1 : 0, call);
    ++operation_;
    for (std::int32_t step = 1; step < group.count && own_share.words > 0; ++step) {
        const std::int32_t member = (own + step) % group.count;
        if (member != at_root) {  // the root needs no shares: it has all words
            co_await send_piece(hw::NodeId(group.node(member)), own_share, call);
        }
    }
    co_await wait_for_pieces(own == at_root ? 0 : others_shares, call);
}

Task Collectives::reduce(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                         Combine combine, hw::Cycles combine_cycles, nodes::CallPlace call) {
    ++operation_;
    const std::vector<std::int32_t> below = children(self(), processor_.node_count());
    co_await wait_for_pieces(static_cast<std::int64_t>(below.size()), call);
    for (std::size_t child = 0; child < below.size(); ++child) {
        const std::uint32_t from = scratch + bytes_of(static_cast<std::uint32_t>(child) * words);
        for (std::uint32_t i = 0; i < words; ++i) {
            const std::uint32_t own = co_await processor_.load(address + bytes_of(i), call);
            const std::uint32_t other = co_await processor_.load(from + bytes_of(i), call);
            co_await processor_.compute(combine_cycles, call);
            co_await processor_.store(address + bytes_of(i), combine(own, other), call);
        }
    }
    co_await send_up(address, words, scratch, all(), call);
    co_await broadcast(address, words, hw::NodeId(0), call);
}

Task Collectives::reduce_record(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                                CombineRecord combine, hw::Cycles combine_cycles, Group group,
                                nodes::CallPlace call) {
    require_group(group, hw::NodeId(group.first), call);
    if (words > kMostRecordWords) {
        nodes::refuse_call(processor_, call, "a record of " + std::to_string(words) + " words",
                           "at most " + std::to_string(kMostRecordWords));
    }
    ++operation_;
    if (!group.contains(self())) {
        ++operation_;  // skips the number of the broadcast that follows the reduction
        co_return;
    }
    const std::vector<std::int32_t> below = children(group.index_of(self()), group.count);
    co_await wait_for_pieces(static_cast<std::int64_t>(below.size()), call);
    std::array<std::uint32_t, kMostRecordWords> own{};
    std::array<std::uint32_t, kMostRecordWords> other{};
    for (std::size_t child = 0; child < below.size(); ++child) {
        const std::uint32_t from = scratch + bytes_of(static_cast<std::uint32_t>(child) * words);
        for (std::uint32_t i = 0; i < words; ++i) {
            own.at(i) = co_await processor_.load(address + bytes_of(i), call);
            other.at(i) = co_await processor_.load(from + bytes_of(i), call);
        }
        co_await processor_.compute(combine_cycles, call);
        combine(std::span(own).first(words), std::span(other).first(words));
        for (std::uint32_t i = 0; i < words; ++i) {
            co_await processor_.store(address + bytes_of(i), own.at(i), call);
        }
    }
    co_await send_up(address, words, scratch, group, call);
    co_await broadcast(address, words, hw::NodeId(group.first), group, call);
}

// Sends the words to the scratch memory of the parent, into this child's slot.
Task Collectives::send_up(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                          Group group, nodes::CallPlace call) {
    const std::int32_t own = group.index_of(self());
    if (own == 0) {
        co_return;
    }
    const std::int32_t above = parent(own);
    const std::vector<std::int32_t> beside = children(above, group.count);
    const auto place =
        static_cast<std::uint32_t>(std::find(beside.begin(), beside.end(), own) - beside.begin());
    co_await send_piece(hw::NodeId(group.node(above)),
                        {address, scratch + bytes_of(place * words), words}, call);
}

Task Collectives::exchange(std::vector<Parcel> parcels, std::int32_t expected_pieces,
                           nodes::CallPlace call) {
    ++operation_;
    for (const Parcel& parcel : parcels) {
        co_await send_piece(parcel.destination, parcel.piece, call);
    }
    co_await wait_for_pieces(expected_pieces, call);
}

Task Collectives::all_to_all(std::function<Piece(hw::NodeId)> piece_for, nodes::CallPlace call) {
    ++operation_;
    const std::int32_t count = processor_.node_count();
    for (std::int32_t step = 1; step < count; ++step) {
        const hw::NodeId destination((self() + step) % count);
        co_await send_piece(destination, piece_for(destination), call);
    }
    const Piece own = piece_for(processor_.node());
    const std::uint32_t own_words = own.from_address == own.to_address ? 0 : own.words;
    for (std::uint32_t i = 0; i < own_words; ++i) {
        const std::uint32_t word = co_await processor_.load(own.from_address + bytes_of(i), call);
        co_await processor_.store(own.to_address + bytes_of(i), word, call);
    }
    co_await wait_for_pieces(count - 1, call);
}

Task Collectives::send_piece(hw::NodeId destination, Piece piece, nodes::CallPlace call) {
    std::uint32_t sent = 0;
    do {
        const auto count =
            std::min(static_cast<std::uint32_t>(kWordsPerMessage), piece.words - sent);
        const std::uint32_t head = operation_ << kOperationShift | count << kCountShift;
        ActiveMessages::Arguments arguments(head | (sent == 0 ? kFirst : 0),
                                            piece.to_address + bytes_of(sent));
        if (sent == 0) {
            arguments.push_back(piece.words);
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t word =
                co_await processor_.load(piece.from_address + bytes_of(sent + i), call);
            arguments.push_back(word);
        }
        co_await messages_.send(destination, receive_, arguments, call);
        sent += count;
    } while (sent < piece.words);
}

Task Collectives::receive() {
    const std::uint32_t head = co_await messages_.argument(0);
    const std::uint32_t address = co_await messages_.argument(1);
    const std::uint32_t count = head >> kCountShift & kCountMask;
    const bool is_first = (head & kFirst) != 0;
    std::uint32_t announced = 0;
    if (is_first) {
        announced = co_await messages_.argument(2);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t word =
            co_await messages_.argument(static_cast<std::int32_t>(i) + (is_first ? 3 : 2));
        co_await processor_.store(address + bytes_of(i), word);
    }
    const std::uint32_t operation = head >> kOperationShift;
    Arrivals& arrivals = arrivals_[operation];
    arrivals.pieces += is_first ? 1 : 0;
    arrivals.words += count;
    arrivals.words_announced += announced;
    words_received_ += count;
    all_have_come_ =
        all_have_come_ || (operation == operation_ && arrivals.pieces == pieces_awaited_ &&
                           arrivals.words == arrivals.words_announced);
}

Task Collectives::wait_for_pieces(std::int64_t pieces, nodes::CallPlace call) {
    pieces_awaited_ = pieces;
    const Arrivals& arrivals = arrivals_[operation_];
    all_have_come_ = arrivals.pieces == pieces && arrivals.words == arrivals.words_announced;
    co_await processor_.wait_for(all_have_come_, call);
    arrivals_.erase(operation_);
}

}  // namespace weir::firmware
