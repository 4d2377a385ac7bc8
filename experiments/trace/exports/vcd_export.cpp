#include "experiments/trace/exports/vcd_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/tracing/trace_probe.h"

namespace weir::experiments::trace {

namespace {

constexpr std::array kNamedStates{
    hw::CoreState::kCompute,    hw::CoreState::kSend,       hw::CoreState::kBlocked,
    hw::CoreState::kDma,        hw::CoreState::kWait,       hw::CoreState::kHandler,
    hw::CoreState::kTrap,       hw::CoreState::kDone,       hw::CoreState::kSwitch,
    hw::CoreState::kMemoryWait, hw::CoreState::kSynchronize};

using Value = std::optional<std::int64_t>;  // value of a signal; empty: unknown, written as x

/// Index of a signal among the signals of its node.
enum SignalOrder : int {
    kState,
    kHandling,
    kSource,
    kSequence,
    kSendDma,
    kReceiveDma,
    kLaunchStalled,
    kNetworkStopped,
    kFirstQueue,
};

struct Signal {
    std::string type;
    int bits;
    std::string name;
    Value value{};  // value of the signal that was written last
};

struct Change {
    std::int64_t cycle;
    hw::NodeId node;
    int signal;
    // Order of two changes in the same cycle: the change that begins a state comes last.
    bool is_begin;
    Value value;

    [[nodiscard]] auto order() const { return std::tuple(cycle, node, signal, is_begin); }
};

/// Identifier of a signal in the file, made of printable characters from the signal's number.
std::string identifier(std::size_t number) {
    constexpr char kFirst = '!';
    constexpr std::size_t kCharacters = 94;
    std::string text;
    do {
        text += static_cast<char>(kFirst + number % kCharacters);
        number /= kCharacters;
    } while (number > 0);
    return text;
}

std::string value_text(const Signal& signal, std::string_view id) {
    if (signal.bits == 1) {
        return fmt::format("{}{}\n", signal.value ? std::to_string(*signal.value) : "x", id);
    }
    return signal.value ? fmt::format("b{:b} {}\n", *signal.value, id) : fmt::format("bx {}\n", id);
}

/// Time unit of the file, and the number of these units in a cycle.
std::pair<std::string, std::int64_t> time_unit(std::int64_t cycle_picoseconds) {
    std::int64_t unit = 1;
    while (cycle_picoseconds % (10 * unit) == 0 && unit < 1'000'000'000'000) {
        unit *= 10;
    }
    constexpr std::array<const char*, 5> kNames{"ps", "ns", "us", "ms", "s"};
    std::size_t name = 0;
    std::int64_t count = unit;
    for (; count >= 1000; count /= 1000) {
        ++name;
    }
    return {fmt::format("{} {}", count, kNames.at(name)), cycle_picoseconds / unit};
}

class Waveform {
  public:
    Waveform(const Timeline& timeline, const TimeScale& scale, ExportFile& file)
        : timeline_(timeline), scale_(scale), file_(file) {}

    std::int64_t write() {
        declare_signals();
        collect_changes();
        write_header();
        write_changes();
        file_.write(text_);
        return changes_.empty() ? 0 : changes_written_;
    }

  private:
    void declare_signals() {
        nodes_.assign(timeline_.node_count(), {{"reg", 4, "core_state"},
                                               {"reg", 1, "handler", 0},
                                               {"integer", 32, "handled_source"},
                                               {"reg", 64, "handled_sequence"},
                                               {"reg", 1, "send_dma", 0},
                                               {"reg", 1, "receive_dma", 0},
                                               {"reg", 1, "launch_stalled", 0},
                                               {"reg", 1, "network_stopped", 0}});
    }

    std::vector<Signal>& signals_of(hw::NodeId node) { return nodes_[node.index()]; }

    int queue_signal(hw::NodeId node, std::string_view queue) {
        std::vector<Signal>& signals = signals_of(node);
        const std::string name = fmt::format("{}_queue_bytes", queue);
        const auto found = std::find_if(signals.begin() + kFirstQueue, signals.end(),
                                        [&](const Signal& signal) { return signal.name == name; });
        if (found == signals.end()) {
            signals.push_back({"integer", 32, name});
            return static_cast<int>(signals.size()) - 1;
        }
        return static_cast<int>(found - signals.begin());
    }

    void add(CycleWindow cycles, hw::NodeId node, int signal, Value value, Value otherwise) {
        changes_.push_back({cycles.begin.count(), node, signal, true, value});
        if (cycles.end < timeline_.window().end) {
            changes_.push_back({cycles.end.count(), node, signal, false, otherwise});
        }
    }

    void collect_changes() {
        timeline_.for_each_slice([this](const Timeline::Slice& slice) {
            if (slice.track == Track::kCore) {
                const auto* const state = std::find_if(
                    kNamedStates.begin(), kNamedStates.end(),
                    [&](hw::CoreState s) { return hw::core_state_name(s) == slice.name; });
                if (state != kNamedStates.end()) {
                    add(slice.cycles, slice.node, kState, static_cast<std::int64_t>(*state), {});
                }
            }
            if (slice.message.valid()) {
                add(slice.cycles, slice.node, kHandling, 1, 0);
                add(slice.cycles, slice.node, kSource, slice.message.source.index(), {});
                add(slice.cycles, slice.node, kSequence, slice.message.sequence, {});
            }
        });
        timeline_.for_each_dma_slice([this](const Timeline::DmaSlice& slice) {
            const bool sends = slice.track == Track::kSendDma;
            add(slice.cycles, slice.transfer.node, sends ? kSendDma : kReceiveDma, 1, 0);
        });
        std::map<std::pair<hw::NodeId, Track>, hw::Cycles> shown_until;
        timeline_.for_each_stall([this, &shown_until](const Timeline::StallSlice& slice) {
            hw::Cycles& until = shown_until[{slice.stall.node, slice.track}];
            if (slice.cycles.end <= until) {
                return;  // the stall lies inside one already shown
            }
            until = slice.cycles.end;
            const bool is_launch = slice.track == Track::kLaunchStall;
            add(slice.cycles, slice.stall.node, is_launch ? kLaunchStalled : kNetworkStopped, 1, 0);
        });
        timeline_.for_each_queue_level([this](const Timeline::QueueLevel& level) {
            changes_.push_back({level.cycle.count(), level.node,
                                queue_signal(level.node, level.queue), true, level.bytes.count()});
        });
        std::stable_sort(changes_.begin(), changes_.end(),
                         [](const Change& a, const Change& b) { return a.order() < b.order(); });
    }

    void write_header() {
        const auto [unit, units_per_cycle] = time_unit(scale_.cycle_picoseconds);
        units_per_cycle_ = units_per_cycle;
        text_ += "$comment\n    Weir, cycles " + std::to_string(timeline_.window().begin.count()) +
                 " to " + std::to_string(timeline_.window().end.count()) + "\n    " +
                 scale_.text() + "\n    core_state:";
        for (const hw::CoreState state : kNamedStates) {
            text_ += fmt::format(" {} {}", static_cast<int>(state), hw::core_state_name(state));
        }
        text_ += fmt::format("\n$end\n$timescale {} $end\n$scope module machine $end\n", unit);
        std::size_t number = 0;
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            first_identifiers_.push_back(number);
            text_ += fmt::format("$scope module node_{} $end\n", node);
            for (const Signal& signal : nodes_[node]) {
                text_ += fmt::format("$var {} {} {} {}{} $end\n", signal.type, signal.bits,
                                     identifier(number++), signal.name,
                                     signal.type == "reg" && signal.bits > 1
                                         ? fmt::format(" [{}:0]", signal.bits - 1)
                                         : "");
            }
            text_ += "$upscope $end\n";
        }
        text_ += "$upscope $end\n$enddefinitions $end\n";
    }

    [[nodiscard]] std::string identifier_of(hw::NodeId node, int signal) const {
        return identifier(first_identifiers_[node.index()] + static_cast<std::size_t>(signal));
    }

    void write_time(std::int64_t cycle) { text_ += fmt::format("#{}\n", cycle * units_per_cycle_); }

    /// Writes the value changes; of several changes of a signal in a cycle, only the last.
    void write_changes() {
        auto change = changes_.cbegin();
        const std::int64_t begin = timeline_.window().begin.count();
        for (; change != changes_.cend() && change->cycle <= begin; ++change) {
            signals_of(change->node)[change->signal].value = change->value;
        }
        write_time(begin);
        write_initial_values();
        std::int64_t time_written = begin;
        for (; change != changes_.cend(); ++change) {
            const auto next = std::next(change);
            if (next != changes_.cend() &&
                std::tuple(next->cycle, next->node, next->signal) ==
                    std::tuple(change->cycle, change->node, change->signal)) {
                continue;
            }
            Signal& signal = signals_of(change->node)[change->signal];
            if (signal.value == change->value) {
                continue;
            }
            signal.value = change->value;
            if (std::exchange(time_written, change->cycle) != change->cycle) {
                write_time(change->cycle);
            }
            text_ += value_text(signal, identifier_of(change->node, change->signal));
            changes_written_ += 1;
            write_full_chunk();
        }
        write_time(timeline_.window().end.count());
    }

    void write_initial_values() {
        text_ += "$dumpvars\n";
        std::size_t number = 0;
        for (const std::vector<Signal>& signals : nodes_) {
            for (const Signal& signal : signals) {
                text_ += value_text(signal, identifier(number++));
                changes_written_ += signal.value ? 1 : 0;
                write_full_chunk();
            }
        }
        text_ += "$end\n";
    }

    void write_full_chunk() {
        constexpr std::size_t kFullBytes = 1 << 16;
        if (text_.size() >= kFullBytes) {
            file_.write(text_);
            text_.clear();
        }
    }

    const Timeline& timeline_;
    const TimeScale& scale_;
    ExportFile& file_;
    std::vector<std::vector<Signal>> nodes_;
    std::vector<std::size_t> first_identifiers_;  // for each node, number of its first signal
    std::vector<Change> changes_;
    std::int64_t units_per_cycle_ = 1;
    std::int64_t changes_written_ = 0;
    std::string text_;
};

}  // namespace

std::int64_t export_to_vcd(const Timeline& timeline, const TimeScale& scale, ExportFile& file) {
    return Waveform(timeline, scale, file).write();
}

}  // namespace weir::experiments::trace
