#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/parameter.h"
#include "hw/units.h"

namespace weir::network {

/// One entry of a list of faults: a channel's name or a node's number, and the cycle of the fault.
struct ListedFault {
    std::string place;
    hw::Cycles cycle{0};
    bool operator==(const ListedFault&) const = default;
};

/// Hardware faults; by default the hardware has none.
///
/// Entries of lists are separated by semicolons: "(3,1) +x @ 5000; (2,0) -y @ 7000" gives channels
/// by their names in `weir topology show`, and the cycles. A channel's faults apply to all copies
/// of the network and to all virtual channels of the channel.
struct FaultParameters : hw::ParameterGroup {
    FaultParameters();
    ~FaultParameters() override;

    hw::Parameter<std::string> dead_channels{
        *this,
        "dead_channels",
        "",
        {},
        "Channels between routers that are dead from cycle 0, for example \"(3,1) +x; (2,0) -y\". "
        "No route uses them"};
    hw::Parameter<double> dead_link_percent{
        *this,
        "dead_link_percent",
        0.0,
        {0.0, 100.0},
        "Share of router-to-router links that are dead from cycle 0, in both directions. The share "
        "is rounded to whole links; above 0 % it must give at least one. Links are drawn from the "
        "run's seed; a link whose loss would disconnect the network is never chosen"};
    hw::Parameter<std::string> failing_channels{
        *this,
        "failing_channels",
        "",
        {},
        "Channels that accept no flit from the given cycle on, for example \"(3,1) +x @ 5000; "
        "(2,0) -y @ 7000\". Routes still use them",
        hw::a_kernel_runs()};
    hw::Parameter<std::string> failing_nodes{
        *this,
        "failing_nodes",
        "",
        {},
        "Nodes whose core and network interface stop in the given cycle, for example \"7 @ 5000; 9 "
        "@ 7000\". Their routers continue",
        hw::a_kernel_runs()};
    hw::Parameter<std::string> stuck_credits{
        *this,
        "stuck_credits",
        "",
        {},
        "Channels whose sender lacks one credit from the given cycle on, for example \"(3,1) +x @ "
        "5000; (2,0) -y @ 7000\". Each further entry of a channel removes one more credit",
        hw::a_kernel_runs()};
    hw::Parameter<std::string> lost_flits{
        *this,
        "lost_flits",
        "",
        {},
        "Channels that lose one flit for each entry, for example \"(3,1) +x @ 5000; (2,0) -y @ "
        "7000\". The first flit that enters in the given cycle or later is unreadable at the "
        "channel's end",
        hw::a_kernel_runs()};
    hw::Parameter<std::string> flipped_flits{
        *this,
        "flipped_flits",
        "",
        {},
        "Channels that flip one bit for each entry, for example \"(3,1) +x @ 5000; (2,0) -y @ "
        "7000\". The first flit that enters in the given cycle or later has a wrong bit at the "
        "channel's end",
        hw::a_kernel_runs()};
    hw::Parameter<double> lost_flits_per_million{
        *this,
        "lost_flits_per_million",
        0.0,
        {0.0, 1'000'000.0},
        "Mean number of flits lost per million flits that enter a channel; lost flits are drawn "
        "from the run's seed",
        hw::a_kernel_runs()};
    hw::Parameter<double> flipped_flits_per_million{
        *this,
        "flipped_flits_per_million",
        0.0,
        {0.0, 1'000'000.0},
        "Mean number of flits with a flipped bit per million flits that enter a channel; these "
        "flits are drawn from the run's seed",
        hw::a_kernel_runs()};

    [[nodiscard]] std::optional<Fault> check() const override;

    /// True if any parameter requests a fault.
    [[nodiscard]] bool any() const;
    /// True if flits can be lost or flipped. The network interfaces then check arriving flits.
    [[nodiscard]] bool touch_flits() const;
    /// True if channels are dead from the start.
    [[nodiscard]] bool leave_out_channels() const;

    /// Parsed entries of a list of faults, which check() must have accepted.
    [[nodiscard]] static std::vector<ListedFault> entries(
        const hw::Parameter<std::string>& parameter);
    /// True if machines with these faults are built of the same parts as with `other`: then entries
    /// of lists can be changed during a run.
    [[nodiscard]] bool needs_parts_of(const FaultParameters& other) const {
        return any() == other.any() && touch_flits() == other.touch_flits();
    }
    /// Lists whose entries name channels.
    [[nodiscard]] std::vector<const hw::Parameter<std::string>*> lists_of_channels() const {
        return {&dead_channels, &failing_channels, &stuck_credits, &lost_flits, &flipped_flits};
    }
};

/// Parameters of hardware that never fails.
[[nodiscard]] const FaultParameters& no_faults();

}  // namespace weir::network
