#include "firmware/kernels/jacobi/jacobi.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "firmware/grid_strips.h"

namespace weir::firmware {

using nodes::Task;

class Jacobi::Program final : public ProgramOf<Jacobi> {
  public:
    Program(Jacobi& kernel, nodes::Processor& processor,
            const ActiveMessages::Parameters& parameters)
        : ProgramOf(kernel, processor, parameters) {
        for (const auto& neighbour : neighbours_) {
            expected_ += neighbour ? (kernel.sends_bodies() ? 1 : columns_) : 0;
        }
    }

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < kernel_.parameters_.iterations.value(); ++i) {
            processor().trace_mark(kExchangeBegins, i);
            co_await send_rows(i);
            co_await wait_for_rows(i);
            processor().trace_mark(kExchangeEnds, i);
            co_await relax(i);
            // The next iteration overwrites the rows that are being sent.
            if (kernel_.sends_bodies()) {
                co_await messages().wait_body_sent();
            }
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    static constexpr std::size_t kNorth = 0;
    static constexpr std::size_t kSouth = 1;

    // This node's first row is the southern halo of its northern neighbour; its last row is the
    // northern halo of its southern neighbour.
    Task send_rows(std::int64_t iteration) {
        for (const std::size_t side : {kNorth, kSouth}) {
            if (!neighbours_[side]) {
                continue;
            }
            const hw::NodeId neighbour(*neighbours_[side]);
            const std::uint32_t from =
                kernel_.offset(iteration, side == kNorth ? 0 : kernel_.rows_ - 1, 0);
            const std::uint32_t to =
                kernel_.offset(iteration, side == kNorth ? kernel_.rows_ : -1, 0);
            if (kernel_.sends_bodies()) {
                const auto bytes = static_cast<std::uint32_t>(columns_) * kValueBytes;
                const auto arrival = static_cast<std::uint32_t>(stored_index(iteration, 1 - side));
                co_await messages().send_body(neighbour, store_row_, {to, arrival}, {from, bytes});
            } else {
                co_await send_values(neighbour, store_[parity(iteration)], from, to);
            }
        }
    }

    Task send_values(hw::NodeId neighbour, ActiveMessages::HandlerAddress store, std::uint32_t from,
                     std::uint32_t to) {
        const hw::Cycles loop = kernel_.parameters_.loop_cycles.value();
        const bool polls = processor().receive_mode() == nodes::ReceiveMode::kPolling;
        const std::uint32_t end = from + static_cast<std::uint32_t>(columns_) * kValueBytes;
        for (; from != end; from += kValueBytes, to += kValueBytes) {
            const double value = co_await processor().load_real(from);
            co_await processor().compute(loop);
            const auto bits = std::bit_cast<std::uint64_t>(value);
            co_await messages().send(
                neighbour, store,
                {to, static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)});
            if (polls) {
                co_await processor().wait_until(processor().now() + hw::Cycles(1));
            }
        }
    }

    Task store_value(std::size_t parity) {
        const std::uint32_t address = co_await messages().argument(0);
        const std::uint64_t high = co_await messages().argument(1);
        const std::uint64_t low = co_await messages().argument(2);
        co_await processor().store_real(address, std::bit_cast<double>(high << 32 | low));
        co_await processor().compute(kernel_.parameters_.handler_work_cycles.value());
        count(parity);
    }

    Task store_row() {
        const std::uint32_t address = co_await messages().argument(0);
        const std::uint32_t arrival = co_await messages().argument(1);
        co_await processor().compute(kernel_.parameters_.handler_work_cycles.value());
        co_await messages().receive_body(address, row_stored_.at(arrival));
        count(arrival / 2);
    }

    void count(std::size_t parity) { all_have_come_[parity] = ++come_[parity] == expected_; }

    // Resets the count for the iteration after the next. No value of that iteration can arrive
    // before this node has sent its rows of the next iteration.
    Task wait_for_rows(std::int64_t iteration) {
        if (expected_ == 0) {
            co_return;
        }
        bool& all_have_come = all_have_come_[parity(iteration)];
        co_await processor().wait_for(all_have_come);
        all_have_come = false;
        come_[parity(iteration)] = 0;
        for (const std::size_t side : {kNorth, kSouth}) {
            if (kernel_.sends_bodies() && neighbours_[side]) {
                bool& stored = row_stored_[stored_index(iteration, side)];
                co_await messages().wait_stored(stored);
                stored = false;
            }
        }
    }

    Task relax(std::int64_t iteration) {
        const hw::Cycles arithmetic = kernel_.parameters_.arithmetic_cycles.value();
        nodes::Processor& core = processor();
        for (std::int64_t row = 0; row < kernel_.rows_; ++row) {
            double west = co_await core.load_real(kernel_.offset(iteration, row, -1));
            double centre = co_await core.load_real(kernel_.offset(iteration, row, 0));
            for (std::int64_t column = 0; column < columns_; ++column) {
                const double north =
                    co_await core.load_real(kernel_.offset(iteration, row - 1, column));
                const double south =
                    co_await core.load_real(kernel_.offset(iteration, row + 1, column));
                const double east =
                    co_await core.load_real(kernel_.offset(iteration, row, column + 1));
                co_await core.compute(arithmetic);
                co_await core.store_real(kernel_.offset(iteration + 1, row, column),
                                         relaxed(centre, north, south, west, east));
                west = centre;
                centre = east;
            }
        }
    }

    [[nodiscard]] static std::size_t parity(std::int64_t iteration) { return iteration % 2; }
    [[nodiscard]] static std::size_t stored_index(std::int64_t iteration, std::size_t side) {
        return 2 * parity(iteration) + side;
    }

    const std::int64_t columns_ = kernel_.parameters_.grid.value();
    const std::array<std::optional<std::int32_t>, 2> neighbours_{
        kernel_.neighbours(processor().node().index())};
    std::array<ActiveMessages::HandlerAddress, 2> store_{
        messages().add_handler([this] { return store_value(0); }),
        messages().add_handler([this] { return store_value(1); })};  // for each parity
    ActiveMessages::HandlerAddress store_row_ =
        messages().add_handler([this] { return store_row(); });
    // Number of values or rows that the node receives in each iteration.
    std::int64_t expected_ = 0;
    // Number of values or rows that have arrived, by the iteration's parity.
    std::array<std::int64_t, 2> come_{};
    std::array<bool, 2> all_have_come_{};  // by the iteration's parity
    // Whether a neighbour's row is in memory, by the iteration's parity and the neighbour's side.
    std::array<bool, 4> row_stored_{};
};

std::array<std::optional<std::int32_t>, 2> Jacobi::neighbours(std::int32_t node) const {
    return {node > 0 ? std::optional(node - 1) : std::nullopt,
            node + 1 < node_count_ ? std::optional(node + 1) : std::nullopt};
}

std::uint32_t Jacobi::offset(std::int64_t iteration, std::int64_t row, std::int64_t column) const {
    const std::int64_t row_of_both = iteration % 2 * (rows_ + 2) + row + 1;
    return static_cast<std::uint32_t>(row_of_both * (parameters_.grid.value() + 2) + column + 1) *
           kValueBytes;
}

std::size_t Jacobi::data_values() const { return 2 * (rows_ + 2) * (parameters_.grid.value() + 2); }

std::vector<double> Jacobi::initial_data(std::int32_t node) const {
    const std::int64_t grid = parameters_.grid.value();
    std::vector<double> data;
    data.reserve(data_values());
    for (const bool is_first : {true, false}) {
        for (std::int64_t row = -1; row <= rows_; ++row) {
            const std::int64_t of_all = node * rows_ + row;
            const bool is_own = row >= 0 && row < rows_;
            for (std::int64_t column = -1; column <= grid; ++column) {
                const bool is_rim = of_all < 0 || of_all == grid || column < 0 || column == grid;
                data.push_back(is_rim || (is_first && is_own)
                                   ? start_->at(of_all, column)
                                   : std::numeric_limits<double>::quiet_NaN());
            }
        }
    }
    return data;
}

void Jacobi::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                     nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    const std::int64_t grid = parameters_.grid.value();
    rows_ = rows_of_each_node(grid, node_count_);
    const auto bytes = static_cast<std::int64_t>(data_values() * kValueBytes);
    if (bytes > machine.memory_bytes.count()) {
        throw InputFault("workload.grid",
                         "found " + std::to_string(grid) + ", of which a node's part takes " +
                             std::to_string(bytes) + " bytes, and memory.bytes is " +
                             std::to_string(machine.memory_bytes.count()),
                         "a smaller grid, or memory.bytes of at least " + std::to_string(bytes));
    }
    start_.emplace(grid, grid, seed, "jacobi's grid");
    answer_ = start_;
    for (std::int64_t i = 0; i < parameters_.iterations.value(); ++i) {
        answer_->step();
    }
    for (std::int32_t node = 0; node < node_count_; ++node) {
        memory.write<double>(hw::NodeId(node), 0, initial_data(node));
    }
}

std::optional<std::string> Jacobi::check(nodes::MemoryAccess& memory) {
    for (std::int32_t node = 0; node < node_count_; ++node) {
        std::vector<double> data(data_values());
        memory.read<double>(hw::NodeId(node), 0, data);
        if (auto wrong = fault_of(node, data)) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::string> Jacobi::fault_of(std::int32_t node,
                                            const std::vector<double>& data) const {
    return fault_of_rows(
        node * rows_, rows_, parameters_.grid.value(),
        [&](std::int64_t row, std::int64_t column) {
            return data[offset(parameters_.iterations.value(), row - node * rows_, column) /
                        kValueBytes];
        },
        [this](std::int64_t row, std::int64_t column) { return answer_->at(row, column); });
}

MessagePattern Jacobi::message_pattern() const {
    return {.body_bytes =
                sends_bodies() ? static_cast<double>(parameters_.grid.value() * kValueBytes) : 0.0,
            .operations_per_node = static_cast<double>(parameters_.iterations.value()),
            .phases = static_cast<double>(parameters_.iterations.value())};
}

Jacobi::Facts Jacobi::facts() const {
    const auto grid = static_cast<double>(parameters_.grid.value());
    return {.points = grid * static_cast<double>(rows_),
            .values = grid * std::min(2, node_count_ - 1),
            .arithmetic_cycles = static_cast<double>(parameters_.arithmetic_cycles.value().count()),
            .loop_cycles = static_cast<double>(parameters_.loop_cycles.value().count())};
}

void CompiledJacobi::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                ImageMemory& memory) {
    if (twin().sends_bodies() && body_send() == kInterrupt) {
        throw InputFault("firmware.body_send",
                         R"(found "interrupt", which the compiled jacobi does not support)",
                         R"("blocking" or "status")");
    }
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        const auto [north, south] = twin().neighbours(index);
        const auto neighbours = static_cast<std::uint32_t>(north.has_value()) +
                                static_cast<std::uint32_t>(south.has_value());
        const auto columns = static_cast<std::uint32_t>(workload().grid.value());
        data_at_ = memory.allot(node, twin().data_values(), Jacobi::kValueBytes, "the grid");
        memory.write_doubles(node, data_at_, twin().initial_data(index));
        memory.write_words(node, "values_to_come", {neighbours * columns, neighbours * columns});
        memory.write_words(
            node, "weir_parameters",
            {static_cast<std::uint32_t>(twin().rows()), columns,
             static_cast<std::uint32_t>(workload().iterations.value()),
             static_cast<std::uint32_t>(north.has_value()),
             static_cast<std::uint32_t>(south.has_value()),
             static_cast<std::uint32_t>(twin().sends_bodies()), body_send(), body_receive(),
             data_at_ + twin().offset(0, 0, 0), data_at_ + twin().offset(1, 0, 0)});
    }
}

std::optional<std::string> CompiledJacobi::check_answer(ImageMemory& memory) {
    for (std::int32_t node = 0; node < memory.node_count(); ++node) {
        const std::vector<double> data =
            memory.read_doubles(hw::NodeId(node), data_at_, twin().data_values());
        if (auto wrong = twin().fault_of(node, data)) {
            return wrong;
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
