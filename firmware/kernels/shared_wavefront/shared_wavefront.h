#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/shared_memory.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "firmware/synchronizing_structures.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// Recurrence of a preconditioner on a square grid: the triangular solutions of an incomplete
/// Cholesky factorization, as in MICCG. On the way forth, each value needs the new values above it
/// and to its left. On the way back, it needs those below it and to its right. A node has a strip
/// of rows. It needs one row of values of the previous node, or of the next node on the way back.
/// Three ways to wait for these values:
///
/// - barrier: all nodes meet after each block of columns; each node is one block behind the
///   previous node
/// - flags: a word beside each value holds the iteration in which the value was written
/// - j_structures: each value is an element of a J-structure, reset on the way back
///
/// In all three ways, nodes meet at a barrier before each change of direction. The check: at the
/// end each value equals the result of a sequential computation, bit by bit.
class SharedWavefront final : public BuiltInKernel {
  public:
    enum class Synchronization : std::uint8_t { kBarrier, kFlags, kJStructures };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup(
                  "workload",
                  "shared-wavefront: a recurrence forth and back over a grid, by shared memory") {}

        hw::Parameter<std::int64_t> grid{
            *this,
            "grid",
            64,
            {1, 4096},
            "Number of rows, and of columns, of the grid (n); a multiple of the number of nodes"};
        hw::Parameter<std::int64_t> iterations{
            *this,
            "iterations",
            2,
            {1, 1'000'000},
            "Number of iterations; each goes forth and back over the grid"};
        hw::Choice<Synchronization> synchronization{
            *this,
            "synchronization",
            Synchronization::kJStructures,
            {{Synchronization::kBarrier, "barrier"},
             {Synchronization::kFlags, "flags"},
             {Synchronization::kJStructures, "j_structures"}},
            "Method to wait for a neighbour's values. barrier: barriers of all nodes. flags: a "
            "word beside each value. j_structures: the full/empty bit of each value"};
        hw::Parameter<std::int64_t> block{
            *this,
            "block",
            8,
            {1, 4096},
            "Number of columns that a node computes between two barriers",
            {},
            hw::when("workload.synchronization").is("barrier")};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            10,
            {0, 1'000'000},
            "Time to compute a value, in addition to its loads and stores",
            "assumed: two additions and two multiplications of 2 cycles each, and 2 cycles for the "
            "loop"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = parameters_.grid.name(), .power = 2, .multiple_of_nodes = 1}};
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.iterations.value())};
    }
    [[nodiscard]] double work() const override {
        return static_cast<double>(2 * parameters_.iterations.value() * node_count_);
    }

    // Layout for the compiled twin; call after prepare(). handed() and strip_of() throw InputFault
    // if values are not contiguous.
    [[nodiscard]] std::int64_t rows() const { return rows_; }  ///< number of a node's rows
    [[nodiscard]] std::int64_t spacing() const;  ///< bytes from one boundary value to the next
    /// Address of a node's boundary values: forth for the next node, back for the previous one.
    [[nodiscard]] std::uint32_t handed(hw::NodeId node, bool forth) const {
        return first_of((forth ? forward_ : backward_).at(node));
    }
    [[nodiscard]] std::uint32_t strip_of(hw::NodeId node) const;

  private:
    class Program;

    [[nodiscard]] std::uint32_t first_of(const JStructure& values) const;
    static std::uint32_t in_one_piece(std::uint32_t first, std::uint32_t last, std::int64_t bytes);
    [[nodiscard]] std::uint32_t address(std::int64_t row, std::int64_t column) const;

    Parameters parameters_;
    nodes::MachineShape machine_;
    std::int64_t rows_ = 1;              // number of a node's rows
    hw::PerNode<std::uint32_t> strips_;  // offset of each node's rows in its part of shared memory
    std::optional<TreeBarrier> barrier_;
    // Each node's boundary values for the next node (forward_) and for the previous node
    // (backward_).
    hw::PerNode<JStructure> forward_;
    hw::PerNode<JStructure> backward_;
    std::vector<double> answer_;
};

/// shared_wavefront.c on Sparcle nodes, with its twin's grid and check: every value equals the
/// sequential program's, bit by bit.
class CompiledSharedWavefront final : public TwinKernel<SharedWavefront> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-wavefront"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
