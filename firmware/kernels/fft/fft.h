#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "firmware/kernel.h"

namespace weir::firmware {

/// The fast Fourier transform of n complex points on P nodes (LogP Section 4.1), by butterflies of
/// decreasing distance n/2, n/4, ... 1; the result is in bit-reversed order.
///
/// With a cyclic layout point i is on node i mod P, and butterflies of distances down to P are
/// local; with a blocked one nodes have n/P points in a row, and those of distances below n/P are.
/// For the other log P stages each point goes to the node that has its partner, which computes its
/// half of the butterfly. The hybrid layout begins cyclic, remaps once, every node n/P^2 points for
/// each other, and ends blocked.
///
/// The remap's order: "naive", all to node 0 first, then all to node 1; or "staggered", each to the
/// next node first. With `barrier` the nodes meet at the hardware barrier after each destination.
/// A message is a point: its place and two doubles. Where nodes poll they look for a message after
/// each send.
///
/// The check: every point is that of a recursive transform on one machine, but for rounding.
class Fft final : public Kernel {
  public:
    enum class Layout : std::uint8_t { kHybrid, kCyclic, kBlocked };
    enum class Order : std::uint8_t { kNaive, kStaggered };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "fft: a fast Fourier transform") {}

        hw::Parameter<std::int64_t> points{
            *this, "points", 16'384, {4, 1 << 24}, "Complex points, a power of two"};
        hw::Choice<Layout> layout{*this,
                                  "layout",
                                  Layout::kHybrid,
                                  {{Layout::kHybrid, "hybrid"},
                                   {Layout::kCyclic, "cyclic"},
                                   {Layout::kBlocked, "blocked"}},
                                  "Which node has which points",
                                  "LogP Section 4.1.1"};
        hw::Choice<Order> order{*this,
                                "order",
                                Order::kStaggered,
                                {{Order::kNaive, "naive"}, {Order::kStaggered, "staggered"}},
                                "Order of the destinations of the hybrid layout's remap",
                                "LogP Section 4.1.2",
                                hw::when("workload.layout").is("hybrid")};
        hw::Parameter<bool> barrier{*this,
                                    "barrier",
                                    false,
                                    {},
                                    "Nodes meet after each destination of the remap",
                                    "LogP Section 4.1.4: every n/P^2 messages",
                                    hw::when("workload.layout").is("hybrid")};
        hw::Parameter<hw::Cycles> butterfly_cycles{
            *this,
            "butterfly_cycles",
            122,
            {0, 1'000'000},
            "A butterfly beside its loads and stores of four doubles each",
            "LogP Section 4.1.4: 150 ticks in all on the CM-5 = 4 x 3 + 4 x 4 + 122"};
        hw::Parameter<hw::Cycles> point_cycles{
            *this,
            "point_cycles",
            19,
            {0, 1'000'000},
            "Loop of a point sent, beside its loads there and stores where it arrives",
            "LogP Section 4.1.4: 1 us = 33 ticks in all on the CM-5 = 2 x 3 + 2 x 4 + 19"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    /// A node's marks around the remap.
    static constexpr const char* kRemapBegins = "remap begins";
    static constexpr const char* kRemapEnds = "remap ends";

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor, const ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] Communication communication() const override { return Communication::kProgram; }
    [[nodiscard]] bool needs_barrier() const override { return parameters_.barrier.value(); }
    struct Facts {
        double remap_bytes = 0.0;  ///< that a node sends; 0 where no layout changes into another
    };
    /// After prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double progress() const override;

  private:
    class Program;
    using Point = std::complex<double>;

    [[nodiscard]] bool begins_cyclic() const {
        return parameters_.layout.value() != Layout::kBlocked;
    }
    [[nodiscard]] bool ends_cyclic() const { return parameters_.layout.value() == Layout::kCyclic; }
    /// Point `index` of a node's, among all.
    [[nodiscard]] std::int64_t global(bool cyclic, std::int64_t node, std::int64_t index) const {
        return cyclic ? index * node_count_ + node : node * points_each_ + index;
    }
    /// What the difference of the butterfly of `distance` whose first point is `first` is turned
    /// by.
    [[nodiscard]] Point twiddle(std::int64_t first, std::int64_t distance) const;
    /// Addresses in every node: of its points, and of those that come to it, by stage.
    [[nodiscard]] std::uint32_t area(std::int64_t number) const {
        return static_cast<std::uint32_t>(number * points_each_ * 16);
    }
    /// Of the result.
    [[nodiscard]] std::uint32_t result() const {
        return parameters_.layout.value() == Layout::kHybrid ? area(1) : area(0);
    }

    Parameters parameters_;
    std::int64_t node_count_ = 0;
    std::int64_t points_each_ = 0;
    std::vector<Point> start_;
    SharedCount done_ = 0;  // stages, of all nodes
};

}  // namespace weir::firmware
