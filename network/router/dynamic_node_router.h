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
/// mesh whose outputs plan their next input ahead. Each output has a default input, the one
/// straight across.
///
/// In a cycle each output:
///  1. Sends a flit of its planned input. Without a plan, it sends one of its default input if a
///     header there requests it. A flit and a credit are needed.
///  2. Keeps this input until the tail is sent. Then, or if there is no plan in use, it plans for
///     the next requesting input. The order is its own, from the current input on, which is left
///     out. If no input requests, it falls back to its default input; this one is planned only if
///     it requested and had no credit.
///
/// So a header that goes straight on leaves in the cycle in which it becomes visible. Any other
/// header leaves a cycle later, unless the output was planned for it. The orders, the cycle for a
/// turn and the plans are those of the RTL.
///
/// Flits and credits have their state of the beginning of the cycle. A router whose flits can't
/// move sleeps until a flit or a credit arrives.
class DynamicNodeRouter final : public Router {
  public:
    DynamicNodeRouter(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                      const Site& site, const Design& design);

    void connect_input(int port, int vc, Behind behind, FlitChannel& channel) override;
    void connect_output(int port, int vc, Behind behind, FlitChannel& channel) override;

    void tick(hw::Cycles now) override;

    void report_waits(hw::WaitReport& report) const override;

    /// Additional cycles of a header from an input port to an output port that is not planned for
    /// it.
    [[nodiscard]] static hw::Cycles turn_cycles(int input, int output);

  private:
    static constexpr int kPorts = 5;
    static constexpr int kNone = -1;
    using Ports = std::array<std::uint8_t, kPorts>;

    struct Input {
        FlitChannel* channel = nullptr;
        bool is_injection = false;
        int asked = kNone;   // output requested by the header at the front
        int holder = kNone;  // output that has sent its message's header, but not the tail
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
    std::uint32_t visible_ = 0;   // in this cycle: a flit is visible
    bool has_acted_ = false;
    std::array<Input, kPorts> inputs_;
    std::array<Output, kPorts> outputs_;
    CandidateSets sets_;
    OutputTable table_;

    // Ports in this order: +x, -x, +y, -y, node.
    static constexpr std::array<Ports, kPorts> kOrders{{
        {1, 4, 3, 2, 0},  // output to +x: the default is the input from -x
        {0, 2, 4, 3, 1},
        {3, 0, 1, 4, 2},
        {2, 1, 4, 0, 3},
        {2, 1, 3, 0, 4},
    }};
};

[[nodiscard]] const RouterKind& dynamic_node_router_kind();

}  // namespace weir::network
