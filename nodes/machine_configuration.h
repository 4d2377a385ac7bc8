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
                                      "Number of nodes. If not given: the product of "
                                      "network.dimensions, or the nodes of network.graph_file",
                                      "LoGPC Section 3.3: 32"};
    hw::Parameter<hw::Cycles> unloaded_overheads_cycles{
        *this,
        "unloaded_overheads_cycles",
        0,
        {0, 1'000'000'000},
        "Published time to send and receive one message. With traffic.pattern = \"one_at_a_time\", "
        "the model logp_unloaded adds it to the time in the network; kernels ignore it. 0: none",
        "LogP Section 5.2: T_snd + T_rcv"};
};

/// Parameters of all parts of a machine.
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
    /// True if programs share memory. Without it the machine has no part of the coherence protocol.
    bool shares_memory = false;
    /// Uses a RoutedNetwork also for meshes that the faster MeshNetwork can emulate. Results are
    /// the same with both networks.
    bool routes_plain_meshes = false;
    /// Host cores that a large machine may use if network.tiles leaves the number open.
    int host_cores = 1;

    [[nodiscard]] std::int64_t node_count() const;
    /// Number of tiles of the machine; a host thread emulates each.
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

    /// Checks of parameters of different groups against each other. The fault's key is "table.key".
    using Fault = hw::Fault;
    [[nodiscard]] std::optional<Fault> check() const;
    /// Checks that apply only to a machine with the delay network.
    [[nodiscard]] std::optional<Fault> delay_fault() const;
    /// Deadlock proof of the routing, computed once for the same network; empty for a network
    /// without routers. Throws network::PlanFault for a network that cannot be built.
    [[nodiscard]] std::optional<network::DeadlockProof> deadlock_proof() const;

  private:
    [[nodiscard]] std::optional<Fault> node_fault() const;
    [[nodiscard]] std::optional<Fault> sharing_fault() const;
    [[nodiscard]] std::optional<Fault> order_fault() const;
    [[nodiscard]] std::optional<Fault> routing_fault() const;
};

/// Properties of the configured machine that programs may ask for.
[[nodiscard]] MachineShape shape_of(const MachineConfiguration& configuration);

/// The machine's parameters do not suit its programs. The fault's key is "table.key".
class MachineFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

}  // namespace weir::nodes
