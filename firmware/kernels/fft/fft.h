#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "firmware/kernels/built_in_kernel.h"

namespace weir::firmware {

/// Fast Fourier transform of n complex points on P nodes (LogP Section 4.1), by butterflies of
/// decreasing distance n/2, n/4, ... 1. The result is in bit-reversed order.
///
/// In a cyclic layout point i is on node i mod P, and butterflies of distances down to P are local.
/// In a blocked layout each node has n/P consecutive points, and butterflies of distances below n/P
/// are local. In the other log P stages each point is sent to the node of its partner, which
/// computes its half of the butterfly. The hybrid layout begins cyclic, remaps once, with n/P^2
/// points from every node to every other, and ends blocked.
///
/// Orders of the remap: "naive", all to node 0 first, then all to node 1; or "staggered", each to
/// the next node first. With `barrier` the nodes meet at the hardware barrier after each
/// destination. A message is a point: its place and two doubles. Nodes that poll do so after each
/// send.
///
/// The check: every point equals that of a recursive transform on one machine, except for rounding.
class Fft final : public BuiltInKernel {
  public:
    enum class Layout : std::uint8_t { kHybrid, kCyclic, kBlocked };
    enum class Order : std::uint8_t { kNaive, kStaggered };

    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "fft: a fast Fourier transform") {}

        hw::Parameter<std::int64_t> points{
            *this, "points", 16'384, {4, 1 << 24}, "Number of complex points, a power of two"};
        hw::Choice<Layout> layout{
            *this,
            "layout",
            Layout::kHybrid,
            {{Layout::kHybrid, "hybrid"},
             {Layout::kCyclic, "cyclic"},
             {Layout::kBlocked, "blocked"}},
            "Distribution of the points over the nodes. cyclic: in turn. blocked: contiguous "
            "points on each node. hybrid: first cyclic, then blocked, with a remap between them",
            "LogP Section 4.1.1"};
        hw::Choice<Order> order{*this,
                                "order",
                                Order::kStaggered,
                                {{Order::kNaive, "naive"}, {Order::kStaggered, "staggered"}},
                                "Order of a node's destinations in the remap. naive: beginning "
                                "with node 0. staggered: beginning with the next node",
                                "LogP Section 4.1.2",
                                hw::when("workload.layout").is("hybrid")};
        hw::Parameter<bool> barrier{
            *this,
            "barrier",
            false,
            {},
            "Whether all nodes meet at the hardware barrier after each destination of the remap",
            "LogP Section 4.1.4: every n/P^2 messages",
            hw::when("workload.layout").is("hybrid")};
        hw::Parameter<hw::Cycles> butterfly_cycles{
            *this,
            "butterfly_cycles",
            122,
            {0, 1'000'000},
            "Time of a butterfly in addition to its four loads and four stores of doubles",
            "LogP Section 4.1.4: 150 ticks in total on the CM-5: loads of 4 x 3, stores of 4 x 4, "
            "and 122"};
        hw::Parameter<hw::Cycles> point_cycles{
            *this,
            "point_cycles",
            19,
            {0, 1'000'000},
            "Time of the loop for a sent point, in addition to the loads at its sender and the "
            "stores at its receiver",
            "LogP Section 4.1.4: 1 us is 33 ticks in total on the CM-5: loads of 2 x 3, stores of "
            "2 x 4, and 19"};

        [[nodiscard]] std::optional<Fault> check() const override;
    };

    /// Marks of a node around the remap.
    static constexpr const char* kRemapBegins = "remap begins";
    static constexpr const char* kRemapEnds = "remap ends";

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::vector<SizeParameter> size_parameters() override {
        return {{.name = parameters_.points.name()}};
    }
    /// Operations: butterflies.
    [[nodiscard]] std::optional<NodeLoads> node_loads(const nodes::MachineShape& machine,
                                                      std::uint64_t seed) const override;
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] MessagePattern message_pattern() const override;
    [[nodiscard]] bool needs_barrier() const override { return parameters_.barrier.value(); }
    struct Facts {
        double remap_bytes = 0.0;  ///< bytes sent by a node; 0 if the layout does not change
    };
    /// Facts for models; call after prepare().
    [[nodiscard]] Facts facts() const;
    [[nodiscard]] double work() const override;

  private:
    class Program;
    using Point = std::complex<double>;

    [[nodiscard]] bool begins_cyclic() const {
        return parameters_.layout.value() != Layout::kBlocked;
    }
    [[nodiscard]] bool ends_cyclic() const { return parameters_.layout.value() == Layout::kCyclic; }
    /// Number, among all points, of a node's point `index`.
    [[nodiscard]] std::int64_t global(bool cyclic, std::int64_t node, std::int64_t index) const {
        return cyclic ? index * node_count_ + node : node * points_each_ + index;
    }
    /// Factor for the difference in the butterfly of distance `distance` whose first point is
    /// `first`.
    [[nodiscard]] Point twiddle(std::int64_t first, std::int64_t distance) const;
    /// Address of an area, equal on every node. Area 0 has the node's own points; each later area
    /// has the points that one stage, or the remap, brings from other nodes.
    [[nodiscard]] std::uint32_t area(std::int64_t number) const {
        return static_cast<std::uint32_t>(number * points_each_ * 16);
    }
    /// Address of the result.
    [[nodiscard]] std::uint32_t result() const {
        return parameters_.layout.value() == Layout::kHybrid ? area(1) : area(0);
    }

    Parameters parameters_;
    std::int64_t points_each_ = 0;
    std::vector<Point> start_;
};

}  // namespace weir::firmware
