#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/clock/clock_parameters.h"
#include "hw/controller/controller_parameters.h"
#include "hw/dma/dma_parameters.h"
#include "hw/parameter.h"
#include "hw/refusal.h"
#include "memory/cache_parameters.h"
#include "memory/coherence/coherence_parameters.h"
#include "memory/memory_parameters.h"
#include "network/deadlock_proof.h"
#include "network/faults/fault_parameters.h"
#include "network/network_parameters.h"
#include "network/topology/topology_size.h"
#include "nodes/core_parameters.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/sparcle/timing.h"

namespace weir::nodes {

struct MachineParameters : hw::ParameterGroup {
    MachineParameters();
    ~MachineParameters() override;

    hw::Parameter<std::int64_t> nodes{*this,
                                      "nodes",
                                      32,
                                      {1, network::kMostTopologyNodes},
                                      "Number of nodes; without it network.dimensions say it",
                                      "LoGPC Section 3.3: 32"};
    hw::Parameter<hw::Cycles> unloaded_overheads_cycles{
        *this,
        "unloaded_overheads_cycles",
        0,
        {0, 1'000'000'000},
        "An input, not measured: what sending and receiving a message are published to cost, added "
        "to the network's time where traffic.pattern = \"one_at_a_time\"; a kernel's cores pay "
        "what they do; 0: not given",
        "LogP Section 5.2: T_snd + T_rcv"};
};

/// The parameters of every part of a machine.
struct MachineConfiguration {
    MachineParameters machine;
    hw::ClockDomainParameters clock;
    network::NetworkParameters network;
    network::FaultParameters faults;
    hw::ControllerParameters controller;
    hw::DmaParameters dma;
    hw::MemoryPortParameters memory_port;
    CoreParameters core;
    sparcle::Timing sparcle;
    memory::MemoryParameters memory;
    memory::CacheParameters caches;
    memory::CoherenceParameters coherence;
    /// Programs share memory; without it nothing of coherence is there.
    bool shares_memory = false;
    /// A RoutedNetwork also where a MeshNetwork is the same and faster; no result depends on it.
    bool routes_plain_meshes = false;
    /// Cores of the host that a large machine may have, where network.tiles leaves that open.
    int host_cores = 1;

    [[nodiscard]] std::int64_t node_count() const;
    /// Tiles in which the machine is emulated, a thread of the host's each.
    [[nodiscard]] std::size_t tiles() const;

    [[nodiscard]] std::vector<hw::ParameterGroup*> groups() {
        std::vector<hw::ParameterGroup*> all{&machine,    &clock,     &network,     &faults,
                                             &controller, &dma,       &memory_port, &core,
                                             &memory,     &coherence, &caches.tlb};
        for (memory::CacheLevelParameters& level : caches.levels) {
            all.push_back(&level);
        }
        all.push_back(&caches.instructions);
        all.push_back(&sparcle);
        return all;
    }

    /// What no group can see alone. The fault's key is "table.key".
    using Fault = hw::Fault;
    [[nodiscard]] std::optional<Fault> check() const;
    /// The part of it without which a machine of delays can't be made.
    [[nodiscard]] std::optional<Fault> delay_fault() const;
    /// Of the routing, made once for the same network; a network without routers needs none. Throws
    /// network::PlanFault.
    [[nodiscard]] std::optional<network::DeadlockProof> deadlock_proof() const;

  private:
    [[nodiscard]] std::optional<Fault> node_fault() const;
    [[nodiscard]] std::optional<Fault> sharing_fault() const;
    [[nodiscard]] std::optional<Fault> order_fault() const;
    [[nodiscard]] std::optional<Fault> routing_fault() const;
};

/// What a program may know of a machine that is made so.
[[nodiscard]] MachineShape shape_of(const MachineConfiguration& configuration);

/// The machine's parameters don't suit what its programs do. The key is "table.key".
class MachineFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::nodes
