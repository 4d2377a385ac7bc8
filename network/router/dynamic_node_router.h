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
/// mesh whose outputs choose their next input ahead. Each output has a default input, from straight
/// across. In a cycle each output
///  1. sends a flit of the input that it is planned for; or, without a plan, of its default input,
///     if a header asks for it there. It needs a flit and a credit;
///  2. keeps that input until the tail is sent. Then, or without a plan that it has used, it plans
///     for the next input that asks, in an order of its own from the present one on, which is not
///     asked itself. If none asks it falls back to its default input; that is planned only if it
///     asked and had no credit.
/// So a header that goes straight on leaves in the cycle in which it can be seen, and any other one
/// a cycle later, unless the output was planned for it. The orders, the cycle for a turn and what a
/// plan is are from the RTL. Flits and credits are seen as they stood when the cycle began. A
/// router whose flits can't move sleeps until a flit or a credit arrives.
class DynamicNodeRouter final : public Router {
  public:
    DynamicNodeRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                      const Site& site, const Design& design);

    void connect_input(int port, int lane, Behind behind, FlitChannel& channel) override;
    void connect_output(int port, int lane, Behind behind, FlitChannel& channel) override;

    void tick(hw::Cycles now) override;

    void report_waits(hw::WaitReport& report) const override;

    /// The cycles that a header takes more from an input port to an output port that is not
    /// planned for it.
    [[nodiscard]] static hw::Cycles turn_cycles(int input, int output);

  private:
    static constexpr int kPorts = 5;
    static constexpr int kNone = -1;
    using Ports = std::array<std::uint8_t, kPorts>;

    struct Input {
        FlitChannel* channel = nullptr;
        bool is_injection = false;
        int asked = kNone;   // output of the header at the front
        int holder = kNone;  // output that has sent its message's header, but not the tail
    };
    struct Output {
        FlitChannel* channel = nullptr;
        int place = 0;  // of the present input, in the output's order
        bool is_planned = false;
    };

    void look_at(int input, hw::Cycles now);
    void serve(int output, hw::Cycles now);
    bool send(int input, int output, hw::Cycles now);
    void plan_next(int output, bool has_sent);
    [[nodiscard]] bool asks(int input, int output) const { return inputs_[input].asked == output; }

    FaultLog* faults_;
    std::uint32_t occupied_ = 0;  // a bit an input: a flit has arrived, or is on its way
    std::uint32_t visible_ = 0;   // of this cycle: a flit can be seen
    bool has_acted_ = false;
    std::array<Input, kPorts> inputs_;
    std::array<Output, kPorts> outputs_;
    CandidateSets sets_;
    OutputTable table_;

    // Inputs and outputs are those towards +x, -x, +y, -y, and the node's.
    static constexpr std::array<Ports, kPorts> kOrders{{
        {1, 4, 3, 2, 0},  // of the output to +x: the default is the input from -x
        {0, 2, 4, 3, 1},
        {3, 0, 1, 4, 2},
        {2, 1, 4, 0, 3},
        {2, 1, 3, 0, 4},
    }};
};

[[nodiscard]] const RouterKind& dynamic_node_router_kind();

}  // namespace weir::network
