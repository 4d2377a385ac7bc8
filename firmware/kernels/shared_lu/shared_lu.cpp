#include "firmware/kernels/shared_lu/shared_lu.h"

#include <limits>

namespace weir::firmware {

using nodes::Task;

class SharedLu::Program final : public ProgramOf<SharedLu> {
  public:
    using Lines = LuLayout::Lines;

    using ProgramOf::ProgramOf;

    Task thread() override {
        std::uint32_t meeting = 0;
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t k = 0; k < kernel_.steps(); ++k) {
            processor().trace_mark("phase pivot search", 0);
            co_await find_pivot(k, ++meeting);
            processor().trace_mark("phase swapping", 0);
            co_await swap_rows(k);
            processor().trace_mark("phase scaling", 0);
            co_await scale(k);
            processor().trace_mark("phase barrier", 0);
            co_await kernel_.reduction_->meet(processor(), ++meeting);
            processor().trace_mark("phase update", 0);
            co_await update(k);
            ++kernel_.done_;
        }
        processor().trace_mark("no phase", 0);
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    static TreeReduction::Record larger(const TreeReduction::Record& own,
                                        const TreeReduction::Record& other) {
        return is_before({other.value, other.word}, {own.value, own.word}) ? other : own;
    }

    // The pivot search's reduction is a barrier too: after it, all nodes have updated their
    // elements.
    Task find_pivot(std::int64_t k, std::uint32_t meeting) {
        Pivot largest{0.0, kernel_.rows()};
        const Lines own = layout_.rows(self_, k, k);
        for (std::int64_t n = 0; n < own.count; ++n) {
            const double element = co_await processor().load_real(kernel_.element(own.at(n), k));
            co_await processor().compute(kernel_.parameters_.compare_cycles.value());
            if (is_before({element, own.at(n)}, largest)) {
                largest = {element, own.at(n)};
            }
        }
        TreeReduction::Record found{largest.element, static_cast<std::uint32_t>(largest.row)};
        co_await kernel_.reduction_->reduce(processor(), meeting, found, larger,
                                            kernel_.parameters_.compare_cycles.value());
        pivot_ = {found.value, found.word};
        if (self_ == 0) {
            co_await processor().store(kernel_.pivot_row_address(k), found.word);
        }
    }

    // Exchanges row k with the pivot's row; executed by the holders of row k. Until the next
    // barrier no other node uses the two rows; of column k, other nodes use only other rows.
    Task swap_rows(std::int64_t k) {
        if (pivot_.row == k) {
            co_return;  // every node returns here, because all know the pivot
        }
        const Lines own = layout_.columns(self_, k, 0);
        for (std::int64_t n = 0; n < ahead_; ++n) {
            co_await prefetch_to_swap(own, n);
        }
        for (std::int64_t n = 0; n < own.count; ++n) {
            co_await prefetch_to_swap(own, n + ahead_);
            const std::uint32_t first = kernel_.element(k, own.at(n));
            const std::uint32_t second = kernel_.element(pivot_.row, own.at(n));
            double above = co_await processor().load_real(first);
            const double below = co_await processor().load_real(second);
            if (own.at(n) == k) {
                co_await processor().compute(kernel_.parameters_.divide_cycles.value());
                above /= pivot_.element;
            }
            co_await processor().store_real(first, below);
            co_await processor().store_real(second, above);
        }
    }

    // Skips the row where the pivot was found: swap_rows() has already divided its element.
    Task scale(std::int64_t k) {
        const Lines own = layout_.rows(self_, k, k + 1);
        for (std::int64_t n = 0; n < own.count; ++n) {
            if (own.at(n) == pivot_.row) {
                continue;
            }
            const std::uint32_t at = kernel_.element(own.at(n), k);
            const double element = co_await processor().load_real(at);
            co_await processor().compute(kernel_.parameters_.divide_cycles.value());
            co_await processor().store_real(at, element / pivot_.element);
        }
    }

    Task update(std::int64_t k) {
        std::vector<std::int64_t> columns;  // columns with elements of this node
        for (std::int64_t j = k + 1; j < kernel_.rows(); ++j) {
            if (layout_.rows(self_, j, k + 1).count > 0) {
                columns.push_back(j);
            }
        }
        for (std::int64_t c = 0; c < ahead_; ++c) {
            co_await prefetch_pivot(k, columns, c);
        }
        bool is_first = true;
        for (std::int64_t c = 0; c < static_cast<std::int64_t>(columns.size()); ++c) {
            co_await prefetch_pivot(k, columns, c + ahead_);
            // In the bad layout each column needs multipliers of other rows.
            co_await update_column(k, columns[c], is_first || !layout_.is_grid());
            is_first = false;
        }
    }

    Task update_column(std::int64_t k, std::int64_t j, bool prefetches) {
        const Lines own = layout_.rows(self_, j, k + 1);
        for (std::int64_t n = 0; prefetches && n < ahead_; ++n) {
            co_await prefetch_multiplier(k, own, n);
        }
        const double in_pivot_row = co_await processor().load_real(kernel_.element(k, j));
        for (std::int64_t n = 0; n < own.count; ++n) {
            if (prefetches) {
                co_await prefetch_multiplier(k, own, n + ahead_);
            }
            const std::int64_t i = own.at(n);
            const double multiplier = co_await processor().load_real(kernel_.element(i, k));
            const double element = co_await processor().load_real(kernel_.element(i, j));
            co_await processor().compute(kernel_.parameters_.update_cycles.value());
            co_await processor().store_real(kernel_.element(i, j),
                                            element - multiplier * in_pivot_row);
        }
    }

    Task prefetch_to_swap(Lines own, std::int64_t n) {
        if (ahead_ > 0 && n < own.count && !is_own(pivot_.row, own.at(n))) {
            co_await processor().prefetch_to_write(kernel_.element(pivot_.row, own.at(n)));
        }
    }
    Task prefetch_pivot(std::int64_t k, const std::vector<std::int64_t>& columns, std::int64_t c) {
        if (ahead_ > 0 && c < static_cast<std::int64_t>(columns.size()) && !is_own(k, columns[c])) {
            co_await processor().prefetch(kernel_.element(k, columns[c]));
        }
    }
    Task prefetch_multiplier(std::int64_t k, Lines own, std::int64_t n) {
        if (ahead_ > 0 && n < own.count && !is_own(own.at(n), k)) {
            co_await processor().prefetch(kernel_.element(own.at(n), k));
        }
    }
    [[nodiscard]] bool is_own(std::int64_t i, std::int64_t j) const {
        return layout_.owner(i, j) == self_;
    }

    const LuLayout& layout_ = kernel_.layout();
    const std::int64_t ahead_ = kernel_.parameters_.prefetch_elements.value();
    Pivot pivot_;  // pivot of the current step
};

std::uint32_t SharedLu::element(std::int64_t i, std::int64_t j) const {
    const std::int32_t owner = layout().owner(i, j);
    return machine_.shared_address(
        hw::NodeId(owner),
        offsets_[owner] + static_cast<std::uint32_t>(layout().place(i, j)) * kRealBytes);
}

void SharedLu::place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    machine_ = machine;
    SharedAllocator allocator(machine);
    reduction_.emplace(allocator, node_count_);
    const auto bytes = static_cast<std::uint32_t>(rows() * rows() / node_count_) * kRealBytes;
    offsets_.clear();
    for (std::int32_t node = 0; node < node_count_; ++node) {
        offsets_.push_back(allocator.allocate(hw::NodeId(node), bytes,
                                              parameters_.placement.value(),
                                              static_cast<std::uint32_t>(steps()) * kWordBytes));
    }
    // The rows of the pivots begin with an impossible number, so that a missing pivot is found.
    const std::vector<std::uint32_t> unset(steps(), std::numeric_limits<std::uint32_t>::max());
    memory.write<std::uint32_t>(hw::NodeId(0), pivot_row_address(0), unset);
}

}  // namespace weir::firmware
