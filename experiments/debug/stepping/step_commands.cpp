#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debug/stepping/machine_text.h"
#include "experiments/debug/stepping/step_session.h"
#include "experiments/kinds/kernel/machine_state.h"
#include "hw/text_streams.h"
#include "nodes/machine.h"

/// Commands of a session that steps through a run.
namespace weir::experiments::debug {

namespace {

constexpr std::int64_t kMostCycle = INT64_MAX / 4;

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    hw::TextReader text(line);
    for (std::string word; text >> word;) {
        words.push_back(word);
    }
    return words;
}

std::string found(std::span<const std::string> arguments) {
    return arguments.empty() ? "found nothing" : fmt::format("found \"{}\"", arguments.front());
}

// A whole number in decimal, or in hexadecimal after 0x; nullopt for another word.
std::optional<std::int64_t> number_of(const std::string& word) {
    const bool is_hexadecimal = word.starts_with("0x");
    const char* const begin = word.data() + (is_hexadecimal ? 2 : 0);
    const char* const end = word.data() + word.size();
    std::int64_t number = 0;
    const auto read = std::from_chars(begin, end, number, is_hexadecimal ? 16 : 10);
    const bool is_valid = read.ec == std::errc() && read.ptr == end && number >= 0;
    return is_valid && number <= kMostCycle ? std::optional(number) : std::nullopt;
}

// Number of cycles that a command names, 1 if it names none.
std::optional<hw::Cycles> cycles_of(std::span<const std::string> arguments) {
    if (arguments.empty()) {
        return hw::Cycles(1);
    }
    const auto number = number_of(arguments.front());
    return number ? std::optional(hw::Cycles(*number)) : std::nullopt;
}

void print_list(const std::string& title, const std::vector<std::string>& lines) {
    std::cout << kinds::list_text(title, lines);
}

std::string names_of_events() {
    std::vector<std::string_view> names;
    for (const NamedEvent& event : named_events()) {
        names.push_back(event.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::span<const StepSession::Command> StepSession::commands() {
    static constexpr std::array<Command, 17> kCommands{{
        {"step", "[N]", "run N cycles (1)", &StepSession::step},
        {"back", "[N]", "go N cycles back (1)", &StepSession::back},
        {"goto", "CYCLE", "go to the end of a cycle, forwards or back", &StepSession::go_to},
        {"next", "[EVENT] [NODE]", "run to the next cycle with such an event", &StepSession::next},
        {"previous", "[EVENT] [NODE]", "go back to the last cycle with such an event",
         &StepSession::previous},
        {"continue", "", "run to the end", &StepSession::go_on},
        {"events", "", "events of this cycle", &StepSession::show_events},
        {"messages", "[NODE]", "messages on their way, and the stage of each",
         &StepSession::show_messages},
        {"message", "NODE NUMBER", "cycle of each stage of a message that NODE has sent",
         &StepSession::show_message},
        {"queues", "[NODE]", "contents of the message queues", &StepSession::show_queues},
        {"channels", "[TEXT]", "channels in use, and the messages that hold them",
         &StepSession::show_channels},
        {"cores", "[NODE]", "activity of the cores", &StepSession::show_cores},
        {"line", "ADDRESS", "directory entry, copies and bytes of a shared line",
         &StepSession::show_line},
        {"waits", "", "waiting parts, and the parts that they wait for", &StepSession::show_waits},
        {"checkpoints", "", "cycles to which going back is short, and their memory",
         &StepSession::show_checkpoints},
        {"help", "", "this list", &StepSession::help},
        {"quit", "", "end the session", &StepSession::quit},
    }};
    return kCommands;
}

std::vector<const StepSession::Command*> StepSession::commands_named(const std::string& name) {
    std::vector<const Command*> beginning;
    for (const Command& command : commands()) {
        if (command.name == name) {
            return {&command};
        }
        if (command.name.starts_with(name)) {
            beginning.push_back(&command);
        }
    }
    return beginning;
}

StepSession::After StepSession::execute(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words.front().starts_with('#')) {
        return After::kPrompt;
    }
    const std::vector<const Command*> found = commands_named(words.front());
    if (found.size() != 1) {
        return refuse(fmt::format(
            "{} \"{}\"; `help` lists the commands",
            found.empty() ? "there is no command" : "several commands begin with", words.front()));
    }
    const Command* const command = found.front();
    const auto expected = words_of(std::string(command->arguments));
    if (words.size() - 1 > expected.size()) {
        return refuse(
            fmt::format("{}: too many words; accepted: {}", command->name,
                        command->arguments.empty() ? "no further word" : command->arguments));
    }
    return (this->*command->execute)(std::span(words).subspan(1));
}

// Typed commands that cannot be executed have no effect; in a script they end the session.
StepSession::After StepSession::refuse(const std::string& why) {
    if (terminal_.is_interactive()) {
        std::cout << why << "\n";
        return After::kPrompt;
    }
    refusal_ = fmt::format("standard input:{}: {}", checkpoints_.command_count(), why);
    has_quit_ = true;
    return After::kQuit;
}

StepSession::After StepSession::run_to(hw::Cycles cycle) {
    if (cycle < now_) {
        checkpoints_.go_back({.why = GoBack::Why::kCycle, .cycle = cycle});
    }
    if (cycle == now_ || !end_.empty()) {
        tell_place();
        return After::kPrompt;
    }
    goal_ = {.why = Goal::Why::kCycle, .cycle = cycle};
    return After::kRun;
}

StepSession::After StepSession::step(Words arguments) {
    const auto cycles = cycles_of(arguments);
    return cycles ? run_to(now_ + *cycles)
                  : refuse("step: " + found(arguments) + "; accepted: a number of cycles");
}

StepSession::After StepSession::back(Words arguments) {
    const auto cycles = cycles_of(arguments);
    return cycles ? run_to(std::max(now_ - *cycles, kBeforeFirst))
                  : refuse("back: " + found(arguments) + "; accepted: a number of cycles");
}

StepSession::After StepSession::go_to(Words arguments) {
    const auto cycle = arguments.empty() ? std::nullopt : cycles_of(arguments);
    return cycle ? run_to(*cycle)
                 : refuse("goto: " + found(arguments) + "; accepted: the number of a cycle");
}

std::optional<hw::NodeId> StepSession::node_of(const std::string& word) {
    const auto number = number_of(word);
    if (number && *number < machine_->node_count()) {
        return hw::NodeId(static_cast<std::int32_t>(*number));
    }
    static_cast<void>(refuse(
        fmt::format("found \"{}\"; accepted: a node, 0 to {}", word, machine_->node_count() - 1)));
    return std::nullopt;
}

std::optional<EventFilter> StepSession::filter_of(Words arguments) {
    EventFilter filter;
    for (const std::string& word : arguments) {
        const auto all = named_events();
        const auto event = std::find_if(all.begin(), all.end(),
                                        [&](const NamedEvent& each) { return each.name == word; });
        if (event != all.end()) {
            filter.kind = event->kind;
        } else if (!number_of(word)) {
            static_cast<void>(
                refuse(fmt::format("found \"{}\"; accepted: a node, 0 to {}, or an event: {}", word,
                                   machine_->node_count() - 1, names_of_events())));
            return std::nullopt;
        } else if (!(filter.node = node_of(word))) {
            return std::nullopt;
        }
    }
    return filter;
}

StepSession::After StepSession::next(Words arguments) {
    const auto filter = filter_of(arguments);
    if (!filter) {
        return After::kPrompt;
    }
    goal_ = {.why = Goal::Why::kNextEvent, .events = *filter};
    return run_on();
}

StepSession::After StepSession::previous(Words arguments) {
    const auto filter = filter_of(arguments);
    if (!filter) {
        return After::kPrompt;
    }
    if (now_ <= hw::Cycles(0)) {
        std::cout << "no such event before\n";
        return After::kPrompt;
    }
    checkpoints_.go_back(
        {.why = GoBack::Why::kEvent, .cycle = now_, .events = *filter, .origin = now_});
}

StepSession::After StepSession::go_on(Words /*arguments*/) {
    goal_ = {.why = Goal::Why::kEnd};
    return run_on();
}

// Runs towards the goal, unless the run has ended.
StepSession::After StepSession::run_on() {
    if (end_.empty()) {
        return After::kRun;
    }
    tell_place();
    return After::kPrompt;
}

// Shows lines about one node, if the command names one, or about all.
StepSession::After StepSession::show(
    Words arguments, const std::string& title,
    std::vector<std::string> (*lines_of)(nodes::Machine&, std::optional<hw::NodeId>)) {
    std::optional<hw::NodeId> node;
    if (!arguments.empty() && !(node = node_of(arguments.front()))) {
        return After::kPrompt;
    }
    print_list(title, lines_of(*machine_, node));
    return After::kPrompt;
}

StepSession::After StepSession::show_messages(Words arguments) {
    return show(arguments, "messages on their way", &kinds::message_lines);
}

StepSession::After StepSession::show_queues(Words arguments) {
    return show(arguments, "queues with messages", &kinds::queue_lines);
}

StepSession::After StepSession::show_cores(Words arguments) {
    return show(arguments, "cores", &core_lines);
}

StepSession::After StepSession::show_message(Words arguments) {
    const auto number = arguments.size() == 2 ? number_of(arguments[1]) : std::nullopt;
    if (!number) {
        return refuse("message: " + found(arguments) +
                      "; accepted: a node, and the number of one of its messages");
    }
    if (const auto node = node_of(arguments.front())) {
        const std::string text = message_text(*machine_, *node, *number);
        std::cout << (text.empty() ? "no such message is on its way\n" : text);
    }
    return After::kPrompt;
}

StepSession::After StepSession::show_channels(Words arguments) {
    print_list("channels in use",
               channel_lines(*machine_, arguments.empty() ? "" : arguments.front()));
    return After::kPrompt;
}

StepSession::After StepSession::show_line(Words arguments) {
    if (!has_shared_memory(*machine_)) {
        return refuse("line: this machine has no shared memory");
    }
    const auto address = arguments.empty() ? std::nullopt : number_of(arguments.front());
    if (!address || !is_shared(*machine_, *address)) {
        return refuse("line: " + found(arguments) +
                      "; accepted: an address of shared memory, such as 0x80000000");
    }
    std::cout << shared_line_text(*machine_, static_cast<std::uint32_t>(*address));
    return After::kPrompt;
}

StepSession::After StepSession::show_waits(Words /*arguments*/) {
    const std::string waits = machine_->explain_waits();
    std::cout << waits << (waits.ends_with('\n') ? "" : "\n");
    return After::kPrompt;
}

StepSession::After StepSession::show_events(Words /*arguments*/) {
    print_list("events", lines_of(events_of_cycle_));
    return After::kPrompt;
}

StepSession::After StepSession::show_checkpoints(Words /*arguments*/) {
    constexpr double kMegabyte = 1e6;
    std::vector<std::string> cycles;
    for (const hw::Cycles cycle : checkpoints_.cycles()) {
        cycles.push_back(cycle == kBeforeFirst ? "begin" : std::to_string(cycle.count()));
    }
    const Checkpoints::Memory memory = checkpoints_.memory();
    std::cout << fmt::format(
        "checkpoints after cycles: {}\nmemory: {:.1f} MB, beside {:.1f} MB of the run\n",
        fmt::join(cycles, " "), static_cast<double>(memory.of_checkpoints) / kMegabyte,
        static_cast<double>(memory.of_run) / kMegabyte);
    return After::kPrompt;
}

StepSession::After StepSession::help(Words /*arguments*/) {
    for (const Command& command : commands()) {
        std::cout << fmt::format("  {:27} {}\n",
                                 fmt::format("{} {}", command.name, command.arguments),
                                 command.sentence);
    }
    std::cout << "EVENT is one of:\n";
    for (const NamedEvent& event : named_events()) {
        std::cout << fmt::format("  {:27} {}\n", event.name, event.sentence);
    }
    return After::kPrompt;
}

StepSession::After StepSession::quit(Words /*arguments*/) {
    has_quit_ = end_.empty();
    return After::kQuit;
}

}  // namespace weir::experiments::debug
