#include "firmware/collectives.h"

#include <algorithm>
#include <utility>

namespace weir::firmware {

using nodes::Task;

namespace {

// The first argument of a message: the operation it belongs to, how many words of data it has, and
// whether it is the first of its piece.
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

std::vector<std::int32_t> Collectives::children(std::int32_t of) const {
    std::vector<std::int32_t> found;
    for (std::int32_t step = 1; of + step < processor_.node_count(); step *= 2) {
        if (step > of) {
            found.push_back(of + step);
        }
    }
    return found;
}

// Without the highest bit.
std::int32_t Collectives::parent(std::int32_t of) {
    std::int32_t step = 1;
    while (2 * step <= of) {
        step *= 2;
    }
    return of - step;
}

Task Collectives::barrier() { co_await reduce(0, 0, 0, {}, hw::Cycles(0)); }

Task Collectives::broadcast(std::uint32_t address, std::uint32_t words, hw::NodeId root) {
    ++operation_;
    // The tree is that below node 0, its nodes moved round to begin at the root.
    const std::int32_t count = processor_.node_count();
    const std::int32_t place = (self() - root.index() + count) % count;
    if (place != 0) {
        co_await wait_for_pieces(1);
    }
    for (const std::int32_t child : children(place)) {
        co_await send_piece(hw::NodeId((child + root.index()) % count), {address, address, words});
    }
}

Task Collectives::reduce(std::uint32_t address, std::uint32_t words, std::uint32_t scratch,
                         Combine combine, hw::Cycles combine_cycles) {
    ++operation_;
    const std::vector<std::int32_t> below = children(self());
    co_await wait_for_pieces(static_cast<std::int64_t>(below.size()));
    for (std::size_t child = 0; child < below.size(); ++child) {
        const std::uint32_t from = scratch + bytes_of(static_cast<std::uint32_t>(child) * words);
        for (std::uint32_t i = 0; i < words; ++i) {
            const std::uint32_t own = co_await processor_.load(address + bytes_of(i));
            const std::uint32_t other = co_await processor_.load(from + bytes_of(i));
            co_await processor_.compute(combine_cycles);
            co_await processor_.store(address + bytes_of(i), combine(own, other));
        }
    }
    if (self() != 0) {
        const std::int32_t above = parent(self());
        const std::vector<std::int32_t> beside = children(above);
        const auto place = static_cast<std::uint32_t>(
            std::find(beside.begin(), beside.end(), self()) - beside.begin());
        co_await send_piece(hw::NodeId(above), {address, scratch + bytes_of(place * words), words});
    }
    co_await broadcast(address, words, hw::NodeId(0));
}

Task Collectives::all_to_all(std::function<Piece(hw::NodeId)> piece_for) {
    ++operation_;
    const std::int32_t count = processor_.node_count();
    for (std::int32_t step = 1; step < count; ++step) {
        const hw::NodeId destination((self() + step) % count);
        co_await send_piece(destination, piece_for(destination));
    }
    const Piece own = piece_for(processor_.node());
    for (std::uint32_t i = 0; i < own.words; ++i) {
        const std::uint32_t word = co_await processor_.load(own.from_address + bytes_of(i));
        co_await processor_.store(own.to_address + bytes_of(i), word);
    }
    co_await wait_for_pieces(count - 1);
}

Task Collectives::send_piece(hw::NodeId destination, Piece piece) {
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
                co_await processor_.load(piece.from_address + bytes_of(sent + i));
            arguments.push_back(word);
        }
        co_await messages_.send(destination, receive_, arguments);
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
    all_have_come_ =
        all_have_come_ || (operation == operation_ && arrivals.pieces == pieces_awaited_ &&
                           arrivals.words == arrivals.words_announced);
}

Task Collectives::wait_for_pieces(std::int64_t pieces) {
    pieces_awaited_ = pieces;
    const Arrivals& arrivals = arrivals_[operation_];
    all_have_come_ = arrivals.pieces == pieces && arrivals.words == arrivals.words_announced;
    co_await processor_.wait_for(all_have_come_);
    arrivals_.erase(operation_);
}

}  // namespace weir::firmware
