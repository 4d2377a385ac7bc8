#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernels/boundary_exchange/relaxation.h"
#include "firmware/kernels/built_in_kernel.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Jacobi iteration on a square grid of doubles within a constant rim, with a strip of rows on each
/// node. Each point becomes the mean of itself and its four neighbours (relaxation.h): Jacobi's
/// step for Laplace's equation, damped by 4/5. Before an iteration, neighbouring nodes send each
/// other their boundary rows, which are stored next to the node's own rows as a halo. A row is sent
/// by a short message for each value, with the address of its destination, or as the body of one
/// long message.
///
/// A node has two copies of its rows with halo and rim: an iteration reads one and writes the
/// other. A neighbour can be an iteration ahead, so arrivals are counted separately for even and
/// odd iterations.
///
/// The inner loop keeps a point and its west neighbour in registers. A point takes three loads and
/// a store of doubles, and arithmetic_cycles.
///
/// The check: after the last iteration every point equals the result of a plain sequential program,
/// bit by bit.
class Jacobi final : public BuiltInKernel {
  public:
    enum class Rows : std::uint8_t { kShort, kLong };

    /// Marks of a node around the exchange of an iteration.
    static constexpr const char* kExchangeBegins = "exchange begins";
    static constexpr const char* kExchangeEnds = "exchange ends";

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup(
                  "workload",
                  "jacobi: Jacobi iteration on a square grid, with a strip of rows on each node") {}

        hw::Parameter<std::int64_t> grid{*this,
                                         "grid",
                                         64,
                                         {1, 8192},
                                         "Number of rows, and of columns, of the grid within its "
                                         "constant rim (n); a multiple of the number of nodes"};
        hw::Parameter<std::int64_t> iterations{
            *this, "iterations", 10, {1, 1'000'000}, "Number of relaxations of the whole grid"};
        hw::Choice<Rows> messages{*this,
                                  "messages",
                                  Rows::kShort,
                                  {{Rows::kShort, "short"}, {Rows::kLong, "long"}},
                                  "Messages that carry a boundary row. short: a short message for "
                                  "each value. long: one message with the row as its body"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            10,
            {0, 1'000'000},
            "Time to relax a point, in addition to its three loads and its store",
            "assumed: four additions and a multiplication of 2 cycles each",
            hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Cycles> loop_cycles{
            *this,
            "loop_cycles",
            2,
            {0, 1'000'000},
            "Time to send a value in a short message, in addition to its load and the cost of the "
            "send",
            "assumed: index, compare and branch of a compiled loop",
            hw::when("core.kind").is("behavioural") && hw::when("workload.messages").is("short")};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            4,
            {0, 1'000'000},
            "Work of the handler of a value or row, in addition to its loads and stores",
            "assumed: the handler counts the values that have arrived",
            hw::when("core.kind").is("behavioural")};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = parameters_.grid.name(), .power = 2, .multiple_of_nodes = 1}};
    }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool sends_bodies() const override {
        return parameters_.messages.value() == Rows::kLong;
    }
    [[nodiscard]] MessagePattern message_pattern() const override;
    struct Facts {
        double points = 0.0;             ///< number of a node's points
        double values = 0.0;             ///< values sent in an iteration by a node with two
                                         ///< neighbours
        double arithmetic_cycles = 0.0;  ///< time of the arithmetic for a point
        double loop_cycles = 0.0;        ///< time of the loop for a sent value
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double work() const override {
        return static_cast<double>(parameters_.iterations.value() * node_count_);
    }

    // Layout of a node's data; call after prepare():
    static constexpr std::uint32_t kValueBytes = 8;
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    /// Northern and southern neighbours, if they exist.
    [[nodiscard]] std::array<std::optional<std::int32_t>, 2> neighbours(std::int32_t node) const;
    /// Offset of a value from the first of the data, in bytes; row and column -1 are halo or rim.
    [[nodiscard]] std::uint32_t offset(std::int64_t iteration, std::int64_t row,
                                       std::int64_t column) const;
    [[nodiscard]] std::size_t data_values() const;
    /// Initial data of a node. Values that are not yet received or computed are NaN.
    [[nodiscard]] std::vector<double> initial_data(std::int32_t node) const;
    /// Fault in the final data of a node, or nothing.
    [[nodiscard]] std::optional<std::string> fault_of(std::int32_t node,
                                                      const std::vector<double>& data) const;

  private:
    class Program;

    Parameters parameters_;
    std::int64_t rows_ = 0;  // number of a node's rows
    std::optional<Relaxation> start_;
    std::optional<Relaxation> answer_;
};

/// jacobi.c on Sparcle nodes, with its twin's grid and check: every point equals the sequential
/// program's, bit by bit.
class CompiledJacobi final : public TwinKernel<Jacobi> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("jacobi"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::uint32_t data_at_ = 0;  // address of each node's data, equal on all nodes
};

}  // namespace weir::firmware
