#include "firmware/kernels/boundary_exchange/boundary_exchange.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

namespace weir::firmware {

using nodes::Task;

namespace {

const char* name_of(Side side) {
    constexpr std::array<const char*, 4> kNames{"west", "east", "north", "south"};
    return kNames[index_of(side)];
}

bool is_same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

class BoundaryExchange::Program final : public ProgramOf<BoundaryExchange> {
  public:
    Program(BoundaryExchange& kernel, nodes::Processor& processor,
            const ActiveMessages::Parameters& parameters)
        : ProgramOf(kernel, processor, parameters) {
        for (const Side side : kSides) {
            neighbours_[index_of(side)] = kernel.neighbour(processor.node(), side);
            receive_[index_of(side)] =
                messages().add_handler([this, side] { return receive_edge(side); });
        }
    }

    Task thread() override {
        processor().trace_mark(kProgramBegins, 0);
        const std::int64_t steps = kernel_.parameters_.steps.value();
        for (std::int64_t step = 0; step < steps; ++step) {
            co_await pack_columns(step);
            co_await send_edges(step);
            co_await wait_for_edges(step);
            co_await unpack_columns(step);
            for (const Side side : kSides) {
                if (neighbours_[index_of(side)]) {
                    kernel_.check_halo(processor().node(), step, side);
                }
            }
            co_await relax(step);
            // The next step packs into the same buffers, and writes the array whose rows are being
            // sent.
            co_await messages().wait_body_sent();
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    Task pack_columns(std::int64_t step) {
        processor().trace_mark("pack_begin", step);
        for (const Side side : kSides) {
            if (neighbours_[index_of(side)] && is_column(side)) {
                co_await copy(layout_.edge(step, side), layout_.edge_stride(side),
                              layout_.send_buffer(side), BlockLayout::kValueBytes);
            }
        }
        processor().trace_mark("pack_end", step);
    }

    Task send_edges(std::int64_t step) {
        processor().trace_mark("send_begin", step);
        for (const Side side : kSides) {
            const std::optional<hw::NodeId> neighbour = neighbours_[index_of(side)];
            if (!neighbour) {
                continue;
            }
            const std::uint32_t address =
                is_column(side) ? layout_.send_buffer(side) : layout_.edge(step, side);
            co_await messages().send_body(
                *neighbour, receive_[index_of(opposite(side))], ActiveMessages::Arguments(),
                {.address = address, .bytes = static_cast<std::uint32_t>(layout_.edge_bytes())});
        }
        processor().trace_mark("send_end", step);
    }

    Task wait_for_edges(std::int64_t step) {
        processor().trace_mark("receive_begin", step);
        for (const Side side : kSides) {
            if (neighbours_[index_of(side)]) {
                co_await messages().wait_stored(stored(step, side));
                stored(step, side) = false;  // step + 2 uses the same flag
            }
        }
        processor().trace_mark("receive_end", step);
    }

    Task unpack_columns(std::int64_t step) {
        processor().trace_mark("unpack_begin", step);
        for (const Side side : kSides) {
            if (neighbours_[index_of(side)] && is_column(side)) {
                co_await copy(layout_.receive_buffer(step, side), BlockLayout::kValueBytes,
                              layout_.halo(step, side), layout_.edge_stride(side));
            }
        }
        processor().trace_mark("unpack_end", step);
    }

    // Each side needs receive buffers for only two steps. A neighbour's messages arrive in the
    // order of steps. The neighbour sends none for step s + 2 before it has this node's message for
    // step s + 1.
    Task receive_edge(Side side) {
        const std::int64_t step = received_[index_of(side)]++;
        const std::uint32_t address =
            is_column(side) ? layout_.receive_buffer(step, side) : layout_.halo(step, side);
        co_await messages().receive_body(address, stored(step, side));
    }

    Task copy(std::uint32_t from, std::uint32_t load_stride, std::uint32_t to,
              std::uint32_t store_stride) {
        for (std::int64_t i = 0; i < block_; ++i) {
            const double value = co_await processor().load_real(from);
            co_await processor().store_real(to, value);
            co_await processor().compute(loop_cycles_);
            from += load_stride;
            to += store_stride;
        }
    }

    Task relax(std::int64_t step) {
        for (std::int64_t row = 0; row < block_; ++row) {
            for (std::int64_t column = 0; column < block_; ++column) {
                nodes::Processor& core = processor();
                const double centre = co_await core.load_real(layout_.value(step, row, column));
                const double north = co_await core.load_real(layout_.value(step, row - 1, column));
                const double south = co_await core.load_real(layout_.value(step, row + 1, column));
                const double west = co_await core.load_real(layout_.value(step, row, column - 1));
                const double east = co_await core.load_real(layout_.value(step, row, column + 1));
                co_await core.compute(arithmetic_cycles_);
                co_await core.store_real(layout_.value(step + 1, row, column),
                                         relaxed(centre, north, south, west, east));
            }
        }
    }

    [[nodiscard]] bool& stored(std::int64_t step, Side side) {
        return stored_[index_of(side)][step % 2];
    }

    BlockLayout layout_{kernel_.layout_};
    std::int64_t block_ = kernel_.parameters_.block.value();
    hw::Cycles loop_cycles_ = kernel_.parameters_.loop_cycles.value();
    hw::Cycles arithmetic_cycles_ = kernel_.parameters_.arithmetic_cycles.value();
    // The following arrays are indexed by the block's side.
    std::array<std::optional<hw::NodeId>, kSides.size()> neighbours_;
    std::array<ActiveMessages::HandlerAddress, kSides.size()> receive_{};
    // Number of messages whose reception has begun.
    std::array<std::int64_t, kSides.size()> received_{};
    // Whether the edge of this step, or of the next one, is in memory.
    std::array<std::array<bool, 2>, kSides.size()> stored_{};
};

void BoundaryExchange::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                               nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    memory_ = &memory;
    lay_out(machine);
    halos_.resize(parameters_.steps.value() * node_count() * kSides.size());
    blocks_.resize(node_count());
    compute_answer(seed);
}

void BoundaryExchange::lay_out(const nodes::MachineShape& machine) {
    width_ = machine.mesh_extents.front();
    height_ = machine.node_count() / width_;
    if (!(exchanges(Side::kEast) && width_ > 1) && !(exchanges(Side::kSouth) && height_ > 1)) {
        throw InputFault("workload.directions",
                         std::string("the blocks form a ") +
                             (width_ > 1 ? "row, and only rows" : "column, and only columns") +
                             " are to be exchanged",
                         "\"both\", or a network of two dimensions");
    }
    layout_ = BlockLayout(parameters_.block.value());
    if (layout_.bytes() > machine.memory_bytes.count()) {
        std::int64_t most = 0;
        while (BlockLayout(most + 1).bytes() <= machine.memory_bytes.count()) {
            ++most;
        }
        const std::string smaller =
            most > 0 ? "at most " + std::to_string(most) + ", or " : std::string();
        throw InputFault("workload.block",
                         "found " + std::to_string(parameters_.block.value()) +
                             ", whose arrays and buffers take " + std::to_string(layout_.bytes()) +
                             " bytes, which do not fit into memory.bytes = " +
                             std::to_string(machine.memory_bytes.count()),
                         smaller + "memory.bytes of at least " + std::to_string(layout_.bytes()));
    }
}

std::optional<NodeLoads> BoundaryExchange::node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t /*seed*/) const {
    const std::int64_t width = machine.mesh_extents.front();
    const std::int64_t height = machine.node_count() / width;
    const auto neighbours = [](std::int64_t at, std::int64_t extent) {
        return (at > 0 ? 1 : 0) + (at + 1 < extent ? 1 : 0);
    };
    const auto steps = static_cast<double>(parameters_.steps.value());
    const auto points = static_cast<double>(block() * block());
    std::vector<NodeLoad> nodes;
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
            const int edges = (exchanges(Side::kEast) ? neighbours(x, width) : 0) +
                              (exchanges(Side::kSouth) ? neighbours(y, height) : 0);
            nodes.push_back({points * steps, 2.0 * edges * steps});
        }
    }
    return node_loads_of(nodes);
}

std::vector<BoundaryExchange::Field> BoundaryExchange::fields() const {
    std::vector<Field> fields;
    const std::int64_t width = exchanges(Side::kEast) ? width_ : 1;
    const std::int64_t height = exchanges(Side::kSouth) ? height_ : 1;
    for (std::int64_t y = 0; y < height_; y += height) {
        for (std::int64_t x = 0; x < width_; x += width) {
            fields.push_back({x, y, width, height});
        }
    }
    return fields;
}

std::vector<BoundaryExchange::Place> BoundaryExchange::places(const Field& field) const {
    const std::int64_t n = parameters_.block.value();
    std::vector<Place> places;
    for (std::int64_t y = 0; y < field.height; ++y) {
        for (std::int64_t x = 0; x < field.width; ++x) {
            const std::int64_t node = (field.first_y + y) * width_ + field.first_x + x;
            places.push_back({hw::NodeId(static_cast<std::int32_t>(node)), y * n, x * n});
        }
    }
    return places;
}

// Runs the sequential program on each field. Fills the nodes' memories with its initial values, and
// keeps the expected halos and blocks.
void BoundaryExchange::compute_answer(std::uint64_t seed) {
    for (const Field& field : fields()) {
        const std::int64_t n = parameters_.block.value();
        Relaxation array(field.height * n, field.width * n, seed,
                         "boundary exchange's array from block " + std::to_string(field.first_x) +
                             ", " + std::to_string(field.first_y));
        const std::vector<Place> in_field = places(field);
        for (const Place& place : in_field) {
            fill_memory(place, array);
        }
        for (std::int64_t step = 0; step < parameters_.steps.value(); ++step) {
            for (const Place& place : in_field) {
                keep_halos(place, step, array);
            }
            array.step();
        }
        for (const Place& place : in_field) {
            keep_block(place, array);
        }
    }
}

// Writes the block to the array that the first step reads, and the field's rim to both arrays. All
// other values are NaN, so that a value that was not received or computed is recognised.
void BoundaryExchange::fill_memory(const Place& place, const Relaxation& array) {
    const std::int64_t n = parameters_.block.value();
    const Values unset(n + 2, std::numeric_limits<double>::quiet_NaN());
    for (const std::int64_t step : {0, 1}) {
        for (std::int64_t row = -1; row <= n; ++row) {
            memory_->write<double>(place.node, layout_.value(step, row, -1), unset);
        }
        for (const Side side : kSides) {
            if (!neighbour(place.node, side)) {
                std::uint32_t address = layout_.halo(step, side);
                for (const double value : halo_of(place, side, array)) {
                    memory_->write<double>(place.node, address, {&value, 1});
                    address += layout_.edge_stride(side);
                }
            }
        }
    }
    const Values block = block_of(place, array);
    for (std::int64_t row = 0; row < n; ++row) {
        memory_->write<double>(place.node, layout_.value(0, row, 0),
                               std::span(block).subspan(row * n, n));
    }
}

void BoundaryExchange::keep_halos(const Place& place, std::int64_t step, const Relaxation& array) {
    for (const Side side : kSides) {
        if (neighbour(place.node, side)) {
            expected_halo(place.node, step, side) = halo_of(place, side, array);
            ++halos_to_check_;
        }
    }
}

void BoundaryExchange::keep_block(const Place& place, const Relaxation& array) {
    blocks_[place.node] = block_of(place, array);
}

BoundaryExchange::Values BoundaryExchange::halo_of(const Place& place, Side side,
                                                   const Relaxation& array) const {
    const std::int64_t n = parameters_.block.value();
    const std::int64_t across = side == Side::kWest || side == Side::kNorth ? -1 : n;
    Values halo;
    for (std::int64_t along = 0; along < n; ++along) {
        halo.push_back(is_column(side) ? array.at(place.row + along, place.column + across)
                                       : array.at(place.row + across, place.column + along));
    }
    return halo;
}

BoundaryExchange::Values BoundaryExchange::block_of(const Place& place,
                                                    const Relaxation& array) const {
    const std::int64_t n = parameters_.block.value();
    Values block;
    for (std::int64_t row = 0; row < n; ++row) {
        for (std::int64_t column = 0; column < n; ++column) {
            block.push_back(array.at(place.row + row, place.column + column));
        }
    }
    return block;
}

std::optional<hw::NodeId> BoundaryExchange::neighbour(hw::NodeId node, Side side) const {
    if (!exchanges(side)) {
        return std::nullopt;
    }
    const std::int64_t step = side == Side::kWest || side == Side::kNorth ? -1 : 1;
    const std::int64_t x = node.index() % width_ + (is_column(side) ? step : 0);
    const std::int64_t y = node.index() / width_ + (is_column(side) ? 0 : step);
    if (x < 0 || x >= width_ || y < 0 || y >= height_) {
        return std::nullopt;
    }
    return hw::NodeId(static_cast<std::int32_t>(y * width_ + x));
}

void BoundaryExchange::check_halo(hw::NodeId node, std::int64_t step, Side side) {
    std::uint32_t address = layout_.halo(step, side);
    for (const double expected : expected_halo(node, step, side)) {
        double value = 0.0;
        memory_->read<double>(node, address, {&value, 1});
        if (!is_same(value, expected)) {
            wrong_.note(step, node,
                        std::string("the halo in the ") + name_of(side) + " of node " +
                            std::to_string(node.index()) + " has " + std::to_string(value) +
                            " at address " + std::to_string(address) + " in step " +
                            std::to_string(step) + ", the sequential program has " +
                            std::to_string(expected));
            return;
        }
        address += layout_.edge_stride(side);
    }
    ++halos_right_;
}

std::optional<std::string> BoundaryExchange::check(nodes::MemoryAccess& memory) {
    if (auto wrong = wrong_.fault()) {
        return wrong;
    }
    if (halos_right_ != halos_to_check_) {
        return std::to_string(halos_right_) + " halos have arrived, of " +
               std::to_string(halos_to_check_);
    }
    const std::int64_t n = parameters_.block.value();
    Values found(n);
    for (std::size_t node = 0; node < node_count(); ++node) {
        for (std::int64_t row = 0; row < n; ++row) {
            memory.read<double>(hw::NodeId(static_cast<std::int32_t>(node)),
                                layout_.value(parameters_.steps.value(), row, 0), found);
            const auto expected = blocks_[node].begin() + row * n;
            const auto [in_found, in_expected] =
                std::mismatch(found.begin(), found.end(), expected, is_same);
            if (in_found != found.end()) {
                return "row " + std::to_string(row) + ", column " +
                       std::to_string(in_found - found.begin()) + " of node " +
                       std::to_string(node) + "'s block is " + std::to_string(*in_found) +
                       ", the sequential program gives " + std::to_string(*in_expected);
            }
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
