#include "firmware/kernels/shared_wavefront/shared_wavefront.h"

#include <algorithm>
#include <array>

#include "firmware/grid_strips.h"
#include "firmware/sparcle/big_endian_doubles.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::uint32_t kValueBytes = 8;
constexpr std::uint32_t kFlag = 8;  // offset of the flag from its value

// Next value of an element. The order of operations is fixed, because the last bit depends on it.
double next_value(double own, double neighbour, double before) {
    return (own + (neighbour + before) * 0.4) * 0.5;
}

}  // namespace

class SharedWavefront::Program final : public ProgramOf<SharedWavefront> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        co_await reset(true);
        co_await reset(false);
        co_await meet();
        processor().trace_mark(kProgramBegins, 0);
        for (iteration_ = 1; iteration_ <= kernel_.parameters_.iterations.value(); ++iteration_) {
            for (const bool forth : {true, false}) {
                co_await cross(forth);
                co_await meet();
                ++kernel_.done_;
            }
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    // Position of the node in the order of the wave.
    [[nodiscard]] std::int64_t place(bool forth) const {
        return forth ? self_ : kernel_.node_count_ - 1 - self_;
    }
    [[nodiscard]] const JStructure& own(bool forth) const {
        return (forth ? kernel_.forward_ : kernel_.backward_).at(self_);
    }
    [[nodiscard]] const JStructure& before(bool forth) const {
        const std::int64_t node = self_ + (forth ? -1 : 1);
        return (forth ? kernel_.forward_ : kernel_.backward_).at(node);
    }

    Task meet() { return kernel_.barrier_->meet(processor(), ++meetings_); }

    Task reset(bool forth) {
        for (std::int64_t i = 0; how_ == Synchronization::kJStructures && i < grid_; ++i) {
            co_await own(forth).reset(processor(), i);
        }
    }

    // Computes the grid once in one direction. No node reads the previous direction's boundary
    // values any more, so they can be reset.
    Task cross(bool forth) {
        const bool is_first = iteration_ == 1 && forth;
        if (!is_first) {
            co_await reset(!forth);
        }
        if (how_ != Synchronization::kBarrier) {
            co_await compute_columns(forth, 0, grid_);
            co_return;
        }
        const std::int64_t block = kernel_.parameters_.block.value();
        const std::int64_t blocks = (grid_ + block - 1) / block;
        const std::int64_t steps = blocks + kernel_.node_count_ - 1;
        for (std::int64_t step = 0; step < steps; ++step) {
            const std::int64_t mine = step - place(forth);
            if (mine >= 0 && mine < blocks) {
                co_await compute_columns(forth, mine * block, std::min(grid_, (mine + 1) * block));
            }
            if (step + 1 < steps) {
                co_await meet();
            }
        }
    }

    // Columns and rows are counted in the direction of the wave.
    Task compute_columns(bool forth, std::int64_t begin, std::int64_t end) {
        nodes::Processor& core = processor();
        const hw::Cycles arithmetic = kernel_.parameters_.arithmetic_cycles.value();
        const std::int64_t rows = kernel_.rows_;
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t column = forth ? i : grid_ - 1 - i;
            double neighbour = 0.0;
            if (place(forth) > 0) {
                co_await wait_for(before(forth), column);
                neighbour = co_await value_of(before(forth), column);
            }
            for (std::int64_t j = 0; j < rows; ++j) {
                const std::int64_t row = self_ * rows + (forth ? j : rows - 1 - j);
                const std::uint32_t at = kernel_.address(row, column);
                const double value = co_await core.load_real(at);
                double previous = 0.0;
                if (i > 0) {
                    previous =
                        co_await core.load_real(kernel_.address(row, column + (forth ? -1 : 1)));
                }
                co_await core.compute(arithmetic);
                neighbour = next_value(value, neighbour, previous);
                co_await core.store_real(at, neighbour);
            }
            co_await hand_on(own(forth), column, neighbour);
        }
    }

    // Waits for a neighbour's value in software if flags are used; with J-structures the load
    // itself waits.
    Task wait_for(const JStructure& values, std::int64_t column) {
        if (how_ == Synchronization::kFlags) {
            co_await spin_until({.processor = processor()}, values.address(column) + kFlag,
                                static_cast<std::uint32_t>(iteration_));
        }
    }
    nodes::Processor::RealAwaiter value_of(const JStructure& values, std::int64_t column) {
        return how_ == Synchronization::kJStructures
                   ? values.read(processor(), column)
                   : processor().load_real(values.address(column));
    }
    Task hand_on(const JStructure& values, std::int64_t column, double value) {
        if (how_ == Synchronization::kJStructures) {
            co_await values.write(processor(), column, value);
            co_return;
        }
        co_await processor().store_real(values.address(column), value);
        if (how_ == Synchronization::kFlags) {
            co_await processor().store(values.address(column) + kFlag,
                                       static_cast<std::uint32_t>(iteration_));
        }
    }

    std::int64_t grid_ = kernel_.parameters_.grid.value();
    Synchronization how_ = kernel_.parameters_.synchronization.value();
    std::int64_t iteration_ = 1;
    std::uint32_t meetings_ = 0;
};

std::uint32_t SharedWavefront::first_of(const JStructure& values) const {
    return in_one_piece(values.address(0), values.address(parameters_.grid.value() - 1),
                        spacing() * (parameters_.grid.value() - 1));
}

std::uint32_t SharedWavefront::strip_of(hw::NodeId node) const {
    const std::int64_t first = node.index() * rows_;
    const std::int64_t grid = parameters_.grid.value();
    return in_one_piece(address(first, 0), address(first + rows_ - 1, grid - 1),
                        (rows_ * grid - 1) * kValueBytes);
}

std::uint32_t SharedWavefront::in_one_piece(std::uint32_t first, std::uint32_t last,
                                            std::int64_t bytes) {
    if (last - first != bytes) {
        throw InputFault("coherence.home", "the compiled shared-wavefront needs contiguous values",
                         "\"segment\", which makes each node's shared memory contiguous");
    }
    return first;
}

// A flag's word fits into the line of its value.
std::int64_t SharedWavefront::spacing() const {
    const bool has_flags = parameters_.synchronization.value() == Synchronization::kFlags;
    return has_flags ? kSharedLine : kValueBytes;
}

std::uint32_t SharedWavefront::address(std::int64_t row, std::int64_t column) const {
    const hw::NodeId home(static_cast<std::int32_t>(row / rows_));
    const std::int64_t value = row % rows_ * parameters_.grid.value() + column;
    return machine_.shared_address(home,
                                   strips_[home] + static_cast<std::uint32_t>(value) * kValueBytes);
}

void SharedWavefront::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                              nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    machine_ = machine;
    const std::int64_t grid = parameters_.grid.value();
    rows_ = rows_of_each_node(grid, node_count_);
    SharedAllocator allocator(machine);
    barrier_.emplace(allocator, node_count_);
    forward_.clear();
    backward_.clear();
    const auto strip = static_cast<std::uint32_t>(rows_ * grid) * kValueBytes;
    for (std::int32_t node = 0; node < node_count_; ++node) {
        const hw::NodeId home(node);
        for (std::vector<JStructure>* values : {&forward_, &backward_}) {
            values->emplace_back(allocator, machine_, home, static_cast<std::uint32_t>(grid),
                                 static_cast<std::uint32_t>(spacing()));
        }
    }
    strips_.clear();
    for (std::int32_t node = 0; node < node_count_; ++node) {
        strips_.push_back(allocator.allocate(hw::NodeId(node), strip, HomePlacement::kApart, 0));
    }
    hw::RandomStream random(seed, hw::NodeId(0), "wavefront's grid");
    answer_.resize(grid * grid);
    for (std::int64_t row = 0; row < grid; ++row) {
        for (std::int64_t column = 0; column < grid; ++column) {
            const std::array<double, 1> value{static_cast<double>(random.below(1U << 20U))};
            answer_[row * grid + column] = value[0];
            memory.write<double>(hw::NodeId(0), address(row, column), value);
        }
    }
    const auto at = [&](std::int64_t row, std::int64_t column) -> double& {
        return answer_[row * grid + column];
    };
    for (std::int64_t i = 0; i < parameters_.iterations.value(); ++i) {
        for (std::int64_t row = 0; row < grid; ++row) {
            for (std::int64_t column = 0; column < grid; ++column) {
                at(row, column) = next_value(at(row, column), row > 0 ? at(row - 1, column) : 0.0,
                                             column > 0 ? at(row, column - 1) : 0.0);
            }
        }
        for (std::int64_t row = grid - 1; row >= 0; --row) {
            for (std::int64_t column = grid - 1; column >= 0; --column) {
                at(row, column) =
                    next_value(at(row, column), row + 1 < grid ? at(row + 1, column) : 0.0,
                               column + 1 < grid ? at(row, column + 1) : 0.0);
            }
        }
    }
}

std::optional<std::string> SharedWavefront::check(nodes::MemoryAccess& memory) {
    const std::int64_t grid = parameters_.grid.value();
    return fault_of_rows(
        0, grid, grid,
        [&](std::int64_t row, std::int64_t column) {
            std::array<double, 1> found{};
            memory.read<double>(hw::NodeId(0), address(row, column), found);
            return found[0];
        },
        [&](std::int64_t row, std::int64_t column) { return answer_[row * grid + column]; });
}

void CompiledSharedWavefront::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                         ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    twin().prepare(machine, seed, doubles);
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        const bool is_first = index == 0;
        const bool is_last = index + 1 == machine.node_count();
        memory.write_words(node, "weir_parameters",
                           {static_cast<std::uint32_t>(workload().grid.value()),
                            static_cast<std::uint32_t>(twin().rows()),
                            static_cast<std::uint32_t>(workload().iterations.value()),
                            static_cast<std::uint32_t>(workload().synchronization.value()),
                            static_cast<std::uint32_t>(workload().block.value()),
                            static_cast<std::uint32_t>(twin().spacing()), twin().strip_of(node),
                            twin().handed(node, true), twin().handed(node, false),
                            is_first ? 0 : twin().handed(hw::NodeId(index - 1), true),
                            is_last ? 0 : twin().handed(hw::NodeId(index + 1), false)});
    }
}

std::optional<std::string> CompiledSharedWavefront::check_answer(ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    return twin().check(doubles);
}

}  // namespace weir::firmware
