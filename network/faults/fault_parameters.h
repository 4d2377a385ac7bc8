#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::network {

/// One entry of a list of faults: a channel, or a node's number, and from when on.
struct ListedFault {
    std::string place;
    hw::Cycles cycle{0};
    bool operator==(const ListedFault&) const = default;
};

/// What of the hardware fails; nothing unless it is asked for.
///
/// Lists have their entries between semicolons: "(3,1) +x @ 5000; (2,0) -y @ 7000" names channels
/// as `weir topology show` does, and the cycle. All copies of a network and all virtual channels of
/// a channel share its faults.
struct FaultParameters : hw::ParameterGroup {
    FaultParameters();
    ~FaultParameters() override;

    hw::Parameter<std::string> dead_channels{
        *this,
        "dead_channels",
        "",
        {},
        "Channels between routers that are dead from the start, as \"(3,1) +x; (2,0) -y\": no "
        "route takes them"};
    hw::Parameter<double> dead_link_percent{
        *this,
        "dead_link_percent",
        0.0,
        {0.0, 100.0},
        "Share of the links between routers that are dead from the start, both ways, to the "
        "nearest whole link, one at least; drawn from the run's seed, but none whose loss would "
        "cut the network in two"};
    hw::Parameter<std::string> failing_channels{
        *this,
        "failing_channels",
        "",
        {},
        "Channels that take no flit from a cycle on, as \"(3,1) +x @ 5000\"; routes still lead "
        "there",
        hw::a_kernel_runs()};
    hw::Parameter<std::string> failing_nodes{
        *this,
        "failing_nodes",
        "",
        {},
        "Nodes whose core and network interface stop in a cycle, as \"7 @ 5000\"; routers go on",
        hw::a_kernel_runs()};
    hw::Parameter<std::string> stuck_credits{
        *this,
        "stuck_credits",
        "",
        {},
        "Channels whose sender misses a credit from a cycle on, as \"(3,1) +x @ 5000\"; named "
        "again, one more",
        hw::a_kernel_runs()};
    hw::Parameter<std::string> lost_flits{*this,
                                          "lost_flits",
                                          "",
                                          {},
                                          "The first flit that goes into a channel in a cycle or "
                                          "later, as \"(3,1) +x @ 5000\", can't "
                                          "be read at its end",
                                          hw::a_kernel_runs()};
    hw::Parameter<std::string> flipped_flits{
        *this,
        "flipped_flits",
        "",
        {},
        "The same, but one of its bits is wrong at the channel's end",
        hw::a_kernel_runs()};
    hw::Parameter<double> lost_flits_per_million{
        *this,
        "lost_flits_per_million",
        0.0,
        {0.0, 1'000'000.0},
        "Of the flits that go into any channel, so many can't be read at its end; drawn from the "
        "run's seed",
        hw::a_kernel_runs()};
    hw::Parameter<double> flipped_flits_per_million{
        *this,
        "flipped_flits_per_million",
        0.0,
        {0.0, 1'000'000.0},
        "Of the flits that go into any channel, so many have a wrong bit at its end; drawn from "
        "the run's seed",
        hw::a_kernel_runs()};

    [[nodiscard]] std::optional<Fault> check() const override;

    /// Whether anything fails.
    [[nodiscard]] bool any() const;
    /// Whether flits can be lost or flipped: then interfaces check what arrives.
    [[nodiscard]] bool touch_flits() const;
    /// Whether channels are dead from the start.
    [[nodiscard]] bool leave_out_channels() const;

    /// The entries of one of these lists, which check() has accepted.
    [[nodiscard]] static std::vector<ListedFault> entries(
        const hw::Parameter<std::string>& parameter);
    /// Those whose entries name channels.
    [[nodiscard]] std::vector<const hw::Parameter<std::string>*> lists_of_channels() const {
        return {&dead_channels, &failing_channels, &stuck_credits, &lost_flits, &flipped_flits};
    }
};

/// Of hardware that never fails.
[[nodiscard]] const FaultParameters& no_faults();

}  // namespace weir::network
