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
#include "memory/coherence/shared_contents.h"
#include "network/network.h"
#include "nodes/machine_configuration.h"
#include "nodes/node.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"
#include "nodes/programming/processor.h"
#include "nodes/run_end.h"
#include "nodes/run_stops.h"
#include "nodes/starvation.h"

namespace weir::nodes {

/// Optional contents of a trace.
struct TracedDetails {
    bool queue_levels = false;
    bool shared_accesses = false;
    bool line_states = false;
    hw::Cycles channel_interval{0};  ///< length of the intervals of channel statistics; 0: not
                                     ///< recorded
};

/// Nodes on a network with one clock, and the programs that they run.
class Machine final : public sc_core::sc_module, public MemoryAccess {
  public:
    using ProgramFactory = std::function<std::unique_ptr<NodeProgram>(Processor&)>;

    /// Builds the machine of a checked configuration. Throws MachineFault and network::PlanFault
    /// for a network that cannot be built.
    Machine(const sc_core::sc_module_name& name, const MachineConfiguration& configuration,
            std::uint64_t seed, hw::TraceSink* trace, const TracedDetails& details = {});

    /// Creates the program of every node; call before the run.
    void load(const ProgramFactory& factory);
    /// Starts programs on Sparcle cores, in place of load(); call before the run. Each core begins
    /// at address 0 of its memory, which must already hold the program.
    ///
    /// Cores of different tiles call `exited` and `console` one at a time. A host with other
    /// services requires a machine in one tile.
    void start_programs(const sparcle::SparcleCore::Host& host);

    /// Access memory before, during or after the run. In shared memory, reads return the newest
    /// bytes, wherever they are, and writes change all copies (memory::SharedContents).
    void write_memory(hw::NodeId node, std::uint32_t address,
                      std::span<const std::uint8_t> data) override;
    void read_memory(hw::NodeId node, std::uint32_t address, std::span<std::uint8_t> data) override;

    struct RunLimits {
        hw::Cycles most_cycles{INT64_MAX / 4};
        hw::Cycles watchdog_cycles{1'000'000};
        /// Called every few thousand cycles of the run; returning false ends the run.
        std::function<bool()> proceed = [] { return true; };
        /// Observer that stops the run between cycles; null without one.
        RunStops* stops = nullptr;
    };
    /// Runs until the machine ends, and returns the reason. Messages that are in flight at the end
    /// go to the trace with incomplete times. Throws the program's exceptions, and MachineFault.
    RunEnd run(const RunLimits& limits);

    /// Takes over the entries of lists of faults for later cycles, which have changed in the
    /// configuration's parameters; call between cycles.
    void renew_faults(const network::FaultParameters& faults);

    /// Lists the waiting parts and their reasons. If some parts wait for one another in a cycle,
    /// only these are listed.
    [[nodiscard]] std::string explain_waits() const;
    /// Report of a run that ended as starved: the starved threads, and the nodes that were served
    /// meanwhile.
    [[nodiscard]] std::string explain_starvation() const;
    /// Starvation limit of a machine with shared memory, known once load() or start_programs() has
    /// been called; otherwise empty.
    [[nodiscard]] const std::optional<StarvationLimit>& starvation_limit() const {
        return starvation_limit_;
    }
    /// "faults of the hardware: " followed by the faults so far; empty without faults.
    [[nodiscard]] std::string faults_so_far() const;
    [[nodiscard]] hw::ConservationAccount account() const;
    [[nodiscard]] std::vector<hw::PartStatistics> statistics() const;

    [[nodiscard]] hw::Cycles now() const { return clock_.now(); }
    [[nodiscard]] hw::ClockTiles& clock() { return clock_; }
    /// Clock domain of the first tile.
    [[nodiscard]] hw::ClockDomain& domain() { return clock_.first(); }
    [[nodiscard]] network::Network& network() { return *network_; }
    [[nodiscard]] hw::MessagePool& messages() { return messages_.front(); }
    /// Shared memory as seen from outside; null without shared memory.
    [[nodiscard]] memory::SharedContents* shared_contents() { return shared_contents_.get(); }
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
    // Throws ProgramFault unless all of these bytes are shared; the first one is.
    void require_shared(std::uint32_t address, std::size_t bytes) const;
    void connect_shared_contents();
    [[nodiscard]] RunEnd run_to_end(const RunLimits& limits);
    [[nodiscard]] hw::Cycles end_of_slice(hw::Cycles begin, const RunLimits& limits) const;
    [[nodiscard]] std::optional<hw::Cycles> run_slice(hw::Cycles begin, const RunLimits& limits);
    [[nodiscard]] bool stop(hw::Cycles cycle, RunStops* stops);
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
    std::deque<hw::MessagePool> messages_;  // message pool of each tile
    // Trace of each tile, used with more than one tile.
    std::vector<std::unique_ptr<hw::TileTrace>> tile_traces_;
    // Reference for loads; like the next three members, null if not used.
    std::unique_ptr<memory::GoldenMemory> golden_;
    std::unique_ptr<memory::TransactionTrace> transactions_;
    std::unique_ptr<memory::LineStates> lines_;
    std::unique_ptr<memory::MissClasses> misses_;
    std::unique_ptr<network::Network> network_;
    std::unique_ptr<hw::BarrierNetwork> barrier_;  // null without a hardware barrier
    hw::PerNode<std::unique_ptr<Node>> nodes_;
    std::unique_ptr<memory::SharedContents> shared_contents_;  // null without shared memory
    std::vector<std::unique_ptr<NodeProgram>> programs_;
    std::atomic<std::int32_t> threads_running_ = 0;
    // Held during a host call, since programs in different tiles may call at the same time.
    std::mutex host_access_;
    network::FaultSchedule failures_;
    std::optional<network::ChannelSampler> channel_sampler_;
    bool has_directory_software_ = false;
    // Limit of a machine that shares memory; else empty.
    std::optional<StarvationLimit> starvation_limit_;
    // Detection of starved threads; set from the first run on, if a limit is set.
    std::optional<Starvation> starvation_;
};

}  // namespace weir::nodes
