#include "firmware/kernels/lu/lu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::uint32_t kRealWords = 2;
// Words of a pivot candidate: two for its element, one for its row.
constexpr std::uint32_t kFoundWords = 3;
constexpr std::uint32_t kFoundBytes = 16;
constexpr std::uint32_t kFoundRow = 8;
constexpr std::int64_t kMostRounds = 16;  // largest number of rounds of a reduction

std::uint32_t bytes_of_reals(std::int64_t reals) {
    return static_cast<std::uint32_t>(reals) * kRealBytes;
}

std::uint32_t words_of_reals(std::int64_t reals) {
    return static_cast<std::uint32_t>(reals) * kRealWords;
}

}  // namespace

class Lu::Program final : public ProgramOf<Lu> {
  public:
    using Lines = LuLayout::Lines;

    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t k = 0; k < kernel_.steps(); ++k) {
            co_await find_pivot(k);
            co_await swap_rows(k);
            co_await scale(k);
            co_await share_multipliers(k);
            co_await share_pivot_row(k);
            co_await update(k);
            ++kernel_.done_;
        }
        processor().trace_mark(kWordsReceived, collectives_.words_received());
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    static Pivot found_in(std::span<const std::uint32_t> words) {
        return {std::bit_cast<double>(std::uint64_t{words[1]} << 32 | words[0]), words[2]};
    }
    static void keep_larger(std::span<std::uint32_t> own, std::span<const std::uint32_t> other) {
        if (is_before(found_in(other), found_in(own))) {
            std::copy(other.begin(), other.end(), own.begin());
        }
    }

    Task find_pivot(std::int64_t k) {
        const Collectives::Group holders = layout_.holders_of_column(k);
        if (holders.contains(self_)) {
            double largest = 0.0;
            std::int64_t its_row = kernel_.rows();
            const Lines own = layout_.rows(self_, k, k);
            for (std::int64_t n = 0; n < own.count; ++n) {
                const double element =
                    co_await processor().load_real(kernel_.element(own.at(n), k));
                co_await processor().compute(kernel_.parameters_.compare_cycles.value());
                if (its_row == kernel_.rows() || std::abs(element) > std::abs(largest)) {
                    largest = element;
                    its_row = own.at(n);
                }
            }
            co_await processor().store_real(kernel_.found(k), largest);
            co_await processor().store(kernel_.found(k) + kFoundRow,
                                       static_cast<std::uint32_t>(its_row));
        }
        co_await collectives_.reduce_record(kernel_.found(k), kFoundWords, kernel_.others_found(k),
                                            keep_larger, kernel_.parameters_.compare_cycles.value(),
                                            holders);
        if (layout_.is_grid()) {  // without a grid, the other elements are in the holders' rows
            const Collectives::Group row = layout_.grid_row_of(self_);
            const std::int32_t root = row.first + layout_.owner(0, k) % layout_.grid_columns();
            co_await collectives_.broadcast(kernel_.found(k), kFoundWords, hw::NodeId(root), row);
        }
        pivot_ = co_await processor().load_real(kernel_.found(k));
        pivot_row_ = co_await processor().load(kernel_.found(k) + kFoundRow);
    }

    Task swap_rows(std::int64_t k) {
        if (pivot_row_ == k) {
            co_return;  // every node returns here, so none waits for a message
        }
        std::vector<Collectives::Parcel> parcels;
        for (const bool is_pivot_row : {false, true}) {
            const std::int64_t row = is_pivot_row ? pivot_row_ : k;
            const std::int64_t other_row = is_pivot_row ? k : pivot_row_;
            const Lines own = layout_.columns(self_, row, 0);
            if (own.count == 0) {
                continue;
            }
            const std::int32_t partner = layout_.owner(other_row, own.first);
            if (partner != self_) {
                co_await copy_out(row, own, kernel_.outgoing(is_pivot_row));
                parcels.push_back(
                    {hw::NodeId(partner),
                     {kernel_.outgoing(is_pivot_row), kernel_.incoming(k, !is_pivot_row),
                      words_of_reals(own.count)}});
            } else if (!is_pivot_row) {
                co_await swap_own(row, other_row, own);
            }
        }
        const auto expected = static_cast<std::int32_t>(parcels.size());
        co_await collectives_.exchange(parcels, expected);
        for (const bool is_pivot_row : {false, true}) {
            const std::int64_t row = is_pivot_row ? pivot_row_ : k;
            const Lines own = layout_.columns(self_, row, 0);
            const std::int64_t other_row = is_pivot_row ? k : pivot_row_;
            if (own.count > 0 && layout_.owner(other_row, own.first) != self_) {
                co_await copy_in(row, own, kernel_.incoming(k, is_pivot_row));
            }
        }
    }

    Task copy_out(std::int64_t row, Lines columns, std::uint32_t to) {
        for (std::int64_t n = 0; n < columns.count; ++n) {
            const double element =
                co_await processor().load_real(kernel_.element(row, columns.at(n)));
            co_await processor().store_real(to + bytes_of_reals(n), element);
        }
    }
    Task copy_in(std::int64_t row, Lines columns, std::uint32_t from) {
        for (std::int64_t n = 0; n < columns.count; ++n) {
            const double element = co_await processor().load_real(from + bytes_of_reals(n));
            co_await processor().store_real(kernel_.element(row, columns.at(n)), element);
        }
    }
    Task swap_own(std::int64_t row, std::int64_t other_row, Lines columns) {
        for (std::int64_t n = 0; n < columns.count; ++n) {
            const std::uint32_t first = kernel_.element(row, columns.at(n));
            const std::uint32_t second = kernel_.element(other_row, columns.at(n));
            const double above = co_await processor().load_real(first);
            const double below = co_await processor().load_real(second);
            co_await processor().store_real(first, below);
            co_await processor().store_real(second, above);
        }
    }

    Task scale(std::int64_t k) {
        const Lines own = layout_.rows(self_, k, k + 1);
        for (std::int64_t n = 0; n < own.count; ++n) {
            const std::int64_t i = own.at(n);
            const double element = co_await processor().load_real(kernel_.element(i, k));
            co_await processor().compute(kernel_.parameters_.divide_cycles.value());
            co_await processor().store_real(kernel_.element(i, k), element / pivot_);
            co_await processor().store_real(multiplier(k, i, self_, own), element / pivot_);
        }
    }

    Task share_multipliers(std::int64_t k) {
        if (!layout_.is_grid()) {
            const Lines own = layout_.rows(self_, k, k + 1);
            co_await share_with_all(own.count > 0 ? multiplier(k, own.first, self_, own) : 0,
                                    own.count);
            co_return;
        }
        Collectives::Group row = layout_.grid_row_of(self_);
        const std::int32_t root = row.first + layout_.owner(0, k) % layout_.grid_columns();
        const Lines theirs = layout_.rows(root, k, k + 1);
        row.count = theirs.count > 0 ? row.count : 0;
        co_await share(kernel_.multipliers(k), theirs.count, root, row);
    }

    Task share_pivot_row(std::int64_t k) {
        if (layout_.grid_rows() == 1 && layout_.is_grid()) {
            co_return;  // columns: the pivot row's elements are already on the nodes that need them
        }
        const Lines own = layout_.columns(self_, k, k + 1);
        if (own.count > 0) {
            co_await copy_out(k, own, pivot(k, own.first, self_, own));
        }
        if (!layout_.is_grid()) {
            co_await share_with_all(own.count > 0 ? pivot(k, own.first, self_, own) : 0, own.count);
            co_return;
        }
        Collectives::Group column = layout_.grid_column_of(self_);
        const std::int32_t root =
            column.first + layout_.owner(k, 0) / layout_.grid_columns() * column.stride;
        const Lines theirs = layout_.columns(root, k, k + 1);
        column.count = theirs.count > 0 ? column.count : 0;
        co_await share(kernel_.pivots(k), theirs.count, root, column);
    }

    Task share(std::uint32_t address, std::int64_t reals, std::int32_t root,
               Collectives::Group group) {
        const std::uint32_t words = words_of_reals(reals);
        return kernel_.parameters_.broadcast.value() == Broadcast::kScattered
                   ? collectives_.scattered_broadcast(address, words, hw::NodeId(root), group)
                   : collectives_.broadcast(address, words, hw::NodeId(root), group);
    }

    // Sends a piece to the same address on every node.
    Task share_with_all(std::uint32_t address, std::int64_t reals) {
        const Collectives::Piece piece{address, address, words_of_reals(reals)};
        co_await collectives_.all_to_all([piece](hw::NodeId /*destination*/) { return piece; });
    }

    Task update(std::int64_t k) {
        for (std::int64_t j = k + 1; j < kernel_.rows(); ++j) {
            const Lines own = layout_.rows(self_, j, k + 1);
            if (own.count == 0) {
                continue;
            }
            const double in_pivot_row = co_await processor().load_real(pivot_address(k, j));
            const std::int32_t holder = layout_.owner(own.first, k);
            const Lines theirs = layout_.rows(holder, k, k + 1);
            for (std::int64_t n = 0; n < own.count; ++n) {
                const std::int64_t i = own.at(n);
                const double multiplied =
                    co_await processor().load_real(multiplier(k, i, holder, theirs));
                const double element = co_await processor().load_real(kernel_.element(i, j));
                co_await processor().compute(kernel_.parameters_.update_cycles.value());
                co_await processor().store_real(kernel_.element(i, j),
                                                element - multiplied * in_pivot_row);
            }
        }
    }

    /// Address of step k's multiplier of row i; `theirs` are the rows at `holder`, row i among
    /// them. With the bad layout, each holder's multipliers follow those of the previous holder.
    [[nodiscard]] std::uint32_t multiplier(std::int64_t k, std::int64_t i, std::int32_t holder,
                                           Lines theirs) const {
        const std::int64_t before = layout_.is_grid() ? 0 : holder * kernel_.columns_each_;
        return kernel_.multipliers(k) + bytes_of_reals(before + theirs.index_of(i));
    }
    /// Address of step k's pivot in column j, with the same arguments.
    [[nodiscard]] std::uint32_t pivot(std::int64_t k, std::int64_t j, std::int32_t holder,
                                      Lines theirs) const {
        const std::int64_t before = layout_.is_grid() ? 0 : holder * kernel_.columns_each_;
        return kernel_.pivots(k) + bytes_of_reals(before + theirs.index_of(j));
    }
    [[nodiscard]] std::uint32_t pivot_address(std::int64_t k, std::int64_t j) const {
        if (layout_.is_grid() && layout_.grid_rows() == 1) {
            return kernel_.element(k, j);
        }
        const std::int32_t holder = layout_.owner(k, j);
        return pivot(k, j, holder, layout_.columns(holder, k, k + 1));
    }

    const LuLayout& layout_ = kernel_.layout();
    Collectives collectives_{processor(), messages()};
    double pivot_ = 0.0;  // element of the current step's pivot
    std::int64_t pivot_row_ = 0;
};

std::uint32_t Lu::element(std::int64_t i, std::int64_t j) const {
    return bytes_of_reals(layout().place(i, j));
}

std::uint32_t Lu::multipliers(std::int64_t step) const {
    return bytes_of_reals(rows() * rows() / node_count_ + step * shared_rows_);
}

std::uint32_t Lu::pivots(std::int64_t step) const {
    return multipliers(steps()) + bytes_of_reals(step * shared_columns_);
}

std::uint32_t Lu::incoming(std::int64_t step, bool is_of_pivot_row) const {
    return pivots(steps()) + bytes_of_reals((2 * step + (is_of_pivot_row ? 1 : 0)) * columns_each_);
}

std::uint32_t Lu::outgoing(bool is_of_pivot_row) const {
    return incoming(steps(), is_of_pivot_row);
}

std::uint32_t Lu::found(std::int64_t step) const {
    return incoming(steps() + 1, false) + static_cast<std::uint32_t>(step) * kFoundBytes;
}

std::uint32_t Lu::others_found(std::int64_t step) const {
    return found(steps()) + static_cast<std::uint32_t>(step * kMostRounds) * kFoundBytes;
}

std::uint32_t Lu::end_of_data() const { return others_found(steps()); }

void Lu::place(const nodes::MachineShape& machine, nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine);
    shared_rows_ = rows() / layout().grid_rows();
    shared_columns_ = layout().is_grid() ? rows() / layout().grid_columns() : rows();
    columns_each_ = rows() / layout().grid_columns();
    const std::int64_t reals_a_row = rows() / node_count_ + 1 + shared_rows_ + shared_columns_ +
                                     2 * columns_each_ + 4 + 2 * kMostRounds;
    const double needed = 8.0 * static_cast<double>(rows()) * static_cast<double>(reals_a_row);
    if (needed > static_cast<double>(machine.memory_bytes.count())) {
        throw InputFault("workload.rows",
                         std::to_string(rows()) + " need about " +
                             std::to_string(static_cast<std::int64_t>(needed / 1024)) +
                             " KB of each node's memory, which has " +
                             std::to_string(machine.memory_bytes.count() / 1024),
                         "fewer rows, or a larger memory.bytes");
    }
}

std::uint32_t Lu::pivot_row_address(std::int64_t step) const { return found(step) + kFoundRow; }

Lu::Facts Lu::facts() const {
    return {.layout = parameters_.layout.value(),
            .rows = static_cast<double>(rows()),
            .update_cycles = static_cast<double>(parameters_.update_cycles.value().count()),
            .values_per_message = static_cast<double>(Collectives::kWordsPerMessage) / kRealWords};
}

}  // namespace weir::firmware
