#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/kernels/boundary_exchange/block_layout.h"
#include "firmware/kernels/boundary_exchange/relaxation.h"
#include "firmware/kernels/built_in_kernel.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// A two-dimensional array of doubles, a block of n x n on each node, relaxed step by step
/// (relaxation.h). Before a step, neighbours exchange the edges of their blocks. A row is
/// contiguous: DMA engines move it from one block to the other's halo. A column is strided: loads
/// and stores pack its values into a send buffer, and unpack them into the halo after the transfer.
/// (Memory logP's packed message: Cameron and Sun, 2003, Section 5.)
///
/// Node i's block is at column i mod w and row i div w of the blocks; w is the mesh's extent in x.
/// In a mesh of one or two dimensions, neighbouring blocks are on neighbouring nodes. With
/// directions = "rows" only rows are exchanged: each column of blocks is an array of its own, with
/// its own rim. With "columns" each row of blocks is such an array.
///
/// Each node marks the begin and end of a step's phases in the trace, with the step's number:
/// - pack: all columns
/// - send: launches of all messages; if sends do not block, DMA continues afterwards
/// - receive: wait until all edges are in memory
/// - unpack: all columns
///
/// The time until the next pack is the relaxation. A handler's time belongs to the phase that it
/// interrupts.
///
/// The check: every halo on arrival, and every block after the run, equals the result of a plain
/// sequential program, bit by bit.
class BoundaryExchange final : public BuiltInKernel {
  public:
    enum class Directions : std::uint8_t { kBoth, kRows, kColumns };

    /// Marks of a node's first and last cycle of the program.
    /// Phases of a step, in order; their marks are "pack_begin", "pack_end", and so on.
    static constexpr std::array<const char*, 4> kPhases{"pack", "send", "receive", "unpack"};

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "boundary-exchange: relaxation of a two-dimensional array, with a "
                             "block on each node") {}

        hw::Parameter<std::int64_t> block{*this,
                                          "block",
                                          32,
                                          {1, 8192},
                                          "Number of rows, and of columns, of a node's block (n)",
                                          "assumed"};
        hw::Parameter<std::int64_t> steps{
            *this, "steps", 4, {1, 10'000}, "Number of exchanges, each followed by a relaxation"};
        hw::Choice<Directions> directions{
            *this,
            "directions",
            Directions::kBoth,
            {{Directions::kBoth, "both"},
             {Directions::kRows, "rows"},
             {Directions::kColumns, "columns"}},
            "Edges that neighbours exchange. both: rows and columns. rows: the contiguous rows. "
            "columns: the strided columns"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            10,
            {1, 1'000'000},
            "Time to relax a point, in addition to its five loads and its store",
            "assumed: four additions and a multiplication of 2 cycles each"};
        hw::Parameter<hw::Cycles> loop_cycles{
            *this,
            "loop_cycles",
            2,
            {1, 1'000'000},
            "Time to pack or unpack a value, in addition to its load and store",
            "assumed: index, compare and branch of a compiled loop"};
    };

    [[nodiscard]] Directions directions() const { return parameters_.directions.value(); }
    [[nodiscard]] std::int64_t block() const { return parameters_.block.value(); }
    [[nodiscard]] hw::Cycles loop_cycles() const { return parameters_.loop_cycles.value(); }

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = parameters_.block.name(), .power = 2, .is_of_node = true}};
    }
    /// Operations: relaxed points.
    [[nodiscard]] std::optional<NodeLoads> node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t seed) const override;
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool sends_bodies() const override { return true; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        const auto steps = static_cast<double>(parameters_.steps.value());
        return {.body_bytes = static_cast<double>(layout_.edge_bytes()),
                .operations_per_node = steps,
                .phases = steps};
    }
    [[nodiscard]] double work() const override {
        return static_cast<double>(parameters_.steps.value() * node_count_);
    }

  private:
    class Program;
    /// Values of a block or an edge, row by row.
    using Values = std::vector<double>;

    void lay_out(const nodes::MachineShape& machine);
    /// Rectangle of blocks that form one array.
    struct Field {
        std::int64_t first_x = 0;
        std::int64_t first_y = 0;
        std::int64_t width = 1;  // number of blocks in x; height: in y
        std::int64_t height = 1;
    };
    /// A block's node, and the position of its first value in the field.
    struct Place {
        hw::NodeId node;
        std::int64_t row = 0;
        std::int64_t column = 0;
    };
    [[nodiscard]] std::vector<Field> fields() const;
    [[nodiscard]] std::vector<Place> places(const Field& field) const;
    void compute_answer(std::uint64_t seed);
    void fill_memory(const Place& place, const Relaxation& array);
    void keep_halos(const Place& place, std::int64_t step, const Relaxation& array);
    void keep_block(const Place& place, const Relaxation& array);
    [[nodiscard]] Values halo_of(const Place& place, Side side, const Relaxation& array) const;
    [[nodiscard]] Values block_of(const Place& place, const Relaxation& array) const;

    [[nodiscard]] bool exchanges(Side side) const {
        const Directions directions = parameters_.directions.value();
        return directions == Directions::kBoth ||
               (directions == Directions::kColumns) == is_column(side);
    }
    /// Neighbour with which a node exchanges this edge, if any.
    [[nodiscard]] std::optional<hw::NodeId> neighbour(hw::NodeId node, Side side) const;
    /// Compares an arrived halo with the sequential program's values.
    void check_halo(hw::NodeId node, std::int64_t step, Side side);
    [[nodiscard]] Values& expected_halo(hw::NodeId node, std::int64_t step, Side side) {
        const auto block = step * node_count() + node.index();
        return halos_[block * kSides.size() + index_of(side)];
    }
    [[nodiscard]] std::size_t node_count() const { return width_ * height_; }

    Parameters parameters_;
    BlockLayout layout_;
    std::int64_t width_ = 0;  // number of blocks in x on the machine; height_: in y
    std::int64_t height_ = 0;
    nodes::MemoryAccess* memory_ = nullptr;
    // Expected halos by step, node and side; empty where no edge is exchanged.
    std::vector<Values> halos_;
    hw::PerNode<Values> blocks_;  // expected blocks after the last step
    std::int64_t halos_to_check_ = 0;
    SharedCount halos_right_ = 0;
    SharedFault wrong_;
};

}  // namespace weir::firmware
