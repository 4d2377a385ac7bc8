#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/shared_memory.h"
#include "firmware/sparcle/compiled_kernel.h"
#include "firmware/synchronizing_structures.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// The recurrence of a preconditioner: on a square grid each value needs the new values above it
/// and left of it, and then, on the way back, those below it and right of it (the triangular
/// solutions of an incomplete Cholesky factorization, as in MICCG). A node has a strip of rows, and
/// needs one row of values of the node before it, or behind it. Three ways to wait for them:
///
///   barrier       all nodes meet after each block of columns, of which each node's is one behind
///                 that of the node before it
///   flags         a word beside each value says in which iteration it was written
///   j_structures  each value is an element of a J-structure, which is reset on the way back
///
/// Nodes meet at a barrier between a way and the way back in all three. The check: in the end each
/// value is what a sequential program computes, to the bit.
class SharedWavefront final : public Kernel {
  public:
    enum class Synchronization : std::uint8_t { kBarrier, kFlags, kJStructures };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "shared-wavefront: a recurrence over a grid and back, by shared "
                             "memory") {}

        hw::Parameter<std::int64_t> grid{
            *this,
            "grid",
            64,
            {1, 4096},
            "Rows, and columns, of the grid: n, a multiple of the nodes"};
        hw::Parameter<std::int64_t> iterations{
            *this, "iterations", 2, {1, 1'000'000}, "Ways over the grid and back"};
        hw::Choice<Synchronization> synchronization{
            *this,
            "synchronization",
            Synchronization::kJStructures,
            {{Synchronization::kBarrier, "barrier"},
             {Synchronization::kFlags, "flags"},
             {Synchronization::kJStructures, "j_structures"}},
            "How a node waits for its neighbour's values: all meet at barriers; by a word beside "
            "each value; or by the value's full/empty bit"};
        hw::Parameter<std::int64_t> block{*this,
                                          "block",
                                          8,
                                          {1, 4096},
                                          "Columns from one barrier to the next",
                                          {},
                                          hw::when("workload.synchronization").is("barrier")};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            10,
            {0, 1'000'000},
            "Cycles of a value's computation beyond its loads and stores",
            "assumed: two additions and two multiplications of 2 cycles each, and 2 of the loop"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.iterations.value())};
    }
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) /
               static_cast<double>(2 * parameters_.iterations.value() * node_count_);
    }

    // For the compiled twin; after prepare(). They throw InputFault where values do not lie one
    // behind the other.
    [[nodiscard]] std::int64_t rows() const { return rows_; }  ///< of a node
    [[nodiscard]] std::int64_t spacing() const;  ///< bytes from one handed value to the next
    /// The values that a node hands on: forth to the next node, back to the one before it.
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
    std::int32_t node_count_ = 1;
    std::int64_t rows_ = 1;              // of a node
    hw::PerNode<std::uint32_t> strips_;  // offset of the rows in their node's part, by node
    std::optional<TreeBarrier> barrier_;
    // The values that the next node needs, and those that the one before it needs, by node.
    hw::PerNode<JStructure> forward_;
    hw::PerNode<JStructure> backward_;
    std::vector<double> answer_;
    SharedCount done_ = 0;
};

/// shared_wavefront.c on Sparcle nodes, with its twin's grid and check: every value is that of the
/// sequential program to the bit.
class CompiledSharedWavefront final : public TwinKernel<SharedWavefront> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-wavefront"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
