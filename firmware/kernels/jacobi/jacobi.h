#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "firmware/kernels/boundary_exchange/relaxation.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Jacobi's iteration on a square grid of doubles within a rim that stays as it is, a strip of rows
/// on each node. Each point becomes the mean of it and its four neighbours (relaxation.h): Jacobi's
/// step for Laplace's equation, damped by 4/5. Before an iteration neighbouring nodes send each
/// other their boundary rows, which stand beside their own as a halo: a short message for each
/// value, with the address where it belongs, or a row as the body of one long message.
///
/// A node has its rows with the halo and the rim twice: an iteration reads one and writes the
/// other. A neighbour can be an iteration ahead, so what comes is counted for even and odd ones
/// separately.
///
/// The inner loop keeps a point and its west neighbour in registers: a point takes three loads and
/// a store of doubles, and arithmetic_cycles.
///
/// The check: after the last iteration every point is what a plain sequential program computes, to
/// the bit.
class Jacobi final : public Kernel {
  public:
    enum class Rows : std::uint8_t { kShort, kLong };

    /// A node's marks around the exchange of an iteration.
    static constexpr const char* kExchangeBegins = "exchange begins";
    static constexpr const char* kExchangeEnds = "exchange ends";

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "jacobi: a square grid relaxed, by strips") {}

        hw::Parameter<std::int64_t> grid{
            *this,
            "grid",
            64,
            {1, 8192},
            "Rows, and columns, of the grid within its rim: n, a multiple of the nodes"};
        hw::Parameter<std::int64_t> iterations{
            *this, "iterations", 10, {1, 1'000'000}, "Relaxations of the whole grid"};
        hw::Choice<Rows> messages{*this,
                                  "messages",
                                  Rows::kShort,
                                  {{Rows::kShort, "short"}, {Rows::kLong, "long"}},
                                  "A boundary row is sent by a short message for each value, or as "
                                  "the body of one long message"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            10,
            {0, 1'000'000},
            "Cycles of a point's relaxation beyond its three loads and its store",
            "assumed: four additions and a multiplication of 2 cycles each",
            hw::when("core.kind").is("behavioural")};
        hw::Parameter<hw::Cycles> loop_cycles{
            *this,
            "loop_cycles",
            2,
            {0, 1'000'000},
            "Cycles of sending a value in a short message beyond its load and the send",
            "assumed: index, compare and branch of a compiled loop",
            hw::when("core.kind").is("behavioural") && hw::when("workload.messages").is("short")};
        hw::Parameter<hw::Cycles> handler_work_cycles{
            *this,
            "handler_work_cycles",
            4,
            {0, 1'000'000},
            "Cycles of the handler of a value or row beyond its loads and stores",
            "assumed: the values that have come are counted",
            hw::when("core.kind").is("behavioural")};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool sends_bodies() const override {
        return parameters_.messages.value() == Rows::kLong;
    }
    [[nodiscard]] MessagePattern message_pattern() const override;
    struct Facts {
        double points = 0.0;             ///< of a node
        double values = 0.0;             ///< that a node with two neighbours sends in an iteration
        double arithmetic_cycles = 0.0;  ///< of a point
        double loop_cycles = 0.0;        ///< of a value sent
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) /
               static_cast<double>(parameters_.iterations.value() * node_count_);
    }

    // Of a node's data, after prepare():
    static constexpr std::uint32_t kValueBytes = 8;
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    /// The neighbours to the north and the south, where there are.
    [[nodiscard]] std::array<std::optional<std::int32_t>, 2> neighbours(std::int32_t node) const;
    /// Where a value stands behind the data's first, in bytes; row and column -1 are halo or rim.
    [[nodiscard]] std::uint32_t offset(std::int64_t iteration, std::int64_t row,
                                       std::int64_t column) const;
    [[nodiscard]] std::size_t data_values() const;
    /// What a node begins with. What is received or computed does not look like a value before it
    /// is.
    [[nodiscard]] std::vector<double> initial_data(std::int32_t node) const;
    /// What is wrong with the data that a node ends with, or nothing.
    [[nodiscard]] std::optional<std::string> fault_of(std::int32_t node,
                                                      const std::vector<double>& data) const;

  private:
    class Program;

    Parameters parameters_;
    std::int32_t node_count_ = 0;
    std::int64_t rows_ = 0;  // of a node
    std::optional<Relaxation> start_;
    std::optional<Relaxation> answer_;
    SharedCount done_ = 0;  // iterations, of all nodes
};

/// jacobi.c on Sparcle nodes, with its twin's grid and check: every point is that of the sequential
/// program to the bit.
class CompiledJacobi final : public TwinKernel<Jacobi> {
  protected:
    [[nodiscard]] ElfImage load_image() override { return built_in_program("jacobi"); }
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;

  private:
    std::uint32_t data_at_ = 0;  // of all nodes
};

}  // namespace weir::firmware
