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
#include "hw/per_node.h"
#include "hw/statistics.h"
#include "hw/tracing/tile_trace.h"
#include "hw/tracing/trace_probe.h"
#include "memory/coherence/golden_memory.h"
#include "network/network.h"
#include "nodes/machine_configuration.h"
#include "nodes/node.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"
#include "nodes/programming/processor.h"
#include "nodes/run_end.h"
#include "nodes/starvation.h"

namespace weir::nodes {

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
    [[nodiscard]] Node& node(hw::NodeId node) { return *nodes_[node]; }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(nodes_.size());
    }
    [[nodiscard]] const MachineShape& shape() const { return shape_; }
    [[nodiscard]] std::int32_t threads_running() const { return threads_running_; }

  private:
    [[nodiscard]] std::string core_name(hw::NodeId node) const { return nodes_[node]->core.name(); }
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
    hw::PerNode<std::unique_ptr<Node>> nodes_;
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
