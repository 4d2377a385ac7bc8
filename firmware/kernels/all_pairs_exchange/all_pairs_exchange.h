#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

/// Every node sends a message to every other node, round after round: LogP's "all-to-all"
/// communication step (LogP Section 4.1.1) without an FFT around it. A message is a word, or, with
/// body_bytes, a body that DMA engines move. A node's round ends when all its messages are out and
/// those of all others have come, so that no node is more than a round ahead of another.
///
/// The order of a node's destinations: "naive", all to node 0 first, then all to node 1 (LogP
/// Section 4.1.2); "staggered", each to the next node first; or "pairwise", node i to node i xor k
/// in step k, so that two nodes always exchange (Thakur, Rabenseifner and Gropp, 2005, Section 3.3:
/// all-to-all of long messages). With `barrier` the nodes meet at the hardware barrier after each
/// step. Where nodes poll they look for a message after each send.
///
/// In a node's memory stand the messages that it gets, by round and sender, and behind them those
/// that it sends, by round and destination. The check: every node has every other node's message of
/// each round, once and as it was sent.
class AllPairsExchange final : public Kernel {
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
            "Exchanges, in each of which a node sends one message to each other node"};
        hw::Choice<Order> order{*this,
                                "order",
                                Order::kStaggered,
                                {{Order::kStaggered, "staggered"},
                                 {Order::kNaive, "naive"},
                                 {Order::kPairwise, "pairwise"}},
                                "Order of a node's destinations: the next node first, node 0 "
                                "first, or by pairs of nodes that exchange (powers of two)",
                                "LogP Section 4.1.2"};
        hw::Parameter<bool> barrier{
            *this, "barrier", false, {}, "Nodes meet after each destination", "LogP Section 4.1.4"};
        hw::Parameter<hw::Bytes> body_bytes{
            *this,
            "body_bytes",
            0,
            {0, 1 << 20},
            "Bytes of a message's body, a multiple of 8; 0: a message is short, a word of data"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool sends_bodies() const override {
        return parameters_.body_bytes.value() > hw::Bytes(0);
    }
    [[nodiscard]] bool needs_barrier() const override { return parameters_.barrier.value(); }
    [[nodiscard]] MessagePattern message_pattern() const override;
    struct Facts {
        double sent_bytes = 0.0;  ///< data that a node sends, in all rounds
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double progress() const override {
        return static_cast<double>(done_) /
               static_cast<double>(rounds() * node_count_ * (node_count_ - 1));
    }

  private:
    class Program;
    /// A message that a node gets.
    struct Arrival {
        std::int32_t count = 0;
        bool stored = false;  // its body, as the node's program knows
    };

    [[nodiscard]] std::int32_t steps() const {
        return parameters_.order.value() == Order::kNaive ? node_count_ : node_count_ - 1;
    }
    /// To whom a node sends in a step of a round; itself where it does not send.
    [[nodiscard]] std::int32_t destination(std::int32_t node, std::int32_t step) const;

    [[nodiscard]] std::int64_t rounds() const { return parameters_.rounds.value(); }
    [[nodiscard]] std::size_t place(std::int64_t round, std::int32_t other) const {
        return round * node_count_ + other;
    }
    [[nodiscard]] std::uint32_t message_bytes() const;
    /// Of the messages that a node gets, and of those that it sends.
    [[nodiscard]] std::uint32_t area_bytes() const {
        return static_cast<std::uint32_t>(place(rounds(), 0)) * message_bytes();
    }
    /// All that a node sends.
    [[nodiscard]] std::vector<std::uint32_t> content(std::int32_t sender) const;

    Parameters parameters_;
    std::int32_t node_count_ = 0;
    std::uint64_t seed_ = 0;
    std::vector<std::vector<Arrival>> arrivals_;  // by receiver, at the messages' places
    SharedCount done_ = 0;                        // messages handled
};

}  // namespace weir::firmware
