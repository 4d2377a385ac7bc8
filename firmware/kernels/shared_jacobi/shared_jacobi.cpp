#include "firmware/kernels/shared_jacobi/shared_jacobi.h"

#include <algorithm>
#include <array>

#include "firmware/grid_strips.h"
#include "firmware/sparcle/big_endian_doubles.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::int64_t kPageBytes = 4096;

}  // namespace

class SharedJacobi::Program final : public ProgramOf<SharedJacobi> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < kernel_.parameters_.iterations.value(); ++i) {
            co_await relax(i);
            co_await kernel_.barrier_->meet(processor(), static_cast<std::uint32_t>(i + 1));
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    Task relax(std::int64_t i) {
        nodes::Processor& core = processor();
        const hw::Cycles arithmetic = kernel_.parameters_.arithmetic_cycles.value();
        const std::int64_t first = core.node().index() * kernel_.rows_;
        const std::int64_t ahead = kernel_.parameters_.prefetch_lines.value();
        for (std::int64_t row = first; row < first + kernel_.rows_; ++row) {
            for (std::int64_t line = 0; ahead > 0 && line <= ahead; ++line) {
                co_await prefetch(i, row, line * kLineValues - 1);
            }
            double west = co_await core.load_real(kernel_.address(i, row, -1));
            double centre = co_await core.load_real(kernel_.address(i, row, 0));
            for (std::int64_t column = 0; column < kernel_.parameters_.grid.value(); ++column) {
                if (ahead > 0 && column % kLineValues == 1) {
                    co_await prefetch(i, row, column + ahead * kLineValues);
                }
                const double north = co_await core.load_real(kernel_.address(i, row - 1, column));
                const double south = co_await core.load_real(kernel_.address(i, row + 1, column));
                const double east = co_await core.load_real(kernel_.address(i, row, column + 1));
                co_await core.compute(arithmetic);
                co_await core.store_real(kernel_.address(i + 1, row, column),
                                         relaxed(centre, north, south, west, east));
                west = centre;
                centre = east;
            }
        }
    }

    // Prefetches the lines that begin at this column. Columns are counted from -1, where a row's
    // first line begins.
    Task prefetch(std::int64_t i, std::int64_t row, std::int64_t column) {
        nodes::Processor& core = processor();
        if (column > kernel_.parameters_.grid.value()) {
            co_return;
        }
        for (const std::int64_t neighbour : {row - 1, row + 1}) {
            if (kernel_.owner(neighbour) != core.node()) {
                co_await core.prefetch(kernel_.address(i, neighbour, column));
            }
        }
        co_await core.prefetch_to_write(kernel_.address(i + 1, row, column));
    }

    static constexpr std::int64_t kLineValues = kSharedLine / kValueBytes;
};

// The rim's rows are at the homes of the grid's first and last row.
hw::NodeId SharedJacobi::owner(std::int64_t row) const {
    const std::int64_t within = std::clamp(row, std::int64_t{0}, parameters_.grid.value() - 1);
    return hw::NodeId(static_cast<std::int32_t>(within / rows_));
}

std::uint32_t SharedJacobi::address(std::int64_t iteration, std::int64_t row,
                                    std::int64_t column) const {
    if (parameters_.placement.value() == Placement::kSpread) {
        const std::int64_t grid = parameters_.grid.value();
        const std::int64_t value = (iteration % 2 * (grid + 2) + row + 1) * (grid + 2) + column + 1;
        return machine_.shared_address(hw::NodeId(0), 0) + first_ +
               static_cast<std::uint32_t>(value) * kValueBytes;
    }
    const hw::NodeId home = owner(row);
    const std::int64_t row_there = row - home.index() * rows_ + 1;
    const std::int64_t of_both = iteration % 2 * (rows_ + 2) + row_there;
    const std::int64_t value = of_both * (parameters_.grid.value() + 2) + column + 1;
    return machine_.shared_address(home, first_ + static_cast<std::uint32_t>(value) * kValueBytes);
}

std::uint32_t SharedJacobi::row_at(std::int64_t parity, std::int64_t row) const {
    const std::uint32_t begin = address(parity, row, -1);
    for (std::int64_t column = 0; column <= parameters_.grid.value(); ++column) {
        if (address(parity, row, column) !=
            begin + static_cast<std::uint32_t>(column + 1) * kValueBytes) {
            throw InputFault("workload.placement",
                             "found \"owner\", but coherence.home splits a row of the compiled "
                             "shared-jacobi",
                             R"("spread", or coherence.home = "segment")");
        }
    }
    return begin + kValueBytes;
}

// Places the grid after the barrier's words, which take less than a page at any node.
void SharedJacobi::place_grid(SharedAllocator& allocator) {
    const std::int64_t grid = parameters_.grid.value();
    first_ = static_cast<std::uint32_t>(kPageBytes);
    if (parameters_.placement.value() == Placement::kOwner) {
        const auto bytes = static_cast<std::uint32_t>(2 * (rows_ + 2) * (grid + 2)) * kValueBytes;
        for (std::int32_t node = 0; node < node_count_; ++node) {
            allocator.allocate(hw::NodeId(node), first_ + bytes);
        }
        return;
    }
    first_ *= static_cast<std::uint32_t>(node_count_);
    const std::int64_t all = machine_.shared_bytes.count() * node_count_;
    const std::int64_t end = first_ + 2 * (grid + 2) * (grid + 2) * kValueBytes;
    if (end > all) {
        throw InputFault("coherence.shared_bytes",
                         "found " + std::to_string(machine_.shared_bytes.count()) +
                             ", and the program's data take " + std::to_string(end) +
                             " bytes of all nodes together",
                         "a larger one, or a smaller workload.grid");
    }
}

void SharedJacobi::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                           nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    machine_ = machine;
    const std::int64_t grid = parameters_.grid.value();
    rows_ = rows_of_each_node(grid, node_count_);
    SharedAllocator allocator(machine);
    barrier_.emplace(allocator, node_count_);
    place_grid(allocator);
    Relaxation start(grid, grid, seed, "jacobi's grid");
    for (std::int64_t row = -1; row <= grid; ++row) {
        for (std::int64_t column = -1; column <= grid; ++column) {
            const std::array<double, 1> value{start.at(row, column)};
            for (const std::int64_t iteration : {0, 1}) {
                memory.write<double>(hw::NodeId(0), address(iteration, row, column), value);
            }
        }
    }
    for (std::int64_t i = 0; i < parameters_.iterations.value(); ++i) {
        start.step();
    }
    answer_ = std::move(start);
}

std::optional<std::string> SharedJacobi::check(nodes::MemoryAccess& memory) {
    const std::int64_t grid = parameters_.grid.value();
    return fault_of_rows(
        0, grid, grid,
        [&](std::int64_t row, std::int64_t column) {
            std::array<double, 1> found{};
            memory.read<double>(hw::NodeId(0), address(parameters_.iterations.value(), row, column),
                                found);
            return found[0];
        },
        [this](std::int64_t row, std::int64_t column) { return answer_->at(row, column); });
}

void CompiledSharedJacobi::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                      ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    twin().prepare(machine, seed, doubles);
    const std::int64_t rows = twin().rows();
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        std::vector<std::uint32_t> addresses;
        for (const std::int64_t parity : {0, 1}) {
            for (std::int64_t row = -1; row <= rows; ++row) {
                addresses.push_back(twin().row_at(parity, index * rows + row));
            }
        }
        const std::uint32_t table =
            memory.allot(node, addresses.size(), sizeof(std::uint32_t), "the rows' addresses");
        memory.write_words(node, table, addresses);
        memory.write_words(
            node, "weir_parameters",
            {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(workload().grid.value()),
             static_cast<std::uint32_t>(workload().iterations.value()),
             static_cast<std::uint32_t>(workload().prefetch_lines.value()), table});
    }
}

std::optional<std::string> CompiledSharedJacobi::check_answer(ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    return twin().check(doubles);
}

}  // namespace weir::firmware
