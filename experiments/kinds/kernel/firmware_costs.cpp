#include "experiments/kinds/kernel/firmware_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <vector>

#include "experiments/kinds/kernel/compiled_run.h"
#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/kinds/setup.h"
#include "experiments/setup/user_fault.h"
#include "firmware/kernels/ping/ping.h"
#include "hw/controller/output_descriptor.h"
#include "hw/per_node.h"

namespace weir::experiments::kinds {

namespace {

using hw::Cycles;
using nodes::sparcle::ExecutedInstruction;

// Instructions that one core executed, with the address of each memory access.
class Listing final : public nodes::sparcle::ExecutionObserver {
  public:
    struct Entry {
        ExecutedInstruction instruction;
        std::optional<nodes::sparcle::MemoryRequest> access;
    };
    void executed(const nodes::sparcle::SparcleCore& core,
                  const ExecutedInstruction& instruction) override {
        entries_.push_back({instruction, core.last_access()});
    }
    // Instructions that began in [begin, end).
    [[nodiscard]] std::span<const Entry> between(Cycles begin, Cycles end) const {
        const auto before = [](const Entry& entry, Cycles at) {
            return entry.instruction.begin < at;
        };
        const auto first = std::lower_bound(entries_.begin(), entries_.end(), begin, before);
        const auto last = std::lower_bound(first, entries_.end(), end, before);
        return {first, last};
    }

  private:
    std::vector<Entry> entries_;
};

// The messages of a run.
class Messages final : public hw::TraceSink {
  public:
    void message(const hw::Message& message) override { all[message.id] = message; }
    void core_interval(hw::NodeId, hw::CoreState, Cycles, Cycles, hw::MessageId) override {}
    void queue_level(hw::NodeId, hw::QueueKind, Cycles, hw::Bytes, std::int64_t) override {}
    void dma_transfer(const hw::DmaTransfer&) override {}
    void stall(const hw::Stall&) override {}
    void mark(hw::NodeId, std::string_view, Cycles, std::int64_t) override {}

    std::map<hw::MessageId, hw::Message> all;
};

class Mean {
  public:
    void add(double value) {
        sum_ += value;
        ++count_;
    }
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] double value() const {
        return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_);
    }

  private:
    double sum_ = 0.0;
    std::int64_t count_ = 0;
};

double cycles(Cycles duration) { return static_cast<double>(duration.count()); }

// The first load of a controller register, or null.
const Listing::Entry* first_load_of(std::span<const Listing::Entry> entries,
                                    std::uint32_t address) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
        return entry.access && entry.access->address == address;
    });
    return found == entries.end() ? nullptr : &*found;
}

double controller_cycles(std::span<const Listing::Entry> entries) {
    double sum = 0.0;
    for (const Listing::Entry& entry : entries) {
        sum += cycles(entry.instruction.controller);
    }
    return sum;
}

struct HandlerMeans {
    Mean entry;
    Mean dispatch;
    Mean exit;
    Mean work;
    std::map<std::int32_t, Mean> work_by_words;
    // Entry plus exit of handlers that interrupted a composition, by the words composed.
    std::map<std::int32_t, Mean> around_by_words;
};

// Adds the times of one message's handler: entry, dispatch, work and exit, divided where the
// behavioural core's message layer calls the handler.
void add_handler(const hw::Message& message, const Listing& listing,
                 const hw::ControllerParameters& controller, HandlerMeans& means) {
    const hw::MessageTimes& times = message.times;
    if (times.handler_end == hw::kNever || times.code_end == hw::kNever) {
        return;
    }
    const auto before = listing.between(times.handler_begin, times.code_begin);
    const Listing::Entry* handler = first_load_of(before, WEIR_INPUT_WINDOW + WEIR_WORD_BYTES);
    if (handler == nullptr) {
        return;
    }
    const Cycles handler_load = handler->instruction.begin;
    const auto entry = listing.between(times.handler_begin, handler_load);
    const auto exit = listing.between(times.code_end, times.handler_end);
    const double entry_cycles =
        cycles(handler_load - times.handler_begin) - controller_cycles(entry);
    const double exit_cycles = cycles(times.handler_end - times.code_end) - controller_cycles(exit);
    if (message.restored_words > 0) {
        means.around_by_words[message.restored_words].add(entry_cycles + exit_cycles);
        return;
    }
    means.entry.add(entry_cycles);
    means.exit.add(exit_cycles);
    // The behavioural core's message layer loads the first two words directly one after the other.
    const double second_load =
        cycles(controller.load_cycles.value() + controller.consecutive_load_cycles.value());
    means.dispatch.add(cycles(times.code_begin - handler_load) - second_load);
    const auto body = listing.between(times.code_begin, times.code_end);
    // For a message with a body, the layer also loads the header.
    const double layer =
        message.body_bytes > hw::Bytes(0) ? cycles(controller.load_cycles.value()) : 0.0;
    const double work = cycles(times.code_end - times.code_begin) - controller_cycles(body) - layer;
    means.work.add(work);
    means.work_by_words[message.word_count - 2].add(work);
}

// Adds the cost of a save, beyond an interrupt without a save, as a + b words. This line goes
// through the measured costs of the fewest and of the most saved words.
void add_saves(const HandlerMeans& means, FirmwareCosts& costs) {
    if (means.around_by_words.size() < 2) {
        return;
    }
    const auto& [fewest, few] = *means.around_by_words.begin();
    const auto& [most, many] = *means.around_by_words.rbegin();
    const double word = (many.value() - few.value()) / (most - fewest);
    costs.save_word_cycles = word;
    costs.save_cycles = few.value() - means.entry.value() - means.exit.value() - word * fewest;
}

// Cycle in which the thread could continue after a sent message: its launch, or the end of its
// reply's handler.
Cycles end_of_iteration(const hw::Message& sent, const Messages& messages) {
    Cycles end = sent.times.launch;
    for (const auto& [id, message] : messages.all) {
        if (message.parent == sent.id && message.destination == sent.source) {
            end = std::max(end, message.times.handler_end);
        }
    }
    return end;
}

// Cycles that handlers of the node took in [begin, end).
Cycles handled_between(hw::NodeId node, Cycles begin, Cycles end, const Messages& messages) {
    Cycles sum{0};
    for (const auto& [id, message] : messages.all) {
        if (message.destination == node && message.times.handler_end != hw::kNever) {
            const Cycles from = std::max(begin, message.times.handler_begin);
            const Cycles to = std::min(end, message.times.handler_end);
            sum += std::max(to - from, Cycles(0));
        }
    }
    return sum;
}

std::optional<double> loop_of(const Messages& messages) {
    std::map<std::int32_t, const hw::Message*> last;
    Mean loop;
    for (const auto& [id, message] : messages.all) {  // in the order of each node's messages
        if (message.parent.valid() || message.times.handler_end == hw::kNever) {
            continue;
        }
        const hw::Message*& before = last[message.source.index()];
        if (before != nullptr) {
            const Cycles from = end_of_iteration(*before, messages);
            const Cycles to = message.times.compose;
            loop.add(cycles(to - from - handled_between(message.source, from, to, messages)));
        }
        before = &message;
    }
    return loop.count() == 0 ? std::nullopt : std::optional(loop.value());
}

// Options for kernels with iterations, whose messages interrupt compositions at any word.
constexpr std::array kFewMessages{"machine.nodes=4", "network.dimensions=[2, 2]",
                                  "workload.iterations=200"};
constexpr std::array kTwoNodes{"machine.nodes=2", "network.dimensions=[2, 1]"};

}  // namespace

FirmwareCosts measure_firmware_costs(const std::filesystem::path& file,
                                     const std::filesystem::path& presets,
                                     std::span<const std::string> set_options) {
    const auto read = [&](bool few) {
        std::vector<std::string> options(set_options.begin(), set_options.end());
        options.emplace_back("memory.caches=0");
        if (few) {
            options.insert(options.end(), kFewMessages.begin(), kFewMessages.end());
        } else {
            options.insert(options.end(), kTwoNodes.begin(), kTwoNodes.end());
        }
        return setup::ExperimentFile::read(file, presets, options);
    };
    const setup::SelectedRun first(0);
    std::unique_ptr<Setup> setup = make_setup(read(false), first);
    auto* kernel = kernel_kind(*setup).compiled_kernel();
    if (kernel == nullptr) {
        throw read(false).fault_at("core.kind", first, "its cores run no instructions",
                                   R"(an experiment with core.kind = "sparcle")");
    }
    const bool repeats = kernel_kind(*setup).kernel().parameters().find("iterations") != nullptr;
    if (repeats) {
        setup = make_setup(read(true), first);
        kernel = kernel_kind(*setup).compiled_kernel();
    }

    Messages messages;
    nodes::Machine machine("machine", setup->machine, 1, &messages);
    kernel->configure(setup->machine.core.receive_mode.value(),
                      setup->machine.sparcle.floating_point_unit.value(),
                      setup->machine.controller.overflow_trap.value(), setup->firmware);
    kernel->prepare(machine.shape(), 1, machine);
    ConsoleLog console(machine.node_count());
    start_compiled(machine, *kernel, console);
    hw::PerNode<Listing, std::deque<Listing>> listings(machine.node_count());
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        machine.node(hw::NodeId(node)).sparcle_core().set_observer(&listings[node]);
    }
    machine.run({.most_cycles = setup->run.most_cycles.value(),
                 .watchdog_cycles = setup->run.watchdog_cycles.value()});

    HandlerMeans means;
    for (const auto& [id, message] : messages.all) {
        add_handler(message, listings[message.destination], setup->machine.controller, means);
    }
    FirmwareCosts costs{.entry_cycles = means.entry.value(),
                        .dispatch_cycles = means.dispatch.value(),
                        .exit_cycles = means.exit.value(),
                        .handler_work_cycles = means.work.value(),
                        .loop_cycles = repeats ? loop_of(messages) : std::nullopt,
                        .messages = means.entry.count()};
    for (const auto& [words, mean] : means.work_by_words) {
        costs.handler_work_by_words[words] = mean.value();
    }
    add_saves(means, costs);
    costs.works_by_words = dynamic_cast<firmware::CompiledPing*>(kernel) != nullptr;
    return costs;
}

std::string to_toml(const FirmwareCosts& costs, const std::string& of_file) {
    std::string text = fmt::format(
        "# {}:\n"
        "# cycles of the program's instructions if every access hits, over {} messages on an\n"
        "# idle machine of a few nodes\n"
        "[firmware]\n"
        "entry_cycles = {:.0f}\n"
        "dispatch_cycles = {:.0f}\n"
        "exit_cycles = {:.0f}\n",
        of_file, costs.messages, costs.entry_cycles, costs.dispatch_cycles, costs.exit_cycles);
    if (costs.save_cycles) {
        text += fmt::format("save_cycles = {:.0f}\nsave_word_cycles = {:.0f}\n", *costs.save_cycles,
                            *costs.save_word_cycles);
    }
    text += "\n[workload]\n";
    if (costs.works_by_words) {
        std::vector<double> each;
        for (const auto& [words, work] : costs.handler_work_by_words) {
            each.push_back(work);
        }
        text += fmt::format("handler_work_cycles = [{:.0f}]\n", fmt::join(each, ", "));
    } else {
        text += fmt::format("handler_work_cycles = {:.0f}\n", costs.handler_work_cycles);
    }
    if (costs.loop_cycles) {
        text += fmt::format("loop_cycles = {:.0f}\n", *costs.loop_cycles);
    }
    return text;
}

}  // namespace weir::experiments::kinds
