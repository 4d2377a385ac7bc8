#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/debug/stepping/checkpoints.h"
#include "experiments/debug/stepping/step_terminal.h"
#include "experiments/debug/stepping/trace_events.h"
#include "experiments/kinds/instrument.h"
#include "hw/units.h"
#include "nodes/run_end.h"
#include "nodes/run_stops.h"

namespace weir::experiments::debug {

/// A session that steps through the run of a machine, forwards and back, by commands from a
/// terminal or a pipe. The session reads the machine's state between cycles and changes nothing.
///
/// Going back continues from a checkpoint (Checkpoints). Checkpoints are made when the run has
/// taken an eighth longer than at the last one, and 0.1 s at least. So the way from a checkpoint
/// to a cycle takes at most 0.1 s, or an eighth of the run's time up to that cycle. On the way to
/// a given cycle, each checkpoint halves the rest of the way, so that further steps back are
/// short.
class StepSession final : public kinds::Instrument, public nodes::RunStops {
  public:
    StepSession() = default;
    /// Folder of the run's files.
    void set_folder(const std::filesystem::path& folder) { checkpoints_.set_folder(folder); }

    // Instrument
    [[nodiscard]] hw::TraceSink& watched(hw::TraceSink& store) override;
    [[nodiscard]] nodes::RunStops* stops() override { return this; }

    // RunStops
    void run_begins(nodes::Machine& machine) override;
    [[nodiscard]] hw::Cycles next_stop() const override;
    [[nodiscard]] bool stopped(nodes::Machine& machine) override;
    void run_ended(nodes::Machine& machine, nodes::RunEnd end) override;
    void run_failed(nodes::Machine& machine, const std::string& why) override;

    /// True if the user has left the session before the run's end.
    [[nodiscard]] bool has_quit() const { return has_quit_; }
    /// Reason for which a command from a pipe or a file was refused, which ends the session; empty
    /// if none was.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

  private:
    using Words = std::span<const std::string>;
    enum class After : std::uint8_t { kPrompt, kRun, kQuit };
    struct Command {
        std::string_view name;
        std::string_view arguments;
        std::string_view sentence;
        After (StepSession::*execute)(Words arguments);
    };
    [[nodiscard]] static std::span<const Command> commands();
    /// The command of this name, or else all commands whose names begin with it.
    [[nodiscard]] static std::vector<const Command*> commands_named(const std::string& name);

    /// Next stop of the run.
    struct Goal {
        enum class Why : std::uint8_t { kCycle, kNextEvent, kLastEvent, kEnd };
        Why why = Why::kEnd;
        hw::Cycles cycle{0};  ///< cycle to stop in, or the last one in which an event is looked for
        EventFilter events{};
        hw::Cycles origin{0};                ///< cycle of the command
        hw::Cycles found{-1};                ///< last cycle with a matching event so far
        hw::Cycles checkpoint = hw::kNever;  ///< cycle of the next checkpoint on the way
    };

    bool keep_checkpoint();
    void go_on_from(const GoBack& request);
    void set_next_checkpoint();
    [[nodiscard]] bool is_checkpoint_due() const;
    [[nodiscard]] bool reaches_goal(const std::vector<Event>& events);
    void end_of_search();
    [[nodiscard]] bool has_match(const std::vector<Event>& events) const;
    void prompt();
    [[nodiscard]] After execute(const std::string& line);
    void tell_place() const;
    After refuse(const std::string& why);
    After run_on();
    After show(Words arguments, const std::string& title,
               std::vector<std::string> (*lines_of)(nodes::Machine&, std::optional<hw::NodeId>));

    After step(Words arguments);
    After back(Words arguments);
    After go_to(Words arguments);
    After next(Words arguments);
    After previous(Words arguments);
    After go_on(Words arguments);
    After show_messages(Words arguments);
    After show_message(Words arguments);
    After show_queues(Words arguments);
    After show_channels(Words arguments);
    After show_cores(Words arguments);
    After show_line(Words arguments);
    After show_waits(Words arguments);
    After show_events(Words arguments);
    After show_checkpoints(Words arguments);
    After help(Words arguments);
    After quit(Words arguments);

    After run_to(hw::Cycles cycle);
    [[nodiscard]] std::optional<EventFilter> filter_of(Words arguments);
    [[nodiscard]] std::optional<hw::NodeId> node_of(const std::string& word);

    static constexpr hw::Cycles kBeforeFirst{-1};  ///< cycle of a run that has not begun

    Checkpoints checkpoints_;
    StepTerminal terminal_;
    TraceEvents events_;
    std::vector<Event> events_of_cycle_;
    nodes::Machine* machine_ = nullptr;
    hw::Cycles now_{-1};
    Goal goal_;
    std::string end_;  // how the run has ended; empty before its end
    bool has_quit_ = false;
    std::string refusal_;
};

}  // namespace weir::experiments::debug
