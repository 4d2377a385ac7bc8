#pragma once

#include <tlm.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/barrier/barrier_registers.h"
#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/parameter.h"
#include "hw/statistics.h"
#include "hw/wait_report.h"

namespace weir::hw {

/// A network for barriers only, beside the network of the messages, like the CM-5's control network
/// (LogP Section 4.1.3 and 4.1.4, footnote 5). Each node's bus has its registers
/// (hw/barrier/barrier_registers.h), and each node has a wire to and from it.
///
/// In a cycle: a store to ARRIVE takes as long as a store to the controller, and the node has
/// arrived when it ends. All nodes are released in one cycle, barrier_cycles after the last
/// arrival; then each may arrive again. A load from WAIT takes as long as a load from the
/// controller if the node is released. A load issued before the release ends that long after it;
/// such a load may be withdrawn and issued again. The barrier never interrupts.
class BarrierNetwork final : public sc_core::sc_module, public ClockedPart {
  public:
    struct Statistics : StatisticsGroup {
        Counter barriers{*this, "barriers", "Number of times that all nodes were released"};
        Counter early_node_cycles{*this, "early_node_cycles",
                                  "Cycles in which arrived nodes waited for the last one, summed "
                                  "over nodes"};
    };

    BarrierNetwork(const sc_core::sc_module_name& name, ClockDomain& domain, Cycles barrier_cycles,
                   const ControllerParameters& controller, std::int32_t node_count);

    /// One binding per node, in the order of the nodes.
    tlm_utils::multi_passthrough_target_socket<BarrierNetwork> node_socket{"node_socket"};

    void tick(Cycles now) override;
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Reports the nodes that each arrived node waits for, by the names of the nodes' parts.
    void report_waits(WaitReport& report,
                      const std::function<std::string(NodeId)>& part_name) const;

  private:
    struct WaitingLoad {
        int node;
        std::int64_t round;
        tlm::tlm_generic_payload* payload;
        Cycles withdrawn_from = kNever;
    };

    tlm::tlm_sync_enum nb_transport_fw(int node, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    std::optional<Cycles> arrive(int node, tlm::tlm_generic_payload& payload, Cycles now);
    std::optional<Cycles> load(int node, tlm::tlm_generic_payload& payload, Cycles now);
    void begin_next_round_if_released(Cycles now);
    [[nodiscard]] bool has_arrived(int node) const { return rounds_[node] == round_; }

    Cycles barrier_cycles_;
    Cycles store_cycles_;
    Cycles load_cycles_;
    std::int64_t round_ = 1;
    std::vector<std::int64_t> rounds_;  // latest round in which each node has arrived
    std::vector<Cycles> arrivals_;
    std::int32_t arrived_ = 0;
    // Cycle in which this round is released; kNever until all nodes have arrived.
    Cycles release_ = kNever;
    std::vector<WaitingLoad> waiting_;
    Statistics statistics_;
};

}  // namespace weir::hw
