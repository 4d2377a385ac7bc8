#include "experiments/debug/stepping/step_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <limits>

#include "experiments/debug/stepping/machine_text.h"
#include "nodes/machine.h"

namespace weir::experiments::debug {

namespace {

constexpr double kLeastSeconds = 0.1;         // shortest time between checkpoints
constexpr double kShareOfRun = 1.0 / 8;       // and its share of the time of the run so far
constexpr hw::Cycles kShortWay{1024};         // a way without a checkpoint on it
constexpr std::size_t kManyCheckpoints = 64;  // from this number on, ways have no own ones
constexpr std::size_t kMostEvents = 20;       // largest number of events that are listed unasked

}  // namespace

hw::TraceSink& StepSession::watched(hw::TraceSink& store) {
    events_.pass_on_to(store);
    return events_;
}

void StepSession::run_begins(nodes::Machine& machine) {
    machine_ = &machine;
    events_.set_machine(machine);
    const bool is_back = keep_checkpoint();
    if (!is_back || (goal_.why == Goal::Why::kCycle && goal_.cycle == kBeforeFirst)) {
        tell_place();
        prompt();
    }
}

hw::Cycles StepSession::next_stop() const {
    switch (goal_.why) {
        case Goal::Why::kCycle:
            return std::min(goal_.cycle, goal_.checkpoint);
        case Goal::Why::kNextEvent:
        case Goal::Why::kLastEvent:
            return now_ + hw::Cycles(1);
        case Goal::Why::kEnd:
            break;
    }
    return hw::kNever;
}

bool StepSession::stopped(nodes::Machine& machine) {
    if (has_quit_) {
        return false;
    }
    now_ = machine.now();
    events_of_cycle_ = events_.of_this_cycle();
    const bool is_interrupted = StepTerminal::is_interrupted();
    bool stops = reaches_goal(events_of_cycle_) || is_interrupted;
    if (is_checkpoint_due() && keep_checkpoint()) {
        stops = goal_.why == Goal::Why::kCycle && goal_.cycle == now_;
    }
    if (stops) {
        tell_place();
        prompt();
    }
    return !has_quit_;
}

void StepSession::run_ended(nodes::Machine& machine, nodes::RunEnd end) {
    now_ = machine.now();
    events_of_cycle_ = events_.of_this_cycle();
    end_ = fmt::format("the run has ended: {}", nodes::run_end_name(end));
    if (end != nodes::RunEnd::kFinished) {
        end_ += "; `waits` lists the waiting parts";
    }
    if (goal_.why == Goal::Why::kLastEvent) {
        end_of_search();
    }
    tell_place();
    prompt();
}

void StepSession::run_failed(nodes::Machine& machine, const std::string& why) {
    now_ = machine.now();
    end_ = "the run has failed: " + why;
    tell_place();
    prompt();
}

bool StepSession::reaches_goal(const std::vector<Event>& events) {
    switch (goal_.why) {
        case Goal::Why::kCycle:
            return now_ >= goal_.cycle;
        case Goal::Why::kNextEvent:
            return has_match(events);
        case Goal::Why::kLastEvent:
            goal_.found = has_match(events) ? now_ : goal_.found;
            if (now_ >= goal_.cycle) {
                end_of_search();
            }
            return false;
        case Goal::Why::kEnd:
            break;
    }
    return false;
}

bool StepSession::has_match(const std::vector<Event>& events) const {
    return std::any_of(events.begin(), events.end(),
                       [this](const Event& event) { return goal_.events.matches(event); });
}

// All cycles between the checkpoint and the goal have been searched: goes to the event that was
// found, or searches behind the checkpoint before.
void StepSession::end_of_search() {
    if (goal_.found > kBeforeFirst) {
        checkpoints_.go_back(
            {.why = GoBack::Why::kCycle, .cycle = goal_.found, .events = goal_.events});
    }
    if (checkpoints_.last() == kBeforeFirst) {
        checkpoints_.go_back(
            {.why = GoBack::Why::kCycle, .cycle = goal_.origin, .has_no_event = true});
    }
    checkpoints_.go_back({.why = GoBack::Why::kEvent,
                          .cycle = checkpoints_.last() + hw::Cycles(1),
                          .events = goal_.events,
                          .origin = goal_.origin});
}

// True if the run has gone back to this checkpoint, with another goal.
bool StepSession::keep_checkpoint() {
    const std::optional<GoBack> request = checkpoints_.keep(now_);
    if (request) {
        go_on_from(*request);
    }
    set_next_checkpoint();
    return request.has_value();
}

void StepSession::go_on_from(const GoBack& request) {
    static_cast<void>(StepTerminal::is_interrupted());
    const bool is_search = request.why == GoBack::Why::kEvent;
    goal_ = {.why = is_search ? Goal::Why::kLastEvent : Goal::Why::kCycle,
             .cycle = is_search ? request.cycle - hw::Cycles(1) : request.cycle,
             .events = request.events,
             .origin = request.origin};
    if (request.has_no_event) {
        std::cout << "no such event before\n";
    }
}

// On the way to a given cycle, checkpoints halve the rest of the way.
void StepSession::set_next_checkpoint() {
    const hw::Cycles way = goal_.cycle - now_;
    const bool is_wanted = goal_.why == Goal::Why::kCycle && way > kShortWay &&
                           checkpoints_.cycles().size() < kManyCheckpoints;
    goal_.checkpoint = is_wanted ? now_ + hw::Cycles(way.count() / 2) : hw::kNever;
}

bool StepSession::is_checkpoint_due() const {
    if (goal_.why == Goal::Why::kLastEvent) {
        return false;
    }
    return now_ == goal_.checkpoint ||
           checkpoints_.seconds_since_last() >
               std::max(kLeastSeconds, kShareOfRun * checkpoints_.seconds_of_run());
}

void StepSession::tell_place() const {
    if (now_ == kBeforeFirst) {
        std::cout << "before cycle 0\n";
    } else {
        std::cout << fmt::format("cycle {}\n", now_.count());
    }
    // Only some events are listed, so those that the command names come first.
    std::vector<Event> events = events_of_cycle_;
    std::stable_partition(events.begin(), events.end(),
                          [this](const Event& event) { return goal_.events.matches(event); });
    const std::vector<std::string> lines = lines_of(events);
    for (std::size_t i = 0; i < std::min(lines.size(), kMostEvents); ++i) {
        std::cout << "  " << lines[i] << "\n";
    }
    if (lines.size() > kMostEvents) {
        std::cout << fmt::format("  and {} more; `events` lists all\n", lines.size() - kMostEvents);
    }
    if (!end_.empty()) {
        std::cout << end_ << "\n";
    }
}

void StepSession::prompt() {
    for (After after = After::kPrompt; after == After::kPrompt && !has_quit_;) {
        std::optional<std::string> line = terminal_.next_line();
        if (line && line->empty() && terminal_.is_interactive()) {
            line = checkpoints_.last_command();
        }
        checkpoints_.set_last_command(line.value_or("quit"));
        after = execute(line.value_or("quit"));
    }
}

}  // namespace weir::experiments::debug
