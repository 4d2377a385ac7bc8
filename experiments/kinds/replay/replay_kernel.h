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

/// When a message is launched again.
enum class ReplayMode : std::uint8_t {
    kOpen,       ///< in its recorded cycle, whatever the network does
    kDependent,  ///< a recorded time after what its node did before it
};

/// The messages of a stored trace, sent once more on the machine that there is. Their receivers
/// take as long for each as the recorded ones did, beside the threads that send: entry, handler and
/// exit are in that time, and the machine's own costs of them don't count.
///
/// A node's messages are launched in the recorded order, or later where the output queue has no
/// room; their words are composed so early that the launch ends in its cycle. In open mode threads
/// launch all of them. In dependent mode a thread's message follows the launch before it, or the
/// end of the handler that its node had run last, whichever the recording has later, by the
/// recorded time less what was waited for the output queue. A handler's message follows the
/// handler's begin so; what it waits longer for room than it did, its handler takes longer.
class ReplayKernel final : public firmware::Kernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "replay: the messages of a stored trace") {}

        hw::Parameter<hw::FilePath> trace{
            *this,
            "trace",
            "",
            {},
            "The trace.weir that a run of a kernel left, or an SQLite file in a trace's schema"};
        hw::Choice<ReplayMode> mode{
            *this,
            "mode",
            ReplayMode::kDependent,
            {{ReplayMode::kOpen, "open"}, {ReplayMode::kDependent, "dependent"}},
            "Messages are launched in their recorded cycles; or a recorded time after what their "
            "node did before, so that a faster network makes the whole faster"};
    };
    /// What accesses to the controller cost on the machine.
    struct AccessCosts {
        hw::Cycles store;
        hw::Cycles load;
        hw::Cycles launch;
        hw::Cycles engine;  ///< an engine's set-up
    };
    /// For the analysis.
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

    /// What has become of a message.
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
