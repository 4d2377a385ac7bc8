#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/flit_channel.h"
#include "network/router/output_table.h"
#include "network/router/router.h"

namespace weir::network {

/// OpenPiton's dynamic node (dynamic_node_top of its RTL): a wormhole router of a two-dimensional
/// mesh whose outputs plan their next input ahead. Each output has a default input: the opposite
/// port, and port +y for the output to the node.
///
/// In a cycle each output:
///  1. Sends a flit from its planned input. Without a plan, it sends one from its default input if
///     a header there requests this output. Each flit needs a credit.
///  2. Keeps the input until its tail is sent. After a tail, or without a plan, it plans the next
///     requesting input in the output's own round-robin order (kOrders). The search begins behind
///     the current input and excludes it. If no other input requests, the output returns to its
///     default input. The default input is planned only if it requests the output and no flit was
///     sent.
///
/// A header that goes straight on therefore leaves in the cycle in which it becomes visible. Any
/// other header leaves a cycle later, unless the output was planned for its input. Orders, plans
/// and the additional cycle of a turn are those of the RTL.
///
/// All outputs see flits and credits as at the beginning of the cycle. A router whose flits cannot
/// move sleeps until a flit or a credit arrives.
class DynamicNodeRouter final : public Router {
  public:
    DynamicNodeRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                      const Site& site, const Design& design);

    void connect_input(int port, int vc, Behind behind, FlitChannel& channel) override;
    void connect_output(int port, int vc, Behind behind, FlitChannel& channel) override;

    void tick(hw::Cycles now) override;

    void report_waits(hw::WaitReport& report) const override;

    /// Additional cycles of a header from `input` to an `output` that is not planned for this
    /// input: 0 for the default input, else 1.
    [[nodiscard]] static hw::Cycles turn_cycles(int input, int output);

  private:
    static constexpr int kPorts = 5;
    static constexpr int kNone = -1;
    using Ports = std::array<std::uint8_t, kPorts>;

    struct Input {
        FlitChannel* channel = nullptr;
        bool is_injection = false;
        int asked = kNone;   // output requested by the header at the front
        int holder = kNone;  // output that has sent a header from here, but not yet its tail
    };
    struct Output {
        FlitChannel* channel = nullptr;
        int place = 0;  // position of the current input in kOrders
        bool is_planned = false;
    };

    void look_at(int input, hw::Cycles now);
    void serve(int output, hw::Cycles now);
    bool send(int input, int output, hw::Cycles now);
    void plan_next(int output, bool has_sent);
    [[nodiscard]] bool asks(int input, int output) const { return inputs_[input].asked == output; }

    FaultLog* faults_;
    std::uint32_t occupied_ = 0;  // one bit per input: a flit has arrived or is in flight
    std::uint32_t visible_ = 0;   // one bit per input: a flit is visible in this cycle
    bool has_acted_ = false;
    std::array<Input, kPorts> inputs_;
    std::array<Output, kPorts> outputs_;
    CandidateSets sets_;
    OutputTable table_;

    // Round-robin order of the inputs for each output; the first is the default input.
    // Ports are numbered +x, -x, +y, -y, node.
    static constexpr std::array<Ports, kPorts> kOrders{{
        {1, 4, 3, 2, 0},  // output +x: the default is input -x
        {0, 2, 4, 3, 1},
        {3, 0, 1, 4, 2},
        {2, 1, 4, 0, 3},
        {2, 1, 3, 0, 4},
    }};
};

[[nodiscard]] const RouterKind& dynamic_node_router_kind();

}  // namespace weir::network
