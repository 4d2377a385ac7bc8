#include "firmware/kernels/shared_radix_sort/shared_radix_sort.h"

#include <functional>

namespace weir::firmware {

using nodes::Task;

class SharedRadixSort::Program final : public ProgramOf<SharedRadixSort> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const bool has_tree = kernel_.parameters_.prefix.value() == Prefix::kTree;
        processor().trace_mark(kProgramBegins, 0);
        for (pass_ = 0; pass_ < kernel_.passes(); ++pass_) {
            co_await count_digits();
            if (has_tree) {
                co_await find_places_by_tree();
            } else {
                co_await kernel_.barrier_->meet(processor(), ++meeting_);
                co_await find_places();
            }
            co_await store_keys();
            co_await kernel_.barrier_->meet(processor(), ++meeting_);
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    [[nodiscard]] nodes::Processor::Awaiter step() {
        return processor().compute(kernel_.parameters_.digit_cycles.value());
    }
    [[nodiscard]] static std::uint32_t place_of(std::uint32_t digit) { return digit * kKeyBytes; }
    [[nodiscard]] std::uint32_t key_address(std::int64_t index) const {
        return kernel_.key_address(pass_, self_, index);
    }

    Task count_digits() {
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            co_await processor().store(kernel_.count_address(self_, digit), 0);
        }
        for (std::int64_t i = 0; i < kernel_.keys_each(); ++i) {
            co_await prefetch(i, kernel_.keys_each(),
                              [this](std::int64_t later) { return key_address(later); });
            const std::uint32_t key = co_await processor().load(key_address(i));
            const std::uint32_t count = kernel_.count_address(self_, kernel_.digit_of(key, pass_));
            const std::uint32_t so_far = co_await processor().load(count);
            co_await step();
            co_await processor().store(count, so_far + 1);
        }
    }

    // This node's keys of a digit follow all keys of lower digits, and the keys of this digit on
    // lower nodes.
    Task find_places() {
        std::uint32_t lower = 0;
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            std::uint32_t place = lower;
            for (std::int32_t node = 0; node < kernel_.node_count_; ++node) {
                co_await prefetch(node, kernel_.node_count_, [this, digit](std::int64_t later) {
                    return kernel_.count_address(static_cast<std::int32_t>(later), digit);
                });
                const std::uint32_t count =
                    co_await processor().load(kernel_.count_address(node, digit));
                co_await step();
                lower += count;
                place += node < self_ ? count : 0;
            }
            co_await processor().store(place_of(digit), place);
        }
    }

    // Finds the same positions as find_places(), by a tree: sums of counts go up to node 0, and
    // numbers of preceding keys come down.
    Task find_places_by_tree() {
        const auto round = static_cast<std::uint32_t>(pass_ + 1);
        std::int32_t level = 0;
        for (; kernel_.has_above(self_, level); ++level) {
            if (const auto right = kernel_.right_of(self_, level)) {
                co_await spin_until({processor()}, kernel_.summed_[*right], round);
                co_await add_up(*right, level);
            }
        }
        if (self_ == 0) {
            co_await begin_digits(level);
        } else {
            co_await processor().store(kernel_.summed_[self_], round);
            co_await spin_until({processor()}, kernel_.handed_[self_], round);
            co_await take_places(self_ - (1 << level), level);
        }
        while (level-- > 0) {
            if (const auto right = kernel_.right_of(self_, level)) {
                co_await hand_down(level);
                co_await processor().store(kernel_.handed_[*right], round);
            }
        }
    }

    Task add_up(std::int32_t right, std::int32_t level) {
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            co_await prefetch(digit, kernel_.digits(), [this, right, level](std::int64_t later) {
                return kernel_.sum_address(right, level, static_cast<std::uint32_t>(later));
            });
            const std::uint32_t left =
                co_await processor().load(kernel_.sum_address(self_, level, digit));
            const std::uint32_t other =
                co_await processor().load(kernel_.sum_address(right, level, digit));
            co_await step();
            co_await processor().store(kernel_.sum_address(self_, level + 1, digit), left + other);
        }
    }

    // Computes the position of each digit's first key among all nodes' keys; runs at node 0.
    Task begin_digits(std::int32_t level) {
        std::uint32_t lower = 0;
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            const std::uint32_t count =
                co_await processor().load(kernel_.sum_address(self_, level, digit));
            co_await step();
            co_await processor().store(place_of(digit), lower);
            lower += count;
        }
    }

    Task take_places(std::int32_t from, std::int32_t level) {
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            co_await prefetch(digit, kernel_.digits(), [this, from, level](std::int64_t later) {
                return kernel_.handed_address(from, level, static_cast<std::uint32_t>(later));
            });
            const std::uint32_t place =
                co_await processor().load(kernel_.handed_address(from, level, digit));
            co_await processor().store(place_of(digit), place);
        }
    }

    Task hand_down(std::int32_t level) {
        for (std::uint32_t digit = 0; digit < kernel_.digits(); ++digit) {
            const std::uint32_t place = co_await processor().load(place_of(digit));
            const std::uint32_t left =
                co_await processor().load(kernel_.sum_address(self_, level, digit));
            co_await step();
            co_await processor().store(kernel_.handed_address(self_, level, digit), place + left);
        }
    }

    Task store_keys() {
        for (std::int64_t i = 0; i < ahead_; ++i) {
            co_await prefetch_place(i);
        }
        for (std::int64_t i = 0; i < kernel_.keys_each(); ++i) {
            co_await prefetch_place(i + ahead_);
            const std::uint32_t key = co_await processor().load(key_address(i));
            const std::uint32_t next = place_of(kernel_.digit_of(key, pass_));
            const std::uint32_t place = co_await processor().load(next);
            co_await processor().store(next, place + 1);
            co_await step();
            co_await processor().store(address_of_place(place), key);
        }
    }

    // Prefetches the line to which a later key probably goes. If the key's digit occurs again
    // before the key, the key's position is further on, but mostly in the same line.
    Task prefetch_place(std::int64_t index) {
        if (ahead_ > 0 && index < kernel_.keys_each()) {
            const std::uint32_t key = co_await processor().load(key_address(index));
            const std::uint32_t place =
                co_await processor().load(place_of(kernel_.digit_of(key, pass_)));
            co_await step();
            co_await processor().prefetch_to_write(address_of_place(place));
        }
    }

    // Address of a position among all keys, in the copy of the keys that the next pass reads.
    [[nodiscard]] std::uint32_t address_of_place(std::uint32_t place) const {
        const auto keys_each = static_cast<std::uint32_t>(kernel_.keys_each());
        return kernel_.key_address(pass_ + 1, static_cast<std::int32_t>(place / keys_each),
                                   place % keys_each);
    }

    // Prefetches the line that begins with the word at the prefetch distance; for the first word,
    // also the lines before it.
    Task prefetch(std::int64_t index, std::int64_t count,
                  const std::function<std::uint32_t(std::int64_t)>& address_of) {
        const std::int64_t last = index + ahead_;
        for (std::int64_t next = index == 0 ? 0 : last; ahead_ > 0 && next <= last && next < count;
             ++next) {
            const std::uint32_t address = address_of(next);
            if (address % kSharedLine == 0) {
                co_await processor().prefetch(address);
            }
        }
    }

    const std::int64_t ahead_ = kernel_.parameters_.prefetch_keys.value();
    std::int64_t pass_ = 0;
    std::uint32_t meeting_ = 0;
};

std::uint32_t SharedRadixSort::key_address(std::int64_t pass, std::int32_t node,
                                           std::int64_t index) const {
    return shared(node, pass % 2 * area_bytes() + index * kKeyBytes);
}

std::optional<std::int32_t> SharedRadixSort::right_of(std::int32_t node,
                                                      std::int32_t level_below) const {
    const std::int64_t right = node + (std::int64_t{1} << level_below);
    return right < node_count_ ? std::optional(static_cast<std::int32_t>(right)) : std::nullopt;
}

// A subtree without a right half has no sums of its own, but those of its left half.
std::uint32_t SharedRadixSort::sum_address(std::int32_t node, std::int32_t level,
                                           std::uint32_t digit) const {
    while (level > 0 && !right_of(node, level - 1)) {
        --level;
    }
    return shared(node,
                  2 * area_bytes() + level * digits_bytes() + std::int64_t{digit} * kKeyBytes);
}

std::uint32_t SharedRadixSort::handed_address(std::int32_t node, std::int32_t level_below,
                                              std::uint32_t digit) const {
    const std::int64_t sums = 2 * area_bytes() + (levels_ + 1) * digits_bytes();
    return shared(node, sums + level_below * digits_bytes() + std::int64_t{digit} * kKeyBytes);
}

void SharedRadixSort::place(const nodes::MachineShape& machine) {
    start<Program>(*this, machine);
    machine_ = machine;
    SharedAllocator allocator(machine);
    barrier_.emplace(allocator, node_count_);
    levels_ = 0;
    summed_.assign(node_count_, 0);
    handed_.assign(node_count_, 0);
    if (parameters_.prefix.value() == Prefix::kTree) {
        while (std::int64_t{1} << levels_ < node_count_) {
            ++levels_;
        }
        for (std::int32_t node = 1; node < node_count_; ++node) {
            // Number of the parent: the node's number with its lowest set bit cleared.
            const std::int32_t above = node & (node - 1);
            summed_[node] = allocator.line(hw::NodeId(above));
            handed_[node] = allocator.line(hw::NodeId(node));
        }
    }
    const std::int64_t bytes = 2 * area_bytes() + (2 * levels_ + 1) * digits_bytes();
    const std::uint32_t places_bytes = digits() * kKeyBytes;
    offsets_.clear();
    for (std::int32_t node = 0; node < node_count_; ++node) {
        offsets_.push_back(allocator.allocate(hw::NodeId(node), static_cast<std::uint32_t>(bytes),
                                              parameters_.placement.value(), places_bytes));
    }
}

}  // namespace weir::firmware
