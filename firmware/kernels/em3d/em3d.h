#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// EM3D (LoGPC Section 5.3): electric and magnetic values on the two sides of a bipartite graph. An
/// iteration computes all E values from the H values at their edges, then all H values from the new
/// E values. Each edge contributes value -= weight x neighbour, as 32-bit numbers. Common part of
/// em3d and shared-em3d, which place the values in memory and move them.
///
/// The graph's nodes are divided evenly among the processors; half of each processor's are of
/// either kind. local_percent of the edges end on the same processor. All others end on another
/// processor, at most `span` away by number, with wrap-around.
///
/// The check: every value equals the result of a sequential computation, bit by bit.
class Em3dComputation : public BuiltInKernel {
  public:
    enum Kind : std::uint8_t { kElectric, kMagnetic };
    static constexpr std::array kKinds{kElectric, kMagnetic};

    struct Parameters : hw::ParameterGroup {
        explicit Parameters(const char* sentence) : ParameterGroup("workload", sentence) {}

        hw::Parameter<std::int64_t> graph_nodes{
            *this,
            "graph_nodes",
            3'200,
            {4, 10'000'000},
            "Number of nodes of the graph, half of them E and half H; a multiple of twice the "
            "number of processors",
            "LoGPC Section 5.3.1: 3,200"};
        hw::Parameter<std::int64_t> degree{*this,
                                           "degree",
                                           32,
                                           {1, 10'000},
                                           "Number of neighbours from which each value is computed",
                                           "LoGPC Section 5.3.1: 32"};
        hw::Parameter<std::int64_t> local_percent{
            *this,
            "local_percent",
            0,
            {0, 100},
            "Share of edges between graph nodes of the same processor",
            "LoGPC Section 5.3.1: 100 % nonlocal"};
        hw::Parameter<std::int64_t> span{
            *this,
            "span",
            15,
            {1, 8'191},
            "Largest distance between an edge's two ends by processor number, with wrap-around; "
            "less than half the number of processors",
            "LoGPC Section 5.3.1: 1 to 15"};
        hw::Parameter<std::int64_t> iterations{
            *this,
            "iterations",
            10,
            {1, 1'000'000},
            "Number of iterations; each computes all E values, then all H values",
            "LoGPC Section 5.3.1: 100"};
        hw::Parameter<hw::Cycles> arithmetic_cycles{
            *this,
            "arithmetic_cycles",
            9,
            {0, 1'000'000},
            "Time of multiplication and subtraction for an edge, in addition to the loads of "
            "index, weight and value",
            "SPARC V7's single precision (ERC32): 5 and 4; loops are not counted"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) final;
    std::optional<std::string> check(nodes::MemoryAccess& memory) final;
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = common().graph_nodes.name(), .multiple_of_nodes = 2}};
    }
    [[nodiscard]] MessagePattern message_pattern() const final {
        const auto iterations = static_cast<double>(common().iterations.value());
        return {.operations_per_node = iterations, .phases = 2.0 * iterations};
    }
    [[nodiscard]] double work() const final {
        return static_cast<double>(common().iterations.value() * node_count_);
    }

    /// A processor's values of a kind, as they are in memory; call after prepare().
    [[nodiscard]] virtual std::vector<float> values_of(Kind kind, std::int32_t processor,
                                                       nodes::MemoryAccess& memory) const = 0;

  protected:
    struct Edge {
        std::int32_t processor = 0;  ///< processor that has the neighbour
        std::int32_t index = 0;      ///< number of the neighbour among the processor's values of
                                     ///< its kind
        float weight = 0.0F;
    };

    [[nodiscard]] virtual const Parameters& common() const = 0;
    /// Writes the graph to memory. Throws InputFault.
    virtual void place(const nodes::MachineShape& machine, std::uint64_t seed,
                       nodes::MemoryAccess& memory) = 0;

    /// Values of each kind on a processor.
    [[nodiscard]] std::int64_t values_each() const { return values_each_; }
    [[nodiscard]] std::size_t edges_each() const { return values_each_ * common().degree.value(); }
    /// A processor's values of a kind before the first iteration.
    [[nodiscard]] std::span<const float> start_of(Kind kind, std::int32_t processor) const;
    /// Edges of a processor's values of a kind: `degree` for each value, in the order of the
    /// values.
    [[nodiscard]] std::span<const Edge> edges_of(Kind kind, std::int32_t processor) const;

    /// Contribution of an edge to a value; also used by the sequential computation.
    static float updated(float value, float weight, float neighbour) {
        return value - weight * neighbour;
    }

    /// Graph of all processors, by kind of value.
    struct Graph {
        std::array<std::vector<Edge>, 2> edges;   ///< `degree` edges for each value
        std::array<std::vector<float>, 2> start;  ///< values before the first iteration
    };
    /// Number of values of each kind on a processor; 0 if they do not divide, or if the span is too
    /// large.
    [[nodiscard]] std::int64_t values_on_each(std::int32_t processors) const;
    [[nodiscard]] Graph make_graph(std::int32_t processors, std::uint64_t seed) const;

  private:
    void compute_reference();

    std::int64_t values_each_ = 0;
    Graph graph_;
    std::array<std::vector<float>, 2> reference_;  // values of the sequential computation, by kind
};

/// EM3D by messages. Before a computation, each processor sends a value for each edge that ends
/// elsewhere. A message has block_values values and the index from which on the receiver stores
/// them (ghost nodes). A processor computes when it has received all its values. A barrier of
/// messages ends the phase.
///
/// Orders of the messages:
/// - "ordered": processors in ascending order, as in the paper's original program, so that many
///   send to the same processor at once
/// - "staggered": beginning with the next processor
/// - "random": in random order, as in the paper's improved program
///
/// Nodes that poll do so after each send, and while a send waits for room.
class Em3d final : public Em3dComputation {
  public:
    enum class Order : std::uint8_t { kOrdered, kStaggered, kRandom };

    struct Parameters : Em3dComputation::Parameters {
        Parameters()
            : Em3dComputation::Parameters(
                  "em3d: electric and magnetic values on a bipartite graph") {}

        hw::Parameter<std::int64_t> block_values{*this,
                                                 "block_values",
                                                 10,
                                                 {1, ActiveMessages::kMostArguments - 1},
                                                 "Number of values in a message",
                                                 "LoGPC Section 5.3: 10"};
        hw::Choice<Order> order{
            *this,
            "order",
            Order::kOrdered,
            {{Order::kOrdered, "ordered"},
             {Order::kStaggered, "staggered"},
             {Order::kRandom, "random"}},
            "Order of a processor's messages. ordered: by ascending destination. staggered: "
            "beginning with the next processor. random: in random order",
            "LoGPC Section 5.3.1: ordered in the original program, random in the improved one"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    /// Operations: edges. The messages of barriers are left out.
    [[nodiscard]] std::optional<NodeLoads> node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t seed) const override;
    [[nodiscard]] std::vector<float> values_of(Kind kind, std::int32_t processor,
                                               nodes::MemoryAccess& memory) const override;

  protected:
    [[nodiscard]] const Em3dComputation::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, std::uint64_t seed,
               nodes::MemoryAccess& memory) override;

  private:
    class Program;

    /// A message: values of the sender, and their place at the receiver.
    struct Block {
        std::int32_t destination = 0;
        std::uint32_t first_ghost = 0;
        std::uint32_t indices = 0;  // address at the sender of the values' indices
        std::uint32_t count = 0;
    };
    /// Data from which a processor computes its values of a kind, as addresses.
    struct Half {
        std::uint32_t values = 0;
        // Received neighbours' values, in the order of the sending processors.
        std::uint32_t ghosts = 0;
        std::uint32_t ghost_indices = 0;  // index of each edge's value among the neighbours' values
        std::uint32_t weights = 0;        // weight of each edge
        std::uint32_t received = 0;       // number of values from other processors
        std::vector<Block> sends;         // messages for other processors' values of this kind
        std::vector<Block> copies;        // copies of own values, for edges within this processor
    };
    using Layout = std::array<Half, 2>;

    Parameters parameters_;
    hw::PerNode<Layout> layout_;  // addresses of each processor's data
};

}  // namespace weir::firmware
