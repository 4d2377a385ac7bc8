#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "firmware/kernels/em3d/em3d_computation.h"
#include "hw/per_node.h"

namespace weir::firmware {

/// EM3D by messages. Before a computation each processor sends a value for each edge that ends
/// elsewhere, in messages of block_values and the index from which on the receiver stores them
/// (ghost nodes); it computes when all its own have come. A barrier of messages ends the phase.
///
/// The order of the messages: processor by processor in ascending order ("ordered", as the paper's
/// original program), so that some are sent to by many at once; the same beginning with the next
/// processor ("staggered"); or mixed at random ("random", the paper's improved one). Where nodes
/// poll they look for a message after each send, and while a send waits for room.
class Em3d final : public Em3dComputation {
  public:
    enum class Order : std::uint8_t { kOrdered, kStaggered, kRandom };

    struct Parameters : Em3dComputation::Parameters {
        Parameters()
            : Em3dComputation::Parameters("em3d: electric and magnetic values on a graph") {}

        hw::Parameter<std::int64_t> block_values{*this,
                                                 "block_values",
                                                 10,
                                                 {1, ActiveMessages::kMostArguments - 1},
                                                 "Values in a message",
                                                 "LoGPC Section 5.3: 10"};
        hw::Choice<Order> order{*this,
                                "order",
                                Order::kOrdered,
                                {{Order::kOrdered, "ordered"},
                                 {Order::kStaggered, "staggered"},
                                 {Order::kRandom, "random"}},
                                "Order of a processor's messages",
                                "LoGPC Section 5.3.1: its original and its improved program"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    [[nodiscard]] std::vector<float> values_of(Kind kind, std::int32_t processor,
                                               nodes::MemoryAccess& memory) const override;

  protected:
    [[nodiscard]] const Em3dComputation::Parameters& common() const override { return parameters_; }
    void place(const nodes::MachineShape& machine, std::uint64_t seed,
               nodes::MemoryAccess& memory) override;

  private:
    class Program;

    /// A message: values of the sender's and where they go to.
    struct Block {
        std::int32_t destination = 0;
        std::uint32_t first_ghost = 0;
        std::uint32_t indices = 0;  // address of the values' indices at the sender
        std::uint32_t count = 0;
    };
    /// What a processor needs to compute its values of a kind; addresses.
    struct Half {
        std::uint32_t values = 0;
        std::uint32_t ghosts = 0;         // the neighbours' values, by sending processor
        std::uint32_t ghost_indices = 0;  // of each edge
        std::uint32_t weights = 0;        // of each edge
        std::uint32_t received = 0;       // values that come from elsewhere
        std::vector<Block> sends;         // for others' values of this kind
        std::vector<Block> copies;        // of edges that stay here
    };
    using Layout = std::array<Half, 2>;

    Parameters parameters_;
    hw::PerNode<Layout> layout_;  // by processor
};

}  // namespace weir::firmware
