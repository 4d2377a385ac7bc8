#include "experiments/models/memory_logp/stack_distance.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <unordered_map>

namespace weir::experiments::models {

namespace {

/// Set of marks on positions 0, 1, ..., with a count of the marks before any position. Marking
/// and counting take O(log N).
class MarkCounter {
  public:
    explicit MarkCounter(std::size_t positions) : sums_(positions + 1) {}

    void mark(std::size_t position) {
        for (std::size_t i = position + 1; i < sums_.size(); i += lowest_bit(i)) {
            ++sums_[i];
        }
    }
    void unmark(std::size_t position) {
        for (std::size_t i = position + 1; i < sums_.size(); i += lowest_bit(i)) {
            --sums_[i];
        }
    }
    [[nodiscard]] std::uint64_t marks_before(std::size_t position) const {
        std::uint64_t marks = 0;
        for (std::size_t i = position; i > 0; i -= lowest_bit(i)) {
            marks += sums_[i];
        }
        return marks;
    }

  private:
    static std::size_t lowest_bit(std::size_t i) { return i & (~i + 1); }

    std::vector<std::uint32_t> sums_;
};

/// Indices of references, grouped by set and in time order within a set.
std::vector<std::size_t> grouped_by_set(const std::vector<std::uint64_t>& blocks,
                                        std::uint64_t sets) {
    std::vector<std::size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (sets > 1) {
        std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
            return blocks[left] % sets < blocks[right] % sets;
        });
    }
    return order;
}

}  // namespace

std::vector<std::uint64_t> stack_distances_within_sets(const std::vector<std::uint64_t>& blocks,
                                                       std::uint64_t sets) {
    std::vector<std::uint64_t> distances(blocks.size(), kFirstReference);
    // All references between two to the same block are then of its set, so all sets can share one
    // counter. Each block has a mark at its last reference.
    const std::vector<std::size_t> order = grouped_by_set(blocks, sets);
    MarkCounter last_references(blocks.size());
    std::unordered_map<std::uint64_t, std::size_t> last_position_of;
    for (std::size_t position = 0; position < order.size(); ++position) {
        const std::size_t reference = order[position];
        const std::uint64_t block = blocks[reference];
        if (position > 0 && blocks[order[position - 1]] == block) {
            // A repeated reference: the mark may stay at the first of the run.
            distances[reference] = 0;
            continue;
        }
        const auto [last, is_first] = last_position_of.try_emplace(block, position);
        if (!is_first) {
            distances[reference] = last_references.marks_before(position) -
                                   last_references.marks_before(last->second + 1);
            last_references.unmark(last->second);
            last->second = position;
        }
        last_references.mark(position);
    }
    return distances;
}

}  // namespace weir::experiments::models
