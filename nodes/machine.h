#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "hw/barrier/barrier_network.h"
#include "hw/clock/clock_domain.h"
#include "hw/clock/clock_tiles.h"
#include "hw/dma/dma_engine.h"
#include "hw/dma/memory_port.h"
#include "hw/messages/message_pool.h"
#include "hw/parameter.h"
#include "hw/statistics.h"
#include "hw/tracing/tile_trace.h"
#include "hw/tracing/trace_probe.h"
#include "memory/cache_parameters.h"
#include "memory/coherence/coherence_parameters.h"
#include "memory/coherence/golden_memory.h"
#include "network/channel_sampler.h"
#include "network/network.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "nodes/node.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"
#include "nodes/programming/processor.h"
#include "nodes/run_end.h"
#include "nodes/starvation.h"

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
    Core::Parameters core;
    sparcle::Timing sparcle;
    memory::NodeMemory::Parameters memory;
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

/// What a trace keeps only where it is asked for.
struct TracedDetails {
    bool queue_levels = false;
    bool shared_accesses = false;
    bool line_states = false;
    hw::Cycles channel_interval{0};  ///< what each channel sees in so many cycles; 0: not kept
};

/// Nodes on a network, one clock, and the programs they run.
class Machine final : public sc_core::sc_module, public MemoryAccess {
  public:
    using ProgramFactory = std::function<std::unique_ptr<NodeProgram>(Processor&)>;

    /// Of a checked configuration. Throws MachineFault and network::PlanFault for a network that
    /// can't be made.
    Machine(const sc_core::sc_module_name& name, const MachineConfiguration& configuration,
            std::uint64_t seed, hw::TraceSink* trace, const TracedDetails& details = {});

    /// Gives every node its program; before the run.
    void load(const ProgramFactory& factory);
    /// Of a machine of Sparcle cores, instead: each begins at address 0 of its memory, where a
    /// program lies by now. Before the run. Only one core at a time exits or writes to the console;
    /// whoever uses more of the host has the machine in one tile.
    void start_programs(const sparcle::SparcleCore::Host& host);

    void write_memory(hw::NodeId node, std::uint32_t address,
                      std::span<const std::uint8_t> data) override;
    void read_memory(hw::NodeId node, std::uint32_t address, std::span<std::uint8_t> data) override;

    struct RunLimits {
        hw::Cycles most_cycles{INT64_MAX / 4};
        hw::Cycles watchdog_cycles{1'000'000};
        /// Called now and then; returning false ends the run.
        std::function<bool()> proceed = [] { return true; };
    };
    /// Runs to the end and reports how it ended; throws what a program threw, and MachineFault. The
    /// messages still on their way then go to the trace as they stand.
    RunEnd run(const RunLimits& limits);

    /// Who waits for whom, with the cycle among them named first if there is one.
    [[nodiscard]] std::string explain_waits() const;
    /// After a run that ended as starved: who got nothing, and who was served meanwhile.
    [[nodiscard]] std::string explain_starvation() const;
    /// The limit of a machine that shares memory, once it has its programs; empty otherwise.
    [[nodiscard]] const std::optional<StarvationLimit>& starvation_limit() const {
        return starvation_limit_;
    }
    /// "faults of the hardware: " and what they were; empty where there were none.
    [[nodiscard]] std::string faults_so_far() const;
    [[nodiscard]] hw::ConservationAccount account() const;
    [[nodiscard]] std::vector<hw::PartStatistics> statistics() const;

    [[nodiscard]] hw::Cycles now() const { return clock_.now(); }
    [[nodiscard]] hw::ClockTiles& clock() { return clock_; }
    /// The first tile's.
    [[nodiscard]] hw::ClockDomain& domain() { return clock_.first(); }
    [[nodiscard]] network::Network& network() { return *network_; }
    [[nodiscard]] hw::MessagePool& messages() { return messages_.front(); }
    [[nodiscard]] Node& node(hw::NodeId node) {
        return *nodes_[static_cast<std::size_t>(node.index())];
    }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(nodes_.size());
    }
    [[nodiscard]] const MachineShape& shape() const { return shape_; }
    [[nodiscard]] std::int32_t threads_running() const { return threads_running_; }

  private:
    [[nodiscard]] std::string core_name(hw::NodeId node) const {
        return nodes_[static_cast<std::size_t>(node.index())]->core.name();
    }
    void move_memory(hw::NodeId node, std::uint32_t address, std::uint8_t* data, std::size_t bytes,
                     tlm::tlm_command command);
    [[nodiscard]] bool is_shared(std::uint32_t address) const;
    // Bytes of shared memory, wherever they are.
    void move_shared(std::uint32_t address, std::span<std::uint8_t> data, bool is_write);
    void end_run();
    [[nodiscard]] bool lacks_progress(hw::Cycles until, hw::Cycles watchdog);
    [[nodiscard]] bool starves(hw::Cycles until);
    [[nodiscard]] RunEnd how_it_ended() const;
    void rethrow_fault() const;
    [[nodiscard]] memory::CoherenceObservers make_observers(
        const MachineConfiguration& configuration, const TracedDetails& details);
    void make_tiles();
    [[nodiscard]] hw::TraceSink* trace_of(std::size_t tile) {
        return tile_traces_.empty() ? trace_ : tile_traces_[tile].get();
    }
    void add_failures(const network::FaultParameters& faults);
    void fail_node(hw::NodeId node, hw::Cycles now);

    MachineShape shape_;
    hw::TraceSink* trace_;
    hw::ClockTiles clock_;
    std::deque<hw::MessagePool> messages_;                     // by tile
    std::vector<std::unique_ptr<hw::TileTrace>> tile_traces_;  // of several tiles
    std::unique_ptr<memory::GoldenMemory> golden_;             // if there is one, as the next ones
    std::unique_ptr<memory::TransactionTrace> transactions_;
    std::unique_ptr<memory::LineStates> lines_;
    std::unique_ptr<memory::MissClasses> misses_;
    std::unique_ptr<network::Network> network_;
    std::unique_ptr<hw::BarrierNetwork> barrier_;  // if there is one
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<std::unique_ptr<NodeProgram>> programs_;
    std::atomic<std::int32_t> threads_running_ = 0;
    std::mutex host_access_;  // of programs of several tiles
    network::FaultSchedule failures_;
    std::optional<network::ChannelSampler> channel_sampler_;
    bool has_directory_software_ = false;
    std::optional<StarvationLimit> starvation_limit_;  // if memory is shared
    std::optional<Starvation> starvation_;             // from the first run on, if it has a limit
};

}  // namespace weir::nodes
