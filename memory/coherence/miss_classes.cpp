#include "memory/coherence/miss_classes.h"

namespace weir::memory {

namespace {

constexpr std::uint64_t kWordBytes = 4;
constexpr auto kLineBytes = static_cast<std::uint64_t>(kSharedLineBytes.count());

}  // namespace

// Words stored by other nodes since store number `seen`.
MissClasses::WordMask MissClasses::unseen(const Line& line, hw::NodeId node, std::uint32_t seen) {
    unsigned mask = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
        const Word& word = line.words[i];
        const std::uint32_t by_others =
            word.last_node == node ? word.others_last_store : word.last_store;
        mask |= by_others > seen ? 1U << i : 0U;
    }
    return static_cast<WordMask>(mask);
}

// Counts an undecided miss as false sharing: the node has used none of the words that others had
// stored.
void MissClasses::ends(Node& node, std::uint64_t line) {
    if (node.undecided.erase(line) > 0) {
        node.statistics.false_sharing_misses += 1;
    }
}

void MissClasses::LeastRecentlyUsed::use(std::uint64_t line, std::size_t cache_lines) {
    if (const auto known = places_.find(line); known != places_.end()) {
        lines_.splice(lines_.begin(), lines_, known->second);
        return;
    }
    if (lines_.size() == cache_lines) {
        remove(lines_.back());
    }
    lines_.push_front(line);
    places_.emplace(line, lines_.begin());
}

void MissClasses::LeastRecentlyUsed::remove(std::uint64_t line) {
    if (const auto known = places_.find(line); known != places_.end()) {
        lines_.erase(known->second);
        places_.erase(known);
    }
}

void MissClasses::fills(hw::NodeId node, std::uint64_t line) {
    const std::lock_guard one_tile(mutex_);
    Node& at = node_at(node);
    const bool would_be_kept = at.fully_associative.holds(line);
    at.fully_associative.use(line, cache_lines_);
    const Line& stored = lines_[line];
    const auto [place, is_first] = at.copies.try_emplace(line);
    Copy& copy = place->second;
    if (copy.is_taken) {
        copy.is_taken = false;
        const WordMask words = unseen(stored, node, copy.seen);
        if (words != 0) {
            at.undecided.emplace(line, words);
            return;
        }
        at.statistics.taken_misses += 1;
        return;
    }
    ends(at, line);
    (is_first        ? at.statistics.cold_misses
     : would_be_kept ? at.statistics.conflict_misses
                     : at.statistics.capacity_misses) += 1;
    copy.seen = stored.stores;
}

void MissClasses::loses(hw::NodeId node, std::uint64_t line) {
    const std::lock_guard one_tile(mutex_);
    Node& at = node_at(node);
    ends(at, line);
    at.copies[line].is_taken = true;
    at.fully_associative.remove(line);
}

void MissClasses::performs(hw::NodeId node, std::uint64_t address, std::size_t bytes,
                           bool is_store) {
    const std::lock_guard one_tile(mutex_);
    Node& at = node_at(node);
    const std::uint64_t line = address - address % kLineBytes;
    at.fully_associative.use(line, cache_lines_);
    if (!is_store && at.undecided.empty()) {
        return;
    }
    const std::uint64_t first = address % kLineBytes / kWordBytes;
    const std::uint64_t last = (address % kLineBytes + bytes - 1) / kWordBytes;
    const auto open = at.undecided.find(line);
    for (std::uint64_t i = first; i <= last && open != at.undecided.end(); ++i) {
        if ((open->second >> i & 1U) != 0) {
            at.statistics.true_sharing_misses += 1;
            at.copies[line].seen = lines_[line].stores;
            at.undecided.erase(open);
            break;
        }
    }
    if (!is_store) {
        return;
    }
    Line& stored = lines_[line];
    stored.stores += 1;
    for (std::uint64_t i = first; i <= last; ++i) {
        Word& word = stored.words[i];
        if (word.last_node != node) {
            word.others_last_store = word.last_store;
            word.last_node = node;
        }
        word.last_store = stored.stores;
    }
}

void MissClasses::end_of_run() {
    for (Node& node : nodes_) {
        node.statistics.false_sharing_misses += static_cast<std::int64_t>(node.undecided.size());
        node.undecided.clear();
    }
}

}  // namespace weir::memory
