#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// Every node repeatedly sends a message to every other node: the all-to-all communication
/// step of LogP (LogP Section 4.1.1) without an FFT around it. A message is a word, or, with
/// body_bytes, a body that DMA engines move. A node's round ends when it has sent all its messages
/// and received all messages of the round. A node is therefore at most one round ahead of another.
///
/// Orders of a node's destinations:
/// - "naive": all to node 0 first, then all to node 1 (LogP Section 4.1.2)
/// - "staggered": each to the next node first
/// - "pairwise": node i and node i xor k exchange in step k (all-to-all of long messages: Thakur,
///   Rabenseifner and Gropp, 2005, Section 3.3)
///
/// With `barrier` the nodes meet at the hardware barrier after each step. Nodes that poll do so
/// after each send.
///
/// A node's memory holds the messages that it receives, by round and sender, followed by those that
/// it sends, by round and destination. The check: every node has every other node's message of each
/// round, once and unchanged.
class AllPairsExchange final : public BuiltInKernel {
  public:
    enum class Order : std::uint8_t { kStaggered, kNaive, kPairwise };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload", "all-pairs: every node sends to every other node") {}

        hw::Parameter<std::int64_t> rounds{
            *this,
            "rounds",
            10,
            {1, 1'000'000},
            "Number of exchanges; in each, a node sends one message to each other node"};
        hw::Choice<Order> order{*this,
                                "order",
                                Order::kStaggered,
                                {{Order::kStaggered, "staggered"},
                                 {Order::kNaive, "naive"},
                                 {Order::kPairwise, "pairwise"}},
                                "Order of a node's destinations. staggered: beginning with the "
                                "next node. naive: beginning with node 0. pairwise: pairs of nodes "
                                "exchange in each step; the number of nodes is a power of two",
                                "LogP Section 4.1.2"};
        hw::Parameter<bool> barrier{
            *this,
            "barrier",
            false,
            {},
            "Whether all nodes meet at the hardware barrier after each destination",
            "LogP Section 4.1.4"};
        hw::Parameter<hw::Bytes> body_bytes{*this,
                                            "body_bytes",
                                            0,
                                            {0, 1 << 20},
                                            "Size of a message's body, a multiple of 8. 0: "
                                            "messages without a body, with one data word"};

        [[nodiscard]] std::optional<Fault> check() const override {
            return fault_of_body(body_bytes.value());
        }
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool sends_bodies() const override {
        return parameters_.body_bytes.value() > hw::Bytes(0);
    }
    [[nodiscard]] bool needs_barrier() const override { return parameters_.barrier.value(); }
    [[nodiscard]] MessagePattern message_pattern() const override;
    [[nodiscard]] std::optional<NodeLoads> node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t seed) const override;
    struct Facts {
        double sent_bytes = 0.0;  ///< data sent by one node in all rounds
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double work() const override {
        return static_cast<double>(rounds() * node_count_ * (node_count_ - 1));
    }

  private:
    class Program;
    /// Deliveries of a message at its receiver.
    struct Arrival {
        std::int32_t count = 0;
        // Whether the node's program knows that the message's body is in memory.
        bool stored = false;
    };

    [[nodiscard]] std::int32_t steps() const {
        return parameters_.order.value() == Order::kNaive ? node_count_ : node_count_ - 1;
    }
    /// Destination of a node in a step of a round; the node itself if it does not send.
    [[nodiscard]] std::int32_t destination(std::int32_t node, std::int32_t step) const;

    [[nodiscard]] std::int64_t rounds() const { return parameters_.rounds.value(); }
    [[nodiscard]] std::size_t place(std::int64_t round, std::int32_t other) const {
        return round * node_count_ + other;
    }
    [[nodiscard]] std::uint32_t message_bytes() const;
    /// Bytes of the messages that a node receives, and of those that it sends.
    [[nodiscard]] std::uint32_t area_bytes() const {
        return static_cast<std::uint32_t>(place(rounds(), 0)) * message_bytes();
    }
    /// Words of all messages that a node sends.
    [[nodiscard]] std::vector<std::uint32_t> content(std::int32_t sender) const;

    Parameters parameters_;
    std::vector<std::vector<Arrival>> arrivals_;  // by receiver, then by round and sender
};

}  // namespace weir::firmware
