#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/boundary_exchange/block_layout.h"
#include "firmware/kernels/boundary_exchange/relaxation.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// A two-dimensional array of doubles, a block of n x n on each node, relaxed step by step
/// (relaxation.h). Before a step neighbours exchange the edges of their blocks: a row is contiguous
/// and goes by DMA from the block of one to the halo of the other; a column is strided, so its
/// values are packed into a send buffer by loads and stores, sent, and unpacked into the halo by
/// loads and stores. (Memory logP's message that is packed, sent and unpacked: Cameron and Sun,
/// 2003, Section 5.)
///
/// Node i's block stands at column i mod w and row i div w of the blocks, where w is the mesh's
/// extent in x: in a mesh of one or two dimensions neighbouring blocks are on neighbouring nodes.
/// With directions = "rows" only rows are exchanged, so that each column of blocks is an array of
/// its own, with a rim of its own; "columns" likewise.
///
/// Each node marks the begin and end of a step's phases in the trace, with the step's number: pack
/// (all columns), send (all messages are launched, with DMA reading on where sends do not block),
/// receive (wait until all edges are in memory), unpack; what follows until the next pack is the
/// relaxation. The handlers of messages that come are in the phase that they interrupt.
///
/// Every halo that has arrived, and after the run every block, must be what a plain sequential
/// program computes, to the bit.
class BoundaryExchange final : public Kernel {
  public:
    enum class Directions : std::uint8_t { kBoth, kRows, kColumns };

    /// A node's first and last cycle of it all.
    static constexpr const char* kBegin = "exchange_begin";
    static constexpr const char* kEnd = "exchange_end";
    /// Of a step, in their order; "pack_begin" and "pack_end" are marked, and so on.
    static constexpr std::array<const char*, 4> kPhases{"pack", "send", "receive", "unpack"};

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "boundary-exchange: a 2-D array relaxed, a block on each node") {}

        hw::Parameter<std::int64_t> block{
            *this, "block", 32, {1, 8192}, "Rows, and columns, of a node's block: n", "assumed"};
        hw::Parameter<std::int64_t> steps{
            *this, "steps", 4, {1, 10'000}, "Exchanges, each followed by a relaxation"};
        hw::Choice<Directions> directions{*this,
                                          "directions",
                                          Directions::kBoth,
                                          {{Directions::kBoth, "both"},
                                           {Directions::kRows, "rows"},
                                           {Directions::kColumns, "columns"}},
                                          "Which edges are exchanged: all, the contiguous rows or "
                                          "the strided columns"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            10,
            {1, 1'000'000},
            "Cycles of a point's relaxation beyond its five loads and its store",
            "assumed: four additions and a multiplication of 2 cycles each"};
        hw::Parameter<hw::Cycles> loop_cycles{
            *this,
            "loop_cycles",
            2,
            {1, 1'000'000},
            "Cycles of packing or unpacking a value beyond its load and store",
            "assumed: index, compare and branch of a compiled loop"};
    };

    [[nodiscard]] Directions directions() const { return parameters_.directions.value(); }
    [[nodiscard]] std::int64_t block() const { return parameters_.block.value(); }
    [[nodiscard]] hw::Cycles loop_cycles() const { return parameters_.loop_cycles.value(); }

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kPipeline; }
    [[nodiscard]] bool sends_bodies() const override { return true; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.body_bytes = static_cast<double>(layout_.edge_bytes())};
    }
    [[nodiscard]] double progress() const override;

  private:
    class Program;
    /// Row by row.
    using Values = std::vector<double>;

    void lay_out(const nodes::MachineShape& machine);
    /// Blocks that make up an array of their own.
    struct Field {
        std::int64_t first_x = 0;
        std::int64_t first_y = 0;
        std::int64_t width = 1;  // in blocks
        std::int64_t height = 1;
    };
    /// A block's node, and where the block begins in the field.
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
    /// With whom a node exchanges an edge there, if with anyone.
    [[nodiscard]] std::optional<hw::NodeId> neighbour(hw::NodeId node, Side side) const;
    /// Compares the halo that has arrived with what the sequential program has there.
    void check_halo(hw::NodeId node, std::int64_t step, Side side);
    [[nodiscard]] Values& expected_halo(hw::NodeId node, std::int64_t step, Side side) {
        const auto block = step * node_count() + node.index();
        return halos_[block * kSides.size() + index_of(side)];
    }
    [[nodiscard]] std::size_t node_count() const { return width_ * height_; }

    Parameters parameters_;
    BlockLayout layout_;
    std::int64_t width_ = 0;  // in blocks
    std::int64_t height_ = 0;
    nodes::MemoryAccess* memory_ = nullptr;
    std::vector<Values> halos_;   // by step, node and side; none where nothing is exchanged
    hw::PerNode<Values> blocks_;  // by node, after the last step
    std::int64_t halos_to_check_ = 0;
    SharedCount halos_right_ = 0;
    SharedFault wrong_;
    SharedCount steps_done_ = 0;
};

}  // namespace weir::firmware
