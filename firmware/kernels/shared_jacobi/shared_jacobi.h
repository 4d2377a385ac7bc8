#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "firmware/kernels/boundary_exchange/relaxation.h"
#include "firmware/kernels/built_in_kernel.h"
#include "firmware/shared_memory.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// The kernel jacobi by shared memory: a node loads its neighbours' boundary rows from their homes.
/// All nodes meet at a barrier after each iteration. There are two copies of the grid, read and
/// written in turn; nothing is copied, and there is no halo.
///
/// The check: after the last iteration every point equals the result of a plain sequential program,
/// bit by bit.
class SharedJacobi final : public BuiltInKernel {
  public:
    enum class Placement : std::uint8_t { kOwner, kSpread };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "shared-jacobi: Jacobi iteration on a square grid, by shared memory") {
        }

        hw::Parameter<std::int64_t> grid{*this,
                                         "grid",
                                         64,
                                         {1, 4096},
                                         "Number of rows, and of columns, of the grid within its "
                                         "constant rim (n); a multiple of the number of nodes"};
        hw::Parameter<std::int64_t> iterations{
            *this, "iterations", 10, {1, 1'000'000}, "Number of relaxations of the whole grid"};
        hw::Choice<Placement> placement{
            *this,
            "placement",
            Placement::kOwner,
            {{Placement::kOwner, "owner"}, {Placement::kSpread, "spread"}},
            "Placement of the grid's rows. owner: each node is the home of the rows that it "
            "computes. spread: row after row, at the homes given by coherence.home"};
        hw::Parameter<std::int64_t> prefetch_lines{
            *this,
            "prefetch_lines",
            0,
            {0, 64},
            "Prefetch distance in lines, for rows of other nodes that are read and for the row "
            "that is written. 0: no prefetches"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            10,
            {0, 1'000'000},
            "Time to relax a point, in addition to its three loads and its store",
            "assumed: four additions and a multiplication of 2 cycles each"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = parameters_.grid.name(), .power = 2, .multiple_of_nodes = 1}};
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool shares_memory() const override { return true; }
    /// Rows of a node; call after prepare().
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    /// Address of the first value of a row that iterations of this parity read; -1 and n are the
    /// rim. Throws InputFault if the row's values are not contiguous.
    [[nodiscard]] std::uint32_t row_at(std::int64_t parity, std::int64_t row) const;
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node = static_cast<double>(parameters_.iterations.value())};
    }
    [[nodiscard]] double work() const override {
        return static_cast<double>(parameters_.iterations.value() * node_count_);
    }

  private:
    class Program;
    static constexpr std::uint32_t kValueBytes = 8;

    // Address of a value that iteration `iteration` reads; -1 and n are the rim.
    [[nodiscard]] std::uint32_t address(std::int64_t iteration, std::int64_t row,
                                        std::int64_t column) const;
    [[nodiscard]] hw::NodeId owner(std::int64_t row) const;
    void place_grid(SharedAllocator& allocator);

    Parameters parameters_;
    nodes::MachineShape machine_;
    std::int64_t rows_ = 1;    // number of a node's rows
    std::uint32_t first_ = 0;  // offset of the rows in each node's part of shared memory
    std::optional<TreeBarrier> barrier_;
    std::optional<Relaxation> answer_;
};

/// shared_jacobi.c on Sparcle nodes, with its twin's grid and check: every point equals the
/// sequential program's, bit by bit.
class CompiledSharedJacobi final : public TwinKernel<SharedJacobi> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("shared-jacobi"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
