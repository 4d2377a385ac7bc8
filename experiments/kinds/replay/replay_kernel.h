#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/replay/recording.h"
#include "firmware/kernel.h"

namespace weir::experiments::kinds {

/// Rule for the cycle in which a message is launched again.
enum class ReplayMode : std::uint8_t {
    kOpen,       ///< in its recorded cycle, independent of the network
    kDependent,  ///< a recorded time after its node's previous launch or handler
};

/// Messages of a stored trace, sent again on this machine. Receivers take the recorded time for
/// each message, in parallel to the threads that send. The recorded time includes entry, handler
/// and exit, so the machine's own costs of these have no effect.
///
/// A node launches its messages in the recorded order, later if the output queue has no room. The
/// node composes a message's words early enough for the launch to end in its cycle. In open mode
/// threads launch all messages. In dependent mode a thread's message follows the previous launch or
/// the end of the node's last handler, whichever is later in the recording. The distance is the
/// recorded time less the wait for the output queue. A handler's message follows the handler's
/// begin in the same way. If it waits longer for room than in the recording, its handler takes
/// longer.
class ReplayKernel final : public firmware::Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload", "replay: messages of a stored trace, sent again") {}

        hw::Parameter<hw::FilePath> trace{
            *this,
            "trace",
            "",
            {},
            "Trace file: trace.weir of a kernel's run, or an SQLite file in its schema"};
        hw::Choice<ReplayMode> mode{
            *this,
            "mode",
            ReplayMode::kDependent,
            {{ReplayMode::kOpen, "open"}, {ReplayMode::kDependent, "dependent"}},
            "Launch time of a message. open: its recorded cycle. dependent: its recorded distance "
            "after the previous launch or handler of its node"};
    };
    /// Cycles of controller accesses on this machine.
    struct AccessCosts {
        hw::Cycles store;
        hw::Cycles load;
        hw::Cycles launch;
        hw::Cycles engine;  ///< time to set up a DMA engine
    };
    /// Facts about the recorded run, for the analysis.
    struct Facts {
        double recorded_cycles = 0.0;
        double recorded_latency_cycles = 0.0;
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] std::filesystem::path trace_file() const;
    void use(const AccessCosts& costs, bool has_bodies) {
        costs_ = costs;
        has_bodies_ = has_bodies;
    }

    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::unique_ptr<nodes::NodeProgram> program(
        nodes::Processor& processor,
        const firmware::ActiveMessages::Parameters& parameters) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] firmware::Communication communication() const override {
        return firmware::Communication::kProgram;
    }
    [[nodiscard]] bool sends_bodies() const override { return has_bodies_; }
    [[nodiscard]] std::vector<std::string> sending_handlers() const override;
    [[nodiscard]] double progress() const override;
    [[nodiscard]] Facts facts() const;

  private:
    class Program;

    /// State of a message in the replay.
    struct Replayed {
        bool is_handled = false;
        hw::Cycles handler_end;
    };

    [[nodiscard]] bool is_open() const { return parameters_.mode.value() == ReplayMode::kOpen; }

    Parameters parameters_;
    AccessCosts costs_;
    bool has_bodies_ = false;
    Recording recording_;
    std::vector<Replayed> replayed_;
    std::size_t handled_ = 0;
    std::optional<std::string> gone_astray_;
};

}  // namespace weir::experiments::kinds
